/** Whether a snapshot holds a fill that is told beside it. */
import { describe, expect, test } from 'vitest';
import type { FillRecord } from '../../../src/contract/index.ts';
import { createBooked, type Shown } from '../../../src/runtime/wallet/createBooked.ts';

const fill = (id: string, time: number, symbol = 'BTC') =>
  ({ fill_id: id, symbol, time }) as FillRecord;
/** A wallet as of this time, with positions by the time of their last fill. */
const shown = (time: number, positions: Record<string, number> = {}) =>
  ({
    account: { time },
    positions: new Map(
      Object.entries(positions).map(([symbol, updated_time]) => [symbol, { updated_time }]),
    ),
  }) as unknown as Shown;

describe('a snapshot has a fill', () => {
  test.each([
    ['before the position’s last one', 99, { BTC: 100 }, true],
    ['after the position’s last one', 101, { BTC: 100 }, false],
    ['before a flat wallet was shown', 499, {}, true],
    ['after a flat wallet was shown', 501, {}, false],
    ['of another symbol, by the wallet’s time', 400, { ETH: 100 }, true],
  ])('%s', (_name, time, positions, has) => {
    const booked = createBooked();
    expect(booked.has(shown(500, positions), fill('f', time))).toBe(has);
    // Neither is changed by having come in its turn.
    booked.inTurn(fill('f', time));
    expect(booked.has(shown(500, positions), fill('f', time))).toBe(has);
  });

  test('of its own instant, unless it came after it in its turn', () => {
    const booked = createBooked();
    const one = fill('f1', 500);
    expect(booked.has(shown(500), one)).toBe(true);
    booked.inTurn(one);
    expect(booked.has(shown(500), one)).toBe(false);
    // Only the last that came in its turn may be newer than the snapshot.
    booked.inTurn(fill('f2', 500));
    expect(booked.has(shown(500), one)).toBe(true);
    expect(booked.has(shown(500), fill('f2', 500))).toBe(false);
    // A position of before the wallet was shown has its last fill.
    expect(booked.has(shown(600, { BTC: 500 }), fill('f2', 500))).toBe(true);
  });

  test('by the service’s clock as it was before it was set back, however often', () => {
    const booked = createBooked();
    booked.setBack(30);
    booked.setBack(20);
    expect(booked.has(shown(500), fill('f', 449))).toBe(true);
    expect(booked.has(shown(500), fill('f', 451))).toBe(false);
  });
});

test('a fill of before the start is one that the first snapshot has', () => {
  const booked = createBooked();
  expect(booked.isEarlier(fill('f', 1))).toBe(false);
  booked.adopt(shown(500));
  booked.adopt(shown(900));
  expect(booked.isEarlier(fill('f', 499))).toBe(true);
  expect(booked.isEarlier(fill('f', 501))).toBe(false);
});
