import { execFile, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { botSettings } from '../../src/config/index.ts';
import { read, root } from '../sourceFiles.ts';
import { readUnit } from './readUnit.ts';
import { secondsOf } from './secondsOf.ts';

const run = promisify(execFile);
const BOT = 'deploy/systemd/trimtab@.service';
const WATCHDOG = 'deploy/systemd/trimtab-watchdog@.service';
const UNITS = [BOT, WATCHDOG];
/** The exposure that systemd computes for a unit, in tenths: below 2.0 it calls it OK. */
const EXPOSURE = 15;
const smallest = {
  name: 'one',
  link: { kind: 'paper' },
  strategies: [{ use: './one.ts', name: 'one', symbols: ['BTC'] }],
};
const stopSeconds = botSettings.parse(smallest).stop_seconds;
const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0;

test.each(UNITS)('%s waits longer for a stop than stop_seconds', (unit) => {
  const { TimeoutStopSec, KillMode, KillSignal } = readUnit(unit);
  expect(secondsOf(TimeoutStopSec![0]!)).toBeGreaterThanOrEqual(stopSeconds + 5);
  expect([KillMode, KillSignal]).toEqual([['mixed'], ['SIGTERM']]);
});

test('both units have the same user, folders and hardening', () => {
  const own = new Set([
    'Description',
    'After',
    'ExecStart',
    'LoadCredential',
    'StartLimitIntervalSec',
  ]);
  const common = (unit: string): [string, string[] | undefined][] =>
    Object.entries(readUnit(unit)).filter(([name]) => !own.has(name));
  expect(common(WATCHDOG)).toEqual(common(BOT));
});

test('each has credentials of its own, and none in the environment', () => {
  const names = (unit: string): string[] =>
    readUnit(unit).LoadCredential!.map((credential) => credential.split(':')[0]!);
  expect(names(BOT)).toEqual(['key_id', 'secret']);
  expect(names(WATCHDOG)).toEqual(['watchdog_key_id', 'watchdog_secret']);
  for (const unit of UNITS) expect(read(unit)).not.toMatch(/^(Environment|SetCredential)/m);
});

describe.skipIf(!hasSystemd)('systemd (needs systemd-analyze)', () => {
  test('finds nothing wrong with the units', async () => {
    const { stdout, stderr } = await run('systemd-analyze', ['verify', ...UNITS], { cwd: root });
    expect(stdout + stderr).toBe('');
  });

  test.each(UNITS)('computes a small exposure for %s', async (unit) => {
    const flags = ['--no-pager', '--offline=yes', `--threshold=${EXPOSURE}`];
    // It ends with 1 above the threshold.
    const { stdout } = await run('systemd-analyze', ['security', ...flags, join(root, unit)]);
    expect(stdout).toContain('Overall exposure level');
  });
});
