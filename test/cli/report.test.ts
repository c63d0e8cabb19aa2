import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { definitions, type Figure } from '../../src/operate/report/figures/index.ts';
import { reportJson, type ReportData } from '../../src/operate/report/index.ts';
import { unpackPage } from '../operate/unpackPage.ts';
import { sampleReport } from '../operate/sampleReport.ts';
import { root } from '../sourceFiles.ts';
import { runMain } from './runMain.ts';

const names = Object.values(definitions).flatMap((group) => group.map(({ name }) => name));

let directory: string;
let config: string;
const at = (name: string): string => join(directory, name);
const read = (name: string): Promise<string> => readFile(at(name), 'utf8');
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'trimtab-report-command-'));
  config = at('bot.yaml');
  await writeFile(
    config,
    `name: reported
link: { kind: paper }
paper:
  feeds:
    - { symbol: BTC, interval: 1h, generate: { seed: 5, bars: 500, start_price: 61000 } }
  warmup: 50
  balance: 3000
strategies:
  - { name: breakout, use: ${join(root, 'strategies/breakout.ts')}, symbols: [BTC], params: { interval: 1h } }
`,
  );
  const written = await runMain(
    'backtest',
    config,
    '--report',
    at('run.html'),
    '--json',
    at('run.json'),
  );
  expect(written.code).toBe(0);
}, 60_000);
afterAll(() => rm(directory, { recursive: true, force: true }));

const report = (...argv: string[]) => runMain('report', ...argv);

interface ReportFile {
  format: string;
  runs: {
    run: { name: string };
    about: NonNullable<ReportData['about']>;
    figures: Record<string, Figure>;
    trades_as_lots?: Record<string, Figure>;
    trades_as_round_trips?: Record<string, Figure>;
    benchmark: { name: string };
    trade_grouping: string;
  }[];
}
const readReport = async (name: string): Promise<ReportFile> =>
  JSON.parse(await read(name)) as ReportFile;

describe('trimtab report', () => {
  test('makes a run’s page again, byte for byte, of its figures', async () => {
    const { code, out } = await report(at('run.json'), '--html', at('again.html'));
    expect([code, out]).toEqual([0, expect.stringMatching(/^html: .*again\.html\n$/)]);
    expect(await read('again.html')).toBe(await read('run.html'));
  });

  test('a parameter that its plugin refuses is wrong usage where a flag gives it', async () => {
    for (const [flag, text] of [
      ['--param', 'interval=7x'],
      ['--param', 'nothing=1'],
      ['--set', 'strategies[0].params.interval=7x'],
    ] as const) {
      const { code, err } = await runMain('backtest', config, '--no-report', flag, text);
      expect([text, code, err]).toEqual([text, 2, expect.stringContaining(flag)]);
    }
    const file = at('wrong.yaml');
    await writeFile(file, (await read('bot.yaml')).replace('interval: 1h }', 'interval: 7x }'));
    expect((await runMain('backtest', file, '--no-report')).code).toBe(1);
  });

  test('refuses a time zone, which its figures would not follow', async () => {
    const { code, err } = await report(at('run.json'), '--tz', 'Europe/Berlin');
    expect([code, err]).toEqual([2, expect.stringContaining('leave out --tz Europe/Berlin')]);
    expect((await report(at('run.json'), '--tz', 'UTC')).code).toBe(0);
  });

  test('writes every figure by name, with its unit and the reason where there is none', async () => {
    const flags = ['--json', at('figures.json'), '--csv', at('figures.csv')];
    const { code } = await report(at('run.json'), ...flags);
    expect(code).toBe(0);
    const { format, runs } = await readReport('figures.json');
    expect(format).toBe('trimtab-report');
    const [run] = runs;
    expect(Object.keys(run!.figures)).toEqual(names);
    for (const { unit, value, why } of Object.values(run!.figures)) {
      expect(['ratio', 'share', 'quote', 'count', 'ms', 'time']).toContain(unit);
      expect(value === null ? why : undefined).toEqual(value === null ? expect.any(String) : why);
    }
    const rows = (await read('figures.csv')).trim().split('\n');
    expect(rows[0]).toBe('run,group,figure,value,unit,why');
    const { sharpe, one_year: year } = run!.figures;
    expect(rows).toContain(`run,risk,sharpe,${sharpe!.value},ratio,`);
    expect(rows).toContain('run,returns,one_year,,share,the run is shorter');
    expect(year!.value).toBeNull();
    expect(rows.filter((row) => row.startsWith('run,returns,')).length).toBe(
      definitions.returns.length,
    );
  });

  test('the figures name version, seed, parameters and the checksums of the feeds', async () => {
    const { about, hash } = JSON.parse(await read('run.json')) as ReportData;
    expect(about).toMatchObject({
      version: '0.1.0',
      node: process.versions.node,
      seed: 1,
      strategies: [{ name: 'breakout', params: { interval: '1h', channel: expect.any(Number) } }],
      feeds: [{ symbol: 'BTC', interval: '1h', bars: 500 }],
    });
    expect(about!.feeds[0]!.sha256).toMatch(/^[0-9a-f]{64}$/);
    expect(hash).toMatch(/^[0-9a-f]{64}$/);
    expect(unpackPage(await read('run.html')).about).toEqual(about);
    // Another tape has another checksum.
    const other = await runMain(
      'backtest',
      config,
      '--no-report',
      '--json',
      at('other.json'),
      '--set',
      'paper.feeds.0.generate.seed=6',
    );
    expect(other.code).toBe(0);
    const second = JSON.parse(await read('other.json')) as ReportData;
    expect(second.about!.feeds[0]!.sha256).not.toBe(about!.feeds[0]!.sha256);
  });

  test('without a file it shows every figure on the terminal', async () => {
    const { code, out } = await report(at('run.json'));
    expect(code).toBe(0);
    for (const { label } of Object.values(definitions).flat()) expect(out).toContain(label);
    expect(out).toMatch(/Last 12 months +– +the run is shorter/);
  });

  test('several runs share a file', async () => {
    await writeFile(at('sample.json'), reportJson(sampleReport(2_000)));
    const flags = ['--json', at('two.json'), '--csv', at('two.csv'), '--html', at('two.html')];
    const { code } = await report(at('run.json'), at('sample.json'), ...flags);
    expect(code).toBe(0);
    expect((await readReport('two.json')).runs.map(({ run }) => run.name)).toEqual([
      'run',
      'sample',
    ]);
    expect(await read('two.csv')).toMatch(
      /^sample,risk,sharpe,,ratio,"needs 7 whole UTC days, and the run has 1"$/m,
    );
    expect(await read('two.html')).toContain('Runs compared');
  });

  test('trades are round trips or lots, in the page and the figures', async () => {
    const flags = ['--trades', 'lots', '--json', at('lots.json'), '--html', at('lots.html')];
    expect((await report(at('run.json'), ...flags)).code).toBe(0);
    const [run] = (await readReport('lots.json')).runs;
    expect(run!.trade_grouping).toBe('lots');
    expect(run!.trades_as_round_trips!['trades']!.value).toBeGreaterThan(0);
    expect(run!.trades_as_lots).toBeUndefined();
  });

  test('what --check found is in the figures', async () => {
    const flags = ['--no-report', '--check', '--json', at('checked.json')];
    const { code, out } = await runMain('backtest', config, ...flags);
    expect(code).toBe(0);
    expect(out).toMatch(/^check: nothing found in \d+ backtests$/m);
    const { check } = JSON.parse(await read('checked.json')) as ReportData;
    expect(check).toMatchObject({ findings: [], runs: expect.any(Number) });
    const sneaky = config.replace('bot.yaml', 'sneaky.yaml');
    const plugin = join(root, 'test/backtest/plants/tossesCoin.ts');
    await writeFile(
      sneaky,
      (await read('bot.yaml'))
        .replace(/use: .*breakout\.ts/, `use: ${plugin}`)
        .replace('1h, generate', '1m, generate')
        .replace(/, params.*\}/, ' }'),
    );
    const found = await runMain('backtest', sneaky, '--no-report', '--check');
    expect(found.out).toMatch(/^check: determinism: breakout, bar closed /m);
  }, 60_000);
});

describe('a benchmark from a file', () => {
  const closes = async (name: string, text: string): Promise<string> => {
    await writeFile(at(name), text);
    return at(name);
  };
  const days = (from: number, count: number): string =>
    Array.from({ length: count }, (_none, day) => {
      const date = new Date(Date.UTC(2025, 0, from + day)).toISOString().slice(0, 10);
      return `${date},${100 + day}`;
    }).join('\n');

  test('is a series of closes, or candles', async () => {
    const file = await closes('spx.csv', `date,close\n${days(1, 40)}\n`);
    const flags = ['--json', at('spx.json')];
    expect((await report(at('run.json'), '--benchmark', file, ...flags)).code).toBe(0);
    const [run] = (await readReport('spx.json')).runs;
    const { startTime, endTime } = JSON.parse(await read('run.json')) as ReportData;
    expect(run!.benchmark.name).toBe('spx.csv');
    const close = (time: number): number =>
      100 + Math.floor((time - Date.UTC(2025, 0, 1)) / 86_400_000);
    // A day's close counts when the day ends, as a bar's does.
    const late = (time: number): number => close(time - 86_400_000);
    const { benchmark_return: found } = run!.figures;
    expect(found!.value).toBeCloseTo(late(endTime) / late(startTime) - 1, 12);

    const candles = await closes(
      'candles.csv',
      [
        'timestamp,open,high,low,close,volume',
        ...days(1, 40)
          .split('\n')
          .map((row) => {
            const [date, value] = row.split(',');
            return `${Date.parse(date!)},${value},${value},${value},${value},1`;
          }),
      ].join('\n'),
    );
    const again = ['--json', at('candles.json')];
    expect((await report(at('run.json'), '--benchmark', candles, ...again)).code).toBe(0);
    const [other] = (await readReport('candles.json')).runs;
    for (const name of ['benchmark_return', 'beta', 'correlation'] as const)
      expect([name, other!.figures[name]]).toEqual([name, run!.figures[name]]);

    const timed = await closes(
      'timed.csv',
      `time,close\n${days(1, 40).replaceAll(',', ' 00:00,')}\n`,
    );
    const third = ['--json', at('timed.json')];
    expect((await report(at('run.json'), '--benchmark', timed, ...third)).code).toBe(0);
    const [stamped] = (await readReport('timed.json')).runs;
    expect(stamped!.figures['benchmark_return']!.value).toBeCloseTo(
      close(endTime) / close(startTime) - 1,
      12,
    );
  });

  test('that does not cover a backtest costs none of its outputs', async () => {
    const benchmark = await closes('late.csv', `date,close\n${days(60, 3)}\n`);
    const files = ['--report', at('late.html'), '--json', at('late.json')];
    const run = await runMain('backtest', config, ...files, '--benchmark', benchmark);
    expect([run.code, run.err]).toEqual([1, expect.stringContaining('covers the run')]);
    expect(run.out).toContain('hash:');
    const { hash } = JSON.parse(await read('run.json')) as ReportData;
    expect(JSON.parse(await read('late.json'))).toMatchObject({ hash });
    expect(await read('late.html')).toContain('<html');
    const lots = ['--no-report', '--json', at('late-lots.json'), '--trades', 'lots'];
    const denied = ['--set', 'guards.max_order_notional=1', '--benchmark', benchmark];
    const failing = await runMain('backtest', config, ...lots, ...denied);
    // The verdict has the exit code; the benchmark is said all the same, and takes no other flag with it.
    expect([failing.code, failing.err]).toEqual([3, expect.stringContaining('covers the run')]);
    expect(JSON.parse(await read('late-lots.json'))).toMatchObject({ trade_grouping: 'lots' });
  });

  test('is refused with file, line, value and remedy', async () => {
    const refuse = async (name: string, text: string): Promise<string> => {
      const { code, err } = await report(at('run.json'), '--benchmark', await closes(name, text));
      expect(code).toBe(1);
      return err;
    };
    expect(await refuse('a.csv', 'date,close\n2025-01-01,100\nsoon,101\n')).toMatch(
      /a\.csv.*3.*date.*soon.*is not a time/s,
    );
    expect(await refuse('b.csv', 'date,close\n2025-01-01,-3\n')).toMatch(/b\.csv.*2.*close.*-3/s);
    expect(await refuse('c.csv', 'date,close\n')).toContain('has no rows');
    expect(await refuse('d.csv', `date,close\n${days(60, 3)}\n`)).toMatch(
      /d\.csv: its closes are from 2025-03-02 00:00 .*covers the run/s,
    );
    expect(
      await refuse('e.csv', 'date,ticker,close\n2025-01-01,SPX,100\n2025-01-01,NDX,9\n'),
    ).toMatch(/e\.csv.*3.*ticker.*NDX.*another market than "SPX"/s);
    const { err } = await report(at('run.json'), '--benchmark', at('none.csv'));
    expect(err).toContain('none.csv');
  });
});
