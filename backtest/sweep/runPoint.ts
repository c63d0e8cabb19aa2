import { DAY_MS } from '../../src/contract/durations.ts';
import { loadConfigText } from '../../src/config/index.ts';
import { createLiveEnv, reasonOf } from '../../src/env/index.ts';
import { renderReport, wholeCourse, statistics } from '../../src/operate/report/index.ts';
import type { PaperRun } from '../../src/operate/run/index.ts';
import { dailyReturns } from '../../src/statistics/index.ts';
import { runLoadedBacktest } from '../runLoadedBacktest.ts';
import { edgeReturns } from './edgeReturns.ts';
import type { PointResult } from './PointResult.ts';
import { requireLasting } from './requireLasting.ts';
import type { SweepBench } from './SweepBench.ts';
import type { SweepJob, SweepPlan } from './SweepPlan.ts';

const silent = { update: () => {}, finish: () => {} };

/**
 * One backtest of the sweep; a fault of the point is its result.
 *
 * @throws for a fault of the machine that may pass: it is not the point's
 */
export async function runPoint(bench: SweepBench, job: SweepJob): Promise<PointResult> {
  const { index } = job;
  const result = await runJob(bench, job, false);
  if (result.ok && result.run.quarantined.length === 0) return resultOf(index, result.run);
  const fault = result.ok ? result.run.quarantined[0]! : result.fault;
  requireLasting(fault);
  return { index, fault };
}

/** The report of a point as one HTML page, by running it once more; or why there is none. */
export async function reportPoint(
  bench: SweepBench,
  job: SweepJob,
): Promise<{ ok: true; html: string } | { ok: false; fault: string }> {
  const result = await runJob(bench, job, true);
  if (!result.ok) return result;
  const { run } = result;
  return { ok: true, html: renderReport({ ...run.data, about: run.about() }) };
}

async function runJob(
  { plan, text, data }: SweepBench,
  job: SweepJob,
  charts: boolean,
): Promise<{ ok: true; run: PaperRun } | { ok: false; fault: string }> {
  try {
    const loaded = await loadConfigText(plan.config, text, { overrides: overridesOf(plan, job) });
    if (!loaded.ok) {
      const [fault] = loaded.faults;
      return { ok: false, fault: `${fault?.file}: ${fault?.path}: ${fault?.reason}` };
    }
    const result = await runLoadedBacktest({
      loaded,
      known: { data },
      range: job.range,
      env: createLiveEnv(),
      charts,
      progress: silent,
      isStopped: () => false,
    });
    return result.ok
      ? { ok: true, run: result.value }
      : { ok: false, fault: result.failure.message };
  } catch (error) {
    return { ok: false, fault: reasonOf(error) };
  }
}

/** Overrides of a point beside the file: on paper, with its own values. */
export function overridesOf(
  { feeds, set, seed, params }: Pick<SweepPlan, 'feeds' | 'set' | 'seed' | 'params'>,
  { values }: Pick<SweepJob, 'values'>,
) {
  return {
    onPaper: true,
    journal: 'memory',
    set: [...set],
    params: params.map(({ name }, index) => `${name}=${values[index]}`),
    ...(feeds.length === 0 ? {} : { feeds: [...feeds] }),
    ...(seed === null ? {} : { seed }),
  };
}

function resultOf(index: number, { data }: PaperRun): PointResult {
  const course = wholeCourse(data);
  const figures = statistics(course);
  const { totals } = data;
  return {
    index,
    figures: {
      days: (course.until - course.from) / DAY_MS,
      pnl: totals.pnl,
      max_drawdown: totals.max_drawdown,
      max_drawdown_share: totals.max_drawdown_share,
      sharpe: figures.sharpe,
      sortino: figures.sortino,
      calmar: figures.calmar,
      profit_factor: figures.profit_factor,
      win_rate: figures.win_rate,
      trades: figures.trades,
      fills: totals.fills,
      fees: totals.fees,
      turnover: figures.turnover,
      time_in_market: figures.time_in_market,
      intents: totals.intents.emitted,
      denied: totals.intents.denied,
      liquidations: data.liquidations?.length ?? 0,
      hash: data.hash,
    },
    // A day that began without equity has no return: it counts as zero here, because JSON has no NaN.
    returns: dailyReturns(course.hourly, course.capital).map((each) => each || 0),
    edges: edgeReturns(course.hourly, course.capital),
    trades: course.trips
      .filter(({ exit_time }) => exit_time !== null)
      .toSorted((a, b) => a.exit_time! - b.exit_time!)
      .map(({ pnl }) => pnl),
  };
}
