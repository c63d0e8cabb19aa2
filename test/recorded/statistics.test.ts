import { test } from 'vitest';
import { createRandom } from '../../src/env/index.ts';
import * as statistics from '../../src/statistics/index.ts';
import { createPastFalls } from '../../src/statistics/createPastFalls.ts';
import { expectRecorded } from './expectRecorded.ts';

const HOUR = 3_600_000;
const START = Date.UTC(2025, 0, 30, 21);

/** Twelve digits: the last ones of a logarithm are the machine's. */
const spelled = (_key: string, value: unknown): unknown =>
  typeof value === 'number'
    ? Number.isFinite(value)
      ? Number(value.toPrecision(12)) + 0
      : String(value)
    : value;

function drawnSeries(name: string, count: number, spread: number, drift = 0): number[] {
  const random = createRandom(name);
  return Array.from({ length: count }, () => (random.next() - 0.5 + drift) * spread);
}

/** Values as a figure may meet them. */
const SERIES: Readonly<Record<string, readonly number[]>> = {
  none: [],
  one: [0.02],
  'one loss': [-0.02],
  zero: [0],
  two: [0.01, -0.02],
  equal: [0.01, 0.01, 0.01, 0.01],
  zeros: [0, 0, 0],
  gains: [0.01, 0.02, 0.005, 0.03],
  losses: [-0.01, -0.02, -0.005, -0.03],
  ruin: [0.1, -1, 0.2],
  'worse than ruin': [0.1, -1.5, 0.2],
  missing: [0.1, Number.NaN, 0.2],
  infinite: [0.1, Infinity, -0.2],
  small: drawnSeries('small', 12, 0.02),
  rising: drawnSeries('rising', 60, 0.02, 0.2),
  falling: drawnSeries('falling', 45, 0.03, -0.2),
  long: drawnSeries('long', 400, 0.04, 0.02),
  wild: drawnSeries('wild', 90, 1.2, 0.1),
  'with an outlier': [...drawnSeries('outlier', 40, 0.01), 0.9, -0.4],
};

type Figure = (...series: readonly (readonly number[])[]) => unknown;
const { beta, alpha, rSquared, informationRatio, trackingError, treynorRatio, correlation } =
  statistics;
const AGAINST = {
  beta,
  alpha,
  rSquared,
  informationRatio,
  trackingError,
  treynorRatio,
  correlation,
};
const OF_RETURNS = {
  deepestDrawdown: statistics.deepestDrawdown,
  recoveryFactor: statistics.recoveryFactor,
  serenityIndex: statistics.serenityIndex,
  ulcerIndex: statistics.ulcerIndex,
  autocorrelationPenalty: statistics.autocorrelationPenalty,
  expectedReturn: statistics.expectedReturn,
  sharpeProbability: statistics.sharpeProbability,
  totalReturn: statistics.totalReturn,
  momentsOf: statistics.momentsOf,
  annualGrowth: statistics.annualGrowth,
  calmarRatio: statistics.calmarRatio,
  sharpeRatio: statistics.sharpeRatio,
  sortinoRatio: statistics.sortinoRatio,
  volatility: statistics.volatility,
  conditionalValueAtRisk: statistics.conditionalValueAtRisk,
  excessKurtosis: statistics.excessKurtosis,
  outlierLossRatio: statistics.outlierLossRatio,
  outlierWinRatio: statistics.outlierWinRatio,
  sampleSkewness: statistics.sampleSkewness,
  tailRatio: statistics.tailRatio,
  valueAtRisk: statistics.valueAtRisk,
  averageLoss: statistics.averageLoss,
  averageWin: statistics.averageWin,
  commonSenseRatio: statistics.commonSenseRatio,
  cpcIndex: statistics.cpcIndex,
  expectancy: statistics.expectancy,
  gainToPain: statistics.gainToPain,
  kellyShare: statistics.kellyShare,
  omegaRatio: statistics.omegaRatio,
  payoffRatio: statistics.payoffRatio,
  profitFactor: statistics.profitFactor,
  riskOfRuin: statistics.riskOfRuin,
  winRate: statistics.winRate,
};

/** A figure, or the words with which it refuses. */
function outcomeOf(figure: () => unknown): string {
  try {
    return JSON.stringify(figure(), spelled) ?? 'undefined';
  } catch (error) {
    return String(error);
  }
}

const curveOf = (values: readonly number[], stepMs: number): statistics.TimedValue[] => {
  let sum = 0;
  return values.map((value, at) => [START + at * stepMs, (sum += value * 1_000)]);
};

test('every figure of drawn numbers is what it was', async () => {
  const outcomes = new Map<string, Map<string, string[]>>();
  for (const [name, values] of Object.entries(SERIES)) {
    const ofReturns = Object.entries(OF_RETURNS).map(
      ([figure, of]) => `${figure} ${outcomeOf(() => (of as Figure)(values))}`,
    );
    const against = Object.entries(AGAINST).flatMap(([figure, of]) =>
      ['one', 'equal', 'small', 'long', 'missing'].map((other) => {
        const benchmark = Array.from(
          { length: values.length },
          (_none, at) => SERIES[other]![at % SERIES[other]!.length]!,
        );
        return `${figure} ${other} ${outcomeOf(() => (of as Figure)(values, benchmark))}`;
      }),
    );
    const curves = [HOUR / 60, HOUR, 7 * HOUR, 31 * HOUR].flatMap((stepMs) => {
      const curve = curveOf(values, stepMs);
      const periods = statistics.drawdownPeriods(curve);
      return [
        `periods ${outcomeOf(() => statistics.valuesAtPeriods(curve, 24 * HOUR))} ${outcomeOf(() => statistics.valuesAtPeriods(curve, HOUR))}`,
        `days ${outcomeOf(() => statistics.dailyReturns(curve, 1_000))} ${outcomeOf(() => statistics.dailyReturns(curve, 0))}`,
        `months ${outcomeOf(() => statistics.monthlyChanges(curve))}`,
        `worst ${outcomeOf(() => statistics.worstDrawdown(curve))}`,
        `drawdown ${outcomeOf(() => statistics.toDrawdown(curve))}`,
        `falls ${outcomeOf(() => periods)} ${outcomeOf(() => statistics.averageDrawdown(periods))}`,
        `merged ${outcomeOf(() => statistics.mergeCurves(curve, curveOf(values, 3 * HOUR)))}`,
        `run ${outcomeOf(() => measured(curve))}`,
      ];
    });
    const trades = [
      ...[0, 1, 5, 30].map(
        (bins) => `histogram ${bins} ${outcomeOf(() => statistics.histogram(values, bins))}`,
      ),
      ...[0, 0.05, 0.5, 0.95, 1].map(
        (share) => `quantile ${share} ${outcomeOf(() => statistics.quantile(values, share))}`,
      ),
      `streaks ${outcomeOf(() => statistics.longestStreak(values, 1))} ${outcomeOf(() => statistics.longestStreak(values, -1))}`,
      `shuffled ${outcomeOf(() => {
        const random = createRandom('shuffle');
        return statistics.shuffleTrades(values, { runs: 50, next: () => random.next() });
      })}`,
      ...[0.5, 0.9, 0.99].map(
        (confidence) =>
          `value at risk ${confidence} ${outcomeOf(() => statistics.valueAtRisk(values, confidence))}`,
      ),
      ...[1, 3, 500].map(
        (window) =>
          `rolling ${window} ${outcomeOf(() => statistics.rolling(values.length, window, (from, until) => statistics.sharpeRatio(values.slice(from, until))))}`,
      ),
      `deflated ${outcomeOf(() => statistics.deflatedSharpe(statistics.momentsOf(values), drawnSeries('trials', 20, 0.3)))} ${outcomeOf(() => statistics.deflatedSharpe(statistics.momentsOf(values), [0.1]))}`,
      ...[-0.1, 0, 0.1].map(
        (benchmark) =>
          `probabilistic ${benchmark} ${outcomeOf(() => statistics.probabilisticSharpe(statistics.momentsOf(values), benchmark))}`,
      ),
    ];
    outcomes.set(
      name,
      new Map([
        ['returns', ofReturns],
        ['against', against],
        ['curves', curves],
        ['trades', trades],
      ]),
    );
  }
  outcomes.set('others', others());
  await expectRecorded('statistics', outcomes);
});

/** The three ways of sampling a curve, and what was measured. */
function measured(curve: readonly statistics.TimedValue[]): unknown {
  const sampled = statistics.createDrawdown((value) => 1_000 + value);
  const flat = statistics.createDrawdown((value) => 1_000 + value);
  const column = statistics.createDrawdown((value) => value, 5);
  for (const [time, value] of curve) sampled.sample(time, value);
  const times = Float64Array.from(curve, ([time]) => time);
  for (const at of curve.keys())
    flat.sampleFlat(times.subarray(at), Math.min(3, curve.length - at), curve[at]![1]);
  column.sampleColumn(
    times,
    Float64Array.from(curve, ([, value]) => value),
    curve.length,
  );
  const run = { from: START - HOUR, until: START + 9_000 * HOUR, value: curve.at(-1)?.[1] ?? 0 };
  return [sampled, flat, column].map((drawdown) => [
    drawdown.deepest(run.value),
    drawdown.deepest(-900),
    drawdown.times(run),
    drawdown.average(run),
    drawdown.marks(),
  ]);
}

function others(): Map<string, string[]> {
  const random = createRandom('others');
  const normal = [-9, -3, -1, -0.5, 0, 0.5, 1, 3, 9, Infinity, NaN].map(
    (x) => `cdf ${x} ${outcomeOf(() => statistics.normalCdf(x))}`,
  );
  const quantiles = [0, 1e-9, 0.01, 0.02, 0.3, 0.5, 0.7, 0.98, 1, 2].map(
    (p) => `quantile ${p} ${outcomeOf(() => statistics.normalQuantile(p))}`,
  );
  const best = [0, 1, 2, 10, 1_000].map(
    (trials) => `best of ${trials} ${outcomeOf(() => statistics.expectedBestSharpe(trials, 0.2))}`,
  );
  const overfitted = [
    { periods: 8, trials: 6, blocks: 4 },
    { periods: 40, trials: 5, blocks: 8 },
    { periods: 40, trials: 5, blocks: 8, mostEvaluations: 100 },
    { periods: 7, trials: 6, blocks: 4 },
    { periods: 40, trials: 2 },
    { periods: 33, trials: 1, blocks: 4 },
  ].map((options) => {
    const trial = statistics.createOverfitting({ ...options, next: () => random.next() });
    for (let at = 0; at < options.trials; at++)
      trial.add(
        at === 3
          ? new Float64Array(options.periods)
          : drawnSeries(`trial ${at % 4}`, options.periods, 1, at / 40),
      );
    return `overfitting ${JSON.stringify(options)} ${outcomeOf(() => trial.result())}`;
  });
  const held = [
    [],
    [{ entry_time: 2, exit_time: 4 }],
    [
      { entry_time: -5, exit_time: 4 },
      { entry_time: 3, exit_time: 6 },
      { entry_time: 9, exit_time: null },
    ],
    [{ entry_time: 11, exit_time: 12 }],
    [
      { entry_time: 5, exit_time: 8 },
      { entry_time: 1, exit_time: 2 },
      { entry_time: 5, exit_time: 6 },
    ],
  ].map((positions) => `held ${statistics.timeInMarket(positions, { from: 0, until: 10 })}`);
  const worked = ['buy', 'sell'].flatMap((side) =>
    [undefined, 100].flatMap((arrival_price) =>
      [undefined, 101].map((average_price) => ({
        algo: side === 'buy' ? 'a' : 'b',
        side: side as 'buy',
        filled_size: average_price === undefined ? 0 : 2,
        average_price,
        arrival_price,
        fees: 0.5,
      })),
    ),
  );
  const shortfall = [
    worked,
    worked.toReversed(),
    [...worked, { ...worked[3]!, algo: 'c', filled_size: 0 }],
    [],
  ].map((orders) => outcomeOf(() => statistics.shortfallByAlgo(orders)));
  const falls = createPastFalls();
  const past = Array.from({ length: 14 }, (_none, at) => {
    const peak = START + at * 10 * HOUR;
    falls.add({
      startTime: at === 0 ? null : peak,
      start: 100 + at,
      troughTime: peak + 2 * HOUR,
      trough: 90 - ((at * 7) % 13),
      endTime: peak + (3 + (at % 4)) * HOUR,
      end: 101 + at,
      share: ((at * 7) % 13) / 50,
    });
    return `falls ${falls.longestMs(START)} ${outcomeOf(() => falls.average(START, at % 2 ? { share: 0.2, durationMs: 7 } : undefined))} ${outcomeOf(() => falls.points())}`;
  });
  return new Map([
    ['normal', [...normal, ...quantiles, ...best]],
    ['overfitting', overfitted],
    ['trades', [...held, ...shortfall]],
    ['falls', past],
  ]);
}
