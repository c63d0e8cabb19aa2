import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import { keepSecret, type LogFields } from '../../src/env/index.ts';
import { inMarketTime } from '../../src/operate/run/inMarketTime.ts';
import { createPinoLog, createProgress, type PinoLogOptions } from '../../src/operate/index.ts';

function stage(options: Partial<PinoLogOptions> = {}) {
  const lines: string[] = [];
  const clock = { wallNow: () => Date.UTC(2025, 0, 1, 12, 34, 56) };
  const write = (text: string) => void lines.push(text);
  return { lines, log: createPinoLog({ clock, isTerminal: false, write, ...options }) };
}

/** Text as a terminal shows it: a carriage return clears the line. */
const shown = (text: string): string => stripVTControlCharacters(text.replaceAll(/[^\n]*\r/g, ''));

test('writes one JSON object a line, with its fields and the env’s time', () => {
  const { lines, log } = stage();
  log.with({ strategy: 'trend' }).warn('Denied', { guard: 'max_leverage', value: 3 });
  expect(lines).toHaveLength(1);
  expect(JSON.parse(lines[0]!)).toEqual({
    level: 40,
    time: Date.UTC(2025, 0, 1, 12, 34, 56),
    strategy: 'trend',
    guard: 'max_leverage',
    value: 3,
    msg: 'Denied',
  });
});

test.each([false, true])('respects its level, in a brief process (%s) too', (isBrief) => {
  const { lines, log } = stage({ level: 'warn', isBrief });
  log.debug('no');
  log.info('no');
  log.error('yes');
  expect(lines).toHaveLength(1);
  log.with({ bot: 'demo' }).with({ wallet: 'main' }).warn('yes');
  expect(JSON.parse(lines.pop()!)).toMatchObject({ bot: 'demo', wallet: 'main', level: 40 });
  const silent = stage({ level: 'silent', isBrief });
  silent.log.error('no');
  expect(silent.lines).toEqual([]);
});

test('a terminal gets readable lines', () => {
  const { lines, log } = stage({ isTerminal: true });
  log.info('Report written', { file: 'a b.html', bytes: 10 });
  expect(shown(lines[0]!)).toBe('12:34:56 info  Report written file="a b.html" bytes=10\n');
});

test('a progress line makes room for a log line, and is redrawn below', () => {
  const { lines, log } = stage({ isTerminal: true });
  const stream = { write: (text: string) => lines.push(text), columns: 80 };
  const progress = createProgress({ stream, isTerminal: true, now: () => 0 });
  const state = { barsTotal: 10, marketTime: 0, equity: 1, runningExecutions: 0 };
  progress.update({ ...state, barsDone: 1, budgetUsed: 0, budgetLimit: 1 });
  log.error('BTC on main was liquidated');
  progress.finish();
  const [first, second] = shown(lines.join('')).split('\n');
  expect(first).toBe('12:34:56 error BTC on main was liquidated');
  expect(second).toContain('1/10 bars');
});

test('a terminal shows market time instead of wall time, if there is one', () => {
  const { lines, log } = stage({ isTerminal: true });
  const market = { now: () => Date.UTC(2024, 1, 29, 6, 5, 4) };
  inMarketTime(log, market).with({ strategy: 'trend' }).info('Filled', { size: 1 });
  expect(shown(lines[0]!)).toBe('2024-02-29 06:05:04 info  Filled strategy=trend size=1\n');
});

test('a field of that name that is not a time stays a field', () => {
  const { lines, log } = stage({ isTerminal: true });
  log.info('Stands', { market_time: '2024-02-29T06:05:04.000Z' });
  log.info('Stands', { market_time: 1e300 });
  expect(lines.map(shown)).toEqual([
    '12:34:56 info  Stands market_time=2024-02-29T06:05:04.000Z\n',
    '12:34:56 info  Stands market_time=1e+300\n',
  ]);
});

test('secrets are redacted by name, by value and in objects', () => {
  const { lines, log } = stage();
  const sneaky = { secret: 'hunter2', apiSignature: 'abc', nested: { key: 'vs_canary' } };
  log.info('with vs_canary1 inside', sneaky as unknown as LogFields);
  log.with({ note: 'it is vs_canary2.' }).error('x', { text: 'a vs_canary3 b' });
  expect(lines.join('')).not.toMatch(/canary|hunter2|abc/);
});

test('a secret at the end of a text that is cut leaves no part of itself', () => {
  keepSecret('canary-at-the-end');
  const { lines, log } = stage();
  for (let before = 480; before < 500; before++) log.info(`${'x'.repeat(before)}canary-at-the-end`);
  expect(lines.join('')).not.toContain('can');
});
