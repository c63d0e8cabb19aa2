import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { createDevRunner } from '../../../backtest/dev/createDevRunner.ts';
import type { DevMessage } from '../../../backtest/dev/DevMessage.ts';
import { createLiveEnv } from '../../../src/env/index.ts';
import { root } from '../../sourceFiles.ts';

const folder = mkdtempSync(join(tmpdir(), 'trimtab-dev-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** A bot whose plugin is a shipped one, behind code of its own. */
function openRunner(name: string) {
  const [config, plugin] = [join(folder, `${name}.yaml`), join(folder, `${name}.ts`)];
  writeFileSync(
    config,
    `name: dev
link: { kind: paper }
paper:
  feeds: [{ symbol: BTC, interval: 1m, generate: { seed: 1, bars: 300, start_price: 61000 } }]
  warmup: 200
strategies: [{ name: breakout, use: ./${name}.ts, symbols: [BTC] }]
`,
  );
  const messages: DevMessage[] = [];
  const runner = createDevRunner({
    settings: { config, range: {}, feeds: [], params: [], set: [] },
    timers: createLiveEnv().timers,
    onMessage: (message) => void messages.push(message),
  });
  onTestFinished(() => runner.close());
  return {
    messages,
    run(number: number, code: string): void {
      const shipped = `export { default } from '${join(root, 'strategies/breakout.ts')}';\n`;
      writeFileSync(plugin, code + shipped);
      runner.run(number);
    },
  };
}

const WAIT = 'await new Promise((done) => setTimeout(done, 600));\n';

test.each([
  ['calls process.exit', 'process.exit(3);\n'],
  ['throws outside of everything', "setTimeout(() => { throw new Error('late'); });\n"],
])('a save is run although the run before it %s', { timeout: 60_000 }, async (name, ends) => {
  const { messages, run } = openRunner(name.split(' ').at(-1)!);
  run(1, WAIT + ends + WAIT);
  await expect
    .poll(() => messages, { timeout: 20_000 })
    .toContainEqual(expect.objectContaining({ run: 1, kind: 'file' }));
  run(2, '');
  await expect
    .poll(() => messages.at(-1), { timeout: 30_000 })
    .toMatchObject({
      run: 2,
      kind: 'report',
    });
  expect(messages.filter(({ kind }) => kind === 'fault')).toEqual([]);
});
