import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { root } from './sourceFiles.ts';
import { rotated } from './tiers.ts';

const run = (script: string, ...argv: string[]) => {
  const { status, stderr, stdout } = spawnSync(
    process.execPath,
    ['--conditions=trimtab-source', `test/${script}`, ...argv],
    { cwd: root, encoding: 'utf8', timeout: 60_000 },
  );
  return { status, stderr, stdout };
};

const refusals: ReadonlyArray<readonly [script: string, argv: string, words: string]> = [
  ['simulation/main.ts', '--seeds 5 --seed 7', '--seeds does nothing with --seed: it belongs to'],
  ['simulation/main.ts', '--seed 7 --from 3', '--from does nothing with --seed'],
  ['simulation/main.ts', '--seed 7 --keep-going', '--keep-going does nothing with --seed'],
  ['simulation/main.ts', '--teeth --overload', '--teeth and --overload are two things to do'],
  ['simulation/main.ts', '--leak', '--leak does nothing here: it belongs to --soak.'],
  [
    'simulation/main.ts',
    '--hours 3',
    '--hours does nothing here: it belongs to --overload or --ledger.',
  ],
  ['simulation/main.ts', '--seeds none', '--seeds none: a whole number is expected, 1 at least.'],
  ['simulation/main.ts', '--overload --hours 0', '--hours 0: a whole number is expected'],
  ['simulation/main.ts', '--soak week', '--soak week: a number of days is expected, such as 7d.'],
  ['simulation/main.ts', '--sedes 3', "Unknown option '--sedes'"],
  ['fuzz/run.ts', '--frames 10 --requests 10', '--requests does nothing with --frames'],
  ['fuzz/run.ts', '--frames 10 --json x.json', '--json does nothing with --frames'],
  ['chaos/main.ts', '--only after_seding', '--only after_seding: there is no such scene. Known:\n'],
  ['chaos/main.ts', '--rounds 0', '--rounds 0: a whole number is expected'],
];

test.each(rotated(refusals, 2))('%s %s is refused', { timeout: 90_000 }, (script, argv, words) => {
  const { status, stderr, stdout } = run(script, ...argv.split(' '));
  expect([status, stdout]).toEqual([1, '']);
  expect(stderr).toContain(words);
});

test('a known name beside an unknown one is refused too, and all are named', () => {
  const { status, stderr } = run('chaos/main.ts', '--only', 'tornJournal.test.ts,torn');
  expect(status).toBe(1);
  expect(stderr).toContain('--only torn: ');
  for (const name of ['tornJournal.test.ts', '100,000 intents', 'two instances (SQLite)']) {
    expect(stderr).toContain(`\n  ${name}\n`);
  }
}, 90_000);

test('a single seed runs alone', () => {
  const { status, stdout } = run('simulation/main.ts', '--seed', '1');
  expect(stdout).toMatch(/^1 seeds, 0 failed/m);
  expect(status).toBe(0);
}, 90_000);
