import { createHash } from 'node:crypto';
import { after } from '../../src/env/index.ts';
import {
  createMemoryStore,
  type JournalAppend,
  type JournalStore,
} from '../../src/journal/index.ts';
import type { InvariantChecker } from './createInvariantChecker.ts';
import { never, type SimProcess } from './SimProcess.ts';
import type { Simulation } from './Simulation.ts';

/** The disk under the journal: durable content survives the process. */
export interface SimDisk {
  /** The journal as a process sees it. */
  open(process: SimProcess): JournalStore;
  /** All that is durable after a crash now, and what was retired. */
  readonly durable: JournalStore;
  setFull(full: boolean): void;
}

type Write =
  | { kind: 'append'; append: JournalAppend }
  | { kind: 'compact'; request: Parameters<JournalStore['compact']>[0] }
  | { kind: 'other'; apply(store: JournalStore): unknown };

export function createSimDisk(sim: Simulation, checker: InvariantChecker): SimDisk {
  const durable = createMemoryStore();
  /** The same without what was retired. */
  const content = createMemoryStore();
  const log: Write[] = [];
  const random = sim.random('disk');
  const isGrouped = sim.scenario.bot.disk === 'grouped';
  let full = false;
  let busyUntil = 0;

  const apply = (store: JournalStore, write: Write): void => {
    if (write.kind === 'append') void store.append(write.append);
    else if (write.kind === 'compact') void store.compact(write.request);
    else write.apply(store);
  };
  const commit = (process: SimProcess, write: Write): void => {
    try {
      if (write.kind !== 'compact') apply(durable, write);
      apply(content, write);
    } catch (error) {
      sim.violate('journal_refused', String(error));
      throw error;
    }
    log.push(write);
    if (write.kind === 'append') checker.durable(write.append, process);
  };

  /** Recovery reads the log again, and must give the same state. */
  function reread(): JournalStore {
    const view = createMemoryStore();
    for (const write of log) apply(view, write);
    if (digestOf(view) !== digestOf(content)) sim.violate('replay_differs', 'journal state');
    return view;
  }

  function writeSync(process: SimProcess, write: Write): void | Promise<void> {
    commit(process, write);
    return process.passes('after_append') ? undefined : never();
  }

  /** Processes that lost a write: their later writes are lost too, since writes become durable in order. */
  const cutOff = new WeakSet<SimProcess>();

  /** Durable some time later; a crash in between may lose it. */
  function writeLater(process: SimProcess, view: JournalStore, write: Write): Promise<void> {
    apply(view, write);
    const takesMs = 1 + Math.floor(random.next() * 15);
    // Group commit: a write waits for earlier ones and shares its commit.
    busyUntil = isGrouped
      ? Math.max(busyUntil, sim.queue.now() + takesMs)
      : Math.max(busyUntil, sim.queue.now()) + takesMs;
    const survives = random.next() < 0.5;
    const { promise, resolve } = Promise.withResolvers<void>();
    sim.queue.at(busyUntil, () => {
      if (!process.alive && !survives) cutOff.add(process);
      if (cutOff.has(process)) return;
      commit(process, write);
      process.takes(() => {
        if (process.passes('after_append')) resolve();
      });
    });
    return promise;
  }

  return {
    durable,
    setFull(next) {
      full = next;
    },
    open(process) {
      const inTime = sim.scenario.bot.disk === 'sync';
      const view = inTime ? content : reread();
      if (inTime) reread();
      let isClosed = false;
      const write = (one: Write): void | Promise<void> => {
        if (isClosed && process.alive) sim.violate('write_after_close', JSON.stringify(one));
        if (!process.alive || !process.passes('before_append')) return never();
        if (full) throw new Error('ENOSPC: no space left on device, write');
        if (one.kind === 'append') checker.appending(one.append, process.index);
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
        compact(request) {
          const before = view.intents().length;
          return after(write({ kind: 'compact', request }), () => before - view.intents().length);
        },
        close() {
          isClosed = true;
        },
      };
    },
  };
}

export function digestOf(store: JournalStore): string {
  const rows = store.intents().map(({ key, state }) => [key, state, store.entries(key)]);
  return createHash('sha1').update(JSON.stringify(rows)).digest('hex');
}
