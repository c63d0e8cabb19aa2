import { realpathSync } from 'node:fs';
import type { BotConfig } from '../../config/index.ts';
import { controlFilesOf, type ControlFiles } from './controlFiles.ts';

/**
 * Where a bot listens: beside its journal's file, or beside its configuration where the journal is in
 * a database. The place is the file's own, so that a link to the configuration leads to the same bot,
 * and no address, let alone its password, stands in a name.
 *
 * @returns null for a bot whose journal is in memory: what it would be told, it would forget
 */
export function controlFilesOfBot({
  file,
  journal,
}: Pick<BotConfig, 'file' | 'journal'>): ControlFiles | null {
  if (journal.url !== undefined) return controlFilesOf(realpathSync(file));
  return journal.path === 'memory' ? null : controlFilesOf(journal.path);
}
