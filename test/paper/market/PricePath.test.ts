import { expect, test } from 'vitest';
import { PricePath } from '../../../src/paper/market/PricePath.ts';
import { feedOf, MINUTE, START, walk } from '../engine/bench.ts';

const markAt = (path: PricePath, time: number): number => {
  path.seek(time);
  return path.mark;
};

test('a bar runs open → nearer extreme → farther extreme → close, extremes at the thirds', () => {
  const path = new PricePath(feedOf([[100, 110, 95, 105]]));
  expect(markAt(path, START)).toBe(100);
  expect(markAt(path, START + 1)).toBe(100);
  expect(markAt(path, START + 20_000)).toBe(95);
  expect(markAt(path, START + 30_000)).toBe(102.5);
  expect(markAt(path, START + 40_000)).toBe(110);
  expect(markAt(path, START + MINUTE)).toBe(105);
});

test('a mark that is asked for again is the same, and a new one at each new time', () => {
  const path = new PricePath(
    feedOf([
      [100, 110, 95, 105],
      [200, 201, 199, 200],
    ]),
  );
  const fresh = (time: number): number => markAt(new PricePath(path.feed), time);
  for (let time = START; time <= START + 3 * MINUTE; time += 7_000) {
    expect([markAt(path, time), markAt(path, time), path.mark]).toEqual([
      fresh(time),
      fresh(time),
      fresh(time),
    ]);
  }
});

test('the high comes first if it is nearer, the low on a tie', () => {
  expect(markAt(new PricePath(feedOf([[100, 103, 90, 95]])), START + 20_000)).toBe(103);
  expect(markAt(new PricePath(feedOf([[100, 110, 90, 95]])), START + 20_000)).toBe(90);
});

test('the instant of a boundary belongs to the bar that closes', () => {
  const path = new PricePath(
    feedOf([
      [100, 101, 99, 100.5],
      [200, 201, 199, 200],
    ]),
  );
  expect(markAt(path, START + MINUTE)).toBe(100.5);
  expect(path.running).toBe(false);
  expect(markAt(path, START + MINUTE + 1)).toBe(200);
  expect(path.running).toBe(true);
});

test('in a gap the last close applies', () => {
  const path = new PricePath(feedOf([[100, 101, 99, 100.5], null, [200, 201, 199, 200]]));
  expect(markAt(path, START + 1.5 * MINUTE)).toBe(100.5);
  expect(path.closedCount).toBe(1);
  expect(path.nextOpenTime).toBe(START + 2 * MINUTE);
});

test('the elapsed part of a bar reveals nothing of its future', () => {
  const path = new PricePath(feedOf([[100, 110, 95, 105]]));
  path.seek(START + 10_000);
  expect(path.runSoFar()).toMatchObject({ high: 100, low: path.mark });
  path.seek(START + 30_000);
  expect(path.runSoFar()).toMatchObject({ high: 102.5, low: 95 });
  path.seek(START + 50_000);
  expect(path.runSoFar()).toMatchObject({ high: 110, low: 95 });
});

test('nextReach finds the same millisecond as an exhaustive search', () => {
  for (const seed of [1, 2, 3, 4, 5]) {
    const path = new PricePath(feedOf(walk(seed, 6, { move: 0.02 })));
    const naive = new PricePath(path.feed);
    const levels = { lower: 99.3 + seed * 0.05, upper: 100.9 };
    let expected = Infinity;
    for (let time = START + 7; time <= START + 6 * MINUTE; time++) {
      const mark = markAt(naive, time);
      if (mark <= levels.lower || mark >= levels.upper) {
        expected = time;
        break;
      }
    }
    path.seek(START + 7);
    expect(path.nextReach(levels, START + 7, START + 6 * MINUTE)).toBe(expected);
  }
});

test('nextReach does not look past its horizon, and not into the past', () => {
  const path = new PricePath(
    feedOf([
      [100, 111, 90, 100],
      [100, 101, 99, 100],
    ]),
  );
  path.seek(START);
  expect(path.nextReach({ lower: 90, upper: 200 }, START, START + 19_999)).toBe(Infinity);
  expect(path.nextReach({ lower: 90, upper: 200 }, START, START + 20_000)).toBe(START + 20_000);
  path.seek(START + 45_000);
  expect(path.nextReach({ lower: 90, upper: 200 }, START + 45_000, START + 2 * MINUTE)).toBe(
    Infinity,
  );
});
