import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { runLoadedBacktest } from '../../backtest/index.ts';
import { loadConfig } from '../../src/config/index.ts';
import { createLiveEnv, silentLog } from '../../src/env/index.ts';
import { loadTape, type PaperRun } from '../../src/operate/run/index.ts';
import { uncoveredStretches } from '../../src/paper/index.ts';
import { root } from '../sourceFiles.ts';
import { writeFiles } from './data/writeFiles.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const START = Date.UTC(2025, 0, 1);
const WARMUP = 10;
const RUN = { from: START + WARMUP * HOUR, until: START + 20 * DAY };
const RATE = 0.000_1;

/** Settlements at a fixed number of hours, written in a unit of time. */
function fundingCsv(hours: readonly number[], perMs = 1): string {
  const rows = hours.map((hour) => `${(START + hour * HOUR) * perMs},${RATE}`);
  return `timestamp,funding_rate\n${rows.join('\n')}\n`;
}
const every = (step: number, from: number, until: number): number[] =>
  Array.from(
    { length: Math.floor((until - from) / step) + 1 },
    (_none, index) => from + index * step,
  );

const FILES = {
  'seconds.csv': fundingCsv(every(1, 0, 480), 1e-3),
  'milliseconds.csv': fundingCsv(every(1, 0, 480)),
  'microseconds.csv': fundingCsv(every(1, 0, 480), 1e3),
  'mixed.csv': `${fundingCsv([0, 1])}${(START + 2 * HOUR) / 1e3},${RATE}\n`,
  'eight-days.csv': fundingCsv(every(8, 0, 192)),
  'every-eight.csv': fundingCsv(every(8, 0, 480)),
  'another-year.csv': fundingCsv(every(1, -9_000, -8_000)),
};
type FileName = keyof typeof FILES;
interface Rate {
  rate_bps: number;
  interval?: string;
}
let paths: Record<string, string>;
beforeAll(async () => {
  const written = await writeFiles(FILES);
  paths = Object.fromEntries(Object.keys(FILES).map((name, at) => [name, written[at]!]));
});

const feedOf = (symbol: string): string =>
  `    - { symbol: ${symbol}, interval: 1h, generate: { seed: ${symbol}, bars: 480 } }\n`;

async function load(funding: Record<string, FileName | Rate>) {
  const [file] = await writeFiles({
    'bot.yaml': `name: holder
link: { kind: paper }
paper:
  feeds:
${feedOf('BTC')}${feedOf('ETH')}${feedOf('SOL')}  warmup: ${WARMUP}
  balance: 100000
  funding: ${JSON.stringify(Object.fromEntries(Object.entries(funding).map(([symbol, given]) => [symbol, typeof given === 'string' ? paths[given] : given])))}
strategies:
  - { name: holds, use: ${join(root, 'test/backtest/plants/holds.ts')}, symbols: [BTC], params: {} }
`,
  });
  const loaded = await loadConfig(file!, { overrides: { onPaper: true, journal: 'memory' } });
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.faults));
  return loaded;
}

async function run(
  funding: Record<string, FileName | Rate>,
): Promise<PaperRun & { warnings: string[] }> {
  const warnings: string[] = [];
  const log = { ...silentLog, warn: (text: string) => void warnings.push(text) };
  const result = await runLoadedBacktest({
    loaded: await load(funding),
    range: {},
    env: createLiveEnv({ log }),
    progress: { update: () => {}, finish: () => {} },
    isStopped: () => false,
  });
  if (!result.ok) throw new Error(result.failure.message);
  return { ...result.value, warnings };
}

const fundingOf = ({ data }: PaperRun): string[] =>
  data.assumptions.filter((text) => text.startsWith('Funding'));

async function explainFault(funding: Record<string, FileName>): Promise<string> {
  const tape = await loadTape(await load(funding));
  if (tape.ok) throw new Error('It was loaded.');
  return tape.failure.message;
}

describe('a funding file', () => {
  test('charges the same in seconds, milliseconds and microseconds', async () => {
    const runs = await Promise.all(
      (['seconds.csv', 'milliseconds.csv', 'microseconds.csv'] as const).map((BTC) => run({ BTC })),
    );
    const charged = runs.map(({ data }) => data.totals.funding);
    expect(charged[1]).toBeGreaterThan(100);
    expect(charged).toEqual([charged[1], charged[1], charged[1]]);
    for (const each of runs) {
      expect(fundingOf(each)).toEqual([
        'Funding of BTC is from its file, 2025-01-01 00:00 to 2025-01-21 00:00 UTC, which covers the run.',
        'Funding of ETH, SOL is hourly at 0.00125 %: no file is given for it.',
      ]);
      expect(each.warnings).toEqual([]);
    }
  });

  test('that changes its unit is refused at that row', async () => {
    expect(await explainFault({ BTC: 'mixed.csv' })).toContain(
      'mixed.csv:4: column timestamp: "1735696800" is not a time in milliseconds, as the rows before it are.',
    );
  });

  test('outside the time of the tape is refused, with both times', async () => {
    expect(await explainFault({ BTC: 'another-year.csv' })).toBe(
      `${join(dirname(paths['another-year.csv']!), 'another-year.csv')}: settles funding from ` +
        '2023-12-23 00:00 to 2024-02-02 16:00 UTC, and the tape of BTC is from 2025-01-01 00:00 to ' +
        "2025-01-21 00:00: nothing would be charged. Give the settlements of the tape's time, or take " +
        'BTC out of `funding`: without a file the default rate is charged.',
    );
  });

  test('that ends before the run is reported in the log and in the report', async () => {
    const ended = await run({ BTC: 'eight-days.csv', ETH: 'milliseconds.csv' });
    const reported =
      'Funding of BTC is from its file, 2025-01-01 00:00 to 2025-01-09 00:00 UTC; it lacks 36 ' +
      'settlements of the run, for which nothing is charged: 2025-01-09 00:00 to 2025-01-21 00:00.';
    expect(fundingOf(ended)[0]).toBe(reported);
    expect(fundingOf(ended)[2]).toBe(
      'Funding of SOL is hourly at 0.00125 %: no file is given for it.',
    );
    expect(ended.warnings).toEqual([reported]);
  });

  test('none is the default rate', async () => {
    const none = await run({});
    expect(fundingOf(none)).toEqual(['Funding is hourly at 0.00125 %.']);
    expect(none.data.totals.funding).toBeGreaterThan(0);
  });
});

describe('a constant rate', () => {
  test.each([
    [{ rate_bps: 1 }, 'milliseconds.csv', 'hourly'],
    [{ rate_bps: 1, interval: '8h' }, 'every-eight.csv', 'every 8 hours'],
  ] as const)('%j charges what %s charges', async (rate, file, when) => {
    const [constant, fromFile] = await Promise.all([run({ BTC: rate }), run({ BTC: file })]);
    expect(constant.data.totals.funding).toBeGreaterThan(10);
    expect(constant.data.totals).toEqual(fromFile.data.totals);
    expect(constant.data.hash).toBe(fromFile.data.hash);
    expect(fundingOf(constant)).toEqual([
      `Funding of BTC is ${when} at 0.01 %, as it is set.`,
      'Funding of ETH, SOL is hourly at 0.00125 %: no file is given for it.',
    ]);
    expect(constant.warnings).toEqual([]);
  });
});

describe('what a file leaves out of a run', () => {
  const of = (hours: readonly number[]) => {
    const time = Float64Array.from(hours, (hour) => START + hour * HOUR + 40);
    const found = uncoveredStretches({ time, rate: time.map(() => RATE) }, RUN);
    const hour = (at: number): number => (at - START) / HOUR;
    return found.map(({ from, until, settlements }) => [hour(from), hour(until), settlements]);
  };
  const without = (hours: number[], ...gone: number[]) =>
    hours.filter((hour) => !gone.includes(hour));

  test.each([
    ['nothing, hour by hour', every(1, 11, 480), []],
    ['nothing, every eight hours, begun between two', every(8, 16, 480), []],
    ['the beginning', every(1, 51, 480), [[10, 50, 40]]],
    ['the end', every(8, 0, 192), [[192, 480, 36]]],
    ['the last one', every(8, 0, 472), [[472, 480, 1]]],
    [
      'holes inside',
      without(every(1, 0, 480), 100, 101, 200),
      [
        [99, 101, 2],
        [199, 200, 1],
      ],
    ],
    ['what is missing before the run, not', without(every(1, 0, 480), 3, 4), []],
    [
      'what is missing across its beginning, from there',
      without(every(1, 0, 480), 9, 10, 11),
      [[10, 11, 1]],
    ],
    [
      'where a venue settles less often from a day on, nothing',
      [...every(1, 0, 240), ...every(8, 248, 480)],
      [],
    ],
    ['two rows of a day, by their own step', [16, 24], [[24, 480, 57]]],
    [
      'one row, hour by hour',
      [12],
      [
        [10, 11, 1],
        [12, 480, 468],
      ],
    ],
  ] as const)('%s', (_what, hours, expected) => {
    expect(of(hours)).toEqual(expected);
  });
});
