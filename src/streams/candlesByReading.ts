import type { Observable } from 'rxjs';
import type { Exchange, ServiceRequest } from '../contract/exchange.ts';
import { showNoAnswer } from '../contract/showNoAnswer.ts';
import { candlesRecord, type CandleRecord, type CandlesRecord } from '../contract/records.ts';
import { barCloseTime, barOpenTime, INTERVAL_MS, type Interval } from '../contract/intervals.ts';
import { after } from '../env/after.ts';
import type { Cancel, MarketClock } from '../env/Clock.ts';
import type { CandleEvent, CandleOptions } from './CandleEvent.ts';
import { createAheadCheck } from './createAheadCheck.ts';
import { CandleWindow } from './CandleWindow.ts';
import { LATE_MS } from './createCandleStreams.ts';
import type { LatestReading } from './latestByReading.ts';
import { RETRY_MS, retryAfterMs } from './retryAfterMs.ts';
import type { ReportFault } from './StreamFault.ts';
import { shareByCount } from './shareByCount.ts';

export interface CandleReading {
  market: MarketClock;
  /** Sends a read when the rate budget has room for it; undefined if it has none now. */
  read: LatestReading<unknown>['read'];
  symbol: string;
  interval: Interval;
  /** Bars of the first read, and of the window from which later listeners get their history. */
  limit: number;
  report: ReportFault;
}

/** A service needs some time to build the bar after its boundary. */
const SETTLE_MS = 250;
/** A bar that is late may never come: the later it is, the longer the waits between reads. */
const PATIENCE = 4;

/**
 * Candles for a service without a candle channel: read once for history, then at each bar's boundary by the
 * market clock. Same shape as by channel; the bar in progress isn't read.
 */
export function candlesByReading(
  reading: CandleReading,
): (options: CandleOptions) => Observable<CandleEvent> {
  const { limit, interval, market } = reading;
  const window = new CandleWindow({ size: limit, interval, now: () => market.now() });
  const reader = createReader(reading, window);
  return shareByCount((options: CandleOptions) => window.view(options), {
    start: () => reader.start(),
    stop: () => {
      reader.stop();
      window.forget();
    },
  });
}

interface Reader {
  start(): void;
  stop(): void;
}

function createReader(reading: CandleReading, window: CandleWindow): Reader {
  const { market, interval } = reading;
  let cancel: Cancel = () => {};
  /** Counts the runs, so that an answer that arrives after a stop is not used by the next run. */
  let run = 0;

  function readAgain(ofRun: number): void {
    if (ofRun !== run) return;
    // An answer that is there at once is taken at once: a replay does not wait for what is not an intent.
    const asked = reading.read(requestOf(reading, window));
    void after(asked, (exchange) => take(exchange, ofRun));
  }
  function take(exchange: Exchange | undefined, ofRun: number): void {
    if (ofRun !== run) return;
    const outcome = outcomeOf(exchange);
    if (outcome.ok) takeBars(outcome.record);
    else {
      isBehind = true;
      window.awaitBlock();
      if (outcome.reason !== undefined) reportFailure(reading, outcome.reason);
    }
    if (ofRun !== run) return;
    cancel = market.at(nextRead(outcome), (isLate) => {
      // While nothing ran, nothing could be read either.
      if (isLate === true) isBehind = true;
      readAgain(ofRun);
    });
  }
  /** Bars closed while nothing could be read, and not all of them have been read since. */
  let isBehind = false;
  const check = createAheadCheck(interval, reading.report);
  const takeBars = ({ candles }: CandlesRecord): void => {
    const stated = candles.filter((bar) => bar.closed);
    const closed = check.leaveOut(stated, market.now());
    const newest = closed.at(-1);
    const isPast = (bar: CandleRecord): boolean =>
      bar !== newest || (isBehind && market.now() - barCloseTime(bar.time, interval) > LATE_MS);
    if (window.loaded) takeNews(closed, isPast);
    else {
      window.load(closed);
      isBehind = false;
    }
  };
  const takeNews = (
    closed: readonly CandleRecord[],
    isPast: (bar: CandleRecord) => boolean,
  ): void => {
    const before = window.lastTime;
    for (const bar of closed) window.close(bar, isPast(bar));
    // An answer holds so many bars, the oldest first: after a long outage it is not the last one.
    isBehind &&= window.lastTime > before && window.lastTime < dueTime();
    if (!isBehind) window.settle();
  };
  /** Open time of the bar that should have closed by now: a read may come before the bar is built. */
  const dueTime = (): number => barOpenTime(market.now(), interval) - INTERVAL_MS[interval];
  const nextRead = (outcome: ReadOutcome): number => {
    const now = market.now();
    if (!outcome.ok) return now + outcome.retryMs;
    if (isBehind) return now + RETRY_MS;
    const next = barCloseTime(barOpenTime(now, interval), interval) + SETTLE_MS;
    if (window.lastTime >= dueTime()) return next;
    const lateMs = now - barCloseTime(dueTime(), interval);
    return Math.min(next, now + Math.max(RETRY_MS, lateMs / PATIENCE));
  };
  return {
    start: () => readAgain(run),
    stop: () => {
      run += 1;
      cancel();
    },
  };
}

type ReadOutcome =
  | { ok: true; record: CandlesRecord }
  /** Without a reason, the rate budget had no room for the read. */
  | { ok: false; reason?: string; retryMs: number };

function requestOf(
  { symbol, interval, limit }: CandleReading,
  { loaded, lastTime }: CandleWindow,
): ServiceRequest {
  const query =
    loaded && Number.isFinite(lastTime)
      ? { interval, start_time: barCloseTime(lastTime, interval) }
      : { interval, limit };
  return { endpoint: 'market.candles', pathParams: { symbol }, query, body: '' };
}

function outcomeOf(exchange: Exchange | undefined): ReadOutcome {
  if (exchange === undefined) return { ok: false, retryMs: RETRY_MS };
  if (exchange.kind !== 'answered')
    return { ok: false, reason: showNoAnswer(exchange), retryMs: retryAfterMs(exchange) };
  const { status, body } = exchange.response;
  const record = candlesRecord.safeParse(body);
  if (status === 200 && record.success) return { ok: true, record: record.data };
  return { ok: false, reason: `answered_${status}`, retryMs: retryAfterMs(exchange) };
}

function reportFailure({ symbol, interval, report }: CandleReading, reason: string): void {
  report({ kind: 'read_failed', channel: 'candles', params: { symbol, interval }, reason });
}
