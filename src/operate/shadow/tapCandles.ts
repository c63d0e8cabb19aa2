import type { CandleRecord, Exchange, Interval, ServiceRequest } from '../../contract/index.ts';
import type { Link, Subscription } from '../../env/index.ts';
import type { CandleReader } from './collectBars.ts';

/**
 * A link whose candles are seen by another reader, too. Nothing more is subscribed or requested, and nothing
 * waits for the reader: what goes over the link is the same with it and without.
 */
export function tapCandles(link: Link, { take, expect }: CandleReader): Link {
  /** Snapshots that were asked for, by symbol and interval. */
  const asked = new Map<string, () => void>();

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
            else if (frame.event === 'snapshot') {
              take(symbol, interval, candlesOf(frame.data));
              settle(frame);
            }
          }
          listener.onFrame(frame);
        },
        onFault(fault) {
          if (fault.kind === 'refused' && fault.isAskedAgain !== true) settle(fault.subscription);
          listener.onFault?.(fault);
        },
      }),
    subscribe(subscription) {
      settle(subscription);
      if (subscription.channel === 'candles')
        asked.set(nameOf(subscription), expect(String(subscription.params['symbol'])));
      link.subscribe(subscription);
    },
    unsubscribe(subscription) {
      settle(subscription);
      link.unsubscribe(subscription);
    },
    request(request) {
      const answer = link.request(request);
      if (request.endpoint !== 'market.candles') return answer;
      if (answer instanceof Promise) {
        const settled = expect(String(request.pathParams['symbol']));
        answer.then((exchange) => read(request, exchange)).then(settled, settled);
      } else read(request, answer);
      return answer;
    },
    close: () => link.close(),
  };

  function settle(subscription: Subscription): void {
    const name = nameOf(subscription);
    asked.get(name)?.();
    asked.delete(name);
  }

  function read({ pathParams, query }: ServiceRequest, exchange: Exchange): void {
    if (exchange.kind !== 'answered' || exchange.response.status !== 200) return;
    const symbol = pathParams['symbol'];
    const interval = query['interval'] as Interval;
    if (symbol !== undefined) take(symbol, interval, candlesOf(exchange.response.body));
  }
}

const nameOf = ({ channel, params }: Subscription): string =>
  JSON.stringify([channel, params['symbol'], params['interval']]);

function candlesOf(data: unknown): readonly CandleRecord[] {
  const { candles } = (data ?? {}) as { candles?: unknown };
  return Array.isArray(candles) ? (candles as CandleRecord[]) : [];
}
