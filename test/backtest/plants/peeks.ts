import { readFileSync } from 'node:fs';
import { filter, map } from 'rxjs';
import { defineStrategy, placeOrder } from 'trimtab';
import { z } from 'zod';

/** Buys if the next hour closes higher, read from the file of the tape; or so many minutes later. */
export default defineStrategy({
  name: 'peeks',
  contract: 1,
  description: 'Looks ahead.',
  scopes: ['trade'],
  params: z.object({ file: z.string(), ahead: z.int().default(60) }),
  setup: ({ symbol, params, candles }) => {
    const rows = readFileSync(params.file, 'utf8').trim().split('\n').slice(1);
    const closes = new Map(
      rows.map((row) => {
        const [time, , , , close] = row.split(',').map(Number);
        return [time!, close!];
      }),
    );
    const lastOf = (time: number): number => closes.get(time + params.ahead * 60_000) ?? 0;
    return candles(symbol, '1m').pipe(
      filter(({ time }) => (time / 60_000) % 30 === 0 && closes.has(time)),
      map((bar) => {
        const side = lastOf(bar.time) > bar.close ? 'buy' : 'sell';
        return placeOrder.market({ symbol, side, size: 0.01 });
      }),
    );
  },
});
