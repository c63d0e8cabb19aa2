import { createHash } from 'node:crypto';
import {
  createMemoryStore,
  type JournalAppend,
  type JournalStore,
} from '../../src/journal/index.ts';
import type { SimJudge } from './createSimJudge.ts';
import { never, type SimProcess } from './SimProcess.ts';
import type { SimWorld } from './SimWorld.ts';

/** The disk under the journal: what is durable on it outlives the process. */
export interface SimDisk {
  /** The journal as a process sees it. */
  open(process: SimProcess): JournalStore;
  /** What would be found after a crash now. */
  readonly durable: JournalStore;
  setFull(full: boolean): void;
}

type Write =
  | { kind: 'append'; append: JournalAppend }
  | { kind: 'other'; apply(store: JournalStore): unknown };

export function createSimDisk(world: SimWorld, judge: SimJudge): SimDisk {
  const durable = createMemoryStore();
  const log: Write[] = [];
  const random = world.random('disk');
  const isGrouped = world.scenario.bot.disk === 'grouped';
  let full = false;
  let busyUntil = 0;

  const apply = (store: JournalStore, write: Write): void => {
    if (write.kind === 'append') void store.append(write.append);
    else write.apply(store);
  };
  const commit = (process: SimProcess, write: Write): void => {
    try {
      apply(durable, write);
    } catch (error) {
      world.violate('journal_refused', String(error));
      throw error;
    }
    log.push(write);
    if (write.kind === 'append') judge.durable(write.append, !process.alive);
  };

  /** Recovery is reading the log again: it must come to the same. */
  function reread(): JournalStore {
    const view = createMemoryStore();
    for (const write of log) apply(view, write);
    if (digestOf(view) !== digestOf(durable)) world.violate('replay_differs', 'journal state');
    return view;
  }

  function writeSync(process: SimProcess, write: Write): void | Promise<void> {
    commit(process, write);
    return process.passes('after_append') ? undefined : never();
  }

  /** Processes of which a write was lost: writes are made durable in their order, or not at all. */
  const cutOff = new WeakSet<SimProcess>();

  /** Durable some time later; a crash in between loses it, or it was on its way already. */
  function writeLater(process: SimProcess, view: JournalStore, write: Write): Promise<void> {
    apply(view, write);
    const takesMs = 1 + Math.floor(random.next() * 15);
    // In groups: a write waits for those before it, and shares its commit with those beside it.
    busyUntil = isGrouped
      ? Math.max(busyUntil, world.queue.now() + takesMs)
      : Math.max(busyUntil, world.queue.now()) + takesMs;
    const survives = random.next() < 0.5;
    const { promise, resolve } = Promise.withResolvers<void>();
    world.queue.at(busyUntil, () => {
      if (!process.alive && !survives) cutOff.add(process);
      if (cutOff.has(process)) return;
      commit(process, write);
      if (process.passes('after_append')) resolve();
    });
    return promise;
  }

  return {
    durable,
    setFull(next) {
      full = next;
    },
    open(process) {
      const inTime = world.scenario.bot.disk === 'sync';
      const view = inTime ? durable : reread();
      if (inTime) reread();
      const write = (one: Write): void | Promise<void> => {
        if (!process.alive || !process.passes('before_append')) return never();
        if (full) throw new Error('ENOSPC: no space left on device, write');
        if (one.kind === 'append') judge.appending(one.append);
        return inTime ? writeSync(process, one) : writeLater(process, view, one);
      };
      return {
        ...view,
        append: (append) => write({ kind: 'append', append }),
        writeState: (instance, state) =>
          write({ kind: 'other', apply: (store) => store.writeState(instance, state) }),
        setMeta: (key, value) =>
          write({ kind: 'other', apply: (store) => store.setMeta(key, value) }),
        setLatch: (name, latch) =>
          write({ kind: 'other', apply: (store) => store.setLatch(name, latch) }),
        close: () => {},
      };
    },
  };
}

export function digestOf(store: JournalStore): string {
  const rows = store.intents().map(({ key, state }) => [key, state, store.entries(key)]);
  return createHash('sha1').update(JSON.stringify(rows)).digest('hex');
}
