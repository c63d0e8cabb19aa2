import type { Log, LogFields, MarketClock } from '../../env/index.ts';

/**
 * A log whose lines have the market's time (`market_time`, epoch ms) too: on a replay, everything to
 * compare them with (report, journal, tape) uses it.
 */
export function inMarketTime(log: Log, market: Pick<MarketClock, 'now'>): Log {
  const timed = (fields?: LogFields): LogFields => ({ ...fields, market_time: market.now() });
  const writes = (level: 'debug' | 'info'): boolean => log.writes?.(level) !== false;
  return {
    debug(message, fields) {
      if (writes('debug')) log.debug(message, timed(fields));
    },
    info(message, fields) {
      if (writes('info')) log.info(message, timed(fields));
    },
    warn: (message, fields) => log.warn(message, timed(fields)),
    error: (message, fields) => log.error(message, timed(fields)),
    with: (fields) => inMarketTime(log.with(fields), market),
    writes,
  };
}
