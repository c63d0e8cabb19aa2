import { existsSync, renameSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { BotConfig } from '../../config/index.ts';
import { makeFolders } from '../../env/index.ts';
import { setJournalAside } from '../journal/setJournalAside.ts';

/** Where the shadow of a strategy leaves what it did, beside the bot's journal. */
export interface ShadowFiles {
  /** Its journal: each intent's life. */
  journal: string;
  /** Its state, figures and curve, as JSON. */
  figures: string;
}

/** Null if the bot's journal is in memory: what a shadow did ends with the bot, too. */
export function shadowFilesOf(
  { file, journal }: Pick<BotConfig, 'file' | 'journal'>,
  instance: string,
): ShadowFiles | null {
  if (journal.path === 'memory' && journal.url === undefined) return null;
  const folder = journal.control_directory;
  const ofDatabase = folder === undefined ? file : join(folder, basename(file));
  const base = journal.url === undefined ? journal.path : ofDatabase;
  const own = `${base}.shadow-${instance}`;
  return { journal: `${own}.sqlite`, figures: `${own}.json` };
}

/** A shadow begins anew with each start of its bot; what the one before left is renamed to `….previous`. */
export function setShadowAside({ journal, figures }: ShadowFiles): void {
  makeFolders(dirname(journal));
  setJournalAside(journal);
  if (existsSync(figures)) renameSync(figures, `${figures}.previous`);
}
