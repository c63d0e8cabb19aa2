/** The page's plugin that reads another program's file: a row that it takes for something else is a trade. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { Strategy } from '../../src/index.ts';
import { testStrategy } from '../../src/testing.ts';
import { root } from '../sourceFiles.ts';
import { blocksOf } from './pages.ts';

// Below the project, so that 'trimtab' is the sources.
const folder = mkdtempSync(join(root, 'var-signals-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const { text } = blocksOf('docs/how-to/write-a-plugin.md').find(
  ({ note }) => note === 'save: strategies/signals.ts',
)!;
writeFileSync(join(folder, 'signals.ts'), text);
const { default: plugin } = (await import(join(folder, 'signals.ts'))) as { default: Strategy };

const START = Date.UTC(2026, 0, 1);
const MINUTE = 60_000;
const file = join(folder, 'signals.csv');
const write = (rows: string): void => writeFileSync(file, `time,side\n${rows}`);

const start = () =>
  testStrategy(plugin, {
    symbols: ['BTC'],
    params: { file, size: 1 },
    startTime: START,
    onFault: 'list',
  });
const sidesOf = ({ intents }: ReturnType<typeof start>): unknown[] =>
  intents.map((intent) => intent.kind === 'place_order' && intent.request.side);

test('whole rows are traded by their sides, with either end of line', () => {
  write(`${START + MINUTE},sell\r\n${START + 2 * MINUTE},buy\n`);
  const bot = start();
  expect(sidesOf(bot.advance('1m'))).toEqual(['sell']);
  expect(sidesOf(bot.advance('1m'))).toEqual(['sell', 'buy']);
  expect(bot.faults).toEqual([]);
});

test('a row that is written in part is traded once it is whole', () => {
  for (const part of ['', `${START}`, `${START + 30_000},se`, `${START + 30_000},sell`]) {
    write(part);
    const bot = start().advance('1m');
    expect(bot.intents, part).toEqual([]);
    expect(bot.faults, part).toEqual([]);
    write(`${START + 30_000},sell\n`);
    expect(sidesOf(bot.advance('1m')), part).toEqual(['sell']);
  }
});

test('a row that is no signal ends the strategy instead of trading', () => {
  for (const row of [`${START + 30_000},SELL`, `${START + 30_000},close`, 'soon,sell', 'buy']) {
    write(`${row}\n`);
    const bot = start().advance('1m');
    expect(bot.intents, row).toEqual([]);
    expect(bot.faults, row).toHaveLength(1);
    expect(bot.faults[0]!.reason, row).toContain(row);
  }
});
