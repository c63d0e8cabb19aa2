import { once } from 'node:events';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createRandom } from '../../src/env/index.ts';
import { createSqliteReader, type IntentLife } from '../../src/journal/index.ts';
import { TEXTBOOK } from '../indicators/textbook.ts';
import type { Columns } from '../indicators/series.ts';
import { root } from '../sourceFiles.ts';
import { hashOf, runCli } from './runCli.ts';
import { openWorkshop } from './startProcess.ts';

const START = Date.UTC(2026, 0, 5);
const MINUTE = 60_000;
/** Five-minute bars before the run: as many as the slowest strategy asks for. */
const QUIET = 180;
const COLUMNS = ['time', 'open', 'high', 'low', 'close', 'volume'] as const;

type Row = Record<(typeof COLUMNS)[number], number>;

/** A random walk of one-minute bars, in whole dollars. */
function drawTape(count: number): Row[] {
  const random = createRandom('explained');
  let close = 60_000;
  return Array.from({ length: count }, (_, at) => {
    const open = close;
    close = Math.round(open * (1 + (random.next() - 0.5) * 0.004));
    const high = Math.max(open, close) + Math.round(random.next() * 30);
    const low = Math.min(open, close) - Math.round(random.next() * 30);
    return { time: START + at * MINUTE, open, high, low, close, volume: 10 };
  });
}

/** The tape resampled to five minutes, independently. */
function byFives(tape: readonly Row[]): Row[] {
  return Array.from({ length: Math.floor(tape.length / 5) }, (_, at) => {
    const parts = tape.slice(at * 5, at * 5 + 5);
    const [first] = parts;
    return {
      time: first!.time,
      open: first!.open,
      high: Math.max(...parts.map(({ high }) => high)),
      low: Math.min(...parts.map(({ low }) => low)),
      close: parts.at(-1)!.close,
      volume: 50,
    };
  });
}

const columnsOf = (bars: readonly Row[]): Columns =>
  Object.fromEntries(COLUMNS.map((name) => [name, bars.map((bar) => bar[name])])) as never;

const tape = drawTape(QUIET * 5 + 2_500);
const bars = byFives(tape);
/** An indicator's lines over the bars that a strategy with this warm-up sees, from their first. */
function textbook(id: keyof typeof TEXTBOOK, params: Record<string, number>, warmup: number) {
  const from = QUIET - warmup;
  const lines = TEXTBOOK[id](columnsOf(bars.slice(from)), params);
  return (line: number, at: number): number => lines[line]![at - from]!;
}

const fast = textbook('ema', { period: 20 }, 180);
const slow = textbook('ema', { period: 60 }, 180);
const bands = textbook('bollinger', { period: 20, std_dev: 2 }, 20);
const range = textbook('atr', { period: 14 }, 62);
const channel = (at: number): Row[] => bars.slice(at - 20, at);

/** What each shipped strategy had before it at a bar, by its place on the tape. */
const EXPECTED: Record<string, (at: number) => Record<string, unknown>> = {
  trend: (at) => ({
    indicators: { 'fast ema(20)': fast(0, at), 'slow ema(60)': slow(0, at) },
  }),
  reversion: (at) => ({
    indicators: {
      'bands bollinger(20, 2)': { upper: bands(0, at), mid: bands(1, at), lower: bands(2, at) },
    },
  }),
  breakout: (at) => ({
    indicators: { 'range atr(14)': range(0, at) },
    // The channel is that of the bars before.
    seen: [
      {
        bar: barAt('THIRD', at - 1),
        indicators: {
          'highest(20)': Math.max(...channel(at).map(({ high }) => high)),
          'lowest(20)': Math.min(...channel(at).map(({ low }) => low)),
        },
      },
    ],
  }),
};

const barAt = (symbol: string, at: number): object => {
  return { symbol, interval: '5m', ...bars[at]!, closed: true };
};

const STRATEGIES = [
  { name: 'trend', use: 'emaTrend', symbol: 'FIRST' },
  { name: 'reversion', use: 'bollingerReversion', symbol: 'SECOND' },
  { name: 'breakout', use: 'breakout', symbol: 'THIRD' },
];

const configOf = (isolation: string): string => `name: explained
link: { kind: paper }
paper:
  feeds:
${STRATEGIES.map(({ symbol }) => `    - { symbol: ${symbol}, interval: 1m, path: tape.csv }`).join('\n')}
  warmup: ${QUIET * 5}
  speed: max
  budget_clock: replay
isolation: ${isolation}
strategies:
${STRATEGIES.map(({ name, use, symbol }) => `  - { name: ${name}, use: ${join(root, 'strategies', use)}.ts, symbols: [${symbol}] }`).join('\n')}
journal: ./${isolation}.sqlite
`;

/** Numbers equal up to rounding. */
function near(value: unknown): unknown {
  if (typeof value === 'number') return expect.closeTo(value, 6);
  if (Array.isArray(value)) return value.map(near);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, near(part)]));
}

async function livesOf(path: string): Promise<IntentLife[]> {
  const reader = createSqliteReader(path);
  const lives: IntentLife[] = [];
  for await (const life of reader.lives()) lives.push(life);
  await reader.close();
  return lives;
}

interface Reported {
  bar: Row;
  indicators: Record<string, number>;
  seen: Array<{ indicators: Record<string, number> }>;
}

const triggerOf = ({ intent }: IntentLife): Record<string, unknown> =>
  (JSON.parse(intent.intent) as { trigger: Record<string, unknown> }).trigger;

test('the journal of a real run has the bar and the indicators of every decision, in a worker too', async () => {
  const shop = openWorkshop('explain');
  onTestFinished(() => shop.close());
  const rows = tape.map((row) => COLUMNS.map((name) => row[name]).join(','));
  const header = COLUMNS.join(',').replace('time', 'timestamp');
  shop.write('tape.csv', `${[header, ...rows].join('\n')}\n`);
  const kinds = ['none', 'worker'];
  const runs = kinds.map((isolation) => {
    shop.write(`${isolation}.yaml`, configOf(isolation));
    return runCli(['run', `${isolation}.yaml`], { cwd: shop.folder });
  });
  const [here, apart] = await Promise.all(runs);
  expect([here!.code, apart!.code]).toEqual([0, 0]);
  expect(hashOf(apart!)).toBe(hashOf(here!));

  const lives = await livesOf(join(shop.folder, 'none.sqlite'));
  const symbols = new Map(STRATEGIES.map(({ name, symbol }) => [name, symbol]));
  for (const life of lives) {
    const { instance, decisionKey } = life.intent;
    const at = bars.findIndex(({ time }) => decisionKey.includes(`:5m:${time}#`));
    expect(at, decisionKey).toBeGreaterThanOrEqual(QUIET);
    const wanted = { bar: barAt(symbols.get(instance)!, at), ...EXPECTED[instance]!(at) };
    expect(triggerOf(life), decisionKey).toEqual(near(wanted));
  }
  for (const { name } of STRATEGIES) {
    const own = lives.filter(({ intent }) => intent.instance === name);
    expect(own.length, name).toBeGreaterThan(3);
  }

  // The same in the bot's thread and in a worker, to the last digit.
  const inWorkers = await livesOf(join(shop.folder, 'worker.sqlite'));
  expect(inWorkers.map(triggerOf)).toEqual(lives.map(triggerOf));

  const broken = lives.find(({ intent }) => intent.instance === 'breakout')!;
  const { child, text } = shop.start(['journal', 'explain', 'none.yaml', broken.intent.key]);
  await once(child, 'close');
  const { bar, indicators, seen } = triggerOf(broken) as unknown as Reported;
  const { open, high, low, close } = bar;
  expect(text()).toContain(`open ${open}, high ${high}, low ${low}`);
  expect(text()).toContain(`close ${close}`);
  expect(text()).toContain(
    `\n  indicators: range atr(14) ${Number(indicators['range atr(14)']!.toPrecision(10))}\n`,
  );
  const { 'highest(20)': top, 'lowest(20)': bottom } = seen[0]!.indicators;
  expect(text()).toContain(`\n    indicators: highest(20) ${top}, lowest(20) ${bottom}\n`);
}, 120_000);
