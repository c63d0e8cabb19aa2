import fc from 'fast-check';
import { firstValueFrom } from 'rxjs';
import { describe, expect, test } from 'vitest';
import type { StreamFrame } from '../../src/contract/frames.ts';
import { createVirtualEnv } from '../../src/env/createVirtualEnv.ts';
import type { Subscription } from '../../src/env/Link.ts';
import { ChannelFeed } from '../../src/streams/ChannelFeed.ts';
import { createStreams, type StreamFault } from '../../src/streams/index.ts';
import { holdLaw, Tried } from '../holdLaw.ts';
import { accountSnapshot, execution, fill, position } from './records.ts';
import { ScriptedLink } from './ScriptedLink.ts';

const subscription: Subscription = { channel: 'account.state', params: { wallet: 'main' } };

async function setUp() {
  const link = new ScriptedLink();
  link.snapshots = () => accountSnapshot();
  const env = createVirtualEnv();
  const streams = createStreams({ link, env });
  const faults: StreamFault[] = [];
  streams.faults$.subscribe((fault) => faults.push(fault));
  await streams.open();
  const wallet = streams.wallet('main');
  wallet.account$.subscribe();
  const size = async () => (await firstValueFrom(wallet.account$)).positions.get('BTC')?.size;
  return { link, streams, faults, env, size };
}

describe('frames of an earlier sequence', () => {
  const at = (frame: StreamFrame, ts: number): StreamFrame => ({ ...frame, ts });

  test('a late, outdated snapshot is rejected: a fresh one is requested', async () => {
    const { link, streams, size } = await setUp();
    link.market.advanceTo(1_000);
    link.snapshots = () => accountSnapshot({ positions: [position(3)] });
    streams.resync();
    const asked = link.asked.length;
    link.deliver(at({ ...link.next(subscription, 'snapshot', accountSnapshot()), seq: 1 }, 0));
    expect(await size()).toBe(3);
    expect(link.asked.length).toBe(asked + 1);
  });

  test('an outdated snapshot with a newer number is detected, and requested again', async () => {
    const { link, streams, faults, size } = await setUp();
    const stray = link.next(subscription, 'position', position(7));
    streams.resync();
    link.market.advanceTo(1_000);
    const truth = link.next(subscription, 'position', position(2));
    link.snapshots = () => accountSnapshot({ positions: [position(2)] });
    link.deliver(stray);
    link.deliver(truth);
    expect(faults).toMatchObject([{ kind: 'gap', got: 2 }]);
    expect(await size()).toBe(2);
  });

  test('a service whose clock was set back is accepted at its second snapshot', async () => {
    const { link, streams, faults, size } = await setUp();
    link.deliver(at(link.next(subscription, 'position', position(1)), 9_000));
    link.snapshots = () => accountSnapshot({ positions: [position(4)] });
    const asked = link.asked.length;
    streams.resync();
    expect(faults).toMatchObject([{ kind: 'clock_back', byMs: 9_000 }]);
    expect(link.asked.length).toBe(asked + 2);
    expect(await size()).toBe(4);
  });

  test('who listens anew takes the first snapshot, whatever time the one before had', async () => {
    const link = new ScriptedLink();
    link.snapshots = () => null;
    const streams = createStreams({ link, env: createVirtualEnv() });
    const faults: StreamFault[] = [];
    streams.faults$.subscribe((fault) => faults.push(fault));
    await streams.open();
    const sizes: unknown[] = [];
    const hear = (ts: number, size: number): void => {
      const listening = streams
        .wallet('main')
        .account$.subscribe(({ positions }) => sizes.push(positions.get('BTC')?.size));
      const asked = link.asked.length;
      const data = accountSnapshot({ positions: [position(size)] });
      link.deliver(at(link.next(subscription, 'snapshot', data), ts));
      expect(link.asked.length, 'nothing is asked a second time').toBe(asked);
      listening.unsubscribe();
    };
    hear(9_000, 1);
    hear(1_000, 2);
    expect([sizes, faults]).toEqual([[1, 2], []]);
  });

  test('without a second snapshot, the first one is accepted after a while, with later frames', async () => {
    const { link, streams, faults, env, size } = await setUp();
    const fills: string[] = [];
    streams.wallet('main').fills$.subscribe(({ fill_id: id }) => fills.push(id));
    link.deliver(at(link.next(subscription, 'position', position(1)), 9_000));
    link.snapshots = () => null;
    streams.resync();
    const answer = link.next(
      subscription,
      'snapshot',
      accountSnapshot({ positions: [position(4)] }),
    );
    link.deliver(answer);
    for (const [seq, event, data] of [
      [2, 'fill', fill('fill_1')],
      [3, 'position', position(5)],
    ] as const)
      link.deliver({ ...link.next(subscription, event, data), seq });
    expect(await size()).toBe(1);
    env.queue.advanceTo(5_000);
    expect(faults).toMatchObject([{ kind: 'no_snapshot' }, { kind: 'clock_back' }]);
    expect([await size(), fills]).toEqual([5, ['fill_1']]);
  });
});

test('each frame of a sequence is taken once: in its turn, after a gap, or late', async () => {
  const tried = new Tried();
  const numbers = fc.array(fc.integer({ min: 1, max: 7 }), { maxLength: 14 });
  await holdLaw(500, numbers, (drawn) => {
    const asked: Subscription[] = [];
    const taken: string[] = [];
    const reported: string[] = [];
    const feed = new ChannelFeed({
      link: { subscribe: (one) => asked.push(one), unsubscribe: () => {} },
      env: createVirtualEnv(),
      subscription,
      handler: {
        apply: ({ seq }, order) => void taken.push(`${seq} ${order}`),
        incomplete: () => void taken.push('incomplete'),
        forget: () => {},
      },
      report: (fault) =>
        void reported.push(fault.kind === 'gap' ? `${fault.expected} < ${fault.got}` : fault.kind),
      isOpen: () => true,
    });
    feed.acquire();
    const expected = { asked: 1, taken: [] as string[], reported: [] as string[] };
    let seen = new Set<number>();
    let isAwaiting = true;
    // The first snapshot, and then any frames, again and again, at one instant.
    for (const seq of [1, ...drawn]) {
      feed.accept({ ...subscription, event: 'position', wallet: 'main', data: {}, ts: 5, seq });
      const last = Math.max(0, ...seen);
      if (seq === 1) {
        if (!isAwaiting) continue;
        tried.take(seen.size === 0 ? 'first' : 'again');
        [seen, isAwaiting] = [new Set([1]), false];
        expected.taken.push('1 live');
        continue;
      }
      if (seq > last + 1) {
        expected.reported.push(`${last + 1} < ${seq}`);
        expected.taken.push('incomplete', `${seq} unsynced`);
        if (!isAwaiting) expected.asked++;
        isAwaiting = true;
        tried.take('gap');
      } else if (seq > last) expected.taken.push(`${seq} ${isAwaiting ? 'unsynced' : 'live'}`);
      else if (seen.has(seq)) tried.take('repeated');
      else {
        expected.taken.push(`${seq} late`);
        tried.take('late');
      }
      seen.add(seq);
    }
    expect({ asked: asked.length, taken, reported }).toEqual(expected);
  });
  expect(tried.rare(['first', 'again', 'gap', 'repeated', 'late'], 20)).toEqual([]);
});

describe('requests for a snapshot', () => {
  function direct({ channel = 'account.state' as Subscription['channel'] } = {}) {
    const env = createVirtualEnv();
    const seen = { asked: 0, unsubscribed: 0, refused: 0, missing: 0 };
    const line = { isOpen: true };
    const orders: string[] = [];
    const feed = new ChannelFeed({
      link: { subscribe: () => seen.asked++, unsubscribe: () => seen.unsubscribed++ },
      env,
      subscription: { ...subscription, channel },
      handler: {
        apply: ({ seq }, order) => void orders.push(`${seq} ${order}`),
        incomplete: () => {},
        forget: () => {},
        refused: () => seen.refused++,
      },
      report: ({ kind }) => void (seen.missing += kind === 'no_snapshot' ? 1 : 0),
      isOpen: () => line.isOpen,
    });
    const answer = (): void =>
      feed.accept({ ...subscription, event: 'snapshot', wallet: 'main', data: {}, ts: 5, seq: 1 });
    return { feed, seen, orders, line, answer, to: (ms: number) => env.queue.advanceTo(ms) };
  }

  const frameOf = (seq: number, ts: number): StreamFrame => ({
    ...subscription,
    event: seq === 1 ? 'snapshot' : 'position',
    wallet: 'main',
    data: {},
    ts,
    seq,
  });

  test('of a gap the last thousand frames may still come late', () => {
    const { feed, orders } = direct();
    feed.acquire();
    feed.accept(frameOf(1, 5));
    feed.accept(frameOf(2_002, 5));
    for (const seq of [1_002, 1_001, 2_001]) feed.accept(frameOf(seq, 5));
    expect(orders).toEqual(['1 live', '2002 unsynced', '1002 late', '2001 late']);
  });

  test('a thousand frames of a sequence that began earlier are enough to believe it', () => {
    const { feed, orders } = direct();
    feed.acquire();
    feed.accept(frameOf(1, 9_000));
    for (let seq = 1; seq < 1_000; seq++) feed.accept(frameOf(seq, 5));
    expect(orders).toEqual(['1 live']);
    feed.accept(frameOf(1_000, 5));
    expect([orders.length, orders.at(-1)]).toEqual([1_001, '1000 live']);
  });

  test('without an answer it is asked for again every 5 s, until it comes', () => {
    const { feed, seen, answer, to } = direct();
    feed.acquire();
    for (const times of [1, 2, 3]) {
      to(times * 5_000 - 1);
      expect([seen.asked, seen.missing]).toEqual([times, times - 1]);
    }
    to(15_000);
    expect([seen.asked, seen.missing]).toEqual([4, 3]);
    answer();
    to(60_000);
    expect([seen.asked, seen.missing]).toEqual([4, 3]);
  });

  test('nothing is waited for without listeners, without a line, nor where no snapshot exists', () => {
    const left = direct();
    left.feed.acquire();
    left.feed.release();
    left.to(60_000);
    expect(left.seen).toEqual({ asked: 1, unsubscribed: 1, refused: 0, missing: 0 });

    const lost = direct();
    lost.feed.acquire();
    lost.feed.lost();
    lost.line.isOpen = false;
    lost.to(60_000);
    expect(lost.seen).toMatchObject({ asked: 1, missing: 0 });
    lost.line.isOpen = true;
    lost.feed.opened();
    lost.to(65_000);
    expect(lost.seen).toMatchObject({ asked: 2, missing: 1 });

    const plain = direct({ channel: 'price' });
    plain.feed.acquire();
    plain.to(60_000);
    expect(plain.seen).toMatchObject({ asked: 1, missing: 0 });
  });

  test('a check asks if no request is pending, and what is overdue is asked again', () => {
    const { feed, seen, answer } = direct();
    feed.resync();
    feed.resubscribe();
    expect(seen.asked).toBe(0);
    feed.acquire();
    feed.resync();
    expect(seen.asked).toBe(1);
    feed.resubscribe();
    expect(seen.asked).toBe(2);
    answer();
    feed.resync();
    feed.resync();
    expect(seen.asked).toBe(3);
  });

  test.each([true, false])(
    'a refusal ends the wait; whether it is told as final: %s',
    (isFinal) => {
      const { feed, seen, to } = direct();
      feed.acquire();
      feed.refused(isFinal);
      expect(seen.refused).toBe(isFinal ? 1 : 0);
      to(60_000);
      expect([seen.asked, seen.missing]).toEqual([1, 0]);
    },
  );

  test('what is refused for now and has no snapshot minutes later is asked for again', () => {
    const { feed, seen, to, answer } = direct();
    feed.acquire();
    feed.refused(false);
    to(200_000);
    // The link asks by itself, and is refused again.
    feed.refused(false);
    to(504_999);
    expect([seen.asked, seen.missing]).toEqual([1, 0]);
    to(505_000);
    expect([seen.asked, seen.missing]).toEqual([2, 1]);
    answer();
    to(2_000_000);
    expect(seen.asked).toBe(2);
  });

  test.each([false, true])(
    'a sequence that goes on, though it was refused once more, is asked for again: after a gap %s',
    (hasGap) => {
      const { feed, seen, orders, answer, to } = direct();
      feed.acquire();
      answer();
      if (hasGap) feed.accept(frameOf(3, 5));
      else feed.resync();
      feed.refused(true);
      expect([seen.asked, seen.refused]).toEqual([2, 0]);
      feed.accept(frameOf(hasGap ? 4 : 2, 5));
      expect(orders.at(-1)).toMatch(/ live$/);
      feed.accept(frameOf(8, 5));
      expect(seen.asked).toBe(3);
      feed.refused(true);
      feed.resync();
      expect(seen.asked).toBe(4);
      // That request is awaited as any other.
      to(5_000);
      expect(seen).toMatchObject({ asked: 5, missing: 1 });
    },
  );

  test('nothing is asked for again of what is refused for good, or nobody’s', () => {
    const final = direct();
    final.feed.acquire();
    final.feed.refused(true);
    const left = direct();
    left.feed.acquire();
    left.feed.refused(false);
    left.feed.release();
    for (const { to } of [final, left]) to(2_000_000);
    expect([final.seen.asked, left.seen.asked]).toEqual([1, 1]);
  });
});

describe('a snapshot that does not come', () => {
  const executions: Subscription = { channel: 'executions', params: { wallet: 'main' } };

  async function open() {
    const link = new ScriptedLink();
    const env = createVirtualEnv();
    const streams = createStreams({ link, env });
    const said = { missing: 0, shown: 0, refused: 0, gone: [] as string[] };
    let model: string[] = [];
    await streams.open();
    const wallet = streams.wallet('main');
    wallet.executionsModel$.subscribe((now) => {
      model = [...now.values()].map((one) => `${one.execution_id} ${one.status}`);
    });
    wallet.executions$.subscribe(({ event, execution }) => {
      if (event === 'gone') said.gone.push(execution.execution_id);
    });
    wallet.executionsMissing$.subscribe(() => (said.missing += 1));
    wallet.executionsShown$.subscribe(() => (said.shown += 1));
    wallet.executionsRefused$.subscribe(() => (said.refused += 1));
    const later = (ms: number) => env.queue.advanceTo(env.clock.monotonicNow() + ms);
    return { link, wallet, said, later, model: () => model };
  }

  test('is owed once a second one is missing, and what is read in its place is known', async () => {
    const { wallet, said, later, model, link } = await open();
    await later(5_000);
    expect(said.missing).toBe(0);
    await later(5_000);
    expect(said.missing).toBe(1);
    const reading = wallet.beginExecutionsReading();
    expect(reading.takes([execution('exe_1', 'running')])).toBe(true);
    expect(said.shown).toBe(1);
    expect(model()).toEqual(['exe_1 running']);
    const asked = link.asked.length;
    await later(300_000);
    expect(link.asked).toHaveLength(asked);
    await later(10_000);
    expect(said.missing).toBe(2);
  });

  test('is owed at once where the events have begun without it', async () => {
    const { link, said } = await open();
    link.say(executions, 'started', execution('exe_1', 'running'));
    expect(said.missing).toBe(1);
  });

  test('what frames show while it is read is newer', async () => {
    const { link, wallet, said, later, model } = await open();
    await later(10_000);
    wallet
      .beginExecutionsReading()
      .takes([execution('exe_1', 'running'), execution('exe_2', 'running')]);
    const reading = wallet.beginExecutionsReading();
    link.say(executions, 'started', execution('exe_3', 'running'));
    link.say(executions, 'ended', execution('exe_1', 'stopped'));
    reading.takes([execution('exe_1', 'running')]);
    expect(model().toSorted()).toEqual(['exe_1 stopped', 'exe_3 running']);
    expect(said.gone).toEqual(['exe_2']);
  });

  test('nothing is taken of a reading that a snapshot or a gap has overtaken', async () => {
    const { link, wallet, later, model } = await open();
    await later(10_000);
    const reading = wallet.beginExecutionsReading();
    const other = wallet.beginExecutionsReading();
    link.say(executions, 'snapshot', { executions: [] });
    expect(reading.takes([execution('exe_1', 'running')])).toBe(false);
    other.refused();
    const third = wallet.beginExecutionsReading();
    link.next(executions, 'started', execution('exe_2', 'running'));
    link.say(executions, 'started', execution('exe_3', 'running'));
    expect(third.takes([])).toBe(false);
    expect(model()).toEqual(['exe_3 running']);
  });
});
