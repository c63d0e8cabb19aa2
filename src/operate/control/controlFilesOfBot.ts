import { realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { BotConfig } from '../../config/index.ts';
import { controlFilesOf, type ControlFiles } from './controlFiles.ts';

/**
 * Where a bot listens: beside its journal's file, or where the journal is in a database, beside its
 * configuration or in the folder that this names. They have the configuration's own name, so that a link
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
    const folder = journal.control_directory ?? dirname(own);
    return controlFilesOf(join(folder, basename(own)));
  }
  return journal.path === 'memory' ? null : controlFilesOf(journal.path);
}
