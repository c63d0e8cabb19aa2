import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { truncateTape } from '../../backtest/check/truncateTape.ts';
import { generateFeed, type MarketData } from '../../src/paper/index.ts';
import readsMarket from './plants/readsMarket.ts';
import { runDirect, runSockets, type ParityRun, type ParityTape } from './runParity.ts';

const HOUR = 3_600_000;
const START = Date.UTC(2026, 0, 5);
/** Every eight hours, each with another rate. */
const SETTLED = Array.from({ length: 6 }, (_none, at) => START + at * 8 * HOUR);
const rateOf = (at: number): number => (at + 1) / 10_000;

const tapeOf = (file?: string): ParityTape => {
  const feeds = [
    generateFeed({
      symbol: 'BTC',
      interval: '1m',
      bars: 1_500,
      seed: 5,
      startTime: START,
      startPrice: 61_000,
    }),
  ];
  const funding: MarketData['funding'] = {
    BTC: {
      time: Float64Array.from(SETTLED),
      rate: Float64Array.from(SETTLED, (_time, at) => rateOf(at)),
    },
  };
  const settings = {
    feeds: [{ symbol: 'BTC', interval: '1m' as const, generate: { seed: 1, bars: 2 } }],
    warmup: 200,
  };
  const member = { strategy: readsMarket, symbols: ['BTC'], wallet: 'main' };
  const members = [file === undefined ? member : { ...member, file }];
  return { data: { feeds, funding }, settings, members };
};

interface Note {
  at: number;
  rate: number;
  next: number;
  paid: number;
  last: number;
  time: number;
  source: string;
  bookTime: number;
}

const notesOf = ({ intents }: ParityRun): Note[] =>
  intents.map(({ intent, decisionKey }) => {
    const { note } = (JSON.parse(intent) as { intent: { note: string } }).intent;
    const words = note.split(' ');
    // The bar's open time, five minutes before the decision.
    const at = Number(/bar:BTC:5m:(\d+)/.exec(decisionKey)![1]) + 300_000;
    const [rate, next, paid, last, , time] = words.map(Number);
    return {
      at,
      rate: rate!,
      next: next!,
      paid: paid!,
      last: last!,
      time: time!,
      source: words[6]!,
      bookTime: Number(words.at(-1)),
    };
  });

describe('market data of a plugin', () => {
  let direct: ParityRun;
  beforeAll(async () => {
    direct = await runDirect(tapeOf());
  });

  test('is the same over sockets and in a thread of its own', async () => {
    const others = [
      await runSockets(tapeOf()),
      await runDirect(tapeOf(join(import.meta.dirname, 'plants/readsMarket.ts'))),
    ];
    for (const other of others) expect(JSON.stringify(other)).toBe(JSON.stringify(direct));
  });

  test('is never of a later time: the rate is that of the last settlement', () => {
    const notes = notesOf(direct);
    expect(notes.length).toBeGreaterThan(200);
    for (const { at, rate, next, time, bookTime } of notes) {
      expect(time).toBeLessThanOrEqual(at);
      expect(bookTime).toBeLessThanOrEqual(at);
      // The bar of a settlement's instant is decided before the record of that instant.
      const settled = SETTLED.filter((each) => each <= time);
      expect(rate).toBe(rateOf(settled.length - 1));
      expect(next).toBe(SETTLED[settled.length]);
      expect(at - time).toBeLessThanOrEqual(60_000);
    }
    expect(new Set(notes.map(({ rate }) => rate)).size).toBeGreaterThan(2);
  });

  test('has what the wallet paid, and says that the book was synthesised', () => {
    const notes = notesOf(direct);
    expect(new Set(notes.map(({ source }) => source))).toEqual(new Set(['synthesised']));
    const lasts = new Set(notes.map(({ last }) => last).filter((last) => last !== 0));
    expect(lasts.size).toBeGreaterThan(1);
    for (const last of lasts) expect(SETTLED).toContain(last);
    expect(notes.at(-1)!.paid).not.toBe(0);
  });
});

test('a truncated tape has no rates of later settlements, and knows when they settle', () => {
  const { data } = tapeOf();
  const parts = {
    data,
    paper: { feeds: [], funding: {} },
    strategies: [],
    loaded: { config: { directory: '.' } },
  };
  const until = SETTLED[2]! + HOUR;
  const truncated = truncateTape(parts as never, until);
  truncated.dispose();
  const { time, rate } = truncated.tape.data.funding['BTC'] as {
    time: Float64Array;
    rate: Float64Array;
  };
  expect([...time]).toEqual(SETTLED);
  expect([...rate]).toEqual([rateOf(0), rateOf(1), rateOf(2), 0, 0, 0]);
});
