import type { Observable } from 'rxjs';
import type { Exchange } from '../contract/exchange.ts';
import { readRetryAfterMs } from '../contract/readRetryAfter.ts';
import { showNoAnswer } from '../contract/showNoAnswer.ts';
import { candlesRecord, type CandleRecord, type CandlesRecord } from '../contract/records.ts';
import { barCloseTime, barOpenTime, INTERVAL_MS, type Interval } from '../contract/intervals.ts';
import type { Cancel } from '../env/Clock.ts';
import type { Link } from '../env/Link.ts';
import type { CandleEvent, CandleOptions } from './CandleEvent.ts';
import { CandleWindow } from './CandleWindow.ts';
import { LATE_MS } from './createCandleStreams.ts';
import type { ReportFault } from './StreamFault.ts';
import { shareByCount } from './shareByCount.ts';

export interface CandleReading {
  link: Pick<Link, 'market' | 'request'>;
  symbol: string;
  interval: Interval;
  /** Bars of the first read, and of the window from which later listeners get their history. */
  limit: number;
  report: ReportFault;
}

/** A service needs some time to build the bar after its boundary. */
const SETTLE_MS = 250;
const RETRY_MS = 1_000;
/** Whoever asks for a day must not keep a strategy from its bars for that long. */
const LONGEST_RETRY_MS = 300_000;

/**
 * Candles for a service without a candle channel: read once for history, then at each bar's boundary by the
 * market clock. Same shape as by channel; the bar in progress isn't read.
 */
export function candlesByReading(
  reading: CandleReading,
): (options: CandleOptions) => Observable<CandleEvent> {
  const { limit, interval, link } = reading;
  const window = new CandleWindow({ size: limit, interval, now: () => link.market.now() });
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
  const { link, interval } = reading;
  let cancel: Cancel = () => {};
  /** Counts the runs, so that an answer that arrives after a stop is not used by the next run. */
  let run = 0;

  const readAgainAt = (time: number): void => {
    const thisRun = run;
    cancel = link.market.at(time, () => {
      if (thisRun === run) void readOnce();
    });
  };
  const readOnce = async (): Promise<void> => {
    const thisRun = run;
    const outcome = await readCandles(reading, window);
    if (thisRun !== run) return;
    if (outcome.ok) takeBars(outcome.record);
    else {
      window.awaitBlock();
      reportFailure(reading, outcome.reason);
    }
    hasFailed = !outcome.ok;
    readAgainAt(nextRead(outcome));
  };
  /** Bars that closed while nothing could be read, and that an earlier read should have brought. */
  let hasFailed = false;
  const takeBars = ({ candles }: CandlesRecord): void => {
    const closed = candles.filter((bar) => bar.closed);
    const newest = closed.at(-1);
    const isPast = (bar: CandleRecord): boolean =>
      bar !== newest ||
      (hasFailed && link.market.now() - barCloseTime(bar.time, interval) > LATE_MS);
    if (!window.loaded) window.load(closed);
    else {
      for (const bar of closed) window.close(bar, isPast(bar));
      window.settle();
    }
  };
  const nextRead = (outcome: ReadOutcome): number => {
    const now = link.market.now();
    if (!outcome.ok) return now + outcome.retryMs;
    // Compared by the bar that should have closed by now: a read may come before the bar is built.
    const dueTime = barOpenTime(now, interval) - INTERVAL_MS[interval];
    const isCurrent = window.lastTime >= dueTime;
    return isCurrent
      ? barCloseTime(barOpenTime(now, interval), interval) + SETTLE_MS
      : now + RETRY_MS;
  };
  return {
    start: () => void readOnce(),
    stop: () => {
      run += 1;
      cancel();
    },
  };
}

type ReadOutcome =
  { ok: true; record: CandlesRecord } | { ok: false; reason: string; retryMs: number };

async function readCandles(
  { link, symbol, interval, limit }: CandleReading,
  window: CandleWindow,
): Promise<ReadOutcome> {
  const from = window.loaded && Number.isFinite(window.lastTime);
  const query = from
    ? { interval, start_time: barCloseTime(window.lastTime, interval) }
    : { interval, limit };
  const exchange = await link.request({
    endpoint: 'market.candles',
    pathParams: { symbol },
    query,
    body: '',
  });
  if (exchange.kind !== 'answered')
    return { ok: false, reason: showNoAnswer(exchange), retryMs: retryAfterMs(exchange) };
  const { status, body } = exchange.response;
  const record = candlesRecord.safeParse(body);
  if (status === 200 && record.success) return { ok: true, record: record.data };
  return { ok: false, reason: `answered_${status}`, retryMs: retryAfterMs(exchange) };
}

/** Honours what a 429 asks for (LIM-2), in the envelope or the header, and whoever wrote it. */
function retryAfterMs(exchange: Exchange): number {
  if (exchange.kind === 'not_sent') return RETRY_MS;
  const body = exchange.kind === 'answered' ? exchange.response.body : undefined;
  const headers = (exchange.kind === 'answered' ? exchange.response : exchange.unread)?.headers;
  const error = (body as { error?: { details?: { retry_after_seconds?: unknown } } } | null)?.error;
  const asked = error?.details?.retry_after_seconds ?? headers?.['retry-after'];
  const waitMs = readRetryAfterMs(asked, Date.parse(headers?.['date'] ?? '')) ?? RETRY_MS;
  return Math.min(Math.max(RETRY_MS, waitMs), LONGEST_RETRY_MS);
}

function reportFailure({ symbol, interval, report }: CandleReading, reason: string): void {
  report({ kind: 'read_failed', channel: 'candles', params: { symbol, interval }, reason });
}
