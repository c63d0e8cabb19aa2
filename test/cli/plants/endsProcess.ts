import { exit } from 'node:process';
import { concatMap, EMPTY } from 'rxjs';
import { defineStrategy } from 'trimtab';
import { z } from 'zod';

/** Ends the process that it runs in, by either name of the call. */
export default defineStrategy({
  name: 'ends-process',
  contract: 1,
  description: 'Ends the process.',
  scopes: [],
  params: z.object({ how: z.enum(['process', 'name']), code: z.int() }),
  setup: ({ candles, symbol, params }) =>
    candles(symbol, '1m').pipe(
      concatMap(() => {
        if (params.how === 'name') exit(params.code);
        process.exit(params.code);
        return EMPTY;
      }),
    ),
});
