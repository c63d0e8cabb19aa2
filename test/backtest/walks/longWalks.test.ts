import { expect, test } from 'vitest';
import { FanOutRows } from '../../../src/strategy/rows/FanOutRows.ts';
import { isFull, rotation } from '../../tiers.ts';
import { runDirect, runDriven } from '../runParity.ts';
import { firstDifference } from './describeRun.ts';
import { joiningTape, longTape } from './longWalks.ts';

const SEEDS = Array.from({ length: isFull ? 8 : 1 }, (_none, at) => `${rotation} ${at}`);

test.each(SEEDS)(
  'two weeks of minutes are walked the same in spans (%s)',
  async (seed) => {
    const tape = longTape(seed, false);
    const [exact, other] = [await runDirect(tape), await runDriven(tape)];
    expect(exact.fills.length).toBeGreaterThan(50);
    expect(firstDifference(exact.lines!, other.lines!)).toBe(undefined);
  },
  120_000,
);

test.each(SEEDS)(
  'a subscriber that is not known sees every row (%s)',
  async (seed) => {
    const tape = longTape(seed, true);
    const exact = await runDirect(tape);
    expect(firstDifference(exact.lines!, (await runDriven(tape)).lines!)).toBe(undefined);
    // Looked through all the same, the run is another, and nothing says so.
    const { isKnown, next } = FanOutRows.prototype;
    FanOutRows.prototype.isKnown = () => true;
    FanOutRows.prototype.next = (_from, to) => to;
    const forced = await runDriven(tape).finally(() =>
      Object.assign(FanOutRows.prototype, { isKnown, next }),
    );
    expect(forced.hash).not.toBe(exact.hash);
  },
  120_000,
);

test.each(SEEDS)(
  'who joins a symbol in a turn of another one gets every row from then on (%s)',
  async (seed) => {
    const tape = joiningTape(seed);
    const [exact, other] = [await runDirect(tape), await runDriven(tape)];
    expect(exact.fills.length).toBeGreaterThan(30);
    expect(firstDifference(exact.lines!, other.lines!)).toBe(undefined);
  },
  120_000,
);
