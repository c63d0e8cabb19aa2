/** What a feed knows of one hold, one connection or one sequence says nothing of the next. */
import { describe, expect, test } from 'vitest';
import type { StreamFrame } from '../../src/contract/frames.ts';
import type { BarColumns } from '../../src/env/BarSpan.ts';
import { createVirtualEnv } from '../../src/env/createVirtualEnv.ts';
import type { Subscription } from '../../src/env/Link.ts';
import { ChannelFeed, type FeedHandler, type FrameOrder } from '../../src/streams/ChannelFeed.ts';
import type { StreamFault } from '../../src/streams/StreamFault.ts';

const subscription: Subscription = { channel: 'account.state', params: { wallet: 'main' } };

const frameOf = (seq: number, ts: number): StreamFrame => ({
  ...subscription,
  event: seq === 1 ? 'snapshot' : 'position',
  wallet: 'main',
  data: { ts },
  ts,
  seq,
});

function open(rows?: FeedHandler['rows'], channel = subscription.channel) {
  const env = createVirtualEnv();
  const seen = { asked: 0, missing: 0 };
  const taken: Array<readonly [seq: number, ts: number, order: FrameOrder]> = [];
  const faults: StreamFault[] = [];
  const line = { isOpen: true };
  const feed = new ChannelFeed({
    link: { subscribe: () => seen.asked++, unsubscribe: () => {} },
    env,
    subscription: { ...subscription, channel },
    handler: {
      apply: ({ seq, ts }, order) => void taken.push([seq, ts, order]),
      incomplete: () => {},
      forget: () => {},
      missing: () => seen.missing++,
      ...(rows && { rows }),
    },
    report: (fault) => faults.push(fault),
    isOpen: () => line.isOpen,
  });
  feed.acquire();
  return {
    feed,
    seen,
    taken,
    faults,
    accept: (...frames: Array<readonly [seq: number, ts: number]>) =>
      frames.forEach(([seq, ts]) => feed.accept(frameOf(seq, ts))),
    later: (ms: number) => env.queue.advanceTo(env.clock.monotonicNow() + ms),
    leave() {
      feed.release();
      feed.acquire();
    },
    reconnect() {
      line.isOpen = false;
      feed.lost();
      line.isOpen = true;
      feed.opened();
    },
  };
}

/** A snapshot of an earlier time, which a second one has to confirm. */
function openUndecided() {
  const feed = open();
  feed.accept([1, 9_000], [1, 5]);
  expect(feed.taken).toEqual([[1, 9_000, 'live']]);
  return feed;
}

describe.each(['leave', 'reconnect'] as const)('after a feed did this: %s', (does) => {
  test('an earlier sequence that waited to be confirmed is not begun', async () => {
    const feed = openUndecided();
    feed[does]();
    await feed.later(5_000);
    expect(feed.taken).toHaveLength(1);
    expect(feed.faults.map(({ kind }) => kind)).toEqual(['no_snapshot']);
    feed.accept([1, 7]);
    expect(feed.taken.at(-1)).toEqual([1, 7, 'live']);
  });

  test('a frame of the former sequence is part of no gap', () => {
    const feed = open();
    feed.accept([1, 5], [2, 6]);
    feed[does]();
    feed.accept([9, 7]);
    expect([feed.taken.at(-1), feed.faults]).toEqual([[9, 7, 'unsynced'], []]);
  });

  test('a snapshot that did not come before counts no more', async () => {
    const feed = open();
    await feed.later(5_000);
    feed[does]();
    await feed.later(5_000);
    expect(feed.seen.missing).toBe(0);
    await feed.later(5_000);
    expect(feed.seen.missing).toBe(1);
  });
});

describe('while an earlier sequence waits to be confirmed', () => {
  test('a frame of the present one is taken at once', () => {
    const feed = openUndecided();
    feed.accept([2, 9_001]);
    expect(feed.taken.at(-1)).toEqual([2, 9_001, 'unsynced']);
  });

  test('what is held back goes on as it would have: its next frame is live, its last one none', async () => {
    const feed = openUndecided();
    feed.accept([2, 6], [3, 7]);
    await feed.later(5_000);
    feed.accept([3, 7], [4, 8]);
    expect(feed.taken.slice(1)).toEqual([
      [1, 5, 'live'],
      [2, 6, 'live'],
      [3, 7, 'live'],
      [4, 8, 'live'],
    ]);
    expect(feed.faults.map(({ kind }) => kind)).toEqual(['no_snapshot', 'clock_back']);
  });

  test('how far the clock was set back is known, though a snapshot did not come before', async () => {
    const feed = open();
    feed.accept([1, 9_000]);
    feed.feed.resync();
    await feed.later(5_000);
    feed.feed.refused(true);
    feed.accept([1, 5]);
    await feed.later(5_000);
    expect(feed.faults).toMatchObject([
      { kind: 'no_snapshot' },
      { kind: 'no_snapshot' },
      { kind: 'clock_back', byMs: 8_995 },
    ]);
  });
});

test('a snapshot that comes after one that did not is taken at once, whatever its time', async () => {
  const { feed, seen, taken, accept, later } = open();
  accept([1, 9_000]);
  feed.resync();
  await later(5_000);
  accept([1, 5]);
  expect([taken.at(-1), seen.asked]).toEqual([[1, 5, 'live'], 3]);
});

describe('a snapshot from before what is known is not taken', () => {
  test('nor one from before the frame that showed the gap', () => {
    const { taken, seen, accept } = open();
    accept([1, 5], [3, 9], [1, 7]);
    expect([taken.at(-1), seen.asked]).toEqual([[3, 9, 'unsynced'], 3]);
    accept([1, 10]);
    expect(taken.at(-1)).toEqual([1, 10, 'live']);
  });

  test('nor one from before a frame that an older one followed in turn', () => {
    const { feed, taken, seen, accept } = open();
    accept([1, 5], [2, 9], [3, 7]);
    feed.resync();
    accept([1, 8]);
    expect([taken.at(-1), seen.asked]).toEqual([[3, 7, 'live'], 3]);
  });
});

describe('rows of a replay', () => {
  test('come only in step: not while a snapshot is pending, nor while a sequence is undecided', () => {
    const { feed, accept } = open();
    expect(feed.isInStep()).toBe(false);
    accept([1, 9_000]);
    expect(feed.isInStep()).toBe(true);
    feed.resync();
    expect(feed.isInStep()).toBe(false);
    accept([1, 9_001]);
    expect(feed.isInStep()).toBe(true);
    accept([1, 5]);
    // Its confirmation is refused: what was held back is still undecided.
    feed.refused(true);
    expect(feed.isInStep()).toBe(false);
  });

  test('count as as many frames as they are, taken or passed over', () => {
    const taken: string[] = [];
    const { feed, faults, accept } = open({
      isReady: () => true,
      next: (_bars, _from, to) => to,
      take: (_bars, at) => void taken.push(`row ${at}`),
      pass: (_bars, from, to) => void taken.push(`rows ${from} to ${to}`),
    });
    const bars = {} as BarColumns;
    accept([1, 5]);
    feed.passRows(bars, 0, 3);
    feed.takeRow(bars, 3, 9);
    accept([6, 10], [6, 10]);
    expect([taken, faults]).toEqual([['rows 0 to 3', 'row 3'], []]);
    expect(feed.isInStep()).toBe(true);
  });
});

test('where no snapshot exists, each step of the clock is measured from the frame before it', () => {
  const { faults, taken, accept } = open(undefined, 'price');
  accept([1, 9_000], [2, 9_001], [3, 5], [4, 2]);
  expect(taken.map(([seq]) => seq)).toEqual([1, 2, 3, 4]);
  expect(faults).toMatchObject([
    { kind: 'clock_back', byMs: 8_996 },
    { kind: 'clock_back', byMs: 3 },
  ]);
});
