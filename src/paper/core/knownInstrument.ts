import { INTERVAL_MS, type InstrumentRecord, type Interval } from '../../contract/index.ts';
import { serves } from '../market/IntervalBars.ts';
import type { Market } from './Market.ts';
import { ServiceError } from './ServiceError.ts';

/** @throws ServiceError `unknown_symbol` */
export function knownInstrument(market: Market, symbol: string | undefined): InstrumentRecord {
  const instrument = symbol === undefined ? undefined : market.instrument(symbol);
  if (instrument === undefined) throw new ServiceError('unknown_symbol', { details: { symbol } });
  return instrument;
}

/** Bars can be joined to longer ones, whole and never split. @throws ServiceError `validation_failed` */
export function servedInterval(market: Market, symbol: string, interval: Interval): void {
  const own = market.feedInterval(symbol);
  if (!serves(own, interval)) throw unservedInterval(symbol, own, interval);
}

/** @param own the interval of the symbol's feed */
export function unservedInterval(symbol: string, own: Interval, interval: Interval): ServiceError {
  const isShort = INTERVAL_MS[interval] < INTERVAL_MS[own];
  const code = isShort ? 'interval_too_short' : 'unavailable_interval';
  const message = isShort
    ? `${symbol} is served from ${own} on; ${interval} is shorter.`
    : `The feed of ${symbol} is at ${own}; ${interval} bars cannot be made of it.`;
  return new ServiceError('validation_failed', {
    message: `interval: ${message}`,
    details: { fields: [{ path: 'interval', code, message }] },
  });
}
