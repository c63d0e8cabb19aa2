import { z } from 'zod';
import { isPostgresUrl } from '../journal/index.ts';
import { requireSafeDatabase } from './databaseUrl.ts';
import { secretReference } from './linkSettings.ts';
import type { Secret } from './Secret.ts';

const journalObject = z
  .strictObject({
    path: z.string().min(1).optional().meta({
      description: 'SQLite file, relative to this file; or `memory`, which forgets (paper only).',
    }),
    url: z
      .union([z.string().superRefine(requireSafeDatabase), secretReference])
      .optional()
      .meta({
        description:
          'Instead of `path`: a PostgreSQL database, for bots on several hosts, as `postgres://user@host/database`; with a password only by { env: NAME } or { file: PATH }.',
      }),
    account: z.string().min(1).max(200).optional().meta({
      description:
        'With `url`: whose journal it is; an account has one writer. Default: service and wallets, and a bot with a wallet more goes on in the same journal.',
    }),
    control_directory: z.string().min(1).optional().meta({
      description:
        'With `url`: folder through which kill, rearm, settle and the watchdog reach the bot, relative to this file. Default: beside this file; name another where that place is read-only.',
    }),
    durability: z.enum(['power', 'process']).default('power').meta({
      description:
        'What a written record survives: `power` loss, or only a killed `process` (faster).',
    }),
    keep_days: z.number().positive().default(90).meta({
      description:
        'Days after which a finished intent leaves the journal; open ones stay, and the newest 10,000 that armed a monitor.',
    }),
  })
  .superRefine(({ path, url, account, control_directory: control }, ctx) => {
    const add = (message: string) => ctx.addIssue({ code: 'custom', message });
    if ((path === undefined) === (url === undefined)) add('must have either path or url');
    if (path !== undefined && account !== undefined) add('has an account, which needs a url');
    if (path !== undefined && control !== undefined) {
      add('has a control_directory, which needs a url; a file has its control files beside it');
    }
    if (path !== undefined && isPostgresUrl(path)) add('has a database as path; write url instead');
  });

/** Where every intent's life is recorded before anything is sent; a path or an address is enough. */
export const journalSettings = z
  .union([z.string().min(1), journalObject])
  .transform((given, ctx) => {
    if (typeof given !== 'string') return given;
    const meant = isPostgresUrl(given) ? { url: given } : { path: given };
    const parsed = journalObject.safeParse(meant);
    if (parsed.success) return parsed.data;
    for (const { message } of parsed.error.issues) ctx.addIssue({ code: 'custom', message });
    return z.NEVER;
  });

/** As written in the file. */
export type WrittenJournal = z.infer<typeof journalSettings>;

/** Where the journal is, with all references read. */
export interface JournalSettings {
  /** An absolute path, `memory`, or the database's address without its password. */
  path: string;
  durability: 'power' | 'process';
  keep_days: number;
  /** A PostgreSQL database, password included; absent for a file. */
  url?: Secret;
  account?: string;
  /** Absolute. */
  control_directory?: string;
}
