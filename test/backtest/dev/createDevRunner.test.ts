import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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
function openRunner(name: string, more = '', params = '{}') {
  const [config, plugin] = [join(folder, `${name}.yaml`), join(folder, `${name}.ts`)];
  writeFileSync(
    config,
    `name: dev
link: { kind: paper }
paper:
  feeds: [{ symbol: BTC, interval: 1m, generate: { seed: 1, bars: 300, start_price: 61000 } }]
  warmup: 200${more}
strategies: [{ name: breakout, use: ./${name}.ts, symbols: [BTC], params: ${params} }]
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
    config,
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

test('a file that a parameter names is watched', { timeout: 60_000 }, async () => {
  const signals = join(folder, 'signals.csv');
  writeFileSync(signals, 'time,side\n');
  const { messages, run } = openRunner('signals', '', '{ lists: [{ file: ./signals.csv }] }');
  run(1, '');
  await expect
    .poll(() => messages, { timeout: 20_000 })
    .toContainEqual(
      expect.objectContaining({ kind: 'file', file: expect.objectContaining({ path: signals }) }),
    );
});

test(
  'another funding of the settings is charged by the next run',
  { timeout: 60_000 },
  async () => {
    const funding = (rate: number): string => `\n  funding: { BTC: { rate_bps: ${rate} } }`;
    const { config, messages, run } = openRunner('funding', funding(0));
    const figures = (number: number): string =>
      JSON.stringify(
        messages.flatMap((message) =>
          message.kind === 'figures' && message.run === number ? message.figures : [],
        ),
      );
    const buys = join(root, 'test/backtest/plants/goesAllIn.ts');
    const text = readFileSync(config, 'utf8')
      .replace('./funding.ts', buys)
      .replace('params: {}', 'params: { times: 1 }');
    writeFileSync(config, text);
    for (const [number, rate] of [
      [1, 0],
      [2, 400],
      [3, 0],
    ] as const) {
      writeFileSync(config, text.replace('rate_bps: 0', `rate_bps: ${rate}`));
      run(number, '');
      await expect.poll(() => figures(number), { timeout: 20_000 }).toContain('P&L');
    }
    expect(figures(2)).not.toBe(figures(1));
    expect(figures(3)).toBe(figures(1));
  },
);
