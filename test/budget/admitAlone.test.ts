import { describe, expect, test } from 'vitest';
import { admitAlone, type AloneState } from '../../src/budget/admitAlone.ts';
import { LANES, type Lane } from '../../src/budget/index.ts';

/** Each of three may spend 225 of 900, as if a fourth had joined, and for exits 100 of what the share leaves. */
const STATE: AloneState = {
  limit: 1_200,
  share: 0.75,
  reserveShare: 0.5,
  windowMs: 60_000,
  members: 3,
  silentMs: 0,
  isCounted: true,
  inHand: 20,
  used: 0,
  spentAlone: 0,
};
const URGENT: readonly Lane[] = ['control', 'exit'];

/** The greatest weight that is admitted. */
function most(lane: Lane, over: Partial<AloneState>): number {
  const state = { ...STATE, ...over };
  let weight = 0;
  while (weight < 2_000 && admitAlone(lane, weight + 1, state)) weight++;
  return weight;
}

describe.each(LANES)('a process that is cut off, %s', (lane) => {
  const isUrgent = URGENT.includes(lane);

  test('spends what it holds for as long as the others count it as its own', () => {
    expect(most(lane, { silentMs: 4_999 })).toBe(isUrgent ? 100 : 20);
    expect(most(lane, { silentMs: 4_999, inHand: 150 })).toBe(150);
    expect(most(lane, { silentMs: 5_000, inHand: 150 })).toBe(isUrgent ? 100 : 0);
  });

  test('has the headroom for exits alone until all of before has left the window', () => {
    for (const silentMs of [5_000, 64_999]) {
      expect(most(lane, { silentMs })).toBe(isUrgent ? 100 : 0);
      expect(most(lane, { silentMs, spentAlone: 70 })).toBe(isUrgent ? 30 : 0);
    }
    expect(most(lane, { silentMs: 65_000, isCounted: false })).toBe(isUrgent ? 100 : 0);
  });

  test('then has its part, less the reserve and what it has used', () => {
    expect(most(lane, { silentMs: 65_000 })).toBe(isUrgent ? 225 : 112);
    expect(most(lane, { silentMs: 65_000, used: 100 })).toBe(isUrgent ? 125 : 12);
    expect(most(lane, { silentMs: 65_000, members: 1 })).toBe(isUrgent ? 450 : 225);
  });

  test('sends no entry once the others count its part as free', () => {
    expect(most(lane, { silentMs: 90_000 })).toBe(isUrgent ? 225 : 112);
    expect(most(lane, { silentMs: 90_001 })).toBe(isUrgent ? 225 : 0);
  });
});
