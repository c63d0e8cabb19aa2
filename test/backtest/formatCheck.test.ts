import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatCheck, type CheckResult } from '../../backtest/check/index.ts';
import { holdLaw } from '../holdLaw.ts';

interface Sums {
  pnl: number;
  venueFees: number;
  serviceFees: number;
  funding: number | undefined;
  notional: number;
  best: number;
}

const cents = (min: number, max: number) =>
  fc.integer({ min: min * 100, max: max * 100 }).map((value) => value / 100);

const sums: fc.Arbitrary<Sums> = fc.record({
  pnl: cents(-50_000, 50_000),
  venueFees: cents(-100, 3_000),
  serviceFees: cents(0, 3_000),
  funding: fc.option(cents(-2_000, 2_000), { nil: undefined }),
  notional: fc.oneof(fc.constant(0), cents(1, 9_000_000)),
  best: cents(-50_000, 50_000),
});

function resultOf({ pnl, venueFees, serviceFees, funding, notional, best }: Sums): CheckResult {
  const totals = { pnl, fees: venueFees + serviceFees, funding };
  const scenario = { assumptions: 'none', fills: 1 };
  return {
    findings: [],
    notes: [],
    unchecked: new Map(),
    base: { intents: [], costs: { venueFees, serviceFees, notional }, run: { data: { totals } } },
    scenarios: [
      { name: 'as configured', pnl, ...scenario },
      { name: 'optimistic', pnl: best, ...scenario },
    ],
    runs: 4,
  } as unknown as CheckResult;
}

test('costs are what lies between the P&L before them and the net one, each with its share of what was traded', async () => {
  await holdLaw(200, sums, (drawn) => {
    const text = formatCheck(resultOf(drawn));
    const rows = text.slice(text.indexOf('Costs, of ')).trimEnd().split('\n').slice(1);
    const funding = drawn.funding ?? 0;
    const { pnl, venueFees, serviceFees, notional, best } = drawn;
    const expected: Array<[string, number]> = [
      ['before costs', pnl + venueFees + serviceFees + funding],
      ['venue fees', -venueFees],
      ['service fees', -serviceFees],
      // Paid funding is a cost as a fee is; received funding is none.
      ['funding', -funding],
      ['net', pnl],
      ['net − optimistic', pnl - best],
    ];
    expect(rows).toHaveLength(expected.length);
    for (const [index, [name, amount]] of expected.entries()) {
      const found = /^ {2}(\S.*?) {2,}(\S+)(?: {2}(\S+) bps)?$/.exec(rows[index]!);
      expect(found?.[1]).toBe(name);
      expect(Math.abs(Number(found![2]!.replaceAll(',', '')) - amount)).toBeLessThanOrEqual(
        0.005_001,
      );
      if (notional === 0) expect(found![3]).toBeUndefined();
      else {
        const bps = (amount / notional) * 10_000;
        expect(Math.abs(Number(found![3]) - bps)).toBeLessThanOrEqual(0.005_001);
      }
    }
  });
});
