/** What happens while a thread loads its plugin reaches the plugin, in order, and nothing of it is lost. */
import { Subject } from 'rxjs';
import { describe, expect, test } from 'vitest';
import { createEarlyEvents } from '../../../src/strategy/thread/createEarlyEvents.ts';
import type { SourceMessage, SourceName } from '../../../src/strategy/thread/ThreadMessage.ts';
import type { StrategySources } from '../../../src/strategy/StrategySources.ts';

/** Those that repeat no value for a late subscriber. */
const EVENTS = ['fills$', 'watch$', 'executions$', 'monitors$', 'funding$', 'outcomes$'] as const;

function open(symbols = ['BTC']) {
  const subjects = Object.fromEntries(EVENTS.map((name) => [name, new Subject<unknown>()]));
  const prices = { BTC: new Subject<unknown>(), ETH: new Subject<unknown>() };
  const sent: SourceMessage[] = [];
  const early = createEarlyEvents({
    sources: {
      ...subjects,
      price: (symbol: 'BTC' | 'ETH') => prices[symbol],
    } as unknown as StrategySources,
    symbols,
    send: (message) => sent.push(message),
  });
  return { subjects, prices, price$: prices.BTC, sent, early };
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

test('each symbol’s price reaches who asked for it', () => {
  const { prices, sent, early } = open(['BTC', 'ETH']);
  prices.ETH.next('eth');
  prices.BTC.next('btc');
  early.subscribe(1, { name: 'price', symbol: 'BTC' });
  early.subscribe(2, { name: 'price', symbol: 'ETH' });
  early.release();
  expect(sent).toEqual([
    { kind: 'event', subscription: 2, event: 'eth' },
    { kind: 'event', subscription: 1, event: 'btc' },
  ]);
});

test('a source that fails meanwhile fails in its place', () => {
  const { subjects, sent, early } = open();
  early.subscribe(1, { name: 'fills$' });
  subjects['fills$']!.next('a fill');
  subjects['fills$']!.error(new Error('gone'));
  early.release();
  expect(sent).toEqual([
    { kind: 'event', subscription: 1, event: 'a fill' },
    { kind: 'failed', subscription: 1, reason: 'gone' },
  ]);
});

test('who left before the release gets nothing of what was kept, and the others do', () => {
  const { subjects, sent, early } = open();
  early.subscribe(1, { name: 'fills$' });
  early.subscribe(2, { name: 'fills$' });
  subjects['fills$']!.next('a fill');
  early.unsubscribe(1);
  early.release();
  expect(sent).toEqual([{ kind: 'event', subscription: 2, event: 'a fill' }]);
});

test('nothing is delivered after the end, and no source is followed', () => {
  const { subjects, sent, early } = open();
  early.subscribe(1, { name: 'fills$' });
  subjects['fills$']!.next('a fill');
  early.close();
  early.release();
  subjects['fills$']!.next('later');
  expect([sent, EVENTS.filter((name) => subjects[name]!.observed)]).toEqual([[], []]);
});
