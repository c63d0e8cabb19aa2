import { realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { BotConfig } from '../../config/index.ts';
import { sha256 } from '../../env/index.ts';
import { controlFilesOf, type ControlFiles } from './controlFiles.ts';

/**
 * The control files of a bot: beside its journal's file or, for a journal in a database, beside its
 * configuration or in the folder that the configuration names. Their name is that of the real file, so
 * that a link leads to the same bot, and no name contains an address or its password.
 *
 * @returns null for a bot whose journal is in memory: it could not persist a command
 */
export function controlFilesOfBot({
  file,
  journal,
}: Pick<BotConfig, 'file' | 'journal'>): ControlFiles | null {
  if (journal.url !== undefined) {
    const own = realpathSync(file);
    const folder = journal.control_directory;
    if (folder === undefined) return controlFilesOf(own);
    // Several bots may share the folder and have configurations of the same name.
    const place = sha256(dirname(own)).slice(0, 8);
    return controlFilesOf(join(folder, `${basename(own)}.${place}`));
  }
  return journal.path === 'memory' ? null : controlFilesOf(journal.path);
}
