import { describe, expect, test } from 'vitest';
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

/** A life that asked for three bars, had so many before it, and saw one close. */
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

/** The lines as one that asks for so many bars is told them, and what they have too few of. */
function tellTo(lines: readonly RecordedLine[], asked: number) {
  const histories = createHistories();
  for (const line of lines) histories.take(line);
  const left = [...lines];
  const take = withHistory(() => left.shift(), histories.lives, asked);
  const told: RecordedLine[] = [];
  for (let line = take(); line !== undefined; line = take()) told.push(line);
  return { lines: told, short: findShort(histories.lives, asked) };
}

const times = (lines: readonly RecordedLine[]): unknown[] =>
  lines.flatMap((line) => (line[0] === 'event' ? [line[2]] : []));

describe('a recording for a strategy that asks for', () => {
  test('the same history is the same', () => {
    const { lines, short } = tellTo(life(3), 3);
    expect(lines).toEqual(life(3));
    expect(short).toEqual(new Map());
  });

  test('less of it tells the end of what it holds, in every life', () => {
    const { lines, short } = tellTo([...life(3), ...life(3)], 2);
    expect(times(lines)).toEqual([1, 2, 9, 1, 2, 9]);
    expect(lines).toContainEqual(['subscribed', 'candles BTC 15m 2#0']);
    expect(lines).toContainEqual(['subscribed', 'position BTC#0']);
    expect(short).toEqual(new Map());
  });

  test('more of it tells all that it holds, and that it is too little', () => {
    const { lines, short } = tellTo(life(3), 5);
    expect(times(lines)).toEqual([0, 1, 2, 9]);
    expect(lines).toContainEqual(['subscribed', 'candles BTC 15m 5#0']);
    expect(short).toEqual(new Map([['BTC 15m', 3]]));
  });

  test('more of it than the market had lacks nothing', () => {
    expect(tellTo(life(2), 5).short).toEqual(new Map());
  });
});
