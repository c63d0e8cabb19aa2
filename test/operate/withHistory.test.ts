import { describe, expect, test } from 'vitest';
import { describeMissing } from '../../src/operate/recording/describeMissing.ts';
import {
  createHistories,
  findShort,
  withHistory,
} from '../../src/operate/recording/withHistory.ts';
import type { RecordedLine } from '../../src/strategy/recording/index.ts';

const bar = (source: string, time: number, history: boolean): RecordedLine => [
  'event',
  source,
  time,
  { kind: 'closed', history },
];

/** A life that asked for three bars, had a given number before it, and saw one close. */
function life(had: number): RecordedLine[] {
  const source = 'candles BTC 15m 3#0';
  return [
    ['start', 0, null],
    ['subscribed', 'position BTC#0'],
    ['done'],
    ['subscribed', source],
    ['done'],
    ...Array.from({ length: had }, (_none, at) => bar(source, at, true)),
    bar(source, 9, false),
  ];
}

/** The lines delivered to a life that asks for this many bars, and what is missing. */
function replayTo(lines: readonly RecordedLine[], asked: number) {
  const histories = createHistories();
  for (const line of lines) histories.take(line);
  const left = [...lines];
  const take = withHistory(() => left.shift(), histories.lives, asked);
  const reported: RecordedLine[] = [];
  for (let line = take(); line !== undefined; line = take()) reported.push(line);
  return { lines: reported, short: findShort(histories.lives, asked) };
}

const times = (lines: readonly RecordedLine[]): unknown[] =>
  lines.flatMap((line) => (line[0] === 'event' ? [line[2]] : []));

describe('a recording for a strategy that asks for', () => {
  test('the same history is delivered unchanged', () => {
    const { lines, short } = replayTo(life(3), 3);
    expect(lines).toEqual(life(3));
    expect(short).toEqual(new Map());
  });

  test('less history delivers the end of the recorded one, in every life', () => {
    const { lines, short } = replayTo([...life(3), ...life(3)], 2);
    expect(times(lines)).toEqual([1, 2, 9, 1, 2, 9]);
    expect(lines).toContainEqual(['subscribed', 'candles BTC 15m 2#0']);
    expect(lines).toContainEqual(['subscribed', 'position BTC#0']);
    expect(short).toEqual(new Map());
  });

  test('less history delivers the end of each life’s own, of which a market had less at first', () => {
    const { lines } = replayTo([...life(1), ...life(3), ...life(2)], 2);
    expect(times(lines)).toEqual([0, 9, 1, 2, 9, 0, 1, 9]);
  });

  test('less history knows a notice that bars are held from a bar', () => {
    const [start, ...rest] = life(3);
    const notice: RecordedLine = ['event', 'candles BTC 15m 3#0', 0, { kind: 'held' }];
    const { lines, short } = replayTo([start!, ...rest.slice(0, 4), notice, ...rest.slice(4)], 2);
    expect(times(lines)).toEqual([0, 1, 2, 9]);
    expect(short).toEqual(new Map());
  });

  test('more history delivers all that is recorded, and reports that it is too little', () => {
    const { lines, short } = replayTo(life(3), 5);
    expect(times(lines)).toEqual([0, 1, 2, 9]);
    expect(lines).toContainEqual(['subscribed', 'candles BTC 15m 5#0']);
    expect(short).toEqual(new Map([['BTC 15m', 3]]));
  });

  test('more history than the market had lacks nothing', () => {
    expect(replayTo(life(2), 5).short).toEqual(new Map());
  });
});

test('what a recording lacks is said in words: sources that it never had, and candles that are too short', () => {
  const missing = new Set([
    'candles ETH 15m 40 forming#0',
    'candles BTC 1h 40#2',
    'position SOL#0',
    'outcomes#0',
  ]);
  const asked = new Set(['candles BTC 15m 40#0', 'price BTC#0']);
  const short = new Map([
    ['BTC 15m', 3],
    ['ETH 5m', 7],
  ]);
  expect(describeMissing({ asked, missing }, short)).toEqual([
    'candles of ETH 15m while they form: it receives nothing',
    'candles of BTC 1h, asked for again: it receives nothing',
    'position of SOL: it receives nothing',
    'outcomes: it receives nothing',
    'more than 3 bars of BTC 15m before its start: its warm-up is longer here',
  ]);
});
