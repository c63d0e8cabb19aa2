import type { Observable } from 'rxjs';
import type { StrategySources } from '../StrategySources.ts';

/** Every source under a name that shows what was requested. */
export function mapSources(
  sources: StrategySources,
  map: <T>(name: string, source$: Observable<T>) => Observable<T>,
): StrategySources {
  const { begin } = sources;
  return {
    ...(begin === undefined ? {} : { begin }),
    account$: map('account', sources.account$),
    position: (symbol) => map(`position ${symbol}`, sources.position(symbol)),
    balances$: map('balances', sources.balances$),
    fills$: map('fills', sources.fills$),
    orders$: map('orders', sources.orders$),
    watch$: map('watch', sources.watch$),
    executions$: map('executions', sources.executions$),
    monitors$: map('monitors', sources.monitors$),
    refs$: map('refs', sources.refs$),
    candles(symbol, interval, options) {
      const { history, forming } = options;
      const name = `candles ${symbol} ${interval} ${history}${forming ? ' forming' : ''}`;
      // What is recorded are events.
      return map(name, sources.candles(symbol, interval, { ...options, taker: undefined }));
    },
    price: (symbol, stack) => map(`price ${symbol}`, sources.price(symbol, stack)),
    market: (symbol, stack) => map(`market ${symbol}`, sources.market(symbol, stack)),
    book(symbol, depth, stack) {
      const name = depth === undefined ? `book ${symbol}` : `book ${symbol} ${depth}`;
      return map(name, sources.book(symbol, depth, stack));
    },
    funding$: map('funding', sources.funding$),
    outcomes$: map('outcomes', sources.outcomes$),
  };
}
