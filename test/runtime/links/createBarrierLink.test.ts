import { expect, test } from 'vitest';
import type { StreamFrame } from '../../../src/contract/index.ts';
import { createBarrierLink } from '../../../src/runtime/links/createBarrierLink.ts';
import type { Link, LinkListener } from '../../../src/env/index.ts';

function setUp() {
  let inner: LinkListener | undefined;
  const link = createBarrierLink({
    open: async (listener: LinkListener) => void (inner = listener),
    subscribe: () => {},
    unsubscribe: () => {},
  } as unknown as Link);
  const seen: string[] = [];
  void link.open({
    onFrame: ({ event, ts }) => seen.push(`${event} of ${ts} at ${link.market.now()}`),
    onStatus: () => {},
  });
  const give = (
    event: string,
    ts: number,
    channel = event === 'advanced' ? '_meta' : 'candles',
  ): void => inner!.onFrame({ channel, event, ts } as StreamFrame);
  const control = (kind: 'ack' | 'error' | 'result'): void =>
    inner!.onControlFrame!({ kind, frame: { id: 'sub-1' } } as never);
  const lose = (): void => inner!.onStatus({ state: 'lost', reason: 'cut' });
  return { link, seen, give, control, lose };
}

/** Whether a promise has been kept by now. */
async function isDone(promise: Promise<unknown>): Promise<boolean> {
  const none = Symbol('none');
  await new Promise(setImmediate);
  return (await Promise.race([promise, Promise.resolve(none)])) !== none;
}

test("a step's frames are delivered at its end, which is the time of all of them", async () => {
  const { link, seen, give } = setUp();
  const ended = link.nextBarrier();
  for (const ts of [60, 120]) give('bar_closed', ts);
  expect(seen).toEqual([]);
  give('advanced', 120);
  await ended;
  expect(seen).toEqual([
    'bar_closed of 60 at 120',
    'bar_closed of 120 at 120',
    'advanced of 120 at 120',
  ]);
});

test('an event of another channel ends no step, and no start, whatever its name', async () => {
  const { link, seen, give } = setUp();
  const ended = link.nextBarrier();
  give('advanced', 60, 'orders');
  give('welcome', 60, 'orders');
  expect([seen, await isDone(ended.then(() => true))]).toEqual([[], false]);
  give('advanced', 120);
  await ended;
  expect(seen).toHaveLength(3);
});

test('frames of a step over many instants are each delivered at their own, after what was due before', async () => {
  const { link, seen, give } = setUp();
  link.market.at(90, () => seen.push(`task at ${link.market.now()}`));
  const ended = link.nextBarrier(true);
  for (const ts of [60, 120]) give('bar_closed', ts);
  give('advanced', 180);
  await ended;
  expect(seen).toEqual([
    'bar_closed of 60 at 60',
    'task at 90',
    'bar_closed of 120 at 120',
    'advanced of 180 at 180',
  ]);
});

test('subscribing is over once each has its own answer, whatever it is', async () => {
  const { link, control } = setUp();
  expect(await isDone(link.subscribed().then(() => true))).toBe(true);
  const subscription = { channel: 'candles', params: {} };
  link.subscribe(subscription);
  link.subscribe(subscription);
  link.unsubscribe(subscription);
  const all = [link.subscribed().then(() => true), link.subscribed().then(() => true)];
  for (const kind of ['ack', 'result', 'error', 'result'] as const) {
    control(kind);
    // The answer to a command is none to a subscription.
    for (const one of all) expect(await isDone(one)).toBe(false);
  }
  control('ack');
  for (const one of all) expect(await isDone(one)).toBe(true);
});

test('an answer to what the link itself asked again is owed by no later subscription', async () => {
  const { link, control } = setUp();
  const subscription = { channel: 'candles', params: {} };
  link.subscribe(subscription);
  // Refused for now, asked again by the link, and acknowledged.
  for (const kind of ['error', 'ack'] as const) control(kind);
  expect(await isDone(link.subscribed().then(() => true))).toBe(true);
  link.subscribe(subscription);
  const later = link.subscribed().then(() => true);
  expect(await isDone(later)).toBe(false);
  control('ack');
  expect(await isDone(later)).toBe(true);
});

test('everyone who waits for a step is told of it, and of a stream that is lost', async () => {
  const { link, give, lose } = setUp();
  const first = [link.nextBarrier(), link.nextBarrier()].map((one) => one.then(() => true));
  give('bar_closed', 60);
  for (const one of first) expect(await isDone(one)).toBe(false);
  give('advanced', 60);
  for (const one of first) expect(await isDone(one)).toBe(true);
  link.subscribe({ channel: 'candles', params: {} });
  const reported: string[] = [];
  const report = (error: unknown): void => void reported.push(String(error));
  for (const one of [link.nextBarrier(), link.nextBarrier(), link.subscribed()]) one.catch(report);
  lose();
  await new Promise(setImmediate);
  const lost = 'Error: The stream was lost during a replay: cut';
  expect(reported).toEqual([lost, lost, lost]);
});
