import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { root } from '../sourceFiles.ts';
import { runMain } from './runMain.ts';

const folder = mkdtempSync(join(tmpdir(), 'trimtab-readers-'));
afterAll(() => rmSync(folder, { recursive: true }));

const plugin = join(root, 'test/cli/plants/readsBars.ts');
const line = readFileSync(plugin, 'utf8')
  .split('\n')
  .findIndex((text) => text.includes('ctx.candles('));
const place = `${relative(process.cwd(), plugin)}:${line + 1}:`;

test.each([
  ['an operator of RxJS', 'tap'],
  ['one behind indicators', 'filter'],
  ['an operator of Trimtab', 'it'],
  ['its own code', 'it'],
  ['crossings', undefined],
])('a profile names what takes each bar: %s', { timeout: 60_000 }, async (by, reader) => {
  const file = join(folder, `${by.replaceAll(' ', '-')}.yaml`);
  writeFileSync(
    file,
    `name: reads
link: { kind: paper }
paper: { speed: max, feeds: [{ symbol: BTC, interval: 1m, generate: { seed: 1, bars: 1000 } }] }
journal: memory
strategies: [{ name: reader, use: ${plugin}, symbols: [BTC], params: { by: ${by} } }]
`,
  );
  const { out } = await runMain('backtest', file, '--no-report', '--profile');
  const lines = out.split('\n');
  expect(lines).toContainEqual(
    expect.stringMatching(/^BTC 1m: \d+ of \d+ bars in spans went to a plugin$/),
  );
  const readers = lines.filter((text) => text.includes(' takes each; only '));
  const expected = reader === undefined ? [] : [expect.stringMatching(`: ${reader} takes each`)];
  expect(readers).toEqual(expected);
  if (reader !== undefined) expect(readers[0]!.trim().startsWith(place)).toBe(true);
});
