import { map } from 'rxjs';
import { defineStrategy } from 'trimtab';
import { z } from 'zod';

/** Fails at its first bar, whatever its parameter. */
export default defineStrategy({
  name: 'throws',
  contract: 1,
  description: 'Fails.',
  scopes: ['trade'],
  params: z.object({ channel: z.int().default(1) }),
  setup: ({ symbol, candles }) =>
    candles(symbol, '1m').pipe(
      map(() => {
        throw new Error('at its first bar');
      }),
    ),
});
