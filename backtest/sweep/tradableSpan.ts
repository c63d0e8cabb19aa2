import { INTERVAL_MS } from '../../src/contract/index.ts';
import { DAY_MS, HOUR_MS } from '../../src/contract/durations.ts';
import { counted } from '../../src/env/index.ts';
import { timeText, type Feed, type MarketData } from '../../src/paper/index.ts';
import { boundaryFrom, longestInterval } from '../barBoundary.ts';
import type { SweepPlan } from './SweepPlan.ts';
import { windowsOf } from './walkForward.ts';

/** Epoch milliseconds. */
export interface Span {
  from: number;
  until: number;
}

type Bounds = Pick<SweepPlan, 'range' | 'walk'>;
type Feeds = Pick<MarketData, 'feeds'>;

/**
 * The span that can be traded: every feed has its warm-up, the range bounds it, whole bars fill it. A run goes on after a feed
 * has ended; a walk-forward ends with the first that does, since no window may begin where a feed has no bars.
 */
export function tradableSpan({ range, walk }: Bounds, { feeds }: Feeds, warmup: number): Span {
  const starts = feeds.map(({ time }) => time[Math.min(warmup, time.length - 1)] ?? 0);
  const ends = feeds.map(endOf);
  const end = walk === null ? Math.max(...ends) : Math.min(...ends);
  return {
    from: boundaryFrom(feeds, Math.max(range.from ?? 0, ...starts)),
    until: Math.min(range.until ?? Infinity, end),
  };
}

const endOf = ({ time, interval }: Pick<Feed, 'time' | 'interval'>): number =>
  (time.at(-1) ?? 0) + INTERVAL_MS[interval];

/** How many windows of a walk-forward the first feed that ends costs, and which it is; null if it costs none. */
export function noteFirstEnd(plan: Bounds, data: Feeds, warmup: number): string | null {
  if (plan.walk === null) return null;
  const span = tradableSpan(plan, data, warmup);
  const { until } = tradableSpan({ ...plan, walk: null }, data, warmup);
  const lost = windowsOf(plan.walk, { ...span, until }).length - windowsOf(plan.walk, span).length;
  if (lost === 0) return null;
  const [first, last] = [Math.min, Math.max].map((choose) => {
    const end = choose(...data.feeds.map(endOf));
    const { symbol, interval } = data.feeds.find((feed) => endOf(feed) === end)!;
    return { name: `${symbol}@${interval}`, end: timeText(end) };
  }) as [NamedEnd, NamedEnd];
  return (
    `feeds: ${first.name} ends ${first.end} UTC, and ${last.name} ${last.end}: ` +
    `the walk-forward ends with the first, ${counted(lost, 'window')} earlier.`
  );
}

interface NamedEnd {
  name: string;
  end: string;
}

/**
 * Why a walk-forward is not possible on this tape; null if it is, or if there is none. A window that
 * ended inside a bar would train on the start of its test.
 */
export function explainNoWindow(plan: Bounds, data: Feeds, warmup: number): string | null {
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
