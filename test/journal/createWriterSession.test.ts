import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { createVirtualEnv, silentLog } from '../../src/env/index.ts';
import type { JournalFault } from '../../src/journal/index.ts';
import { openStoreOver } from '../../src/journal/postgres/createPostgresStore.ts';
import { createWriterSession } from '../../src/journal/postgres/createWriterSession.ts';
import type { PgResult, Statement } from '../../src/journal/postgres/PgClient.ts';
import { none, ofStart, row } from './answersOfStart.ts';

const WRITE: Statement = { text: 'INSERT' };
/** A database in which another process has the account from its second token on. */
async function openSession() {
  const virtual = createVirtualEnv({ startTime: 1_000_000 });
  let steppedMs = 0;
  const clock = { ...virtual.clock, wallNow: () => virtual.clock.wallNow() + steppedMs };
  const env = { clock, timers: virtual.timers, log: silentLog };
  const asked: string[] = [];
  const losses: JournalFault[] = [];
  let token = 1n;
  let onWrite = (): void => {};
  const query = ({ text, values = [] }: Statement): Promise<PgResult> => {
    asked.push(text);
    if (text === WRITE.text) onWrite();
    if (text.includes('SET seen')) return Promise.resolve(values[1] === token ? row({}) : none);
    return Promise.resolve(ofStart(text));
  };
  const session = await createWriterSession({
    connect: () =>
      Promise.resolve({
        query,
        connect: () => Promise.resolve(),
        end: () => Promise.resolve(),
        on: () => {},
      }),
    url: 'postgres://user:password@db/bots',
    account: 'paper:main',
    env,
    synchronous: true,
    giveUpAfterMs: 30_000,
    onLost: (fault) => losses.push(fault),
  });
  asked.length = 0;
  return {
    session,
    asked,
    losses,
    /** The next answer is read this much later, on a machine whose monotonic clock stood still meanwhile. */
    sleeps(forMs: number, isTaken: boolean) {
      onWrite = () => {
        steppedMs += forMs;
        if (isTaken) token = 2n;
      };
    },
  };
}

describe('an answer that is read long after it was asked for', () => {
  const isDone = (): Promise<boolean> => Promise.resolve(true);

  test('is no leave to send where another process has the account by now', async () => {
    const { session, losses, sleeps } = await openSession();
    sleeps(60_000, true);
    await expect(session.run(WRITE, isDone)).rejects.toMatchObject({ code: 'lease_lost' });
    expect(losses).toMatchObject([{ code: 'lease_lost' }]);
    await expect(session.run(WRITE, isDone)).rejects.toMatchObject({ code: 'lease_lost' });
  });

  test('counts where the account is still its own', async () => {
    const { session, losses, asked, sleeps } = await openSession();
    sleeps(60_000, false);
    expect(await session.run(WRITE, isDone)).toEqual(none);
    expect(asked).toHaveLength(2);
    expect(losses).toEqual([]);
  });

  test('costs no second question where it is read in time', async () => {
    const { session, asked } = await openSession();
    await session.run(WRITE, isDone);
    expect(asked).toEqual([WRITE.text]);
  });
});

/** A journal on a database that answers as the given functions do, or at once. */
async function openJournalOver({
  query = () => undefined,
  end,
  unref = () => {},
}: {
  query?: (text: string) => Promise<PgResult> | undefined;
  end(): Promise<void>;
  unref?(): void;
}) {
  const virtual = createVirtualEnv({ startTime: 1_000_000 });
  const { clock, timers } = virtual;
  const client = {
    query: ({ text }: Statement) => query(text) ?? Promise.resolve(ofStart(text)),
    connect: () => Promise.resolve(),
    end,
    unref,
    on: () => {},
  };
  const store = await openStoreOver(() => Promise.resolve(client), {
    url: 'postgres://user:password@db/bots',
    account: 'paper:main',
    env: { clock, timers, log: silentLog },
  });
  return { store, advanceTo: (time: number) => virtual.queue.advanceTo(time) };
}

test('a close waits for what a hanging database writes as long as it may', async () => {
  let ended = 0;
  const { store, advanceTo } = await openJournalOver({
    query: (text) =>
      text.includes('trimtab.facts') && text.startsWith('INSERT')
        ? new Promise(() => {})
        : undefined,
    end: () => Promise.resolve(void ended++),
  });
  void store.setMeta('name', 'value');
  const closing = store.close(700);
  await advanceTo(1_000_699);
  expect(ended).toBe(0);
  await advanceTo(1_000_700);
  await closing;
  expect(ended).toBe(1);
});

test('a close does not wait for the goodbye of a database that has vanished', async () => {
  let ended = 0;
  let isHolding = true;
  const { store, advanceTo } = await openJournalOver({
    end() {
      ended++;
      return new Promise(() => {});
    },
    unref: () => void (isHolding = false),
  });
  let isClosed = false;
  void Promise.resolve(store.close(700)).then(() => (isClosed = true));
  for (let tick = 0; tick < 20; tick++) await Promise.resolve();
  expect(ended).toBe(1);
  await advanceTo(1_000_699);
  expect(isClosed).toBe(false);
  await advanceTo(1_000_700);
  for (let tick = 0; tick < 20; tick++) await Promise.resolve();
  // The connection is still there, and keeps no process alive.
  expect([isClosed, isHolding]).toEqual([true, false]);
});

test('a close has for the goodbye what the last writes left of its time', async () => {
  let isClosed = false;
  const { store, advanceTo } = await openJournalOver({
    query: (text) =>
      text.startsWith('INSERT INTO trimtab.facts') ? new Promise(() => {}) : undefined,
    end: () => new Promise(() => {}),
  });
  void store.setMeta('name', 'value');
  void Promise.resolve(store.close(700)).then(() => (isClosed = true));
  const isClosedAt = async (ms: number): Promise<boolean> => {
    await nextTurn();
    advanceTo(1_000_000 + ms);
    await nextTurn();
    return isClosed;
  };
  expect([await isClosedAt(700), await isClosedAt(799), await isClosedAt(800)]).toEqual([
    false,
    false,
    true,
  ]);
});

test('what the database refuses to take is in memory as it was before, and so is all that comes after', async () => {
  let isFull = false;
  const { store } = await openJournalOver({
    query: (text) =>
      isFull && text.includes('INSERT')
        ? Promise.reject(Object.assign(new Error('no room'), { code: '42501' }))
        : undefined,
    end: () => Promise.resolve(),
  });
  const latchOf = (value: string) => ({ value, reason: `for ${value}`, time: 5 });
  const write = (value: string) => [
    store.writeState('ema', value),
    store.setMeta('account', value),
    store.setLatch('kill', latchOf(value)),
  ];
  await Promise.all(write('first'));
  isFull = true;
  const all = [
    ...write('second'),
    store.writeState('pair', 'second'),
    store.setMeta('other', 'second'),
    store.setLatch('pause', latchOf('second')),
  ];
  const results = await Promise.allSettled(all);
  expect(results.map(({ status }) => status)).toEqual(all.map(() => 'rejected'));
  await expect(store.setMeta('account', 'third')).rejects.toMatchObject({ code: 'broken' });
  expect([store.readState('ema'), store.readState('pair')]).toEqual(['first', undefined]);
  expect([store.meta('account'), store.meta('other')]).toEqual(['first', undefined]);
  expect(store.latches()).toEqual([{ name: 'kill', ...latchOf('first') }]);
  expect(store.latch('pause')).toBeUndefined();
});

test('a connection that comes back after the close is ended, and leaves the account free', async () => {
  const { clock, timers, queue } = createVirtualEnv({ startTime: 1_000_000 });
  const back = Promise.withResolvers<void>();
  const ended: number[] = [];
  let connections = 0;
  const session = await createWriterSession({
    async connect() {
      const place = ++connections;
      // The database is away until the session has been closed.
      if (place > 1) await back.promise;
      return {
        query({ text }: Statement) {
          if (place === 1 && text === WRITE.text)
            return Promise.reject(Object.assign(new Error('terminated'), { code: '57P01' }));
          return Promise.resolve(text.includes('SET seen') ? row({}) : ofStart(text));
        },
        connect: () => Promise.resolve(),
        end: () => Promise.resolve(void ended.push(place)),
        on: () => {},
      };
    },
    url: 'postgres://user:password@db/bots',
    account: 'paper:main',
    env: { clock, timers, log: silentLog },
    synchronous: true,
    giveUpAfterMs: 30_000,
    onLost: () => {},
  });
  const writing = session.run(WRITE).catch(() => {});
  await nextTurn();
  expect(connections).toBe(2);
  await session.close();
  back.resolve();
  for (let turn = 0; turn < 5; turn++) {
    await nextTurn();
    queue.advanceTo(queue.now() + 1_000);
  }
  await writing;
  expect(ended).toContain(2);
});
