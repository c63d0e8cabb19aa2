import { join } from 'node:path';
import { rolldown } from 'rolldown';

/**
 * Joins the bot's modules into one file, without its libraries: a life then starts with a third of the processor time,
 * which thousands of lives notice.
 *
 * @returns the program
 */
export async function bundleBot(folder: string): Promise<string> {
  const bundle = await rolldown({
    input: join(import.meta.dirname, 'bot/main.ts'),
    platform: 'node',
    resolve: { conditionNames: ['trimtab-source', 'import', 'node'] },
    external: (id) => !/^[./]/.test(id),
  });
  // Beside the libraries, which it looks for from its own place.
  const { output } = await bundle.write({ dir: folder, format: 'esm', entryFileNames: 'bot.mjs' });
  await bundle.close();
  return join(folder, output[0].fileName);
}
