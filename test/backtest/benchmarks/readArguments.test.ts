import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { readArguments } from '../../../backtest/benchmarks/readArguments.ts';
import { root } from '../../sourceFiles.ts';

const folder = mkdtempSync(join(tmpdir(), 'trimtab-bench-'));
afterAll(() => rmSync(folder, { recursive: true }));

const SUITES = ['live/path', 'page/report'];
const read = (...argv: string[]) => readArguments(argv, SUITES, folder);

test('all suites without a name, results where they always are', () => {
  const json = join(folder, 'latest.json');
  expect(read()).toEqual({ suites: SUITES, areNamed: false, check: false, record: false, json });
});

test('named suites, checked, with the results in a file of a new folder', () => {
  const json = join(folder, 'new', 'results.json');
  expect(read('page/report', '--check', '--json', json)).toEqual({
    suites: ['page/report'],
    areNamed: true,
    check: true,
    record: false,
    json,
  });
  expect(existsSync(join(folder, 'new'))).toBe(true);
});

describe('what can not be is a line, before anything is measured', () => {
  writeFileSync(join(folder, 'file'), '');
  test.each([
    [['--nonsense'], "Unknown option '--nonsense'. There are --check, --record and --json FILE."],
    [['page/raport'], 'No such suite: page/raport. There are live/path, page/report.'],
    [['--json', folder], `--json ${folder}: this is a folder; name a file.`],
    [['--json', join(folder, 'file', 'x')], "can't be written: "],
    [['--json'], 'There are --check, --record and --json FILE.'],
  ])('%j', (argv, message) => {
    expect(() => read(...argv)).toThrow(message);
  });

  test('and the program ends with it', () => {
    const program = join(root, 'backtest/benchmarks/run.ts');
    const argv = ['--conditions=trimtab-source', program, '--nonsense'];
    const { status, stderr, stdout } = spawnSync(process.execPath, argv, { encoding: 'utf8' });
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toMatch(/^Unknown option '--nonsense'\. .*\n$/);
  });

  test('but a file that is there is left as it is until there are results', () => {
    const json = join(folder, 'page.json');
    writeFileSync(json, 'before');
    expect(read('--json', json).json).toBe(json);
    expect(readFileSync(json, 'utf8')).toBe('before');
  });
});
