import type { Observable } from 'rxjs';
import type { StrategySources } from '../StrategySources.ts';

/** Every source under a name that shows what was requested. */
export function mapSources(
  sources: StrategySources,
  map: <T>(name: string, source$: Observable<T>) => Observable<T>,
): StrategySources {
  return {
    account$: map('account', sources.account$),
    position: (symbol) => map(`position ${symbol}`, sources.position(symbol)),
    fills$: map('fills', sources.fills$),
    watch$: map('watch', sources.watch$),
    executions$: map('executions', sources.executions$),
    candles(symbol, interval, options) {
      const { history, forming } = options;
      const name = `candles ${symbol} ${interval} ${history}${forming ? ' forming' : ''}`;
      return map(name, sources.candles(symbol, interval, options));
    },
    price: (symbol, stack) => map(`price ${symbol}`, sources.price(symbol, stack)),
    outcomes$: map('outcomes', sources.outcomes$),
  };
}
