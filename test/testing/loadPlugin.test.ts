import { pathToFileURL } from 'node:url';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadPlugin } from '../../src/testing/index.ts';
import { root } from '../sourceFiles.ts';

test('loads a plugin by URL or by path, ready to be tested', async () => {
  const file = join(root, 'strategies/breakout.ts');
  expect((await loadPlugin(pathToFileURL(file))).name).toBe('breakout');
  expect((await loadPlugin(file)).name).toBe('breakout');
});

test('a file that is no plugin is refused with its place and the remedy', async () => {
  const missing = new URL('./noSuchPlugin.ts', import.meta.url);
  await expect(loadPlugin(missing)).rejects.toMatchObject({ code: 'TRIMTAB_PLUGIN_NOT_FOUND' });
  const other = new URL('./planted.ts', import.meta.url);
  await expect(loadPlugin(other)).rejects.toMatchObject({
    code: 'TRIMTAB_PLUGIN_NO_EXPORT',
    message: expect.stringMatching(/planted\.ts.*\n {2}\S/),
  });
});
