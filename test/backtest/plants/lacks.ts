import { NEVER } from 'rxjs';
import { defineStrategy } from 'trimtab';
import { z } from 'zod';

const says = {
  nothing: undefined,
  files: 'EMFILE: too many open files, open signals.csv',
  name: 'ENOENT: no such file or directory, open signals.csv',
} as const;

/** Throws as it begins, what a machine says that has no more of something. */
export default defineStrategy({
  name: 'lacks',
  contract: 1,
  description: 'Lacks files.',
  scopes: ['trade'],
  params: z.object({ what: z.enum(['nothing', 'files', 'name']) }),
  setup: ({ params }) => {
    const text = says[params.what];
    if (text !== undefined) throw new Error(text);
    return NEVER;
  },
});
