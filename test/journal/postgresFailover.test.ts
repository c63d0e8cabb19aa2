import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { createLiveEnv, pause, silentLog } from '../../src/env/index.ts';
import type { JournalFault, JournalStore } from '../../src/journal/index.ts';
import { createPostgresStore } from '../../src/journal/postgres/index.ts';
import { startServer } from '../backtest/sweep/startPooler.ts';
import { contentOf, journalOn, openIntent } from './journalRows.ts';

const BEAT_MS = 5_000;
const live = createLiveEnv({ log: silentLog });
/** The heartbeat of five seconds comes at once. */
const after: typeof live.timers.after = (ms, run) =>
  live.timers.after(ms === BEAT_MS ? 20 : ms, run);
const env = { ...live, timers: { ...live.timers, after } };

/** A journal on a server whose data can be replaced by an earlier copy, as when a replica takes over. */
async function setUp() {
  const { server, port, folder } = await startServer();
  const copy = `${folder}-copy`;
  onTestFinished(() => rmSync(copy, { recursive: true, force: true }));
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  const lost: JournalFault[] = [];
  const open = () =>
    createPostgresStore({ url, account: 'a', env, onLost: (fault) => lost.push(fault) });
  return {
    open,
    lost,
    /** The server stops, its data is copied, and it starts again. */
    async copyData() {
      await server.stop();
      replace(copy, folder);
      await server.start();
    },
    /** The copy takes the server's place. */
    async takeOver() {
      await server.stop();
      replace(folder, copy);
      await server.start();
    },
  };
}

/** With owners and rights, which the server insists on. */
function replace(folder: string, source: string): void {
  rmSync(folder, { recursive: true, force: true });
  execFileSync('cp', ['-a', source, folder]);
}

const WRITES: Readonly<Record<string, (store: JournalStore) => unknown>> = {
  'an intent': (store) => openIntent(journalOn(store), 'b', ['emitted', 'guarded']),
  'a step': (store) => journalOn(store).record('a', [{ state: 'sending' }]),
  'a state': (store) => store.writeState('ema', '2'),
  'a fact': (store) => store.setMeta('account', 'two'),
  'a latch': (store) => store.setLatch('kill', { value: 'L3', reason: 'test', time: 2 }),
};

test(
  'a database that a copy without what was acknowledged has replaced is noticed, and nothing more is written',
  { timeout: 300_000 },
  async () => {
    const { open, lost, copyData, takeOver } = await setUp();
    const first = await open();
    await openIntent(journalOn(first), 'a', ['emitted', 'guarded']);
    await first.writeState('ema', '1');
    await first.close();
    for (const [what, write] of Object.entries(WRITES)) {
      const store = await open();
      await copyData();
      await write(store);
      await pause(live.timers, 200);
      await takeOver();
      const next = openIntent(journalOn(store), 'c', ['emitted']);
      await expect(next, what).rejects.toMatchObject({
        code: 'damaged',
        message: expect.stringMatching(/^The database of a lacks what it had acknowledged/),
      });
      expect(lost.map(({ code }) => code)).toEqual(['damaged']);
      lost.length = 0;
      await store.close();
    }
  },
);

test(
  'a database that a whole copy has replaced, or that was started again, is written on',
  { timeout: 300_000 },
  async () => {
    const { open, lost, copyData, takeOver } = await setUp();
    const store = await open();
    await openIntent(journalOn(store), 'a', ['emitted', 'guarded']);
    for (const [what, write] of Object.entries(WRITES)) {
      await write(store);
      await copyData();
      await takeOver();
      const before = contentOf(store);
      await openIntent(journalOn(store), `after ${what}`, ['emitted', 'denied']);
      expect(store.holds(`after ${what}`)).toBe(true);
      expect(contentOf(store)).not.toEqual(before);
    }
    // What was written last has been retired since.
    await store.compact({ olderThan: Number.MAX_SAFE_INTEGER });
    await copyData();
    await openIntent(journalOn(store), 'z', ['emitted']);
    const all = contentOf(store);
    await store.close();
    const again = await open();
    expect(contentOf(again)).toEqual(all);
    await again.close();
    expect(lost).toEqual([]);
  },
);
