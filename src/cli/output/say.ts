import { once } from 'node:events';

/**
 * Writes to stdout; waits for a slower reader, such as a pipe. One that has closed it (`| head`) is no failure: the
 * command goes on, to its other outputs and its verdict.
 */
export const say = (text: string): Promise<void> => whileRead(() => sayNext(text));

/** One text of many, within {@link whileRead}, which a reader ends by closing the pipe. */
export async function sayNext(text: string): Promise<void> {
  if (!process.stdout.write(text)) await once(process.stdout, 'drain');
}

/** The reader may have closed the pipe: that ends the output and is not a failure. */
export async function whileRead(task: () => Promise<void>): Promise<void> {
  try {
    await task();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPIPE') throw error;
  }
}
