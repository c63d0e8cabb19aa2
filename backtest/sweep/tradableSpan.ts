import { INTERVAL_MS } from '../../src/contract/index.ts';
import type { MarketData } from '../../src/paper/index.ts';
import { DAY_MS, HOUR_MS } from '../../src/statistics/index.ts';
import { boundaryFrom, longestInterval } from '../barBoundary.ts';
import type { SweepPlan } from './SweepPlan.ts';
import { windowsOf } from './walkForward.ts';

/** Epoch milliseconds. */
export interface Span {
  from: number;
  until: number;
}

/** The span that can be traded: every feed has its warm-up, the range bounds it, whole bars fill it. */
export function tradableSpan(
  { range }: Pick<SweepPlan, 'range'>,
  { feeds }: Pick<MarketData, 'feeds'>,
  warmup: number,
): Span {
  const starts = feeds.map(({ time }) => time[Math.min(warmup, time.length - 1)] ?? 0);
  const ends = feeds.map(({ time, interval }) => (time.at(-1) ?? 0) + INTERVAL_MS[interval]);
  return {
    from: boundaryFrom(feeds, Math.max(range.from ?? 0, ...starts)),
    until: Math.min(range.until ?? Infinity, Math.max(...ends)),
  };
}

/**
 * Why a walk-forward is not possible on this tape; null if it is, or if there is none. A window that
 * ended inside a bar would train on the start of its test.
 */
export function explainNoWindow(
  plan: Pick<SweepPlan, 'range' | 'walk'>,
  data: Pick<MarketData, 'feeds'>,
  warmup: number,
): string | null {
  if (plan.walk === null) return null;
  const interval = longestInterval(data.feeds);
  const { trainMs, testMs } = plan.walk;
  for (const [name, length] of [['train', trainMs] as const, ['test', testMs] as const]) {
    if (length % INTERVAL_MS[interval] === 0) continue;
    const whole = Math.ceil(length / INTERVAL_MS[interval]) * INTERVAL_MS[interval];
    return (
      `--${name} (${name}_days) is ${asWritten(length)}, no whole number of the longest bars, ${interval}: ` +
      `its window would end inside of one.\n  Give it ${asWritten(whole)}, for example.`
    );
  }
  const span = tradableSpan(plan, data, warmup);
  if (windowsOf(plan.walk, span).length > 0) return null;
  return (
    `No window of the walk-forward fits: --train ${asWritten(trainMs)} and --test ` +
    `${asWritten(testMs)} need ${asWritten(trainMs + testMs)}, and ` +
    `${asWritten(Math.max(0, span.until - span.from))} of the tape can be traded, warm-up and ` +
    '--timerange left out.\n  Give shorter ones, or a longer tape.'
  );
}

/** As it is written after `--train`, to a hundredth. */
function asWritten(lengthMs: number): string {
  const isLong = lengthMs >= DAY_MS;
  return `${Number((lengthMs / (isLong ? DAY_MS : HOUR_MS)).toFixed(2))}${isLong ? 'd' : 'h'}`;
}
