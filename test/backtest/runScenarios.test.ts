import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Bench } from '../../backtest/check/Bench.ts';
import { runScenarios } from '../../backtest/check/runScenarios.ts';
import { holdLaw } from '../holdLaw.ts';

const LATENCY = { order_ms: 10, cancel_ms: { median: 20, p99: 90 }, data_ms: 5 };

test('a slower service acts later on orders and cancels, at the median and at the 99th percentile', async () => {
  const asked: Record<string, unknown> = {};
  const ran = { run: { data: { totals: { pnl: 1, fills: 2 } } } };
  const bench = {
    tape: {
      paper: {
        half_spread_bps: 1,
        impact_bps: 2,
        volume_share: 0.3,
        fill_on_touch: true,
        latency: LATENCY,
      },
    },
    base: ran,
    run: async (what: string, { tape }: { tape: { paper: object } }) => {
      asked[what] = tape.paper;
      return ran;
    },
  } as unknown as Bench;
  const scenarios = await runScenarios(bench);
  expect(scenarios.map(({ name, pnl, fills }) => [name, pnl, fills])).toEqual([
    ['pessimistic', 1, 2],
    ['as configured', 1, 2],
    ['with 250 ms more', 1, 2],
    ['optimistic', 1, 2],
  ]);
  // As configured it has run already.
  expect(Object.keys(asked).length).toBe(3);
  expect(asked['fills with 250 ms more']).toMatchObject({
    half_spread_bps: 1,
    latency: { order_ms: 260, cancel_ms: { median: 270, p99: 340 }, data_ms: 5 },
  });
  const worse = { half_spread_bps: 3, impact_bps: 10, fill_on_touch: false, latency: LATENCY };
  expect(asked['fills pessimistic']).toMatchObject(worse);
});

test('each assumption is that of the scenario, in its settings as in its words', async () => {
  const settings = fc.record({
    half_spread_bps: fc.constantFrom(0, 0.1, 0.4, 2, 7),
    impact_bps: fc.constantFrom(0, 2, 3, 5, 40),
    volume_share: fc.constantFrom(0.03, 0.3, 0.6, 1),
    fill_on_touch: fc.boolean(),
  });
  await holdLaw(50, settings, async (paper) => {
    const asked = new Map<string, object>();
    const base = { run: { data: { totals: { pnl: 7, fills: 8 } } } };
    const bench = {
      tape: { paper: { ...paper, latency: LATENCY, seed: 5 }, name: 'tape' },
      base,
      run: async (what: string, { tape }: { tape: { paper: object; name: string } }) => {
        expect(tape.name).toBe('tape');
        asked.set(what, tape.paper);
        const totals = { pnl: asked.size, fills: 10 * asked.size };
        return { run: { data: { totals } } };
      },
    } as unknown as Bench;
    const [worst, asIs, later, best] = await runScenarios(bench);
    const { half_spread_bps: half, impact_bps: impact, volume_share: share } = paper;
    const worse = {
      half_spread_bps: half * 3 > 1 ? half * 3 : 1,
      impact_bps: impact * 3 > 10 ? impact * 3 : 10,
      volume_share: share / 3,
      fill_on_touch: false,
    };
    const ideal = { half_spread_bps: 0, impact_bps: 0, volume_share: 1, fill_on_touch: true };
    const rest = { latency: LATENCY, seed: 5 };
    const slower = {
      ...LATENCY,
      order_ms: 260,
      cancel_ms: { median: 270, p99: 340 },
    };
    expect([...asked]).toEqual([
      ['fills pessimistic', { ...worse, ...rest }],
      ['fills with 250 ms more', { ...paper, ...rest, latency: slower }],
      ['fills optimistic', { ...ideal, ...rest }],
    ]);
    expect([worst, asIs, later, best].map((one) => [one!.pnl, one!.fills])).toEqual([
      [1, 10],
      [7, 8],
      [2, 20],
      [3, 30],
    ]);
    for (const [found, meant] of [
      [worst, worse],
      [asIs, paper],
      [best, ideal],
    ] as const) {
      const { assumptions } = found!;
      expect(assumptions).toContain(`half spread ${meant.half_spread_bps} bps, `);
      expect(assumptions).toContain(`impact ${meant.impact_bps} bps, `);
      expect(assumptions).toContain(` ${(meant.volume_share * 100).toFixed(0)} % of volume, `);
      expect(assumptions).toMatch(
        meant.fill_on_touch ? /a touch fills$/ : /a trade through fills$/,
      );
    }
  });
});
