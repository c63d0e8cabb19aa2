import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { filesBeside, prepareSweepFiles } from '../../src/cli/sweep/sweepOutputs.ts';
import { root } from '../sourceFiles.ts';
import { rotated } from '../tiers.ts';
import { runMain } from './runMain.ts';

const DEMO = join(root, 'configs/demo.yaml');
const SHORT = [0, 1].flatMap((at) => ['--set', `paper.feeds[${at}].generate.bars=1300`]);
const FOREIGN = '# Letters that nobody has a copy of\n';
const REFUSED = /(?:exists|is not a results file)/;
/** A wrong key stops it before anything is called. */
const ELSEWHERE = [
  '--base-url',
  'http://127.0.0.1:9',
  '--ws-url',
  'ws://127.0.0.1:9',
  '--key-id',
  'k',
];

let shared: string;
let figures: string;
let candles: string;
let directory: string;
let file: string;
beforeAll(async () => {
  shared = await mkdtemp(join(tmpdir(), 'trimtab-outputs-'));
  figures = join(shared, 'figures.json');
  candles = join(shared, 'btc.csv');
  const rows = Array.from({ length: 9 }, (_row, at) => `${1_700_000_040 + at * 60},1,1,1,1,1`);
  await writeFile(candles, `time,open,high,low,close,volume\n${rows.join('\n')}\n`);
  await runMain('backtest', DEMO, ...SHORT, '--no-report', '--json', figures);
}, 60_000);
afterAll(() => rm(shared, { recursive: true, force: true }));
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'trimtab-outputs-'));
  file = join(directory, 'out');
});
afterEach(() => rm(directory, { recursive: true, force: true }));

/** Every output of every command. */
const OUTPUTS: Record<string, (out: string) => string[]> = {
  'backtest --report': (out) => ['backtest', DEMO, ...SHORT, '--report', out],
  'backtest report:': (out) => ['backtest', DEMO, ...SHORT, '--set', `report=${out}`],
  'backtest --json': (out) => ['backtest', DEMO, ...SHORT, '--no-report', '--json', out],
  'backtest record:': (out) => [
    'backtest',
    DEMO,
    ...SHORT,
    '--no-report',
    '--set',
    `record=${out}`,
  ],
  'run --report': (out) => ['run', DEMO, ...SHORT, '--journal', 'memory', '--report', out],
  'run record:': (out) => [
    'run',
    DEMO,
    ...SHORT,
    '--journal',
    'memory',
    '--no-report',
    '--set',
    `record=${out}`,
  ],
  'check --json': (out) => ['check', DEMO, ...SHORT, '--points', '2', '--json', out],
  'compare --report': (out) => ['compare', figures, figures, '--report', out],
  'schema --out': (out) => ['schema', '--out', out],
  'conformance --json': (out) => ['conformance', ...ELSEWHERE, '--json', out],
  'data import --out': (out) => ['data', 'import', candles, '--symbol', 'BTC', '--out', out],
  'sweep --out': (out) => sweep(out),
  'sweep, its CSV': (out) => sweep(out.replace(/\.csv$/, '.sqlite')),
  'sweep, its report': (out) => sweep(out.replace(/\.html$/, '.sqlite')),
  'sweep --parquet': (out) => [...sweep(out.replace(/\.parquet$/, '.sqlite')), '--parquet'],
};
const sweep = (out: string): string[] => [
  'sweep',
  DEMO,
  ...SHORT,
  '--param',
  'trend.fast=8',
  '--threads',
  '1',
  '--out',
  out,
];
/** Of what is beside the results. */
const ENDINGS: Readonly<Record<string, string>> = {
  'sweep, its CSV': '.csv',
  'sweep, its report': '.html',
  'sweep --parquet': '.parquet',
};
const pathOf = (what: string): string => file + (ENDINGS[what] ?? '');
/** What has no `--force`: a results file continues, a recording is evidence. */
const UNFORCED = /record:|sweep --out|conformance/;
const rewritten = Object.keys(OUTPUTS).filter((what) => !/conformance|sweep/.test(what));
const forced = Object.keys(OUTPUTS).filter((what) => !UNFORCED.test(what));

test.each(['csv', 'report', 'parquet'] as const)(
  'beside the results of a sweep, %s overwrites anything with --force alone',
  async (what) => {
    const files = filesBeside(`${file}.sqlite`, { parquet: true });
    await writeFile(files[what]!, FOREIGN);
    expect(() => prepareSweepFiles(files, false)).toThrow(`${files[what]} is not overwritten`);
    prepareSweepFiles(files, true);
    await writeFile(files.results, FOREIGN);
    expect(() => prepareSweepFiles(files, true)).toThrow(`${files.results} is not overwritten`);
  },
);

describe('an output', () => {
  test.each(Object.keys(OUTPUTS))('%s leaves a foreign file unchanged', async (what) => {
    const path = pathOf(what);
    await writeFile(path, FOREIGN);
    const { code, out, err } = await runMain(...OUTPUTS[what]!(path));
    expect([await readFile(path, 'utf8'), code]).toEqual([FOREIGN, 1]);
    expect(err).toContain(path);
    expect(err).toMatch(REFUSED);
    // Before the work, not after it.
    expect(out + err).not.toMatch(/hash:|100 %|running:/);
  });

  test.each<[string, (out: string) => string[]]>([
    ['sweep --out', (out) => sweep(`${out}.csv`)],
    ['sweep --out', (out) => sweep(`${out}.html`)],
    ['--json', (out) => ['backtest', DEMO, ...SHORT, '--report', out, '--json', out]],
    ['record', (out) => [...OUTPUTS['run record:']!(out), '--report', out]],
    ['--csv', (out) => ['report', figures, '--html', out, '--csv', out]],
    ['--log', (out) => [...OUTPUTS['run --report']!(out), '--log', out]],
    ['--log', (out) => [...OUTPUTS['run record:']!(out), '--log', out]],
    ['journal.path', (out) => ['run', DEMO, ...SHORT, '--report', out, '--journal', out]],
    ['journal.path', (out) => ['run', DEMO, ...SHORT, '--log', out, '--journal', out]],
  ])('at the path of another one is refused before the work: %s', async (_what, argv) => {
    const { code, out, err } = await runMain(...argv(file));
    expect([code, out]).toEqual([2, '']);
    expect(err).toMatch(/are the same file, .*\n {2}Name another one for/);
    expect(await readdir(directory)).toEqual([]);
  });

  test('at the path of another one is recognised by a symbolic link', async () => {
    const link = join(directory, 'link');
    await symlink(shared, link);
    const target = figures.replace('figures', 'unmade');
    for (const existing of [target, figures]) {
      const argv = ['--report', existing, '--json', join(link, existing.slice(shared.length))];
      const { code, err } = await runMain('backtest', DEMO, ...SHORT, ...argv);
      expect([code, err]).toEqual([2, expect.stringContaining('are the same file')]);
    }
    const before = await readFile(figures, 'utf8');
    await symlink(figures, file);
    const { code } = await runMain('report', figures, '--csv', figures, '--json', file);
    expect([code, await readFile(figures, 'utf8')]).toEqual([2, before]);
  });

  test('may be thrown away with another one', { timeout: 60_000 }, async () => {
    const argv = ['--report', '/dev/null', '--json', '/dev/null'];
    const { code, err } = await runMain('backtest', DEMO, ...SHORT, ...argv);
    expect(err).not.toContain('are the same file');
    expect(code).toBe(0);
  });

  test('that a bot on a service does not write is in nobody’s way', async () => {
    const secret = join(directory, 'secret');
    await writeFile(secret, `vs_${'x'.repeat(32)}`, { mode: 0o600 });
    const bot = join(directory, 'bot.yaml');
    const link = `{ kind: paper_service, base_url: http://127.0.0.1:9, key_id: vk_k, secret: { file: ${secret} } }`;
    const strategy = `{ name: trend, use: ${join(root, 'strategies/emaTrend.ts')}, symbols: [ETH], wallet: main }`;
    await writeFile(
      bot,
      `name: served\nlink: ${link}\njournal: bot.sqlite\nreport: ${file}\nrecord: ${file}\nstrategies: [${strategy}]\n`,
    );
    // Refused as well, and later.
    const { err } = await runMain('run', bot, '--keep-journal');
    expect(err).toContain('always goes on with its journal');
  });

  test.each(rotated(rewritten, 5))(
    '%s overwrites its own output',
    { timeout: 60_000 },
    async (what) => {
      const argv = OUTPUTS[what]!(file);
      const first = await runMain(...argv);
      const before = await readFile(file, 'utf8');
      const second = await runMain(...argv);
      expect([second.code, second.err.match(REFUSED)]).toEqual([first.code, null]);
      expect((await readFile(file, 'utf8')).length).toBe(before.length);
    },
  );

  test.each(rotated(forced, 5))(
    '%s overwrites anything with --force',
    { timeout: 60_000 },
    async (what) => {
      const path = pathOf(what);
      await writeFile(path, FOREIGN);
      const { err } = await runMain(...OUTPUTS[what]!(path), '--force');
      expect(err).not.toMatch(REFUSED);
      expect(await readFile(path, 'utf8')).not.toContain(FOREIGN);
    },
  );

  test.each<[string, () => string[], number]>([
    ['backtest', () => ['backtest', DEMO, ...SHORT, '--no-report'], 0],
    ['check', () => ['check', DEMO, ...SHORT, '--points', '2'], 0],
    ['report', () => ['report', figures], 0],
    ['report beside a table', () => ['report', figures, '--csv', file], 0],
  ])(
    '%s --json - writes JSON alone to stdout',
    { timeout: 60_000 },
    async (_what, argv, wanted) => {
      const { code, out, err } = await runMain(...argv(), '--json', '-');
      expect([code, existsSync('-')]).toEqual([wanted, false]);
      expect(JSON.parse(out)).toBeTypeOf('object');
      // What it says beside it goes where people read.
      if (_what === 'backtest') expect(err).toMatch(/^hash: /m);
      if (_what === 'check') expect(err).toContain('look-ahead');
      if (_what.endsWith('table')) expect(err).toMatch(/^csv: /m);
    },
  );

  test('follows symbolic links, and may overwrite an empty file', async () => {
    const target = join(directory, 'letters');
    await writeFile(target, FOREIGN);
    await symlink(target, file);
    const linked = await runMain('schema', '--out', file);
    expect([linked.code, await readFile(target, 'utf8')]).toEqual([1, FOREIGN]);
    await writeFile(target, '');
    expect((await runMain('schema', '--out', file)).code).toBe(0);
    expect(await readFile(target, 'utf8')).toContain('$schema');
  });

  test('is never a folder, not even with --force', async () => {
    await mkdir(file);
    const { code, err } = await runMain('schema', '--out', file, '--force');
    expect([code, err]).toEqual([1, expect.stringContaining('it is a folder')]);
  });

  test('of one kind is not overwritten by another', async () => {
    await runMain('schema', '--out', file);
    const before = await readFile(file, 'utf8');
    const { code } = await runMain(...OUTPUTS['compare --report']!(file));
    expect([code, await readFile(file, 'utf8')]).toEqual([1, before]);
  });
});
