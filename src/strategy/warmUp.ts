import type { Subscription } from 'rxjs';
import { withCode, type Interval } from '../contract/index.ts';
import type { ClosedBar, FormingBar } from './Bar.ts';
import { barCause, formingCause } from './causes.ts';
import type { Delivery } from './Delivery.ts';
import type { Liveness } from './createTurns.ts';
import type { StrategyNotice } from './StrategyNotice.ts';
import type { CandleEvent } from './StrategySources.ts';

/** As many bars as a snapshot can hold. */
const MOST_WARMUP = 5_000;

/** @throws if a strategy asks for another number of bars than a subscription can start with */
export function toWarmup(bars: number): number {
  if (Number.isInteger(bars) && bars >= 0 && bars <= MOST_WARMUP) return bars;
  throw withCode(
    'TRIMTAB_PLUGIN_DEFINITION',
    new Error(`warmup must be a whole number of bars from 0 to ${MOST_WARMUP}; it is ${bars}.`),
  );
}

/**
 * Warm-up is what the strategy asked for: if the history is shorter, the first live bars belong to it too, and
 * what is proposed on them is not sent.
 */
export function createLiveness(count: BarCount, { onLoaded, expectHistory }: Past): BarLiveness {
  const { warmup } = count;
  return {
    of(event) {
      if (event.kind === 'loaded') onLoaded(event.bars);
      if (event.kind === 'held') expectHistory();
      if (event.kind === 'closed') count.closed += 1;
      const { closed } = count;
      const isHistory =
        event.kind === 'closed' ? event.history || closed <= warmup : closed < warmup;
      if (isHistory) return 'history';
      const isLate = 'catchUp' in event && event.catchUp;
      return isLate ? 'catch_up' : 'live';
    },
    ofRow() {
      count.closed += 1;
      return count.closed <= warmup ? 'history' : 'live';
    },
    pass: (bars) => void (count.closed += bars),
  };
}

/** What a subscription learns of its bars of the past. */
export interface Past {
  /** The history was delivered, with fewer bars than requested. */
  onLoaded(bars: number): void;
  /** It has arrived, and is not delivered yet. */
  expectHistory(): void;
}

/** How the bars of one subscription relate to the present. */
export interface BarLiveness {
  of(event: CandleEvent): Liveness;
  /** Of the next bar, which closed just now. */
  ofRow(): Liveness;
  /** A number of live bars that are not delivered. */
  pass(bars: number): void;
}

/** Closed bars that one subscription has delivered. */
export interface BarCount {
  readonly warmup: number;
  closed: number;
}

/** The subscriptions of a stream of bars. */
interface Counted {
  readonly living: Set<BarCount>;
  /** The most that one of those delivered that have ended. */
  ended: number;
}

/** Which streams of bars have delivered the warm-up; counting costs nothing beside what a subscription counts. */
export function createWarmth(warmup: number) {
  const streams = new Map<string, Counted>();
  return {
    /** The count of a new subscription; a plugin may subscribe again at every bar. */
    of(symbol: string, interval: Interval, subscription: Pick<Subscription, 'add'>): BarCount {
      const count = { warmup, closed: 0 };
      const key = `${symbol} ${interval}`;
      const stream: Counted = streams.get(key) ?? { living: new Set(), ended: 0 };
      streams.set(key, stream);
      stream.living.add(count);
      subscription.add(() => {
        stream.living.delete(count);
        stream.ended = Math.max(stream.ended, count.closed);
      });
      return count;
    },
    isWarm(symbol: string, interval: Interval): boolean {
      const stream = streams.get(`${symbol} ${interval}`);
      if (stream === undefined) return false;
      return stream.ended >= warmup || [...stream.living].some(({ closed }) => closed >= warmup);
    },
  };
}

interface NotesOptions {
  warmup: number;
  onNotice(notice: StrategyNotice): void;
}

/** Reports a shortfall, once per symbol and interval. */
export function warmUpNotes({ warmup: asked, onNotice }: NotesOptions) {
  const noted = new Set<string>();
  return (symbol: string, interval: Interval, bars: number): void => {
    const name = `${symbol} ${interval}`;
    if (bars >= asked || noted.has(name)) return;
    noted.add(name);
    onNotice({ kind: 'warm_up_short', symbol, interval, asked, bars });
  };
}

/** State of one subscription: another one counts its own bars. */
export function barReader(count: BarCount, past: Past) {
  const ofBars = createLiveness(count, past);
  return (event: CandleEvent): Delivery<ClosedBar | FormingBar> | undefined => {
    const liveness = ofBars.of(event);
    if (event.kind === 'loaded' || event.kind === 'held') return undefined;
    const cause = event.kind === 'closed' ? barCause : formingCause;
    return { cause, event: event.bar, liveness };
  };
}
