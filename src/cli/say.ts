import { once } from 'node:events';

/** Writes to stdout; waits for a slower reader, such as a pipe. */
export async function say(text: string): Promise<void> {
  if (!process.stdout.write(text)) await once(process.stdout, 'drain');
}

/** The reader may have closed the pipe (`| head`): that ends the output and is not a failure. */
export async function whileRead(task: () => Promise<void>): Promise<void> {
  try {
    await task();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPIPE') throw error;
  }
}
