/** Clock, sources and plots as a plugin in a thread has them. */
import type { Observable } from 'rxjs';
import { describe, expect, test } from 'vitest';
import type { PlotLine } from '../../../src/strategy/index.ts';
import { createRemoteClock } from '../../../src/strategy/thread/createRemoteClock.ts';
import { createRemotePlots } from '../../../src/strategy/thread/createRemotePlots.ts';
import { createRemoteSources } from '../../../src/strategy/thread/createRemoteSources.ts';
import type { FromThread, SourceName } from '../../../src/strategy/thread/ThreadMessage.ts';

describe('the clock', () => {
  function open() {
    const sent: string[] = [];
    const ran: unknown[] = [];
    const remote = createRemoteClock(1_000, {
      at: (task, time) => void sent.push(`${task} at ${time}`),
      cancel: (task) => void sent.push(`${task} cancelled`),
    });
    const task = (name: string) => (isLate?: boolean) => void ran.push([name, isLate]);
    return { remote, sent, ran, task };
  }

  test('stands at the time of the last message', () => {
    const { remote } = open();
    expect(remote.clock.now()).toBe(1_000);
    remote.set(1_500);
    expect(remote.clock.now()).toBe(1_500);
  });

  test('runs each task once, late ones as such, and none that was cancelled', () => {
    const { remote, ran, sent, task } = open();
    const cancels = ['one', 'two', 'three'].map((name) => remote.clock.at(2_000, task(name)));
    cancels[1]!();
    cancels[1]!();
    // Both were due when it was cancelled.
    for (const [due, isLate] of [
      [1, false],
      [2, false],
      [3, true],
      [3, true],
    ] as const)
      remote.run(due, isLate);
    // What has run is not cancelled any more.
    for (const cancel of cancels) cancel();
    expect(ran).toEqual([
      ['one', false],
      ['three', true],
    ]);
    expect(sent).toEqual(['1 at 2000', '2 at 2000', '3 at 2000', '2 cancelled']);
  });
});

describe('the sources', () => {
  function open() {
    const asked: Array<[number, SourceName]> = [];
    const left: number[] = [];
    const remote = createRemoteSources({
      subscribe: (subscription, source) => void asked.push([subscription, source]),
      unsubscribe: (subscription) => void left.push(subscription),
    });
    return { ...remote, asked, left };
  }

  test('are asked for by their names and all that was given', () => {
    const { sources, asked } = open();
    const options = { history: 3, forming: true, stack: 'c' };
    const taker = {} as never;
    sources.candles('BTC', '1m', { ...options, taker }).subscribe();
    sources.position('ETH').subscribe();
    sources.price('ETH', 'p').subscribe();
    sources.market('ETH', 'm').subscribe();
    sources.book('ETH', 7, 'b').subscribe();
    const plain = ['account$', 'balances$', 'fills$', 'orders$', 'watch$', 'executions$'] as const;
    const others = ['monitors$', 'refs$', 'funding$', 'outcomes$'] as const;
    for (const name of [...plain, ...others]) (sources[name] as Observable<unknown>).subscribe();
    expect(asked.map(([, source]) => source)).toEqual([
      { name: 'candles', symbol: 'BTC', interval: '1m', options },
      { name: 'position', symbol: 'ETH' },
      { name: 'price', symbol: 'ETH', stack: 'p' },
      { name: 'market', symbol: 'ETH', stack: 'm' },
      { name: 'book', symbol: 'ETH', depth: 7, stack: 'b' },
      ...[...plain, ...others].map((name) => ({ name })),
    ]);
    expect(new Set(asked.map(([subscription]) => subscription)).size).toBe(asked.length);
  });

  test('deliver to their own subscriber alone, and nothing to one that has left', () => {
    const { sources, take, left } = open();
    const seen: unknown[] = [];
    const held = [1, 2].map((name) => sources.fills$.subscribe((fill) => seen.push([name, fill])));
    take({ kind: 'event', subscription: 2, event: 'one' });
    held[1]!.unsubscribe();
    take({ kind: 'event', subscription: 2, event: 'two' });
    take({ kind: 'event', subscription: 1, event: 'three' });
    take({ kind: 'failed', subscription: 2, reason: 'gone' });
    expect([seen, left]).toEqual([
      [
        [2, 'one'],
        [1, 'three'],
      ],
      [2],
    ]);
  });

  test('fail as they failed outside', () => {
    const { sources, take } = open();
    const ends: unknown[] = [];
    const onEnd = {
      error: (error: Error) => ends.push(error.message),
      complete: () => ends.push(0),
    };
    sources.account$.subscribe(onEnd);
    take({ kind: 'failed', subscription: 1, reason: 'gone' });
    expect(ends).toEqual(['gone']);
  });
});

test('plots of a turn are one message, each line is sent once, and a turn without any sends none', () => {
  const sent: FromThread[] = [];
  const { take, flush } = createRemotePlots((message) => sent.push(message));
  const [one, two] = ['one', 'two'].map((name) => ({ name }) as unknown as PlotLine);
  flush();
  take(one!, 1, 10);
  take(two!, 1, 20);
  take(one!, 1, 11);
  flush();
  flush();
  take(one!, 2, 12);
  flush();
  expect(sent).toEqual([
    { kind: 'plots', lines: [one, two], values: [0, 1, 10, 1, 1, 20, 0, 1, 11] },
    { kind: 'plots', lines: [], values: [0, 2, 12] },
  ]);
});
