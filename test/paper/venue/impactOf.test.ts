import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { EngineState } from '../../../src/paper/engine/EngineState.ts';
import { impactOf, sizeInside } from '../../../src/paper/venue/impactOf.ts';
import { holdLaw } from '../../holdLaw.ts';

const engineOf = (impactBps: number): EngineState => ({ settings: { impactBps } }) as EngineState;

const drawn = fc.record({
  impactBps: fc.constantFrom(0, 0.5, 10, 60, 200, 9_000),
  volume: fc.oneof(fc.constant(0), fc.double({ min: 0.001, max: 1e6, noNaN: true })),
  /** Of the volume. */
  part: fc.oneof(fc.constantFrom(0, 1, 100, 101), fc.double({ min: 0, max: 150, noNaN: true })),
  touch: fc.double({ min: 0.01, max: 1e5, noNaN: true }),
  sign: fc.constantFrom(1 as const, -1 as const),
  /** From the best price to the bound, basis points; below 0 the bound is not reached. */
  slack: fc.constantFrom(-5, 0, 1, 7, 300, 4_000, 6_000),
});

test('impact is that of a bar times the share of its volume, a whole bar’s where it is empty, and ends at half', async () => {
  await holdLaw(300, drawn, ({ impactBps, volume, part }) => {
    const size = volume === 0 ? part : part * volume;
    const share = volume === 0 ? 1 : Math.min(100, part);
    const impact = impactOf(engineOf(impactBps), size, volume);
    expect(impact).toBeCloseTo(Math.min(0.5, (impactBps / 10_000) * share), 9);
  });
});

test('the size inside a bound is the largest whose price is not beyond it', async () => {
  await holdLaw(500, drawn, ({ impactBps, volume, touch, sign, slack }) => {
    const engine = engineOf(impactBps);
    const bound = touch * (1 + (sign * slack) / 10_000);
    const size = sizeInside(engine, { touch, bound, sign }, volume);
    const impactAt = (of: number) => impactOf(engine, of, volume) * 10_000;
    expect(sizeInside(engine, { touch, bound: null, sign }, volume)).toBe(Infinity);
    const most = Math.min(5_000, 100 * impactBps);
    if (slack < 0) expect(size).toBe(0);
    else if (slack > most || (slack === 0 && most === 0)) expect(size).toBe(Infinity);
    else if (size === Infinity) expect(impactAt(1e15)).toBeLessThanOrEqual(slack + 1e-6);
    else {
      if (size > 0) expect(impactAt(size)).toBeLessThanOrEqual(slack + 1e-6);
      expect(impactAt(size * 1.01 + 1e-9 * volume + 1e-12)).toBeGreaterThan(slack - 1e-6);
    }
  });
});
