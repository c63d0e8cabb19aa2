import type { CandleRecord, Exchange, Interval, ServiceRequest } from '../../contract/index.ts';
import type { Link } from '../../env/index.ts';

export type TakeCandles = (
  symbol: string,
  interval: Interval,
  candles: readonly CandleRecord[],
) => void;

/**
 * A link whose candles are seen by another reader, too. Nothing more is subscribed or requested, and nothing
 * waits for the reader: what goes over the link is the same with it and without.
 */
export function tapCandles(link: Link, take: TakeCandles): Link {
  return {
    market: link.market,
    ...(link.present === undefined ? {} : { present: () => link.present!() }),
    ...(link.held === undefined ? {} : { held: () => link.held!() }),
    open: (listener) =>
      link.open({
        ...listener,
        onFrame(frame) {
          if (frame.channel === 'candles') {
            const { symbol, interval } = frame.params as { symbol: string; interval: Interval };
            if (frame.event === 'bar_closed') take(symbol, interval, [frame.data as CandleRecord]);
            else if (frame.event === 'snapshot') take(symbol, interval, candlesOf(frame.data));
          }
          listener.onFrame(frame);
        },
      }),
    subscribe: (subscription) => link.subscribe(subscription),
    unsubscribe: (subscription) => link.unsubscribe(subscription),
    request(request) {
      const answer = link.request(request);
      if (request.endpoint !== 'market.candles') return answer;
      if (answer instanceof Promise)
        answer.then(
          (exchange) => read(request, exchange),
          () => {},
        );
      else read(request, answer);
      return answer;
    },
    close: () => link.close(),
  };

  function read({ pathParams, query }: ServiceRequest, exchange: Exchange): void {
    if (exchange.kind !== 'answered' || exchange.response.status !== 200) return;
    const symbol = pathParams['symbol'];
    const interval = query['interval'] as Interval;
    if (symbol !== undefined) take(symbol, interval, candlesOf(exchange.response.body));
  }
}

function candlesOf(data: unknown): readonly CandleRecord[] {
  const { candles } = (data ?? {}) as { candles?: unknown };
  return Array.isArray(candles) ? (candles as CandleRecord[]) : [];
}
