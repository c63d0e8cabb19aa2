import { once } from 'node:events';

/** Writes to stdout; a reader that is slower than we are, such as a pipe, is waited for. */
export async function say(text: string): Promise<void> {
  if (!process.stdout.write(text)) await once(process.stdout, 'drain');
}

/** Who reads may have seen enough (`| head`): that ends what is said, and is no failure. */
export async function whileRead(task: () => Promise<void>): Promise<void> {
  try {
    await task();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPIPE') throw error;
  }
}
