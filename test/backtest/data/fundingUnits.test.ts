import { gzipSync } from 'node:zlib';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { checkData } from '../../../backtest/data/checkData.ts';
import { importData } from '../../../backtest/data/importData.ts';
import { describeFunding } from '../../../src/operate/run/index.ts';
import {
  encodeCache,
  generateFeed,
  loadFundingFile,
  loadMarketData,
} from '../../../src/paper/index.ts';
import { runMain } from '../../cli/runMain.ts';
import { root } from '../../sourceFiles.ts';

const HOUR = 3_600_000;
const START = Date.UTC(2025, 0, 1);
const folder = mkdtempSync(join(tmpdir(), 'trimtab-rates-'));
afterAll(() => rmSync(folder, { recursive: true }));

function write(name: string, text: string | Uint8Array): string {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
}

const rows = (rates: readonly number[], hours = 8): string =>
  `timestamp,funding_rate\n${rates.map((rate, at) => `${START + at * hours * HOUR},${rate}\n`).join('')}`;

const CHECK = { outlier: 0.2, allowGaps: false };
const REMEDY =
  'A rate is a fraction: 0.0001 is 0.01 %. Divide percent by 100, basis points by 10,000.';

describe('a rate that no venue charges', () => {
  const text = rows([0.0001, 0.05, -1.5, 0.0001]);
  const problem = {
    line: 4,
    column: 'funding_rate',
    value: '-1.5',
    message: 'is -150 % of the position at one settlement, over 5 %.',
  };

  test('refuses the file of a configuration, plain, packed and as a cache, with place, value and remedy', async () => {
    for (const file of [write('big.csv', text), write('big.csv.gz', gzipSync(text))]) {
      const read = await loadFundingFile(file);
      expect(read).toEqual({ ok: false, problem: { ...problem, file, remedy: REMEDY } });
      const data = await loadMarketData({ feeds: [], funding: { BTC: file } });
      expect(data.ok).toBe(false);
    }
    const columns = {
      time: Float64Array.of(START, START + 8 * HOUR),
      rate: Float64Array.of(0, 1.5),
    };
    const about = { symbol: 'BTC', source: 'an older import' };
    const file = write('big.trimtab', encodeCache({ ...about, kind: 'funding', columns }));
    expect(await loadFundingFile(file)).toMatchObject({
      ok: false,
      problem: {
        value: '1.5',
        message: 'of 2025-01-01 08:00 UTC is 150 % of the position at one settlement, over 5 %.',
        remedy: REMEDY,
      },
    });
  });

  test('ends a backtest and a sweep before they begin', async () => {
    const bot = write(
      'bot.yaml',
      `name: charged
link: { kind: paper }
paper:
  feeds:
    - { symbol: BTC, interval: 1h, generate: { seed: 5, bars: 300, start_price: 61000, start_time: ${START} } }
  warmup: 50
  funding: { BTC: ./big.csv }
strategies:
  - { name: breakout, use: ${join(root, 'strategies/breakout.ts')}, symbols: [BTC], params: { interval: 1h } }
`,
    );
    write('big.csv', text);
    for (const argv of [
      ['backtest', bot, '--no-report'],
      ['sweep', bot, '--param', 'breakout.channel=10,20', '--out', join(folder, 'sweep.sqlite')],
    ]) {
      const { code, err } = await runMain(...argv);
      expect(code).toBe(1);
      expect(err).toContain('big.csv:4: column funding_rate: "-1.5" is -150 % of the position');
      expect(err).toContain(REMEDY);
    }
  });

  test('is refused by the import, as an impossible bar is, and not ok to the check', async () => {
    const file = write('big.csv', text);
    const imported = await importData([file], { symbol: 'BTC', keepPartial: false });
    expect(imported).toMatchObject({ ok: false, problem });
    const out = join(folder, 'out.trimtab');
    const { code } = await runMain('data', 'import', file, '--symbol', 'BTC', '--out', out);
    expect(code).toBe(1);
    const checked = await runMain('data', 'check', file);
    expect(checked.code).toBe(1);
    expect(checked.out).toContain('impossible rates 1');
  });
});

describe('an hour that has two rates', () => {
  const minute = (count: number): number => START + count * 60_000;
  const fileOf = (...settled: Array<readonly [time: number, rate: number]>): string =>
    `timestamp,funding_rate\n${settled.map((row) => `${row.join(',')}\n`).join('')}`;
  const twice = fileOf([START + 3, 0.0001], [minute(59), -0.0002], [minute(60), 0.0001]);
  const problem = {
    column: 'funding_rate',
    value: '-0.0002',
    message: 'is not 0.0001, the rate of 2025-01-01 00:00:00.003 UTC, which is of the same hour.',
    remedy: expect.stringMatching(
      /^A symbol settles once an hour at most: leave the row of the settled rate\./,
    ) as string,
  };

  test('refuses the file of a configuration, the import and a cache', async () => {
    const file = write('twice.csv', twice);
    expect(await loadFundingFile(file)).toEqual({
      ok: false,
      problem: { ...problem, file, line: 3 },
    });
    expect(await importData([file], { symbol: 'BTC', keepPartial: false })).toEqual({
      ok: false,
      problem: { ...problem, file, line: 3 },
    });
    const columns = {
      time: Float64Array.of(START + 3, minute(59)),
      rate: Float64Array.of(0.0001, -0.0002),
    };
    const about = { symbol: 'BTC', source: 'an older import' };
    const cache = write('twice.trimtab', encodeCache({ ...about, kind: 'funding', columns }));
    expect(await loadFundingFile(cache)).toMatchObject({
      ok: false,
      problem: {
        value: '-0.0002',
        message: `of 2025-01-01 00:59 UTC ${problem.message}`,
      },
    });
  });

  test('is refused where two files have one each', async () => {
    const [one, other] = [
      write('first.csv', fileOf([START + 3, 0.0001])),
      write('second.csv', fileOf([START - 8 * HOUR, 0.0001], [minute(59), -0.0002])),
    ];
    expect(await importData([other, one], { symbol: 'BTC', keepPartial: false })).toEqual({
      ok: false,
      problem: { ...problem, file: other, line: 3 },
    });
  });

  test('is taken if they are the same: one settlement, stamped twice', async () => {
    const file = write('jitter.csv', fileOf([START, 0.0001], [START + 3, 0.0001]));
    expect(await loadFundingFile(file)).toMatchObject({ ok: true });
    expect(await importData([file], { symbol: 'BTC', keepPartial: false })).toMatchObject({
      ok: true,
    });
  });
});

test('rates that are usual in percent only are named by check, import and run', async () => {
  const hint =
    'half of its rates are 1 % or more at a settlement, and 0.01 % is usual: are they in percent? A rate is a fraction: 0.0001 is 0.01 %';
  const file = write('percent.csv', rows([0.01, -0.01, 0.012, 0.01, 0.008]));
  const report = await checkData(file, { ...CHECK, symbol: 'BTC' });
  expect(report).toMatchObject({
    ok: true,
    value: [{ ok: true, findings: [{ kind: 'outlier', line: 2, detail: `${hint}.` }] }],
  });
  const imported = await importData([file], { symbol: 'BTC', keepPartial: false });
  expect(imported.ok && imported.value.notes).toContain(`Look at the unit: ${hint}.`);
  const rates = await loadFundingFile(file);
  if (!rates.ok) throw new Error('It was read.');
  const feed = generateFeed({
    symbol: 'BTC',
    interval: '1h',
    bars: 30,
    seed: 1,
    startTime: START,
    startPrice: 100,
  });
  const run = { from: START, until: START + 30 * HOUR };
  for (const until of [run.until, START + 60 * HOUR]) {
    const [words] = describeFunding(
      { feeds: [feed], funding: { BTC: rates.value } },
      { ...run, until },
    );
    expect(words!.text).toContain(hint);
    expect(words!.isWhole).toBe(false);
  }
  // A calm market with one storm is no doubt, nor are two settlements.
  for (const calm of [
    [0.0001, 0.03, 0.0001, 0.0001, 0.0002],
    [0.01, 0.01],
  ]) {
    const quiet = await checkData(write('calm.csv', rows(calm)), { ...CHECK, symbol: 'BTC' });
    expect(quiet).toMatchObject({ ok: true, value: [{ ok: true, findings: [] }] });
  }
});

test.each([1, 4, 8])(
  'a short file of settlements every %s hours has no gaps but its own',
  async (hours) => {
    for (let count = 1; count <= 9; count++) {
      const rates = Array.from({ length: count }, () => 0.0001);
      const whole = await checkData(write('short.csv', rows(rates, hours)), { ...CHECK });
      expect(whole).toMatchObject({ ok: true, value: [{ ok: true, rows: count, findings: [] }] });
      if (count < 4) continue;
      // Without the one before the last.
      const lines = rows(rates, hours).trim().split('\n').toSpliced(-2, 1);
      const gapped = await checkData(write('gapped.csv', `${lines.join('\n')}\n`), { ...CHECK });
      expect(gapped).toMatchObject({
        ok: true,
        value: [{ ok: false, findings: [{ kind: 'gap', rows: 1, line: count }] }],
      });
    }
  },
);

const bar = (minute: number): string => `${START + minute * 60_000},100,101,99,100.5,3`;

test('a shuffled file’s interval is that of its times, and its refusal is about the order', async () => {
  const minutes = [33, 146, 79, 12, 0, 5, 10, 15, 20, 11, 13, 14, 34, 80, 147];
  const file = write(
    'shuffled.csv',
    `timestamp,open,high,low,close,volume\n${minutes.map(bar).join('\n')}\n`,
  );
  const report = await checkData(file, { ...CHECK });
  expect(report).toMatchObject({ ok: true, value: [{ interval: '1m' }] });
  expect(report.ok && report.value[0]!.findings.some(({ kind }) => kind === 'misaligned')).toBe(
    false,
  );
  const imported = await importData([file], { symbol: 'BTC', keepPartial: false });
  expect(imported).toMatchObject({
    ok: false,
    problem: {
      line: 4,
      message: `follows ${START + 146 * 60_000}.`,
      remedy: expect.stringContaining('Sort rows by timestamp') as string,
    },
  });
});

test('a file of two markets names both, and what to do', async () => {
  const csv = [0, 0, 1, 1].map((minute, at) => `${at % 2 === 0 ? 'BTC' : 'ETH'},${bar(minute)}`);
  const bars = write('two.csv', `symbol,timestamp,open,high,low,close,volume\n${csv.join('\n')}\n`);
  const funding = write(
    'twoFunding.csv',
    `timestamp,coin,funding_rate\n${START},BTC,0.0001\n${START},ETH,0.0001\n`,
  );
  const json = write(
    'two.json',
    JSON.stringify(
      ['BTC', 'ETH'].map((symbol) => ({
        symbol,
        timestamp: START,
        open: 1,
        high: 2,
        low: 1,
        close: 1,
        volume: 1,
      })),
    ),
  );
  for (const [file, line, name] of [
    [bars, 3, 'symbol'],
    [funding, 3, 'coin'],
    [json, 2, 'symbol'],
  ] as const) {
    const read = await importData([file], { symbol: 'BTC', keepPartial: false });
    if (read.ok) throw new Error(`${file} was read.`);
    const { problem } = read;
    expect(problem.line).toBe(line);
    expect(`${problem.value} ${problem.message}`).toContain('ETH');
    expect(problem.message).toContain('is another market than "BTC" of the rows before.');
    expect(problem.remedy).toBe(`One market a file: split this one by its column ${name}.`);
  }
  // One market throughout is no fault.
  const one = write(
    'one.csv',
    `symbol,timestamp,open,high,low,close,volume\n${[0, 1].map((minute) => `BTC,${bar(minute)}`).join('\n')}\n`,
  );
  expect((await importData([one], { symbol: 'BTC', keepPartial: false })).ok).toBe(true);
});
