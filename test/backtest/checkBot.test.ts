import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkBot, formatCheck, type CheckResult } from '../../backtest/check/index.ts';
import { cutFile } from '../../backtest/check/cutFile.ts';
import { truncateTape } from '../../backtest/check/truncateTape.ts';
import { noteOutsideData } from '../../backtest/check/noteOutsideData.ts';
import { loadConfig } from '../../src/config/index.ts';
import { createLiveEnv, createRandom, type Env } from '../../src/env/index.ts';
import { loadTape } from '../../src/operate/run/index.ts';
import { encodeCache, generateFeed } from '../../src/paper/index.ts';
import { root } from '../sourceFiles.ts';
import { inTurn } from '../inTurn.ts';

const it = inTurn(2);

const folder = mkdtempSync(join(tmpdir(), 'trimtab-check-'));
afterAll(() => rmSync(folder, { recursive: true }));

const START = Date.UTC(2025, 0, 1);
const tapeFile = join(folder, 'btc.csv');
const feed = generateFeed({
  symbol: 'BTC',
  interval: '1m',
  bars: 2_000,
  seed: 3,
  startTime: START,
  startPrice: 60_000,
});
const rows = Array.from(feed.time, (time, at) =>
  [time, feed.open[at], feed.high[at], feed.low[at], feed.close[at], feed.volume[at]].join(','),
);
writeFileSync(tapeFile, `timestamp,open,high,low,close,volume\n${rows.join('\n')}\n`);

interface CheckSettings {
  set?: readonly string[];
  startTime?: number | undefined;
  live?: Env;
  points?: number;
}

async function check(
  file: string,
  { set = [], startTime, live = createLiveEnv(), points = 3 }: CheckSettings = {},
): Promise<CheckResult> {
  const loaded = await loadConfig(file, { overrides: { onPaper: true, journal: 'memory', set } });
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.faults));
  const tape = await loadTape(loaded);
  if (!tape.ok) throw new Error(tape.failure.message);
  const result = await checkBot({
    tape: tape.value,
    startTime,
    live,
    points,
    onRun: () => {},
  });
  if (!result.ok) throw new Error(result.failure.message);
  return result.value;
}

function checkPlant(
  name: string,
  params = '{}',
  startTime?: number,
  live?: Env,
  paper = '',
  { path = tapeFile, points = 3 } = {},
): Promise<CheckResult> {
  const file = join(folder, `${name}.yaml`);
  writeFileSync(
    file,
    `name: planted
link: { kind: paper }
paper:
  feeds: [{ symbol: BTC, interval: 1m, path: ${path} }]
  warmup: 100
  balance: 100000${paper}
strategies:
  - name: plant
    use: ${join(root, 'test/backtest/plants', `${name}.ts`)}
    symbols: [BTC]
    params: ${params}
`,
  );
  return check(file, { startTime, points, ...(live === undefined ? {} : { live }) });
}

describe('trimtab check catches', () => {
  test.each([
    ['peeks', `{ file: ${tapeFile} }`, 'look-ahead', /side: "(buy|sell)" → "(buy|sell)"/],
    ['readsClock', '{}', 'determinism', /size: [\d.]+ → [\d.]+/],
    ['forgetsWarmUp', '{}', 'warm-up', /decisionKey|none/],
    ['awaits', '{}', 'promises', /./],
  ])('a planted plugin that %s', { timeout: 60_000 }, async (name, params, kind, words) => {
    const result = await checkPlant(name, params);
    expect(result.findings.map((finding) => finding.check)).toEqual([kind]);
    const [finding] = result.findings;
    expect(finding!.instance).toBe('plant');
    expect(finding!.time).toBeGreaterThan(START);
    expect(finding!.decisionKey).toContain('main/plant/');
    expect(finding!.words.join('\n')).toMatch(words);
    const text = formatCheck(result);
    expect(text).toContain(`${kind}: plant, bar closed ${new Date(finding!.time).toISOString()}`);
  });
});

describe('with latency, what is under way where the tape ends', () => {
  const LATENCIES = [
    '{ order_ms: 250 }',
    '{ data_ms: 250 }',
    '{ order_ms: 150000, data_ms: { median: 40, p99: 900 } }',
  ];
  const checkLate = (name: string, params: string, latency: string): Promise<CheckResult> =>
    checkPlant(name, params, undefined, undefined, `\n  latency: ${latency}`);

  test.each(LATENCIES)('is no look-ahead: %s', { timeout: 60_000 }, async (latency) => {
    const { findings, unchecked, base } = await checkLate('answersFills', '{}', latency);
    expect(base.run.data.totals.fills).toBeGreaterThan(100);
    expect(findings).toEqual([]);
    expect(unchecked.has('look-ahead')).toBe(false);
  });

  test.each(LATENCIES)('hides no look-ahead: %s', { timeout: 60_000 }, async (latency) => {
    const { findings } = await checkLate('peeks', `{ file: ${tapeFile} }`, latency);
    expect(findings.map(({ check: name }) => name)).toEqual(['look-ahead']);
  });

  test('the close of the next bar is seen ahead, too', { timeout: 60_000 }, async () => {
    const params = `{ file: ${tapeFile}, ahead: 1 }`;
    for (const latency of ['{}', '{ order_ms: 250 }', '{ data_ms: 250 }']) {
      const { findings } = await checkLate('peeks', params, latency);
      expect(findings.map(({ check: name }) => name)).toEqual(['look-ahead']);
    }
  });
});

describe('files of the tape that parameters name', () => {
  const write = (name: string, data: string | Uint8Array): string => {
    writeFileSync(join(folder, name), data);
    return join(folder, name);
  };
  const candles = `timestamp,open,high,low,close,volume\n${rows.join('\n')}\n`;
  const each = (row: (time: number, at: number) => string): string =>
    Array.from(feed.time, (time, at) => `${row(time + 30_000, at)}\n`).join('');
  const trades = `time,price,size\n${each((time, at) => `${time},${feed.close[at]},1`)}`;
  const book = `event_ms,bid,bid_qty,ask,ask_qty\n${each((time, at) => `${time},${feed.close[at]! - 1},2,${feed.close[at]! + 1},2`)}`;
  const hours = Array.from({ length: 34 }, (_, at) => `${START + at * 3_600_000 + 5},0.0001\n`);
  const files = {
    candles: write('packed.csv.gz', gzipSync(candles)),
    trades: write('trades.csv', trades),
    book: write('book.csv.gz', gzipSync(book)),
    funding: write('hourly.csv', `timestamp,funding_rate\n${hours.join('')}`),
    cache: write(
      'btc.trimtab',
      encodeCache({
        kind: 'bars',
        symbol: 'BTC',
        interval: '1m',
        source: 'test',
        columns: feed,
      }),
    ),
  };

  async function checkFiles(names: readonly string[], path = files.candles): Promise<CheckResult> {
    const file = join(folder, 'files.yaml');
    const sources = names.map((name) => `{ file: ${name} }`);
    writeFileSync(
      file,
      `name: files
link: { kind: paper }
paper:
  feeds: [{ symbol: BTC, interval: 1m, path: ${path}, trades: ${files.trades}, book: ${files.book} }]
  funding: { BTC: ${files.funding} }
  warmup: 100
  balance: 100000
strategies:
  - name: plant
    use: ${join(root, 'test/backtest/plants/knowsTheEnd.ts')}
    symbols: [BTC]
    params: { sources: [${sources.join(', ')}] }
`,
    );
    return check(file);
  }

  test.each(['candles', 'trades', 'book', 'funding'] as const)(
    'end with it at any depth, and are packed as they were: %s',
    { timeout: 60_000 },
    async (kind) => {
      const { findings, unchecked } = await checkFiles([files[kind]]);
      expect(findings.map(({ check: name }) => name)).toEqual(['look-ahead']);
      expect(findings[0]!.words.join('\n')).toMatch(/side: "(buy|sell)" → "(buy|sell)"/);
      expect(unchecked.has('look-ahead')).toBe(false);
    },
  );

  test('of a format that is not text stay as they are, which is said', async () => {
    const { findings, unchecked } = await checkFiles([files.cache], files.cache);
    expect(findings).toEqual([]);
    expect(unchecked.get('look-ahead')).toBe(
      `parameters name ${files.cache}, and only a CSV file, plain or .gz, can end earlier`,
    );
  }, 60_000);

  test('keep every row as it is written until the instant', () => {
    const first = cutFile(files.trades, START + 90_000, { kind: 'times' });
    expect(Buffer.from(first!).toString()).toBe(trades.split('\n').slice(0, 3).join('\n') + '\n');
    const packed = cutFile(files.candles, START + 120_000, { kind: 'bars', length: 60_000 });
    expect(gunzipSync(packed!).toString()).toBe(candles.split('\n').slice(0, 3).join('\n') + '\n');
    const paid = cutFile(files.funding, START + 3_600_000, { kind: 'settlements' });
    expect(Buffer.from(paid!).toString().trim().split('\n')).toHaveLength(3);
  });
});

test('one instant is between the beginning and the end', async () => {
  const { findings, unchecked } = await checkPlant(
    'peeks',
    `{ file: ${tapeFile} }`,
    undefined,
    undefined,
    '',
    { points: 1 },
  );
  expect(unchecked.has('look-ahead')).toBe(false);
  expect(findings.map(({ check: name }) => name)).toEqual(['look-ahead']);
}, 60_000);

test('a grid that only later prices show is no look-ahead', async () => {
  const coarse = join(folder, 'coarse.csv');
  const lines = Array.from(feed.time, (time, at) => {
    const close = at < 1_500 ? 1.2 : 1.2345;
    return [time, close, close, close, close, 1_000].join(',');
  });
  writeFileSync(coarse, `timestamp,open,high,low,close,volume\n${lines.join('\n')}\n`);
  const { findings, base } = await checkPlant('bidsBelow', '{}', undefined, undefined, '', {
    path: coarse,
  });
  expect(JSON.stringify(base.intents)).toContain('1.08');
  expect(findings).toEqual([]);
}, 60_000);

it('promises are named on a machine of varying speed, too, and it has no other finding', async () => {
  const random = createRandom('b');
  const { clock, ...live } = createLiveEnv();
  let now = 0;
  // A run lets promises settle at intervals of this clock.
  const monotonicNow = (): number => (now += 200 * random.next());
  const env = { ...live, clock: { ...clock, monotonicNow } };
  const { findings } = await checkPlant('awaits', '{}', undefined, env);
  expect(findings.map(({ check: name }) => name)).toEqual(['promises']);
  const chance = await checkPlant('tossesCoin', '{}', undefined, env);
  expect(chance.findings.map(({ check: name }) => name)).toEqual(['determinism']);
});

describe('history is compared with none, where none is asked for', () => {
  test.each([
    ['averagesAll', '{}', /^its decisions change if it has a history, and it asks for none/],
    ['averagesAll', '{ warmup: 1 }', /^its decisions change with more history than it asks for/],
  ])('%s %s', { timeout: 60_000 }, async (name, params, words) => {
    const result = await checkPlant(name, params);
    expect(result.findings.map((finding) => finding.check)).toEqual(['warm-up']);
    expect(result.findings[0]!.words[0]).toMatch(words);
    expect(formatCheck(result)).toMatch(/^warm-up +FOUND$/m);
  });

  test('where decisions have none, nothing is found', { timeout: 60_000 }, async () => {
    const result = await checkPlant('notesAverage');
    expect([...result.unchecked]).toEqual([]);
    expect(formatCheck(result)).toMatch(/^warm-up +nothing found$/m);
  });

  test.each([
    // The middle of the later feed is at bar 1,450, and it has 550 bars before.
    ['the feed that begins last', 900, ['300', '300'], '550 bars before its middle, and 600 are'],
    [
      'the strategy that asks for most',
      0,
      ['600', '0'],
      '1000 bars before its middle, and 1200 are',
    ],
  ])('enough bars are those of %s', { timeout: 60_000 }, async (name, late, warmups, words) => {
    const rest = join(folder, `later-${late}.csv`);
    writeFileSync(rest, `timestamp,open,high,low,close,volume\n${rows.slice(late).join('\n')}\n`);
    const file = join(folder, `${name.replaceAll(' ', '-')}.yaml`);
    const strategies = ['BTC', 'ETH'].map(
      (symbol, at) =>
        `  - { name: ${symbol}, use: ${join(root, 'test/backtest/plants/averagesAll.ts')}, symbols: [${symbol}], params: { warmup: ${warmups[at]} } }\n`,
    );
    writeFileSync(
      file,
      `name: several
link: { kind: paper }
paper:
  feeds:
    - { symbol: BTC, interval: 1m, path: ${tapeFile} }
    - { symbol: ETH, interval: 1m, path: ${rest} }
  warmup: 100
  balance: 100000
strategies:
${strategies.join('')}`,
    );
    const result = await check(file);
    expect(result.unchecked.get('warm-up')).toContain(`the tape has ${words} needed`);
  });

  test('a tape of too few long bars says so', { timeout: 60_000 }, async () => {
    const result = await checkPlant('averagesAll', '{ interval: 1h }');
    expect(result.findings).toEqual([]);
    expect(formatCheck(result)).toMatch(
      /^warm-up +not checked: the tape has \d+ bars before its middle, and 20 are needed: use a longer one$/m,
    );
  });
});

describe('a check that compared nothing does not say that it found nothing', () => {
  test('a bot without decisions', { timeout: 60_000 }, async () => {
    const result = await checkPlant('averagesAll', '{}', START + 1_999 * 60_000);
    expect(result.base.intents).toEqual([]);
    const text = formatCheck(result);
    for (const name of ['determinism', 'look-ahead', 'promises']) {
      expect(text).toMatch(new RegExp(`^${name} +not checked: it made no decisions: give it`, 'm'));
    }
    expect(text).toMatch(/^turns +nothing found$/m);
  });
});

it('refs that are counted from the start are named as such, and hide no other difference', async () => {
  const { findings } = await checkPlant('countsRefs');
  expect(findings.map(({ check: name }) => name)).toEqual(['warm-up']);
  const words = findings[0]!.words.join('\n');
  expect(words).toContain("Make it of the bar's time, or keep the count in its state");
  expect(words).toMatch(/ref: "entry-\d+" → "entry-\d+"/);
  const late = await checkPlant('countsRefs', '{ late: true }');
  expect(late.findings.map(({ check: name }) => name)).toEqual(['warm-up']);
  expect(late.findings[0]!.words[0]).toContain('raise its warm-up');
  expect(late.findings[0]!.words.join('\n')).toMatch(/size: [\d.]+ → [\d.]+/);
}, 60_000);

it('if trading begins late, warm-up is checked in the middle of the remaining tape', async () => {
  const minute = (count: number): number => START + count * 60_000;
  const { findings, base } = await checkPlant('forgetsWarmUp', '{}', minute(1_300));
  expect(base.intents[0]!.time).toBeGreaterThan(minute(1_300));
  expect(findings.map(({ check: name }) => name)).toEqual(['warm-up']);
  expect(findings[0]!.time).toBeGreaterThan(minute(1_650));
});

it('funding, market and book of their own time are no look-ahead', async () => {
  const { findings, base } = await checkPlant('readsMarket');
  expect(base.intents.length).toBeGreaterThan(100);
  expect(findings).toEqual([]);
}, 60_000);

it('a settlement that its venue stamped late belongs to its hour where the tape ends', async () => {
  const file = join(folder, 'funding.yaml');
  const rows = [0, 8, 16].map((hour) => `${START + hour * 3_600_000 + 7},0.000${hour + 1}`);
  writeFileSync(join(folder, 'rates.csv'), `timestamp,funding_rate\n${rows.join('\n')}\n`);
  writeFileSync(
    file,
    `name: funding
link: { kind: paper }
paper:
  feeds: [{ symbol: BTC, interval: 1m, path: ${tapeFile} }]
  funding: { BTC: ${join(folder, 'rates.csv')} }
strategies: [{ name: plant, use: ${join(root, 'test/backtest/plants/readsMarket.ts')}, symbols: [BTC] }]
`,
  );
  const loaded = await loadConfig(file, { overrides: { onPaper: true, journal: 'memory' } });
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.faults));
  const tape = await loadTape(loaded);
  if (!tape.ok) throw new Error(tape.failure.message);
  const cut = truncateTape(tape.value, START + 8 * 3_600_000);
  expect(cut.tape.data.funding).toMatchObject({
    BTC: { rate: new Float64Array([0.0001, 0.0009, 0]) },
  });
  cut.dispose();
});

it('random decisions are reported once, not for every comparison of two runs', async () => {
  const result = await checkPlant('tossesCoin');
  expect(result.findings.map(({ check: name }) => name)).toEqual(['determinism']);
  expect(result.notes.join('\n')).toMatch(/^promises, look-ahead and warm-up were not checked: /m);
  const text = formatCheck(result);
  for (const name of ['promises', 'look-ahead', 'warm-up']) {
    expect(text).toMatch(new RegExp(`^${name} +not checked: fix determinism first$`, 'm'));
  }
});

test('a different note is not a difference: it is never sent', async () => {
  const { findings, base } = await checkPlant('notesAverage');
  expect(base.intents.length).toBeGreaterThan(20);
  expect(findings).toEqual([]);
}, 60_000);

it('numbers that drift by less than a thousandth with more history are noted', async () => {
  const { findings, notes } = await checkPlant('notesAverage', '{ sizes: true }');
  expect(findings).toEqual([]);
  expect(notes.join('\n')).toMatch(
    /^warm-up: with more warm-up plant makes the same decisions, with numbers within 0\.1 %, first in main\/plant\/bar:BTC:1m:\d+#0 \(intent\.request\.size: [\d.]+ → [\d.]+\)\.$/m,
  );
}, 60_000);

it('a tape with enough bars for one comparison with more history says so', async () => {
  const path = join(folder, 'short.csv');
  const part = rows.slice(0, 400).join('\n');
  writeFileSync(path, `timestamp,open,high,low,close,volume\n${part}\n`);
  const { notes, unchecked } = await checkPlant('notesAverage', '{}', undefined, undefined, '', {
    path,
  });
  expect(unchecked.has('warm-up')).toBe(false);
  expect(notes).toContain(
    'warm-up: only compared with 2 × of it: the tape has 200 bars before its middle, and 240 are needed.',
  );
}, 60_000);

describe('more history than a subscription has can not be compared', () => {
  const path = join(folder, 'long.csv');
  beforeAll(() => {
    const bars = Array.from({ length: 6_000 }, (_, at) => {
      const close = 100 + (at % 2);
      return [START + at * 60_000, close, close, close, close, 1_000].join(',');
    });
    writeFileSync(path, `timestamp,open,high,low,close,volume\n${bars.join('\n')}\n`);
  });

  test.each([
    [5_000, /^it asks for 5000 bars, and no subscription begins with more: ask for fewer$/],
    [4_000, /^the tape has 3000 bars before its middle, and 5000 are needed: use a longer one$/],
  ])('by one that asks for %d bars', { timeout: 60_000 }, async (warmup, words) => {
    const params = `{ warmup: ${warmup} }`;
    const { unchecked } = await checkPlant('averagesAll', params, undefined, undefined, '', {
      path,
      points: 1,
    });
    expect(unchecked.get('warm-up')).toMatch(words);
  });
});

it('a state written in warm-up is found, with its bar', async () => {
  const result = await checkPlant('writesInWarmUp', '{ interval: 1m }');
  expect(result.findings.map(({ check: name }) => name)).toEqual(['state']);
  expect(result.findings[0]!.decisionKey).toMatch(/^bar:BTC:1m:\d+$/);
  const text = formatCheck(result);
  expect(text).toMatch(/^state +FOUND$/m);
  expect(text).toContain(`upon ${result.findings[0]!.decisionKey}`);
  expect(text).toContain("Ask `ctx.liveness() === 'live'` first");
  expect(text).toContain('or set `writesInWarmUp: true`');
  expect(result.notes.join('\n')).not.toContain('closed bars of');
});

test('a tape too short for the warm-up is reported, here and in the report', async () => {
  const { notes, base } = await checkPlant('writesInWarmUp', '{ writes: false }');
  // 100 bars of 1m are history: six of 15m have closed in them.
  const words =
    /plant: its `warmup` asks for 40 closed bars of BTC 15m, and there are 6: the next 34 /;
  expect(notes.join('\n')).toMatch(words);
  expect(base.run.data.assumptions.join('\n')).toMatch(words);
});

describe('what a check can’t see', () => {
  const LIMIT = /^Limit: only the tape and feed files .* look-ahead in it is not found\.$/;

  test('is stated below the verdicts, with the file that reads other data', async () => {
    const result = await checkPlant('readsOwnFile');
    // It does look ahead, undetected: hence the note.
    expect(result.findings).toEqual([]);
    expect(result.base.intents.length).toBeGreaterThan(10);
    const file = join(root, 'test/backtest/plants/ownFile/closeAfter.ts');
    expect(result.notes).toEqual([
      expect.stringMatching(LIMIT),
      `${file} reads files or the network (its text has node:fs): what it reads there this check can't truncate.`,
    ]);
    const text = formatCheck(result);
    for (const note of result.notes) expect(text).toContain(`\n${note}\n`);
  });

  const notesOf = (source: string): string[] => {
    const place = mkdtempSync(join(folder, 'plugin-'));
    writeFileSync(join(place, 'plugin.ts'), source);
    writeFileSync(join(place, 'future.json'), '[]');
    return noteOutsideData({ directory: place, strategies: [{ use: './plugin.ts' }] });
  };
  const noteOf = (how: string): string =>
    `plugin.ts reads files or the network (its text has ${how}): what it reads there this check can't truncate.`;

  test.each([
    ["import { readFileSync } from 'node:fs';", 'node:fs'],
    ["import { readFile } from 'fs/promises';", 'fs/promises'],
    ["const fs = await import('node:fs');", 'node:fs'],
    ["const fs = process.getBuiltinModule('node:fs');", 'node:fs'],
    ["import 'node:net'; import https from 'node:https';", 'node:net, node:https'],
    ['import { request } from "node:http";', 'node:http'],
    ["import { execSync } from 'node:child_process';", 'node:child_process'],
    ["import { Worker } from 'node:worker_threads';", 'node:worker_threads'],
    ["import { request } from 'undici';", 'undici'],
    ["const answer = await fetch('https://prices.example');", 'fetch'],
    ["const answer = await globalThis.fetch('https://prices.example');", 'fetch'],
  ])('%s', (source, how) => {
    expect(notesOf(source)).toEqual([noteOf(how)]);
  });

  test.each([
    ["import { map } from 'rxjs';"],
    ["import type { Stats } from 'node:fs';"],
    ["import { parse } from 'node:path';"],
    ['const prefetch = (): void => {}; prefetch(); cache.fetch();'],
  ])('nothing: %s', (source) => {
    expect(notesOf(source)).toEqual([]);
  });

  test('data that a plugin imports is listed as well', () => {
    expect(notesOf("import future from './future.json' with { type: 'json' };")).toEqual([
      "future.json is the plugin's own data, which this check can't truncate.",
    ]);
  });
});

it(
  'the shipped strategies pass, and their P&L depends on the fill assumptions',
  { timeout: 120_000 },
  async () => {
    const short = [0, 1].map((at) => `paper.feeds[${at}].generate.bars=5000`);
    const result = await check(join(root, 'configs/demo.yaml'), { set: short });
    expect(result.findings).toEqual([]);
    expect(result.base.intents.length).toBeGreaterThan(50);
    const results = result.scenarios.map(({ pnl }) => pnl);
    expect(new Set(results).size).toBe(4);
    expect(results[1]).toBe(result.base.run.data.totals.pnl);
    const { fees, pnl } = result.base.run.data.totals;
    const { venueFees, serviceFees, notional } = result.base.costs;
    expect(venueFees + serviceFees).toBeCloseTo(fees, 6);
    const traded = result.base.run.data.fills.map(({ price, size }) => price * size);
    expect(notional).toBeCloseTo(
      traded.reduce((sum, one) => sum + one, 0),
      4,
    );
    const text = formatCheck(result);
    const bps = (amount: number): string => `${((amount / notional) * 10_000).toFixed(2)} bps`;
    expect(text).toMatch(new RegExp(`venue fees .*  ${bps(-venueFees)}\\n`));
    expect(text).toMatch(new RegExp(`service fees .*  ${bps(-serviceFees)}\\n`));
    expect(text).toMatch(new RegExp(`net +.*  ${bps(pnl)}\\n`));
    expect(Number.isFinite(pnl)).toBe(true);
  },
);
