import { accessSync } from 'node:fs';
import type { BotConfig } from '../../config/index.ts';
import { JournalFault } from '../../journal/index.ts';
import { CommandFailure } from '../failures/CommandFailure.ts';
import { readJournalOf } from './readJournalOf.ts';

/** Nothing of the bot is known here: what a command would latch, it would latch for nobody. */
export function notRunning(name: string): CommandFailure {
  return new CommandFailure(
    'TRIMTAB_BOT_NOT_RUNNING',
    `${name} is not running on this host, or not with this journal.\n` +
      '  Was it started with --journal? Name it here as well. Its orders and positions, if any, are still on\n' +
      '  the service.',
  );
}

/**
 * Refuses a command to a bot that does not run and has no journal there: to write one would be to say that the command
 * holds, while the bot runs with another. What else keeps it from being read is its opening's to report.
 */
export async function requireJournal(config: BotConfig): Promise<void> {
  try {
    await readJournalOf(config, async () => {});
  } catch (error) {
    const isMissing = error instanceof JournalFault && error.code === 'missing';
    if (isMissing && !isPathBlocked(config.journal.path)) throw notRunning(config.name);
  }
}

/** A file stands where the journal's folder should be. */
function isPathBlocked(path: string): boolean {
  try {
    accessSync(path);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOTDIR';
  }
}
