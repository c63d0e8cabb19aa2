/** What the bot's side holds for a thread: until it leaves, is due or is cancelled, and no longer than the thread. */
import { Subject } from 'rxjs';
import { expect, test } from 'vitest';
import { TaskQueue } from '../../../src/env/index.ts';
import { createHeldSources } from '../../../src/strategy/thread/createHeldSources.ts';

function open() {
  const market = new TaskQueue(0);
  const fills$ = new Subject<number>();
  const prices = { BTC: new Subject<number>(), ETH: new Subject<number>() };
  const said: unknown[] = [];
  const due: string[] = [];
  const held = createHeldSources({
    sources: { fills$, price: (symbol: 'BTC' | 'ETH') => prices[symbol] } as never,
    market,
    send: (message) => void said.push(message),
    onDue: (task, isLate) => void due.push(`${task}${isLate ? ' late' : ''}`),
  });
  const listeners = () =>
    [fills$, prices.BTC, prices.ETH].filter(({ observed }) => observed).length;
  return { market, fills$, prices, said, due, held, listeners };
}

test('each subscription is served until it ends', () => {
  const { held, fills$, prices, said, listeners } = open();
  held.subscribe(1, { name: 'fills$' });
  held.subscribe(2, { name: 'price', symbol: 'ETH', stack: '' });
  fills$.next(10);
  prices.ETH.next(20);
  prices.BTC.next(30);
  held.unsubscribe(1);
  fills$.next(11);
  prices.ETH.error(new Error('gone'));
  expect(said).toEqual([
    { kind: 'event', subscription: 1, event: 10 },
    { kind: 'event', subscription: 2, event: 20 },
    { kind: 'failed', subscription: 2, reason: 'gone' },
  ]);
  expect(listeners()).toBe(0);
});

test('each task is due once, unless it was cancelled', () => {
  const { held, market, due } = open();
  for (const [task, time] of [
    [1, 10],
    [2, 20],
    [3, 30],
  ] as const)
    held.at(task, time);
  held.cancel(2);
  market.advanceTo(25);
  expect(due).toEqual(['1']);
  held.cancel(1);
  market.advanceTo(100);
  expect(due).toEqual(['1', '3']);
});

test('nothing outlives the thread', () => {
  const { held, market, fills$, said, due, listeners } = open();
  held.subscribe(1, { name: 'fills$' });
  held.subscribe(2, { name: 'price', symbol: 'BTC', stack: '' });
  held.at(1, 10);
  held.at(2, 20);
  held.release();
  expect(listeners()).toBe(0);
  fills$.next(1);
  market.advanceTo(100);
  expect([said, due]).toEqual([[], []]);
});
