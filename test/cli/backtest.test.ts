import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { runMain } from './runMain.ts';
import { readRecording, replayRecording } from '../../src/operate/recording/index.ts';
import { root } from '../sourceFiles.ts';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'trimtab-backtest-'));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

const DEMO = join(root, 'configs/demo.yaml');
const SHORT = [0, 1].flatMap((at) => ['--set', `paper.feeds[${at}].generate.bars=2500`]);

const run = (...argv: string[]) => runMain('backtest', ...argv);

describe('trimtab backtest', () => {
  test('shows progress, table and hash, and writes report and figures', async () => {
    const files = [join(directory, 'r.html'), join(directory, 'figures.json')];
    const { code, out, err } = await run(
      DEMO,
      ...SHORT,
      '--report',
      files[0]!,
      '--json',
      files[1]!,
    );
    expect(code).toBe(0);
    expect(err).toMatch(/100 % 1,500\/1,500 bars .* bars\/s/);
    expect(out).toMatch(/^total .*\d/m);
    const hash = /^hash: ([0-9a-f]{64})$/m.exec(out)?.[1];
    expect(hash).toBeDefined();
    expect(await readFile(files[0]!, 'utf8')).toContain(hash!);
    const figures = JSON.parse(await readFile(files[1]!, 'utf8')) as {
      hash: string;
      symbols: Record<string, { close: number[] }>;
    };
    expect(figures.hash).toBe(hash);
    expect(figures.symbols['BTC']!.close).toHaveLength(1_500);
  });

  test('shows where the time went, and the result is the same', async () => {
    const file = join(directory, 'run.cpuprofile');
    const plain = await run(DEMO, ...SHORT, '--no-report');
    const { code, out } = await run(DEMO, ...SHORT, '--no-report', '--profile', file);
    expect(code).toBe(0);
    const hashIn = (text: string): string => /^hash: .*$/m.exec(text)![0];
    expect(hashIn(out)).toBe(hashIn(plain.out));
    expect(out).toMatch(/^simulated venue +\d+ +\d+\.\d %$/m);
    expect(out).toMatch(/^walked: [\d,]+ bars in [\d,]+ spans, [\d,]+ one by one$/m);
    // Its strategies filter bars by functions of their own.
    expect(out).toMatch(/^ {2}strategies\/emaTrend\.ts:\d+:\d+: map takes each; only/m);
    expect(JSON.parse(await readFile(file, 'utf8'))).toHaveProperty('samples');
    expect(plain.out).not.toContain('where the time went');
    await writeFile(file, 'notes');
    const refused = await run(DEMO, ...SHORT, '--no-report', '--profile', file);
    expect(refused.err).toContain('is not overwritten');
  });

  test.each(['backtest', 'run'])('%s logs with the market’s time', async (command) => {
    const flags = ['--no-report', '--log-level', 'info'];
    const { err } = await runMain(command, DEMO, ...SHORT, ...flags);
    const lines = err
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line) as { msg: string; market_time?: number });
    const start = Date.UTC(2025, 0, 1);
    const outside = lines.filter(
      ({ market_time: at = 0 }) => at < start || at > start + 2_500 * 60_000,
    );
    expect([outside, lines.some(({ msg }) => msg === 'Filled')]).toEqual([[], true]);
  });

  test('runs a live configuration on paper, without its keys', async () => {
    const file = join(directory, 'live.yaml');
    const demo = await readFile(DEMO, 'utf8');
    const use = (text: string) => text.replaceAll('../strategies', join(root, 'strategies'));
    const link =
      'link:\n  kind: live\n  base_url: https://exchange.example\n' +
      '  key_id: { env: NO_SUCH_KEY }\n  secret: { env: NO_SUCH_SECRET }\n';
    await writeFile(file, use(demo.replace('link:\n  kind: paper\n', link)));
    const { code, out, err } = await run(file, ...SHORT, '--no-report');
    expect(err).not.toContain('NO_SUCH');
    expect(code).toBe(0);
    expect(out).toMatch(/^hash: /m);
  });

  test('records where a flag reports it, and the recording replays to the same intents', async () => {
    const file = join(directory, 'seen.jsonl');
    const plain = await run(DEMO, ...SHORT, '--no-report');
    const { code, out, err } = await run(DEMO, ...SHORT, '--no-report', '--set', `record=${file}`);
    expect(code).toBe(0);
    expect(err).not.toContain('record:');
    const hashOf = (text: string) => /^hash: (\w{64})$/m.exec(text)![1];
    expect(hashOf(out)).toBe(hashOf(plain.out));
    const recording = readRecording(file);
    if (!recording.ok) throw new Error(recording.failure.message);
    expect(recording.value.isComplete).toBe(true);
    const replayed = await replayRecording(recording.value, { path: file });
    if (!replayed.ok) throw new Error(replayed.failure.message);
    for (const one of replayed.value) expect(one.replayed).toEqual(one.recorded);
    expect(replayed.value.flatMap((one) => one.recorded).length).toBeGreaterThan(20);
  });

  test('leaves the recording of the configuration alone, and reports how to make another', async () => {
    const [file, seen] = [join(directory, 'bot.yaml'), join(directory, 'seen.jsonl')];
    const demo = await readFile(DEMO, 'utf8');
    const there = demo.replaceAll('../strategies', join(root, 'strategies'));
    await writeFile(file, `${there}\nrecord: ./seen.jsonl\n`);
    await writeFile(seen, 'what a bot saw');
    const { code, err } = await run(file, ...SHORT, '--no-report');
    expect(code).toBe(0);
    expect(err).toMatch(/^record: \S*seen\.jsonl is not written; .*--set record=FILE$/m);
    expect(await readFile(seen, 'utf8')).toBe('what a bot saw');
  });

  test.each([
    ['report', (path: string) => ['--report', path]],
    ['--json', (path: string) => ['--no-report', '--json', path]],
    ['record', (path: string) => ['--no-report', '--set', `record=${path}`]],
  ])('%s: an unwritable file is reported before the run', async (name, flags) => {
    const deep = join(directory, 'no/such');
    for (const [path, reason] of [
      [join(deep, 'x'), `there is no folder ${join(directory, 'no')}.`],
      [directory, 'it is a folder.'],
      ['/proc/x', /^the system refuses it \(E[A-Z]+\)\./],
    ] as const) {
      const { code, out, err } = await run(DEMO, ...SHORT, ...flags(path));
      expect(code).toBe(1);
      const said = `${name}: ${path} can't be written: `;
      expect(err).toContain(said);
      expect(err.slice(err.indexOf(said) + said.length)).toMatch(reason);
      expect(err).toMatch(/ame (another|a) file/);
      expect(out).toBe('');
      expect(err).not.toContain('bars/s');
    }
    expect(await readdir(directory)).toEqual([]);
  });

  test('reports a time range that exceeds the tape', async () => {
    const traded =
      'trading 2025-01-01 16:40 to 2025-01-02 17:40 UTC, the part that the tape covers.';
    const wide = await run(DEMO, ...SHORT, '--no-report', '--timerange', '20250101-20250201');
    expect(wide.code).toBe(0);
    expect(wide.err).toContain(`--timerange 2025-01-01 00:00 to 2025-02-01 00:00: ${traded}`);
    const open = await run(DEMO, ...SHORT, '--no-report', '--timerange', '20250102-');
    expect(open.err).not.toContain('traded is');
  });

  test('a range before the tape is not attributed to the warm-up', async () => {
    const { code, err } = await run(DEMO, ...SHORT, '--timerange', '20240101-20240201');
    expect(code).toBe(1);
    expect(err).toContain('The tape begins after that: name a later end.');
    expect(err).not.toContain('warm-up');
    const history = await run(DEMO, ...SHORT, '--timerange', '-20250101T10');
    expect(history.err).toContain('or set paper.warmup lower');
  });

  test('names a feed that no strategy trades, such as a mistyped symbol', async () => {
    const tape = join(directory, 'x.csv');
    const time = Date.UTC(2025, 0, 1);
    const rows = Array.from({ length: 3_000 }, (_none, at) => `${time + at * 60_000},9,9,9,9,1`);
    await writeFile(tape, `timestamp,open,high,low,close,volume\n${rows.join('\n')}\n`);
    const feed = `BTCUSDT@1m=${tape}`;
    const { code, err } = await run(DEMO, ...SHORT, '--no-report', '--feed', feed);
    expect(code).toBe(0);
    expect(err).toContain(`--feed ${feed}: no strategy trades BTCUSDT; traded is ETH, BTC.`);
  });

  test.each([
    [['--timerange', '2025'], '--timerange 2025: it has no dash', 'such as 20250601-20250614'],
    [['--param', 'fast=8'], '--param fast', 'Write trend.fast=8'],
    [
      ['--param', 'trned.fast=8'],
      '--param trned.fast: no strategy is called trned',
      'trend.fast=8.',
    ],
    [['--param', 'trend.fsat=8'], '--param trend.fsat', 'Did you mean fast'],
    [['--param', 'trend.fast'], '--param trend.fast: ', 'NAME=VALUE'],
    [['--param', 'trend.fast=soon'], '--param trend.fast', 'number'],
    [['--seed', 'x'], '--seed x', 'seed'],
    [['--feed', 'BTC=x.csv'], '--feed BTC=x.csv', 'SYMBOL@INTERVAL=PATH'],
  ])('%j is refused by name, with a remedy', async (flags, name, remedy) => {
    const { code, err } = await run(DEMO, ...SHORT, ...flags);
    expect(code).toBe(2);
    expect(err).toContain(name);
    expect(err).toContain(remedy);
  });
});
