import { Observable, type Subscriber } from 'rxjs';
import type { StrategySources } from '../StrategySources.ts';
import type { SourceName, Told } from './ThreadMessage.ts';

export interface RemoteSources {
  sources: StrategySources;
  /** Delivers a source's event; an event without a subscriber is dropped. */
  take(told: Told): void;
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
      fills$: source({ name: 'fills$' }),
      watch$: source({ name: 'watch$' }),
      executions$: source({ name: 'executions$' }),
      candles: (symbol, interval, options) =>
        source({ name: 'candles', symbol, interval, options }),
      price: (symbol, stack) => source({ name: 'price', symbol, stack }),
      outcomes$: source({ name: 'outcomes$' }),
    },
    take(told) {
      const subscriber = subscribers.get(told.subscription);
      if (told.kind === 'event') subscriber?.next(told.event);
      else subscriber?.error(new Error(told.reason));
    },
  };
}
