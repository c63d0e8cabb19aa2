import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import type { BotConfig } from '../../src/config/index.ts';
import { silentLog, watchHostTimers } from '../../src/env/index.ts';
import { placeOfFault, placeOfPlugin } from '../../src/operate/run/placeIn.ts';
import { watchOwnErrors } from '../../src/operate/run/watchOwnErrors.ts';
import { startedByPlugin, type StrategyHost } from '../../src/strategy/index.ts';

/** A bot as it is deployed: the folder's name has a space, and the current release is a link. */
const home = realpathSync(mkdtempSync(join(tmpdir(), 'trimtab-stack-')));
afterAll(() => rmSync(home, { recursive: true }));
const release = join(home, 'releases/my bot 42');
const current = join(home, 'current');
const developed = join(home, 'beside/my plugin');
const CODE = `export const start = (run) => setTimeout(run, 60_000);
export const fail = () => new Error('its own');
`;

mkdirSync(join(release, 'strategies'), { recursive: true });
mkdirSync(join(release, 'node_modules/installed'), { recursive: true });
mkdirSync(developed, { recursive: true });
symlinkSync(release, current, 'junction');
symlinkSync(developed, join(release, 'node_modules/linked'), 'junction');
const write = (path: string, text: string): void => writeFileSync(join(home, path), text);
write('releases/my bot 42/strategies/own.mjs', CODE);
for (const [folder, name] of [
  ['releases/my bot 42/node_modules/installed', 'installed'],
  ['beside/my plugin', 'linked'],
] as const) {
  write(`${folder}/index.mjs`, CODE);
  write(`${folder}/package.json`, JSON.stringify({ name, exports: './index.mjs' }));
}

/** As a configuration names it, the bot's folder, and the file that runs. */
const PLUGINS = {
  'a file behind a link': [join(current, 'strategies/own.mjs'), 'strategies/own.mjs'],
  'a file': [join(release, 'strategies/own.mjs'), 'strategies/own.mjs'],
  'an installed package': ['installed', 'node_modules/installed/index.mjs'],
  'a package that is linked from beside': ['linked', 'node_modules/linked/index.mjs'],
} as const;

interface Code {
  start(run: () => void): NodeJS.Timeout;
  fail(): Error;
}

/** Node runs it by its real address, as it runs a plugin. */
async function load(file: string): Promise<Code> {
  const { href } = pathToFileURL(realpathSync(join(release, file)));
  return (await import(/* @vite-ignore */ href)) as Code;
}

describe.each(Object.entries(PLUGINS))('%s', (_name, [use, file]) => {
  test('has its timers watched, and no other of the process', async () => {
    const { start } = await load(file);
    const runs: string[] = [];
    const timers = watchHostTimers(startedByPlugin([use], current));
    const own = start(() => runs.push('own'));
    const others = setTimeout(() => runs.push('others'), 60_000);
    await timers.flush();
    timers.restore();
    clearTimeout(own);
    clearTimeout(others);
    expect(runs).toEqual(['own']);
  });

  test('has its unhandled rejections end it', async () => {
    const { fail } = await load(file);
    const ended: unknown[] = [];
    const host = { instance: 'one', fail: (error: unknown) => ended.push(error) };
    const strategies = [{ name: 'one', use }] as unknown as BotConfig['strategies'];
    const stop = watchOwnErrors({
      config: { strategies, directory: current },
      hosts: () => [host as unknown as StrategyHost],
      log: silentLog,
    });
    const error = fail();
    process.emit('unhandledRejection', error, Promise.resolve());
    stop();
    expect(ended).toEqual([error]);
  });
});

test.each([PLUGINS['a file'], PLUGINS['a file behind a link']])(
  'a fault in %s is placed',
  async (use, file) => {
    const { stack } = (await load(file)).fail();
    expect(placeOfFault(use, stack)).toBe(`${use}:2:27`);
    expect(placeOfPlugin(stack)).toBe(`${realpathSync(use)}:2:27`);
    // A loader that compiles in memory shows paths.
    const plain = `Error\n    at start (${use}:1:9)\n    at async run (${use}:2:9)`;
    expect(placeOfPlugin(plain)).toBe(`${use}:1:9`);
    expect(placeOfPlugin(`Error\n    at async ${use}:3:9`)).toBe(`${use}:3:9`);
  },
);
