import { z } from 'zod';

const journalObject = z.strictObject({
  path: z.string().min(1).meta({
    description: 'SQLite file, from this file; or `memory`, which forgets (paper only).',
  }),
  durability: z.enum(['power', 'process']).default('power').meta({
    description:
      'What a written record survives: `power` loss, or only a killed `process` (faster).',
  }),
});

/** Where every intent's life is recorded before anything is sent; a path alone is enough. */
export const journalSettings = z
  .union([z.string().min(1), journalObject])
  .transform((given) => (typeof given === 'string' ? journalObject.parse({ path: given }) : given));

export type JournalSettings = z.infer<typeof journalObject>;
