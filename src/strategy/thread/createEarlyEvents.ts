import { Subscription, type Observable } from 'rxjs';
import { reasonOf } from '../../env/index.ts';
import type { StrategySources } from '../StrategySources.ts';
import type { SourceName, SourceMessage } from './ThreadMessage.ts';

/** Holds what arrives while a thread loads its plugin, until the plugin has subscribed. */
export interface EarlyEvents {
  /** @returns whether the subscription is served from here, including what came before it */
  subscribe(subscription: number, source: SourceName): boolean;
  unsubscribe(subscription: number): void;
  /** The plugin is set up: what was held is delivered to it, in order of arrival. */
  release(): void;
  close(): void;
}

interface Line {
  own: Subscription;
  takers: Set<number>;
}

/** The sources that don't repeat their last value for late subscribers. */
const EVENTS = ['fills$', 'watch$', 'executions$', 'monitors$', 'funding$', 'outcomes$'] as const;

/**
 * A plugin takes seconds to load in a thread, and a bot does not wait for it: a fill or a tick of that time
 * would be lost, and the plugin would decide on a position that it does not know.
 */
export function createEarlyEvents(options: {
  sources: StrategySources;
  symbols: readonly string[];
  send(message: SourceMessage): void;
}): EarlyEvents {
  const { sources, symbols, send } = options;
  const lines = new Map<string, Line>();
  let held: Array<() => void> | undefined = [];
  let isOpen = true;

  function follow(key: string, source$: Observable<unknown>): void {
    const line: Line = { own: new Subscription(), takers: new Set() };
    lines.set(key, line);
    const pass = (toMessage: (subscription: number) => SourceMessage): void => {
      const deliver = (): void => {
        for (const subscription of line.takers) send(toMessage(subscription));
      };
      if (held === undefined) deliver();
      else held.push(deliver);
    };
    line.own.add(
      source$.subscribe({
        next: (event) => pass((subscription) => ({ kind: 'event', subscription, event })),
        error: (error) =>
          pass((subscription) => ({ kind: 'failed', subscription, reason: reasonOf(error) })),
      }),
    );
  }

  for (const name of EVENTS) follow(name, sources[name]);
  for (const symbol of symbols) follow(`price ${symbol}`, sources.price(symbol));

  function leave(line: Line): void {
    if (held === undefined && line.takers.size === 0) line.own.unsubscribe();
  }

  return {
    subscribe(subscription, source) {
      const key = source.name === 'price' ? `price ${source.symbol}` : source.name;
      const line = lines.get(key);
      if (line === undefined || !isOpen) return false;
      line.takers.add(subscription);
      return true;
    },
    unsubscribe(subscription) {
      for (const line of lines.values()) if (line.takers.delete(subscription)) leave(line);
    },
    release() {
      if (held === undefined) return;
      isOpen = false;
      const events = held;
      held = undefined;
      for (const deliver of events) deliver();
      for (const line of lines.values()) leave(line);
    },
    close() {
      isOpen = false;
      held = [];
      for (const line of lines.values()) line.own.unsubscribe();
    },
  };
}
