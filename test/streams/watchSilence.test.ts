import { describe, expect, onTestFinished, test } from 'vitest';
import { createVirtualEnv } from '../../src/env/createVirtualEnv.ts';
import type { Subscription } from '../../src/env/Link.ts';
import { createEntryGate } from '../../src/runtime/control/createEntryGate.ts';
import { closeGateOnOutage } from '../../src/runtime/control/closeGateOnOutage.ts';
import { createStreams } from '../../src/streams/index.ts';
import { accountSnapshot, bar, bars, MINUTE } from './records.ts';
import { ScriptedLink } from './ScriptedLink.ts';

const price: Subscription = { channel: 'price', params: { symbol: 'BTC' } };
const candles: Subscription = {
  channel: 'candles',
  params: { symbol: 'BTC', interval: '1m', limit: 500 },
};
const tick = { mark: 1, bid: 1, ask: 1, last: 1 };

async function setUp(isDecidedOn?: (stream: Subscription) => boolean) {
  const link = new ScriptedLink();
  const env = createVirtualEnv();
  link.snapshots = ({ channel }) =>
    channel === 'account.state'
      ? accountSnapshot()
      : channel === 'candles'
        ? { candles: bars(0, 2) }
        : null;
  const streams = createStreams({ link, env, defaultWallet: 'main' });
  await streams.open();
  const gate = createEntryGate();
  const following = closeGateOnOutage(streams, ['main'], gate, true, isDecidedOn);
  onTestFinished(() => following.unsubscribe());
  const pass = (seconds: number, each?: () => void): void => {
    for (let at = 0; at < seconds; at++) {
      each?.();
      env.queue.advanceTo(env.queue.now() + 1_000);
    }
  };
  /** Ticks each `gap` seconds, for a given number of seconds. */
  const ticks = (seconds: number, gap = 1): void => {
    for (let at = 0; at < seconds; at += gap) {
      link.say(price, 'tick', tick);
      pass(gap);
    }
  };
  const asked = (what: Subscription): number =>
    link.asked.filter((text) => text.startsWith(`+ ${what.channel} `)).length;
  return { link, env, streams, gate, pass, ticks, asked };
}

test('the silence of a stream on which nothing is decided closes nothing', async () => {
  const { link, streams, gate, pass, ticks, asked } = await setUp(
    ({ channel }) => channel !== 'price',
  );
  streams.price('BTC').subscribe();
  ticks(60);
  pass(6);
  expect([gate.reasons(), asked(price)]).toEqual([[], 2]);
  link.say(price, 'tick', tick);
});

describe('a price that is silent for longer than its usual interval', () => {
  test('closes entries and is subscribed again, until it ticks again', async () => {
    const { link, streams, gate, pass, ticks, asked } = await setUp();
    streams.price('BTC').subscribe();
    ticks(60);
    expect([gate.reasons(), asked(price)]).toEqual([[], 1]);
    pass(6);
    expect([gate.reasons(), asked(price)]).toEqual([['price BTC is silent'], 2]);
    pass(12);
    expect(asked(price)).toBe(4);
    link.say(price, 'tick', tick);
    pass(1);
    expect(gate.reasons()).toEqual([]);
  });

  test('begins anew with its next listener, however long nobody asked for it', async () => {
    const { streams, gate, pass, ticks, asked } = await setUp();
    const listening = streams.price('BTC').subscribe();
    ticks(60);
    listening.unsubscribe();
    pass(600);
    streams.price('BTC').subscribe();
    pass(2);
    expect([gate.reasons(), asked(price)]).toEqual([[], 2]);
  });

  test('adapts to the market: a slow market is not silent, nor one that slows down', async () => {
    const { streams, gate, ticks } = await setUp();
    streams.price('BTC').subscribe();
    const reasons: string[] = [];
    ticks(300, 30);
    for (let at = 0; at < 100; at++) {
      ticks(30, 30);
      reasons.push(...gate.reasons());
    }
    expect(reasons).toEqual([]);
    ticks(600, 60);
    ticks(60, 60);
    expect(gate.reasons()).toEqual([]);
  });

  test('a lost connection and a halted process do not count as silence', async () => {
    const { link, env, streams, gate, pass, ticks, asked } = await setUp();
    streams.price('BTC').subscribe();
    ticks(60);
    link.lose();
    pass(300);
    link.reopen([price, { channel: 'account.state', params: {} }]);
    pass(3);
    expect([gate.reasons(), asked(price)]).toEqual([[], 1]);
    ticks(10);
    // The timer that was due long ago runs first, at the time that it is now.
    const { monotonicNow } = env.clock;
    env.clock.monotonicNow = () => monotonicNow() + 40_000;
    pass(3);
    expect([gate.reasons(), asked(price)]).toEqual([[], 1]);
    // Four times the longest gap of late, which was that of the reopening.
    pass(16);
    expect(gate.reasons()).toEqual(['price BTC is silent']);
  });

  test('without subscribers nothing is requested, and entries are open', async () => {
    const { streams, gate, pass, ticks, asked } = await setUp();
    const held = streams.price('BTC').subscribe();
    ticks(60);
    pass(10);
    held.unsubscribe();
    pass(60);
    expect([gate.reasons(), asked(price)]).toEqual([[], 2]);
  });
});

test('candles that only repeat themselves close entries when the next bar is overdue', async () => {
  const { link, streams, gate, pass, asked } = await setUp();
  streams.candles('BTC', '1m', { history: 1 }).subscribe();
  for (let at = 2; at < 6; at++) {
    pass(60);
    link.say(candles, 'bar_closed', bar(at));
  }
  expect(gate.reasons()).toEqual([]);
  pass(72, () => link.say(candles, 'bar_closed', bar(3)));
  expect([gate.reasons(), asked(candles)]).toEqual([['candles BTC 1m is silent'], 2]);
  link.say(candles, 'bar_closed', { ...bar(6), time: 7 * MINUTE });
  pass(1);
  expect(gate.reasons()).toEqual([]);
});

test('candles are overdue ten seconds after a bar should have closed, and not before', async () => {
  const { link, streams, gate, pass } = await setUp();
  streams.candles('BTC', '1m', { history: 1 }).subscribe();
  pass(70);
  expect(gate.reasons()).toEqual([]);
  pass(2);
  expect(gate.reasons()).toEqual(['candles BTC 1m is silent']);
  link.say(candles, 'bar_closed', bar(2));
  pass(2);
  expect(gate.reasons()).toEqual([]);
});

test('what is silent is told when it changes, and nothing is looked at once nobody listens', async () => {
  const link = new ScriptedLink();
  const env = createVirtualEnv();
  link.snapshots = () => ({ candles: bars(0, 2) });
  const streams = createStreams({ link, env });
  await streams.open();
  const changes: string[][] = [];
  const looking = streams.silent$.subscribe((silent) => {
    changes.push(silent.map(({ params }) => String(params['interval'])));
  });
  for (const interval of ['1m', '5m'] as const) {
    streams.candles('BTC', interval, { history: 1 }).subscribe();
  }
  const pass = (seconds: number): void => {
    for (let at = 0; at < seconds; at++) env.queue.advanceTo(env.queue.now() + 1_000);
  };
  pass(400);
  expect(changes).toEqual([[], ['1m'], ['1m', '5m']]);
  const asked = link.asked.length;
  expect(asked).toBeGreaterThan(3);
  looking.unsubscribe();
  pass(1_000);
  expect(link.asked).toHaveLength(asked);
});

test('a feed that speaks again is told once, and its next silence as well', async () => {
  const { link, streams, pass } = await setUp();
  const changes: number[] = [];
  const looking = streams.silent$.subscribe((silent) => changes.push(silent.length));
  onTestFinished(() => looking.unsubscribe());
  streams.candles('BTC', '1m', { history: 1 }).subscribe();
  pass(90);
  link.say(candles, 'bar_closed', bar(2));
  pass(10);
  expect(changes).toEqual([0, 1, 0]);
  pass(400);
  expect(changes).toEqual([0, 1, 0, 1]);
});

test('only regular feeds are watched: an idle account is not silent, nor a book that does not change', async () => {
  const { link, streams, gate, pass } = await setUp();
  streams.book('BTC').subscribe();
  for (let at = 1; at < 20; at++) {
    link.say({ channel: 'orderbook', params: { symbol: 'BTC' } }, 'book', { bids: [], asks: [] });
    pass(1);
  }
  pass(3_600);
  expect(gate.reasons()).toEqual([]);
});
