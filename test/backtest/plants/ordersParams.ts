import { NEVER } from 'rxjs';
import { defineStrategy } from 'trimtab';
import { z } from 'zod';

const bars = z.object({ fast: z.int(), slow: z.int() });

/** Does nothing, with parameters of which one must be below the other. */
export default defineStrategy({
  name: 'orders-params',
  contract: 1,
  description: 'Does nothing.',
  scopes: ['trade'],
  params: bars.refine((p) => p.fast < p.slow, { path: ['fast'], error: 'must be below slow' }),
  setup: () => NEVER,
});
