import { once } from 'node:events';
import { setImmediate as turnEnd } from 'node:timers/promises';
import { reasonOf, withFullStop } from '../../env/index.ts';
import { CommandFailure } from '../failures/CommandFailure.ts';

/**
 * Writes to stdout; waits for a slower reader, such as a pipe. One that has closed it (`| head`) is no failure: the
 * command goes on, to its other outputs and its verdict.
 */
export const say = (text: string): Promise<void> => whileRead(() => sayNext(text));

/** A text could not be written; `cause` is the system's error. Whatever else a task throws is its own. */
class Unwritten extends Error {}

/** One text of many, within {@link whileRead}, which a reader ends by closing the pipe. */
export async function sayNext(text: string): Promise<void> {
  try {
    if (!process.stdout.write(text)) await once(process.stdout, 'drain');
  } catch (cause) {
    throw new Unwritten('stdout', { cause });
  }
}

/** The reader may have closed the pipe: that ends the output and is not a failure. */
export async function whileRead(task: () => Promise<void>): Promise<void> {
  try {
    await task();
  } catch (error) {
    if (!(error instanceof Unwritten)) throw error;
    if (!isReaderGone(error.cause)) throw outputLost(error.cause, 'what the command says is lost');
  }
}

const isReaderGone = (error: unknown): boolean =>
  (error as NodeJS.ErrnoException | undefined)?.code === 'EPIPE';

const outputLost = (cause: unknown, lost: string): CommandFailure =>
  new CommandFailure(
    'TRIMTAB_OUTPUT_UNWRITABLE',
    `The standard output can't be written, and ${lost}: ${withFullStop(reasonOf(cause))}\n` +
      '  Write it to a place with room.',
    1,
    { cause },
  );

/**
 * Remembers that a text was lost that nobody waited for, such as a table of results: by itself a stream that can't be
 * written is no reason to end a bot.
 *
 * @returns `lost`: once the stream has had its turn, the failure, if there was one; `end`: watches no more
 */
export function watchOutput(): { lost(): Promise<CommandFailure | undefined>; end(): void } {
  let lost: CommandFailure | undefined;
  const note = (error: Error): void => {
    if (!isReaderGone(error))
      lost ??= outputLost(error, 'what the command said is lost, though it went to its end');
  };
  process.stdout.on('error', note);
  return {
    async lost() {
      // A file is written at once, and its error is reported within the turn.
      await turnEnd();
      return lost;
    },
    end: () => void process.stdout.off('error', note),
  };
}
