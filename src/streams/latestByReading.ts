import { Observable } from 'rxjs';
import type { Exchange, ServiceRequest } from '../contract/exchange.ts';
import { showNoAnswer } from '../contract/showNoAnswer.ts';
import { after } from '../env/after.ts';
import type { Cancel, MarketClock } from '../env/Clock.ts';
import { retryAfterMs } from './retryAfterMs.ts';
import type { ReportFault } from './StreamFault.ts';

/** A value that is read again and again, for a service without the channel that carries it. */
export interface LatestReading<T> {
  market: MarketClock;
  /** Sends a read when the rate budget has room for it; undefined if it has none now. */
  read(request: ServiceRequest): Exchange | Promise<Exchange> | undefined;
  report: ReportFault;
  channel: string;
  params: Record<string, unknown>;
  request: ServiceRequest;
  /** Market time from one read to the next. */
  everyMs: number;
  /** @param time market time at which it was asked for: what an answer says may be as old */
  parse(body: unknown, time: number): T | undefined;
}

/** The latest value at once, then each one that is read while there are subscribers: one read for all of them. */
export function latestByReading<T>(reading: LatestReading<T>): Observable<T> {
  const { market, request, everyMs } = reading;
  const listeners = new Set<(value: T) => void>();
  let latest: { value: T } | undefined;
  let cancel: Cancel = () => {};
  /** An answer that arrives after the last listener left is not used by the next one. */
  let run = 0;
  /** How many were asked for, and which of them the latest value is of: a slow answer may come after a newer one. */
  let asked = 0;
  let shown = 0;
  /** Market time before which nothing is asked for, whoever listens. */
  let heldUntil = Number.NEGATIVE_INFINITY;

  function readAgain(ofRun: number): void {
    if (ofRun !== run) return;
    if (market.now() < heldUntil) {
      cancel = market.at(heldUntil, () => readAgain(ofRun));
      return;
    }
    const question = { ofRun, number: ++asked, time: market.now() };
    const answer = reading.read(request);
    if (answer !== undefined) void after(answer, (exchange) => take(exchange, question));
    if (ofRun === run) cancel = market.at(market.now() + everyMs, () => readAgain(ofRun));
  }

  function take(
    exchange: Exchange,
    { ofRun, number, time }: { ofRun: number; number: number; time: number },
  ): void {
    const isRead = exchange.kind === 'answered' && exchange.response.status === 200;
    if (!isRead) heldUntil = Math.max(heldUntil, market.now() + retryAfterMs(exchange));
    if (ofRun !== run) return;
    const { channel, params, report } = reading;
    const value = isRead ? reading.parse(exchange.response.body, time) : undefined;
    if (value === undefined) {
      const reason =
        exchange.kind === 'answered'
          ? `answered_${exchange.response.status}`
          : showNoAnswer(exchange);
      return report({ kind: 'read_failed', channel, params, reason });
    }
    if (number < shown) return;
    shown = number;
    latest = { value };
    // Who joins meanwhile has the value already.
    const present = [...listeners];
    for (const listener of present) listener(value);
  }

  return new Observable<T>((subscriber) => {
    const listener = (value: T): void => subscriber.next(value);
    if (latest !== undefined) subscriber.next(latest.value);
    listeners.add(listener);
    if (listeners.size === 1) readAgain(++run);
    return () => {
      listeners.delete(listener);
      if (listeners.size > 0) return;
      run += 1;
      cancel();
      latest = undefined;
    };
  });
}
