import { linkSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { root } from '../../sourceFiles.ts';
import { runMain } from '../runMain.ts';

const DEMO = join(root, 'configs/demo.yaml');
const SHORT = [0, 1].flatMap((at) => ['--set', `paper.feeds[${at}].generate.bars=1300`]);
const folder = mkdtempSync(join(tmpdir(), 'trimtab-whole-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const sweep = (): string[] => {
  const out = join(folder, 'out.sqlite');
  return ['sweep', DEMO, ...SHORT, '--param', 'trend.fast=5,6', '--parquet', '--out', out];
};

test.each([
  [
    'run.cpuprofile',
    (file: string) => ['backtest', DEMO, ...SHORT, '--no-report', '--profile', file],
  ],
  ['out.csv', sweep],
  ['out.parquet', sweep],
])(
  '%s is written beside the former file and replaces it',
  { timeout: 60_000 },
  async (name, args) => {
    const [file, former] = [join(folder, name), join(folder, `${name}.former`)];
    writeFileSync(file, 'the former');
    // A second name of the former file: one that is written over changes under it.
    linkSync(file, former);
    const { code, err } = await runMain(...args(file), '--force');
    expect(err).not.toContain('TRIMTAB_');
    expect(code).toBe(0);
    expect(readFileSync(former, 'utf8')).toBe('the former');
    expect(readFileSync(file, 'utf8')).not.toBe('the former');
  },
);
