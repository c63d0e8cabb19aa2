import { from, mergeMap } from 'rxjs';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { defaultDialect } from '../../../src/contract/index.ts';
import { placeOrder, type Intent } from '../../../src/intents/index.ts';
import { defineStrategy } from '../../../src/strategy/index.ts';
import { openOutageBot } from '../openOutageBot.ts';

test('an order without an answer is absent once neither signature nor list can bring it any more', async () => {
  const turns: Intent[][] = [
    [placeOrder.limit({ symbol: 'BTC', side: 'buy', size: 0.001, price: 30_000 })],
  ];
  const strategy = defineStrategy({
    name: 'once',
    contract: 1,
    description: 'Rests one order.',
    scopes: ['trade'],
    params: z.object({}),
    setup: (ctx) => ctx.candles('BTC', '1m').pipe(mergeMap(() => from(turns.shift() ?? []))),
  });
  const outage = await openOutageBot({
    strategy,
    wire: () => ({ kind: 'no_answer', reason: 'timeout' }),
  });
  const times: Array<[string, number]> = [];
  outage.bot.events$.subscribe((event) => {
    if (event.kind === 'intent') times.push([event.event.state, outage.now()]);
  });
  await outage.pass(60);
  const sentAt = times.find(([state]) => state === 'sending')![1];
  await outage.pass(300);
  const [last, absentAt] = times.at(-1)!;
  expect(last).toBe('absent');
  // A clock may be ahead by the tolerance: the signature is valid for twice as long. A list may lag by 35 s.
  const { timestampToleranceSeconds } = defaultDialect.signing;
  expect(absentAt - sentAt).toBeGreaterThanOrEqual(timestampToleranceSeconds * 2_000 + 35_000);
  await outage.close();
});
