/** How long a replay waits for subscribers that read slowly, or nothing. */
import { expect, test } from 'vitest';
import { defaultDialect } from '../../../src/contract/index.ts';
import { createVirtualEnv } from '../../../src/env/createVirtualEnv.ts';
import type { PaperCore } from '../../../src/paper/core/PaperCore.ts';
import { Backlog } from '../../../src/paper/server/Backlog.ts';
import { createStreams } from '../../../src/paper/server/createStreams.ts';
import type { StreamConnection } from '../../../src/paper/server/StreamConnection.ts';

const limits = defaultDialect.stream;
/** What counts as crowded: more than a quarter of what may wait. */
const MANY = limits.slowConsumerFrames / 4 + 1;

function open() {
  const env = createVirtualEnv();
  const core = { openSession: () => ({ close: () => {} }) } as unknown as PaperCore;
  const streams = createStreams({ core, limits, env });

  function connect() {
    const backlog = new Backlog(limits, () => 0);
    const waiting: Array<() => void> = [];
    const connection = {
      grant: { kind: 'sse' },
      port: {},
      backlog,
      lastSeen: 0,
      beat: () => {},
      cut: () => {},
    } as unknown as StreamConnection;
    streams.open(connection, 0);
    return {
      add: (count: number) => {
        for (let at = 0; at < count; at++) waiting.push(backlog.add());
      },
      read: (count = 1) => waiting.splice(0, count).forEach((leave) => leave()),
    };
  }

  /** Turns of the event loop that a wait took, of which each may let a subscriber read. */
  async function relieve(each?: (turn: number) => void): Promise<number> {
    const wait = streams.relieve();
    if (wait === null) return 0;
    let turns = 0;
    let isOver = false;
    const over = wait.then(() => void (isOver = true));
    while (!isOver) {
      each?.(turns);
      turns += 1;
      await env.queue.advanceTo(env.queue.now());
      for (let step = 0; step < 8; step++) await Promise.resolve();
    }
    await over;
    return turns;
  }
  return { connect, relieve };
}

test('who reads nothing is waited for once, and again after it has read', async () => {
  const { connect, relieve } = open();
  const deaf = connect();
  expect(await relieve()).toBe(0);
  deaf.add(MANY + 10);
  expect(await relieve()).toBe(200);
  expect(await relieve()).toBe(0);
  deaf.add(5);
  expect(await relieve()).toBe(0);
  // It has read something and is still behind.
  deaf.read();
  expect(await relieve()).toBe(200);
  expect(await relieve()).toBe(0);
});

test('who reads too slowly is waited for each time, and who catches up no longer than that', async () => {
  const { connect, relieve } = open();
  const slow = connect();
  slow.add(MANY + 300);
  expect(await relieve((turn) => turn === 100 && slow.read())).toBe(200);
  expect(await relieve((turn) => turn === 100 && slow.read())).toBe(200);
  expect(await relieve(() => slow.read(150))).toBe(2);
  expect(await relieve()).toBe(0);
});

test('beside one that reads nothing the others are waited for as ever', async () => {
  const { connect, relieve } = open();
  const [deaf, slow] = [connect(), connect()];
  deaf.add(MANY);
  expect(await relieve()).toBe(200);
  slow.add(MANY + 9);
  expect(await relieve(() => slow.read())).toBe(10);
});
