import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatCheck, type CheckResult } from '../../backtest/check/index.ts';
import { formatFinding } from '../../backtest/check/formatCheck.ts';
import type { CheckName, Finding } from '../../backtest/check/Finding.ts';
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
      expect(rows[index]).not.toMatch(/-0\.00( |$)/);
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

const CHECKS = ['determinism', 'look-ahead', 'warm-up', 'promises', 'turns', 'state'] as const;
/** What compares runs, which says nothing of decisions by chance. */
const COMPARING: readonly CheckName[] = ['look-ahead', 'warm-up', 'promises'];

test('each check has its verdict: found, not checked with the reason, or nothing found', async () => {
  const none = { pnl: 0, venueFees: 0, serviceFees: 0, funding: 0, notional: 0, best: 0 };
  const drawnChecks = fc.record({
    found: fc.subarray([...CHECKS]),
    unchecked: fc.subarray([...CHECKS]),
    notes: fc.subarray(['one note', 'another']),
    intents: fc.nat({ max: 3 }),
  });
  await holdLaw(200, drawnChecks, ({ found, unchecked, notes, intents }) => {
    const findings = found.map((check): Finding => ({
      check,
      time: 1_000,
      instance: 'ema',
      decisionKey: 'main/ema/1',
      words: ['a → b', 'c → d'],
    }));
    const result = {
      ...resultOf(none),
      findings,
      notes,
      unchecked: new Map(unchecked.map((check) => [check, `no ${check}`])),
    };
    result.base = { ...result.base, intents: Array.from({ length: intents }) as never };
    const lines = formatCheck(result).split('\n');
    expect(lines[0]).toBe(`${intents} ${intents === 1 ? 'intent' : 'intents'}, 4 backtests`);
    expect(lines.slice(1, 7)).toEqual(
      CHECKS.map((check) => {
        const isLeft = found.includes('determinism') && COMPARING.includes(check);
        const otherwise = isLeft ? 'not checked: fix determinism first' : 'nothing found';
        const verdict = unchecked.includes(check) ? `not checked: no ${check}` : otherwise;
        return `${check.padEnd(12)} ${found.includes(check) ? 'FOUND' : verdict}`;
      }),
    );
    const more = [
      ...findings.flatMap(formatFinding),
      ...(notes.length === 0 ? [] : ['', ...notes]),
    ];
    expect(lines.slice(7, 7 + more.length + 2)).toEqual([...more, '', 'P&L by fill assumptions']);
  });
});

test('a finding has its bar, what it is about, and the difference below it', () => {
  const finding: Finding = {
    check: 'look-ahead',
    time: Date.UTC(2025, 0, 2, 3, 4, 5),
    instance: 'ema',
    decisionKey: 'main/ema/7',
    words: ['size: 1 → 2'],
  };
  const lines = (more: Partial<Finding>) => formatFinding({ ...finding, ...more });
  const at = 'ema, bar closed 2025-01-02T03:04:05.000Z,';
  expect(lines({})).toEqual(['', `look-ahead: ${at} intent main/ema/7`, '  size: 1 → 2']);
  // What sets a state is no intent.
  expect(lines({ check: 'state' })[1]).toBe(`state: ${at} upon main/ema/7`);
  expect(lines({ check: 'turns', decisionKey: '' })[1]).toBe(
    `turns: ${at} an intent without an event`,
  );
});

test('a rounded zero has no minus', () => {
  const drawn = { pnl: -0.001, venueFees: 5, serviceFees: 0, funding: undefined, best: 0 };
  const text = formatCheck(resultOf({ ...drawn, notional: 10_000 }));
  expect(text).toMatch(/service fees +0\.00 {2}0\.00 bps/);
  expect(text).toMatch(/net +0\.00 {2}0\.00 bps/);
});
