import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { createPinoLog } from '../../src/operate/index.ts';
import { runMain } from './runMain.ts';

/** Lines as a bot writes them, after what it says at its start. */
function logged(): string {
  const folder = mkdtempSync(join(tmpdir(), 'trimtab-logs-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const lines: string[] = ['my-bot: LIVE at service.example, wallets main\n'];
  const log = createPinoLog({
    level: 'debug',
    clock: { wallNow: () => Date.UTC(2026, 10, 23, 12, 34, 56) },
    isTerminal: false,
    write: (line) => lines.push(line),
  });
  log.debug('launch emitted', { key: '5e2f-1', strategy: 'trend', symbol: 'ETH' });
  log.info('launch accepted', { key: '5e2f-1', strategy: 'trend', symbol: 'ETH' });
  log.warn('place_order rejected', { key: '77aa-2', strategy: 'grid', symbol: 'BTC' });
  log.error('Kill level L2', { reason: 'a "quoted" reason' });
  const file = join(folder, 'bot.log');
  writeFileSync(file, `${lines.join('')}{"level":30}\nhalf a line {"level":`);
  return file;
}

const shown = async (...args: string[]): Promise<string[]> =>
  (await runMain('logs', ...args)).out.split('\n').filter((line) => line !== '');

test('lines are readable, and what is no line of the log stays as it is', async () => {
  const lines = await shown(logged());
  expect(lines).toHaveLength(7);
  expect(lines[0]).toBe('my-bot: LIVE at service.example, wallets main');
  expect(lines[2]).toMatch(
    /^12:34:56 .*info .*launch accepted .*key=5e2f-1 strategy=trend symbol=ETH/,
  );
  expect(lines[4]).toContain('reason="a \\"quoted\\" reason"');
  expect(lines.slice(5)).toEqual(['{"level":30}', 'half a line {"level":']);
});

test.each([
  [['--key', '5e2f'], 2],
  [['--key', 'nothing'], 0],
  [['--strategy', 'grid'], 1],
  [['--symbol', 'ETH', '--level', 'info'], 1],
  [['--wallet', 'main'], 0],
  // A key alone may be shortened.
  [['--strategy', 'gri'], 0],
  [['--symbol', 'BT'], 0],
  [['--strategy', 'grid', '--symbol', 'ETH'], 0],
  [['--strategy', 'trend', '--key', '5e2f-1', '--level', 'debug'], 2],
  [['--level', 'warn', '--strategy', 'trend'], 0],
])('%j shows %i lines', async (flags, count) => {
  expect(await shown(logged(), ...flags)).toHaveLength(count);
});

test('by level, what has none is shown, too', async () => {
  expect(await shown(logged(), '--level', 'error')).toHaveLength(4);
});

test('times are those of the zone that was asked for', async () => {
  const lines = await shown(logged(), '--tz', 'Asia/Tokyo', '--key', '77aa');
  expect(lines[0]).toMatch(/^21:34:56/);
});

test('ended files are read before the one that goes on, the oldest first, as far as they follow one another', async () => {
  const file = logged();
  for (const [ending, text] of [
    ['', 'now'],
    ['.1', 'before'],
    ['.2', 'at first'],
    ['.4', 'of another log'],
  ] as const)
    writeFileSync(`${file}${ending}`, `${text}\n`);
  expect(await shown(file)).toEqual(['at first', 'before', 'now']);
});

test('a file that is not there is named, with what to do', async () => {
  const { err, code } = await runMain('logs', 'nowhere.log');
  expect(code).toBe(1);
  expect(err).toMatch(/nowhere\.log can't be read: .*\n.*pipe it in/);
});

test('what a terminal would obey is shown as its code, in lines of the log and in others', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'trimtab-logs-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'bot.log');
  const hostile = '\u001B]0;title\u0007\u001B[2J';
  const line = { level: 40, time: 1, msg: `a ${hostile}`, reason: hostile, [`n${hostile}`]: 1 };
  writeFileSync(file, `${hostile}\n${JSON.stringify(line)}\n`);
  const { out } = await runMain('logs', file);
  const seen = '\\u{1b}]0;title\\u{7}\\u{1b}[2J';
  expect(out.split(seen)).toHaveLength(5);
  // What colours a line is its own.
  expect(stripVTControlCharacters(out)).not.toMatch(/[\p{Cc}--\n]/v);
});
