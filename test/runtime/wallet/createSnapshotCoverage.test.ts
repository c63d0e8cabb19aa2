/** Whether a snapshot holds a fill that is told beside it. */
import { describe, expect, test } from 'vitest';
import type { FillRecord } from '../../../src/contract/index.ts';
import {
  createSnapshotCoverage,
  type Snapshot,
} from '../../../src/runtime/wallet/createSnapshotCoverage.ts';

const fill = (id: string, time: number, symbol = 'BTC') =>
  ({ fill_id: id, symbol, time }) as FillRecord;
/** A wallet as of this time, with positions by the time of their last fill. */
const snapshot = (time: number, positions: Record<string, number> = {}) =>
  ({
    account: { time },
    positions: new Map(
      Object.entries(positions).map(([symbol, updated_time]) => [symbol, { updated_time }]),
    ),
  }) as unknown as Snapshot;

describe('a snapshot has a fill', () => {
  test.each([
    ['before the position’s last one', 99, { BTC: 100 }, true],
    ['after the position’s last one', 101, { BTC: 100 }, false],
    ['before a flat wallet was shown', 499, {}, true],
    ['after a flat wallet was shown', 501, {}, false],
    ['of another symbol, by the wallet’s time', 400, { ETH: 100 }, true],
  ])('%s', (_name, time, positions, has) => {
    const coverage = createSnapshotCoverage();
    coverage.shown(snapshot(500, positions));
    expect(coverage.includesFill(fill('f', time))).toBe(has);
    // Neither is changed by having come in its turn.
    coverage.inTurn(fill('f', time));
    expect(coverage.includesFill(fill('f', time))).toBe(has);
  });

  test('of its own instant, unless it came after it in its turn', () => {
    const coverage = createSnapshotCoverage();
    coverage.shown(snapshot(500));
    const one = fill('f1', 500);
    expect(coverage.includesFill(one)).toBe(true);
    coverage.inTurn(one);
    expect(coverage.includesFill(one)).toBe(false);
    // Only the last that came in its turn may be newer than the snapshot.
    coverage.inTurn(fill('f2', 500));
    expect(coverage.includesFill(one)).toBe(true);
    expect(coverage.includesFill(fill('f2', 500))).toBe(false);
    // A position of before the wallet was shown has its last fill.
    coverage.shown(snapshot(600, { BTC: 500 }));
    expect(coverage.includesFill(fill('f2', 500))).toBe(true);
  });

  test('by the service’s clock as it was before it was set back, however often', () => {
    const coverage = createSnapshotCoverage();
    coverage.shown(snapshot(500));
    coverage.setBack(30);
    coverage.setBack(20);
    expect(coverage.includesFill(fill('f', 449))).toBe(true);
    expect(coverage.includesFill(fill('f', 451))).toBe(false);
  });

  test('by its own time, if it was shown after the clock was set back', () => {
    const coverage = createSnapshotCoverage();
    coverage.shown(snapshot(500));
    coverage.setBack(50);
    coverage.shown(snapshot(460));
    expect(coverage.includesFill(fill('f', 459))).toBe(true);
    expect(coverage.includesFill(fill('f', 461))).toBe(false);
    // What came before the process is by the first snapshot, and by its clock.
    expect(coverage.isEarlier(fill('f', 449))).toBe(true);
    expect(coverage.isEarlier(fill('f', 451))).toBe(false);
    coverage.setBack(10);
    expect(coverage.includesFill(fill('f', 449))).toBe(true);
    expect(coverage.includesFill(fill('f', 451))).toBe(false);
  });

  test('after its position changed by the clock of before it was set back', () => {
    const coverage = createSnapshotCoverage();
    coverage.setBack(50);
    coverage.shown(snapshot(460, { BTC: 505 }));
    expect(coverage.includesFill(fill('f', 459))).toBe(true);
    expect(coverage.includesFill(fill('f', 470))).toBe(false);
  });
});

test('a fill of before the start is one that the first snapshot has', () => {
  const coverage = createSnapshotCoverage();
  expect(coverage.isEarlier(fill('f', 1))).toBe(false);
  expect(coverage.includesFill(fill('f', 1))).toBe(false);
  coverage.shown(snapshot(500));
  coverage.shown(snapshot(900));
  expect(coverage.isEarlier(fill('f', 499))).toBe(true);
  expect(coverage.isEarlier(fill('f', 501))).toBe(false);
  expect(coverage.includesFill(fill('f', 501))).toBe(true);
});
