import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { runMain } from '../runMain.ts';
import { createLoggedEnv } from '../../../src/cli/options/logFile.ts';

/** Where a log may be, for as long as the test runs. */
function placeOfLog(): string {
  const folder = mkdtempSync(join(tmpdir(), 'trimtab-log-'));
  const before = process.listeners('SIGHUP');
  onTestFinished(() => {
    for (const listener of process.listeners('SIGHUP'))
      if (!before.includes(listener)) process.off('SIGHUP', listener);
    rmSync(folder, { recursive: true });
  });
  return join(folder, 'bot.log');
}

test('--log-max-days counts days', () => {
  const path = placeOfLog();
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const start = Date.now();
  const { log } = createLoggedEnv('info', { log: path, logMaxMb: 10, logMaxDays: 2, logKeep: 1 });
  const hours = (count: number): unknown => vi.setSystemTime(start + count * 3_600_000);
  log.info('first');
  hours(47);
  log.info('second');
  hours(49);
  log.info('third');
  const linesOf = (name: string): number => readFileSync(name, 'utf8').trim().split('\n').length;
  expect([linesOf(`${path}.1`), linesOf(path)]).toEqual([2, 1]);
});

test('--log-max-mb is a number of a million bytes each, parts of one included', () => {
  const path = placeOfLog();
  const { log } = createLoggedEnv('info', { log: path, logMaxMb: 0.05, logKeep: 9 });
  const text = 'x'.repeat(900);
  for (let at = 0; at < 250; at++) log.info(text);
  const sizes = [`${path}.2`, `${path}.1`, path].map((name) => statSync(name).size);
  for (const size of sizes.slice(0, 2)) {
    expect(size).toBeLessThanOrEqual(50_000);
    expect(size).toBeGreaterThan(48_000);
  }
  expect(existsSync(`${path}.3`)).toBe(false);
});

test.each([
  ['--log-keep', ['0', '1', '1000'], ['-1', '1001', '1.5', '', ' ', 'x']],
  ['--log-max-mb', ['0.001', '10'], ['0', '-1', '', ' ', 'Infinity', 'x']],
  ['--log-max-days', ['0.5', '7'], ['0', '-1', '', ' ', 'NaN', 'x']],
])('%s takes %j, and not %j', async (flag, taken, refused) => {
  const missing = join(placeOfLog(), '..', 'none.yaml');
  for (const value of taken) {
    const { code, err } = await runMain('run', missing, `${flag}=${value}`);
    expect([value, code, err]).toEqual([value, 1, expect.stringContaining('none.yaml')]);
  }
  for (const value of refused) {
    const { code, err } = await runMain('run', missing, `${flag}=${value}`);
    expect([value, code, err]).toEqual([value, 2, expect.stringContaining(flag)]);
  }
});
