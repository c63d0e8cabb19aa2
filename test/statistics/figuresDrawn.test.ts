import fc from 'fast-check';
import { expect, test } from 'vitest';
import * as statistics from '../../src/statistics/index.ts';
import { holdLaw } from '../holdLaw.ts';

/** Figures of a series that are null where a value is missing, or nothing is there to divide by. */
type Figure = (values: readonly number[]) => number | null;

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
const mean = (values: readonly number[]) => sum(values) / values.length;
const product = (values: readonly number[]) => values.reduce((total, value) => total * value, 1);
const sorted = (values: readonly number[]) => values.toSorted((a, b) => a - b);
const power = (values: readonly number[], exponent: number) =>
  sum(values.map((value) => (value - mean(values)) ** exponent)) / values.length;
/** Sample deviation; equal values have none, whatever their mean is rounded to. */
const deviation = (values: readonly number[]) => {
  if (values.length > 1 && new Set(values).size === 1) return 0;
  return Math.sqrt((power(values, 2) * values.length) / (values.length - 1));
};
/** NumPy's default, by the definition of a piecewise linear function through (i / (n − 1), i-th value). */
const quantile = (values: readonly number[], share: number) => {
  const place = share * (values.length - 1);
  return sorted(values).reduce(
    (total, value, at) => total + value * Math.max(0, 1 - Math.abs(place - at)),
    0,
  );
};
const above = (values: readonly number[]) => values.filter((value) => value > 0);
const below = (values: readonly number[]) => values.filter((value) => value < 0);
/** Wealth at each end of a period, beginning with 1. */
const wealth = (values: readonly number[]) =>
  values.map((_value, at) => product(values.slice(0, at + 1).map((each) => 1 + each)));
const falls = (values: readonly number[]) =>
  wealth(values).map((own, at, all) => own / Math.max(1, ...all.slice(0, at + 1)) - 1);
/** Φ by Simpson's rule, which is exact enough within 8 deviations. */
const normal = (x: number) => {
  const steps = 2_000;
  const density = (at: number) => Math.exp((-at * at) / 2) / Math.sqrt(2 * Math.PI);
  const width = x / steps;
  let total = density(0) + density(x);
  for (let at = 1; at < steps; at++) total += density(at * width) * (at % 2 === 0 ? 2 : 4);
  return 0.5 + (total * width) / 3;
};
/** Φ⁻¹(0.05), from tables. */
const ONE_IN_TWENTY = -1.6448536269514722;
const atRisk = (values: readonly number[]) => mean(values) + ONE_IN_TWENTY * deviation(values);
const shortfall = (values: readonly number[]) => {
  const beyond = values.filter((value) => value < atRisk(values));
  return beyond.length === 0 ? atRisk(values) : mean(beyond);
};
const ulcer = (values: readonly number[]) =>
  Math.sqrt(sum(falls(values).map((fall) => fall ** 2)) / (values.length - 1));
const won = (values: readonly number[]) =>
  above(values).length / (above(values).length + below(values).length);
const profit = (values: readonly number[]) => sum(above(values)) / -sum(below(values));
const payoff = (values: readonly number[]) => mean(above(values)) / -mean(below(values));
const tails = (values: readonly number[]) =>
  Math.abs(quantile(values, 0.95) / quantile(values, 0.05));
const covariance = (a: readonly number[], b: readonly number[]) =>
  sum(a.map((value, at) => (value - mean(a)) * (b[at]! - mean(b)))) / (a.length - 1);

/** Each figure as its source defines it, and the fewest values that it needs. */
const DEFINITIONS: Readonly<Record<string, readonly [least: number, Figure]>> = {
  totalReturn: [1, (r) => wealth(r).at(-1)! - 1],
  expectedReturn: [
    1,
    (r) => (wealth(r).at(-1)! < 0 ? null : wealth(r).at(-1)! ** (1 / r.length) - 1),
  ],
  annualGrowth: [
    1,
    (r) => (wealth(r).at(-1)! < 0 ? null : wealth(r).at(-1)! ** (365 / r.length) - 1),
  ],
  sharpeRatio: [2, (r) => (mean(r) / deviation(r)) * Math.sqrt(365)],
  sortinoRatio: [
    2,
    (r) =>
      (mean(r) / Math.sqrt(sum(below(r).map((each) => each ** 2)) / r.length)) * Math.sqrt(365),
  ],
  volatility: [2, (r) => deviation(r) * Math.sqrt(365)],
  sharpeProbability: [
    2,
    (r) => {
      const [ratio, second] = [mean(r) / deviation(r), power(r, 2)];
      const [skew, kurtosis] = [power(r, 3) / second ** 1.5, power(r, 4) / second ** 2];
      const spread = 1 - skew * ratio + ((kurtosis - 1) / 4) * ratio ** 2;
      if (!(spread > 0)) return null;
      const x = (ratio * Math.sqrt(r.length - 1)) / Math.sqrt(spread);
      return Math.abs(x) > 8 ? Number(x > 0) : normal(x);
    },
  ],
  autocorrelationPenalty: [
    3,
    (r) => {
      const [now, next] = [r.slice(0, -1), r.slice(1)];
      const rho = Math.abs(covariance(now, next) / (deviation(now) * deviation(next)));
      if (!Number.isFinite(rho)) return null;
      const parts = r
        .slice(1)
        .map((_each, at) => ((r.length - at - 1) / r.length) * rho ** (at + 1));
      return Math.sqrt(1 + 2 * sum(parts));
    },
  ],
  deepestDrawdown: [1, (r) => -Math.min(0, ...falls(r))],
  recoveryFactor: [1, (r) => Math.abs(sum(r)) / -Math.min(0, ...falls(r))],
  ulcerIndex: [2, ulcer],
  serenityIndex: [
    2,
    (r) => {
      const pitfall = -shortfall(falls(r)) / deviation(r);
      return Number.isFinite(pitfall) ? sum(r) / (ulcer(r) * pitfall) : null;
    },
  ],
  valueAtRisk: [2, atRisk],
  conditionalValueAtRisk: [2, shortfall],
  tailRatio: [1, tails],
  sampleSkewness: [
    3,
    (r) => {
      const n = r.length;
      const cubes = r.map((each) => ((each - mean(r)) / deviation(r)) ** 3);
      return (n / ((n - 1) * (n - 2))) * sum(cubes);
    },
  ],
  excessKurtosis: [
    4,
    (r) => {
      const n = r.length;
      const fourths = r.map((each) => ((each - mean(r)) / deviation(r)) ** 4);
      const whole = (n * (n + 1)) / ((n - 1) * (n - 2) * (n - 3));
      return whole * sum(fourths) - (3 * (n - 1) ** 2) / ((n - 2) * (n - 3));
    },
  ],
  outlierWinRatio: [1, (r) => quantile(r, 0.99) / mean(r.filter((each) => each >= 0))],
  outlierLossRatio: [1, (r) => quantile(r, 0.01) / mean(below(r))],
  omegaRatio: [2, profit],
  gainToPain: [1, (r) => sum(r) / -sum(below(r))],
  winRate: [1, won],
  averageWin: [1, (r) => mean(above(r))],
  averageLoss: [1, (r) => mean(below(r))],
  payoffRatio: [1, payoff],
  profitFactor: [1, profit],
  kellyShare: [1, (r) => won(r) - (1 - won(r)) / payoff(r)],
  riskOfRuin: [1, (r) => ((1 - won(r)) / (1 + won(r))) ** r.length],
  cpcIndex: [1, (r) => profit(r) * won(r) * payoff(r)],
  commonSenseRatio: [1, (r) => profit(r) * tails(r)],
  expectancy: [1, mean],
};

const figures = statistics as unknown as Readonly<Record<string, Figure>>;

/** Of few values, so that equal ones, zeros and losses of everything are frequent; some are missing. */
const someValues = fc.oneof(
  {
    weight: 9,
    arbitrary: fc.array(fc.constantFrom(-0.5, -0.25, -0.125, 0, 0, 0.125, 0.25, 1), {
      maxLength: 9,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.array(
      fc.integer({ min: -100, max: 60 }).map((each) => each / 100),
      { maxLength: 30 },
    ),
  },
  { weight: 1, arbitrary: fc.array(fc.constantFrom(0.25, -0.25, NaN), { maxLength: 5 }) },
);

const CLOSE = 1e-9;
/** What rounding leaves of zero, where a definition divides by it. */
const RESIDUE = 1e12;

function expectClose(value: number | null, other: number | null, what: string): void {
  if (other === null || !Number.isFinite(other) || Math.abs(other) > RESIDUE) {
    expect(value === null || Math.abs(value) > RESIDUE, `${what} is ${value}, not null`).toBe(true);
    return;
  }
  expect(value, `${what} is null, not ${other}`).not.toBeNull();
  const off = Math.abs(value! - other) / Math.max(1, Math.abs(other));
  expect(off, `${what} is ${value}, not ${other}`).toBeLessThan(CLOSE);
}

test('each figure is what its definition says, of any values, few and equal and missing ones among them', async () => {
  await holdLaw(400, someValues, (values) => {
    const isWhole = values.every((value) => Number.isFinite(value));
    for (const [name, [least, define]] of Object.entries(DEFINITIONS)) {
      const other = isWhole && values.length >= least ? define(values) : null;
      expectClose(figures[name]!(values), other, name);
    }
  });
});

/** Figures of returns beside those of a benchmark. */
const BENCHMARKED: Readonly<
  Record<string, (r: readonly number[], b: readonly number[]) => number | null>
> = {
  beta: (r, b) => covariance(r, b) / deviation(b) ** 2,
  alpha: (r, b) => (mean(r) - (covariance(r, b) / deviation(b) ** 2) * mean(b)) * 365,
  rSquared: (r, b) => (covariance(r, b) / (deviation(r) * deviation(b))) ** 2,
  correlation: (r, b) => covariance(r, b) / (deviation(r) * deviation(b)),
  informationRatio: (r, b) => {
    const excess = r.map((value, at) => value - b[at]!);
    return mean(excess) / deviation(excess);
  },
  trackingError: (r, b) => deviation(r.map((value, at) => value - b[at]!)) * Math.sqrt(365),
  treynorRatio: (r, b) => (wealth(r).at(-1)! - 1) / (covariance(r, b) / deviation(b) ** 2),
};

test('and so is each beside a benchmark', async () => {
  const both = statistics as unknown as typeof BENCHMARKED;
  const some = fc.constantFrom(-0.25, -0.125, 0, 0.125, 0.5);
  const pairs = fc.array(
    fc.tuple(some, some, fc.integer({ min: 0, max: 40 }), fc.integer({ min: 0, max: 40 })),
    { maxLength: 8 },
  );
  await holdLaw(300, pairs, (drawn) => {
    // One in forty is missing.
    const returns = drawn.map(([value, , gap]) => (gap === 40 ? NaN : value));
    const benchmark = drawn.map(([, value, , gap]) => (gap === 40 ? NaN : value));
    const isWhole = [...returns, ...benchmark].every((value) => !Number.isNaN(value));
    for (const [name, define] of Object.entries(BENCHMARKED)) {
      const other = isWhole && returns.length > 1 ? define(returns, benchmark) : null;
      expectClose(both[name]!(returns, benchmark), other, name);
    }
  });
});

test('time in the market is that of each instant, of positions before, across, after and inside each other', async () => {
  const instant = fc.integer({ min: -5, max: 25 });
  const positions = fc.array(fc.tuple(instant, fc.integer({ min: 0, max: 9 })), { maxLength: 6 });
  await holdLaw(300, fc.tuple(positions, fc.integer({ min: 0, max: 20 })), ([drawn, until]) => {
    const held = drawn.map(([entry_time, length]) => ({
      entry_time,
      exit_time: length === 9 ? null : entry_time + length,
    }));
    const steps = Array.from({ length: until }, (_none, at) => at);
    const count = steps.filter((step) =>
      held.some(({ entry_time: from, exit_time: to }) => from <= step && step < (to ?? Infinity)),
    ).length;
    const share = statistics.timeInMarket(held, { from: 0, until });
    expect(share).toBeCloseTo(until === 0 ? 0 : count / until, 12);
  });
});

test('streaks and bins are those that a text and edges show', async () => {
  const values = fc.array(fc.integer({ min: -2, max: 2 }), { maxLength: 12 });
  await holdLaw(300, fc.tuple(values, fc.integer({ min: 1, max: 5 })), ([drawn, bins]) => {
    const signs = drawn.map((value) => '-0+'[Math.sign(value) + 1]).join('');
    const longest = (sign: RegExp) =>
      Math.max(0, ...(signs.match(sign) ?? []).map((run) => run.length));
    expect(statistics.longestStreak(drawn, 1)).toBe(longest(/\++/g));
    expect(statistics.longestStreak(drawn, -1)).toBe(longest(/-+/g));
    const found = statistics.histogram(drawn, bins);
    const [low, high] = [Math.min(...drawn), Math.max(...drawn)];
    if (drawn.length === 0) expect(found).toBeNull();
    else if (low === high) expect(found).toEqual({ from: low, width: 0, counts: [drawn.length] });
    else {
      const isIn = (value: number, bin: number) => {
        const [from, to] = [(high - low) * bin, (high - low) * (bin + 1)];
        const place = (value - low) * bins;
        return place >= from && (place < to || (bin === bins - 1 && place === to));
      };
      const counts = Array.from(
        { length: bins },
        (_none, bin) => drawn.filter((value) => isIn(value, bin)).length,
      );
      expect(found).toEqual({ from: low, width: (high - low) / bins, counts });
    }
  });
});
