import { JournalFault } from '../../journal/index.ts';
import { CommandFailure } from '../failures/CommandFailure.ts';
import { isUnaddressed, journalFailure } from '../failures/journalFailure.ts';

/**
 * Why a command can't write the journal of a bot that does not run here. Another host that writes it runs the bot: the
 * command is for a shell there, and ending the bot is no remedy.
 *
 * @param name the intended bot
 * @param what would have been recorded
 */
export function notWritten(error: unknown, { name, what }: { name: string; what: string }): never {
  const away = `${name} is not running on this host, and its journal`;
  if (isUnaddressed(error)) {
    const text = `${away} can't be opened to record the ${what}.\n  ${error.message}`;
    throw new CommandFailure('TRIMTAB_CONFIG_SECRET', text, 1, { cause: error });
  }
  if (!(error instanceof JournalFault) || error.code !== 'in_use') return journalFailure(error);
  const [writer] = error.message.split('\n');
  throw new CommandFailure(
    'TRIMTAB_JOURNAL_IN_USE',
    `${away} is written elsewhere.\n  ${writer}\n` +
      '  Run this command on the host where it runs, or once it has started.',
    1,
    { cause: error },
  );
}
