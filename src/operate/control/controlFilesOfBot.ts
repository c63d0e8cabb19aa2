import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { BotConfig } from '../../config/index.ts';
import { controlFilesOf, type ControlFiles } from './controlFiles.ts';

/**
 * Where a bot listens: beside its journal's file, or where the journal is in a database, beside its
 * configuration or in the folder that this names. Their name is the file's own, so that a link
 * to it leads to the same bot, and no address, let alone its password, stands in a name.
 *
 * @returns null for a bot whose journal is in memory: what it would be told, it would forget
 */
export function controlFilesOfBot({
  file,
  journal,
}: Pick<BotConfig, 'file' | 'journal'>): ControlFiles | null {
  if (journal.url !== undefined) {
    const own = realpathSync(file);
    const folder = journal.control_directory;
    if (folder === undefined) return controlFilesOf(own);
    // Several bots may share the folder, and have configurations of one name.
    const place = createHash('sha256').update(dirname(own)).digest('hex').slice(0, 8);
    return controlFilesOf(join(folder, `${basename(own)}.${place}`));
  }
  return journal.path === 'memory' ? null : controlFilesOf(journal.path);
}
