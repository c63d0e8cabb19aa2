import { expect, test } from 'vitest';
import type { Bench } from '../../backtest/check/Bench.ts';
import { runScenarios } from '../../backtest/check/runScenarios.ts';

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
