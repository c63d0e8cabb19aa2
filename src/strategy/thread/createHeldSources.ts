import { Subscription, type Observable } from 'rxjs';
import { reasonOf, type Cancel, type MarketClock } from '../../env/index.ts';
import type { StrategySources } from '../StrategySources.ts';
import type { SourceName, SourceMessage } from './ThreadMessage.ts';

/** What a thread subscribed to and scheduled, held on the bot's side. */
export interface HeldSources {
  subscribe(subscription: number, source: SourceName): void;
  unsubscribe(subscription: number): void;
  at(task: number, time: number): void;
  cancel(task: number): void;
  /** Releases all of it. */
  release(): void;
}

export interface HeldSourcesOptions {
  sources: StrategySources;
  market: MarketClock;
  send(message: SourceMessage): void;
  /** A task is due. */
  onDue(task: number, isLate: boolean): void;
}

export function createHeldSources(options: HeldSourcesOptions): HeldSources {
  const { sources, market, send } = options;
  const subscriptions = new Map<number, Subscription>();
  const tasks = new Map<number, Cancel>();

  function sourceOf(source: SourceName): Observable<unknown> {
    if (source.name === 'candles') {
      return sources.candles(source.symbol, source.interval, source.options);
    }
    if (source.name === 'position') return sources.position(source.symbol);
    if (source.name === 'price') return sources.price(source.symbol, source.stack);
    if (source.name === 'market') return sources.market(source.symbol, source.stack);
    if (source.name === 'book') return sources.book(source.symbol, source.depth, source.stack);
    return sources[source.name];
  }

  return {
    subscribe(subscription, source) {
      const held = new Subscription();
      subscriptions.set(subscription, held);
      held.add(
        sourceOf(source).subscribe({
          next: (event) => send({ kind: 'event', subscription, event }),
          error: (error) => send({ kind: 'failed', subscription, reason: reasonOf(error) }),
        }),
      );
    },
    unsubscribe(subscription) {
      subscriptions.get(subscription)?.unsubscribe();
      subscriptions.delete(subscription);
    },
    at(task, time) {
      const run = (isLate = false): void => {
        tasks.delete(task);
        options.onDue(task, isLate);
      };
      tasks.set(task, market.at(time, run));
    },
    cancel(task) {
      tasks.get(task)?.();
      tasks.delete(task);
    },
    release() {
      for (const held of subscriptions.values()) held.unsubscribe();
      for (const cancel of tasks.values()) cancel();
      subscriptions.clear();
      tasks.clear();
    },
  };
}
