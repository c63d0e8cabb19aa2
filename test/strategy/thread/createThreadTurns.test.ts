/** The deadlines of a thread's turns, by the clock of a test. */
import { describe, expect, test } from 'vitest';
import { createVirtualEnv } from '../../../src/env/createVirtualEnv.ts';
import { createThreadTurns } from '../../../src/strategy/thread/createThreadTurns.ts';
import type {
  CallAnswer,
  FromThread,
  ToThread,
} from '../../../src/strategy/thread/ThreadMessage.ts';
import { ScriptedThread } from './ScriptedThread.ts';

const LOADING_MS = 30_000;
const DEADLINE_MS = 400;
const LOG: FromThread = { kind: 'log', level: 'info', message: 'a line', fields: {} };
const DONE: FromThread = { kind: 'done', emitted: 0, suppressed: 0 };
const CALL: FromThread = {
  kind: 'call',
  call: { kind: 'subscribe', subscription: 1, source: { name: 'fills$' } },
};

function open({ waits = false } = {}) {
  const env = createVirtualEnv();
  const thread = new ScriptedThread();
  const ends: string[] = [];
  const taken: string[] = [];
  const turns = createThreadTurns<ToThread, FromThread, CallAnswer>({
    openThread: thread.open,
    program: new URL('file:///none'),
    name: 'strategy test',
    data: {},
    memoryMb: 96,
    timers: env.timers,
    waits,
    turnDeadlineMs: DEADLINE_MS,
    hear(message) {
      taken.push(message.kind);
      if (message.kind === 'call') turns.answer({ messages: [] });
    },
    onEnd(kind, reason) {
      ends.push(`${kind}: ${reason}`);
      turns.close();
    },
  });
  const post = (kind: 'start' | 'settle' = 'start'): void => turns.post({ kind, now: 0 });
  const ready = (): void => {
    post();
    thread.say({ kind: 'ready' });
    thread.done();
  };
  const later = (ms: number) => env.queue.advanceTo(env.clock.monotonicNow() + ms);
  return { thread, turns, ends, taken, post, ready, later, timers: () => env.queue.nextTime() };
}

/** Whether it has ended just now, and not before. */
async function expectEnd({ ends, later }: ReturnType<typeof open>, ms: number) {
  await later(ms - 1);
  expect(ends).toEqual([]);
  await later(1);
  expect(ends).toHaveLength(1);
}

describe('where the bot does not wait', () => {
  test('a plugin has half a minute to load, and each event its own deadline', async () => {
    const loading = open();
    loading.post();
    await expectEnd(loading, LOADING_MS);
    expect(loading.ends[0]).toMatch(/^overran: .* loading within 30 s/);

    const running = open();
    running.ready();
    running.post();
    await expectEnd(running, DEADLINE_MS);
    expect(running.ends[0]).toMatch(/^overran: .* one event within 0.4 s/);
  });

  test('the next event has its full time from the end of the one before', async () => {
    const one = open();
    one.ready();
    one.post();
    one.post();
    await one.later(300);
    one.post();
    await one.later(99);
    one.thread.done();
    await expectEnd(one, DEADLINE_MS);
  });

  test('events behind the present one, and what it sends, give it no more time', async () => {
    const one = open();
    one.ready();
    one.post();
    await one.later(300);
    one.post();
    one.thread.say(LOG, LOG);
    await expectEnd(one, 100);
  });

  test('nothing is timed between the turns, nor after the end', async () => {
    const one = open();
    one.ready();
    expect(one.timers()).toBeUndefined();
    one.post();
    one.turns.close();
    expect([one.timers(), one.turns.waiting, one.thread.isTerminated]).toEqual([
      undefined,
      0,
      true,
    ]);
  });

  test('only the turn at the end of a tape may wait for files and networks', async () => {
    const one = open();
    one.ready();
    one.post('settle');
    await expectEnd(one, DEADLINE_MS + 1_000);
  });

  test('what was sent in time counts, though the bot was late to take it', async () => {
    const one = open();
    one.ready();
    one.post();
    one.thread.unread.push([LOG, 0], [DONE, 0]);
    await one.later(DEADLINE_MS);
    expect([one.ends, one.taken.slice(-2), one.turns.waiting]).toEqual([[], ['log', 'done'], 0]);
  });

  test('a turn that waited for an answer has its time once more, and not twice', async () => {
    const one = open();
    one.ready();
    one.post();
    one.thread.unread.push([CALL, 0]);
    await one.later(DEADLINE_MS);
    expect(one.thread.answers).toHaveLength(1);
    one.thread.say(CALL);
    await expectEnd(one, DEADLINE_MS);
  });

  test('an answer gives the turns after its own no more time', async () => {
    const one = open();
    one.ready();
    one.post();
    one.thread.say(CALL);
    expect(one.thread.answers).toHaveLength(1);
    one.thread.done();
    one.post();
    await expectEnd(one, DEADLINE_MS);
  });

  test('nothing is read behind a call before it is answered', async () => {
    for (const message of [CALL, { kind: 'sync' } as const]) {
      const one = open();
      one.ready();
      one.post();
      one.thread.unread.push([message, 0], [LOG, 0]);
      await one.later(DEADLINE_MS);
      expect([one.thread.left, one.thread.answers.length]).toEqual([1, 1]);
    }
  });

  test('a hundred thousand events may wait, and one more is too far behind', () => {
    const { turns, ends, post } = open();
    for (let at = 0; at < 100_000; at++) post();
    expect([turns.waiting, ends]).toEqual([100_000, []]);
    post();
    expect(ends).toEqual(['overran: It is 100001 events behind.']);
  });

  test('a hundred thousand messages are too many for one event, not for several', () => {
    const { thread, ends, post, ready } = open();
    ready();
    for (let turn = 0; turn < 2; turn++) {
      post();
      for (let at = 0; at < 60_000; at++) thread.say(LOG);
      thread.done();
    }
    expect(ends).toEqual([]);
    post();
    for (let at = 0; at < 100_000; at++) thread.say(LOG);
    expect(ends).toEqual([]);
    thread.say(LOG);
    expect(ends).toEqual(['flooded: It sent 100001 messages during one event.']);
  });
});

describe('where the bot waits', () => {
  test('a turn has one deadline, whatever it sends, and the next one its own', () => {
    const one = open({ waits: true });
    one.thread.unread.push([{ kind: 'ready' }, 20_000], [LOG, 100], [DONE, 50]);
    one.post();
    one.thread.unread.push([LOG, 300], [LOG, 60], [DONE, 40]);
    one.post();
    expect(one.thread.waits).toEqual([LOADING_MS, DEADLINE_MS, 300, DEADLINE_MS, 100, 40]);
    expect([one.ends, one.turns.waiting]).toEqual([[], 0]);
  });

  test('one that sends for ever is ended by its deadline, or by the number of messages', () => {
    const slow = open({ waits: true });
    slow.thread.unread.push([{ kind: 'ready' }, 0], [LOG, 399], [LOG, 2]);
    slow.post();
    expect(slow.ends).toEqual([expect.stringMatching(/^overran: /)]);

    const fast = open({ waits: true });
    fast.thread.unread.push([{ kind: 'ready' }, 0]);
    for (let at = 0; at < 100_010; at++) fast.thread.unread.push([LOG, 0]);
    fast.post();
    expect(fast.ends).toEqual([expect.stringMatching(/^flooded: /)]);
    expect(fast.thread.left).toBe(9);
  });

  test('nothing is timed beside', () => {
    const one = open({ waits: true });
    one.thread.unread.push([{ kind: 'ready' }, 0], [CALL, 0], [DONE, 0]);
    one.post();
    expect([one.timers(), one.thread.answers.length]).toEqual([undefined, 1]);
  });
});

test('the engine’s limit of memory leaves room for a turn, at whose end the thread’s own counts', () => {
  expect(open().thread.memoryMb).toBe(192);
});
