import { INTERVAL_MS, type InstrumentRecord, type Interval } from '../../contract/index.ts';
import type { Market } from './Market.ts';
import { ServiceError } from './ServiceError.ts';

/** @throws ServiceError `unknown_symbol` */
export function knownInstrument(market: Market, symbol: string | undefined): InstrumentRecord {
  const instrument = symbol === undefined ? undefined : market.instrument(symbol);
  if (instrument === undefined) throw new ServiceError('unknown_symbol');
  return instrument;
}

/** Bars can be joined to longer ones, never split. @throws ServiceError `validation_failed` */
export function servedInterval(market: Market, symbol: string, interval: Interval): void {
  const shortest = market.feedInterval(symbol);
  if (INTERVAL_MS[interval] >= INTERVAL_MS[shortest]) return;
  const message = `${symbol} is served from ${shortest} on; ${interval} is shorter.`;
  throw new ServiceError('validation_failed', {
    message: `interval: ${message}`,
    details: { fields: [{ path: 'interval', code: 'interval_too_short', message }] },
  });
}
