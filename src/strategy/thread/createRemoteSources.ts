import { Observable, type Subscriber } from 'rxjs';
import type { StrategySources } from '../StrategySources.ts';
import type { SourceName, SourceMessage } from './ThreadMessage.ts';

export interface RemoteSources {
  sources: StrategySources;
  /** Delivers a source's event; an event without a subscriber is dropped. */
  take(message: SourceMessage): void;
}

export interface RemotePorts {
  /** Returns once everything that the source delivers synchronously was taken. */
  subscribe(subscription: number, source: SourceName): void;
  unsubscribe(subscription: number): void;
}

/** The runtime's sources as a plugin in a thread sees them: each subscription is one on the bot's side. */
export function createRemoteSources(ports: RemotePorts): RemoteSources {
  const subscribers = new Map<number, Subscriber<unknown>>();
  let last = 0;

  const source = <T>(name: SourceName): Observable<T> =>
    new Observable<T>((subscriber) => {
      const subscription = ++last;
      subscribers.set(subscription, subscriber as Subscriber<unknown>);
      subscriber.add(() => {
        subscribers.delete(subscription);
        ports.unsubscribe(subscription);
      });
      ports.subscribe(subscription, name);
    });

  return {
    sources: {
      account$: source({ name: 'account$' }),
      position: (symbol) => source({ name: 'position', symbol }),
      balances$: source({ name: 'balances$' }),
      fills$: source({ name: 'fills$' }),
      orders$: source({ name: 'orders$' }),
      watch$: source({ name: 'watch$' }),
      executions$: source({ name: 'executions$' }),
      monitors$: source({ name: 'monitors$' }),
      refs$: source({ name: 'refs$' }),
      // Rows of columns do not cross a thread's boundary one by one.
      candles: (symbol, interval, { taker: _taker, ...options }) =>
        source({ name: 'candles', symbol, interval, options }),
      price: (symbol, stack) => source({ name: 'price', symbol, stack }),
      market: (symbol, stack) => source({ name: 'market', symbol, stack }),
      book: (symbol, depth, stack) => source({ name: 'book', symbol, depth, stack }),
      funding$: source({ name: 'funding$' }),
      outcomes$: source({ name: 'outcomes$' }),
    },
    take(message) {
      const subscriber = subscribers.get(message.subscription);
      if (message.kind === 'event') subscriber?.next(message.event);
      else subscriber?.error(new Error(message.reason));
    },
  };
}
