/** What happens while a thread loads its plugin reaches the plugin, in order, and nothing of it is lost. */
import { Subject } from 'rxjs';
import { describe, expect, test } from 'vitest';
import { createEarlyEvents } from '../../../src/strategy/thread/createEarlyEvents.ts';
import type { SourceMessage, SourceName } from '../../../src/strategy/thread/ThreadMessage.ts';
import type { StrategySources } from '../../../src/strategy/StrategySources.ts';

/** Those that repeat no value for a late subscriber. */
const EVENTS = ['fills$', 'watch$', 'executions$', 'monitors$', 'funding$', 'outcomes$'] as const;

function open() {
  const subjects = Object.fromEntries(EVENTS.map((name) => [name, new Subject<unknown>()]));
  const price$ = new Subject<unknown>();
  const sent: SourceMessage[] = [];
  const early = createEarlyEvents({
    sources: { ...subjects, price: () => price$ } as unknown as StrategySources,
    symbols: ['BTC'],
    send: (message) => sent.push(message),
  });
  return { subjects, price$, sent, early };
}

describe('while a thread loads its plugin', () => {
  test.each(EVENTS)('%s is kept for it', (name) => {
    const { subjects, sent, early } = open();
    subjects[name]!.next('early');
    expect(early.subscribe(1, { name } as SourceName)).toBe(true);
    expect(sent).toEqual([]);
    early.release();
    subjects[name]!.next('later');
    expect(sent).toEqual([
      { kind: 'event', subscription: 1, event: 'early' },
      { kind: 'event', subscription: 1, event: 'later' },
    ]);
  });

  test('prices of its symbols are kept, and events of two sources stay in order', () => {
    const { subjects, price$, sent, early } = open();
    early.subscribe(1, { name: 'price', symbol: 'BTC' });
    early.subscribe(2, { name: 'fills$' });
    price$.next('a');
    subjects['fills$']!.next('b');
    price$.next('c');
    early.release();
    expect(sent.map((message) => 'event' in message && message.event)).toEqual(['a', 'b', 'c']);
  });

  test('a source that repeats its last value is not, nor another symbol', () => {
    const { early } = open();
    expect(early.subscribe(1, { name: 'account$' })).toBe(false);
    expect(early.subscribe(2, { name: 'price', symbol: 'ETH' })).toBe(false);
  });
});

test('what nobody subscribed to is left at the release, and what was once it is unsubscribed', () => {
  const { subjects, early } = open();
  early.subscribe(1, { name: 'fills$' });
  early.release();
  const observed = () => EVENTS.filter((name) => subjects[name]!.observed);
  expect(observed()).toEqual(['fills$']);
  expect(early.subscribe(2, { name: 'watch$' })).toBe(false);
  early.unsubscribe(1);
  expect(observed()).toEqual([]);
});
