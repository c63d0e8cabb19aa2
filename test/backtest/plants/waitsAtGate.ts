import { existsSync } from 'node:fs';
import { ignoreElements, tap } from 'rxjs';
import { defineStrategy } from 'trimtab';
import { z } from 'zod';

const cell = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));

/** Is slow while a file is missing: its point lasts until a test creates it. */
export default defineStrategy({
  name: 'waits-at-gate',
  contract: 1,
  description: 'Takes a millisecond more for a bar for as long as a file is not there.',
  scopes: ['trade'],
  params: z.object({ gate: z.string() }),
  setup: ({ symbol, candles, params }) =>
    candles(symbol, '1m').pipe(
      tap(() => {
        if (!existsSync(params.gate)) Atomics.wait(cell, 0, 0, 1);
      }),
      ignoreElements(),
    ),
});
