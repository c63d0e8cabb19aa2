import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import type { BotConfig } from '../../config/index.ts';
import { makeFolders, reasonOf, type Env } from '../../env/index.ts';
import {
  ACCOUNT,
  createPassingStore,
  createSqliteStore,
  requireAccount,
  JournalFault,
  type JournalStore,
  type JournalUpgrade,
} from '../../journal/index.ts';
import { accountOf, isRehearsal } from './accountOf.ts';
import { chooseJournal, namedJournal } from './chooseJournal.ts';
import { setJournalAside } from './setJournalAside.ts';

export interface OpenJournalOptions {
  config: BotConfig;
  env: Pick<Env, 'clock' | 'timers' | 'log'>;
  /**
   * An embedded paper service starts afresh with each run. Its journal must too, or every decision would
   * count as already made: the old journal is renamed to `….previous`.
   */
  startsOver: boolean;
  /**
   * The bot trades on its wallets, which the service has shown: a journal of some of them becomes that of all. Default:
   * it stays what it is.
   */
  grows?: boolean;
  /** Called if another process takes over the account while this one runs: nothing more may be sent. */
  onLost(fault: JournalFault): void;
}

/**
 * Opens the journal that a configuration names, in a file, in a database or in memory, for its only
 * writer.
 *
 * @throws JournalFault with the problem and the remedy
 */
export async function openJournalStore(options: OpenJournalOptions): Promise<JournalStore> {
  const { config, grows } = options;
  const account = accountOf(config);
  const store = await openStore(options, account);
  try {
    const { path, account: named } = config.journal;
    const isNamed = config.journal.url !== undefined && named !== undefined;
    const required = { account, place: path, grows: grows === true, isNamed };
    const owner = await requireAccount(store, required);
    const { log } = options.env;
    if (owner === undefined && config.journal.url !== undefined)
      log.warn(`${path} has no journal of ${account}: a new one begins, at L0.`);
    if (grows === true && !isNamed && owner !== undefined && owner !== account)
      log.warn(`The journal of ${owner} goes on as that of ${account}.`);
    if (store.upgraded !== undefined) options.env.log.warn(describeUpgrade(store.upgraded));
    return store;
  } catch (error) {
    await store.close();
    throw error;
  }
}

function describeUpgrade({ from, to, backup }: JournalUpgrade): string {
  return `The journal was brought from format ${from} to ${to}; as it was, it is in ${backup}.`;
}

async function openStore(options: OpenJournalOptions, account: string): Promise<JournalStore> {
  const { env, onLost, startsOver } = options;
  const { path, durability, url, account: named } = options.config.journal;
  if (url !== undefined) {
    const { createPostgresStore } = await import('../../journal/postgres/index.ts');
    const choose =
      named === undefined && !isRehearsal(account)
        ? chooseJournal(account, path)
        : namedJournal(account);
    return createPostgresStore({ url: url.reveal(), account, env, durability, onLost, choose });
  }
  if (path === 'memory') return createPassingStore();
  makeFolderOf(path);
  // Opened first: a journal that another process writes must not be moved from under it.
  if (startsOver && existsSync(path)) {
    const former = createSqliteStore(path, durability);
    const owner = former.meta(ACCOUNT);
    await former.close();
    if (owner !== undefined && !isRehearsal(owner)) throw ofService(path, owner);
    setJournalAside(path);
  }
  return createSqliteStore(path, durability);
}

function makeFolderOf(path: string): void {
  try {
    makeFolders(dirname(path));
  } catch (error) {
    const reason = `The journal ${path} can't be opened: ${reasonOf(error)}`;
    throw new JournalFault('unopened', reason, { cause: error });
  }
}

/** A paper run must not destroy the record of what was sent to a service. */
function ofService(path: string, owner: string): JournalFault {
  return new JournalFault(
    'foreign',
    `The journal ${path} is that of a bot on a service (${owner}), and a run on embedded paper ` +
      'starts over.\n  Give this run a journal of its own: --journal FILE, or --journal memory.',
  );
}
