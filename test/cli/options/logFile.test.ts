import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createLoggedEnv } from '../../../src/cli/options/logFile.ts';

test('--log-max-days counts days', () => {
  const folder = mkdtempSync(join(tmpdir(), 'trimtab-log-days-'));
  const path = join(folder, 'bot.log');
  const before = process.listeners('SIGHUP');
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => {
    vi.useRealTimers();
    for (const listener of process.listeners('SIGHUP'))
      if (!before.includes(listener)) process.off('SIGHUP', listener);
    rmSync(folder, { recursive: true });
  });
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
