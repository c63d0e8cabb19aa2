import { appendFileSync, closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { createSqliteStore } from '../../../src/journal/index.ts';
import type { Boundary } from '../boundaries.ts';
import {
  pass,
  throughBoundaries,
  type MortalOptions,
  type MortalStore,
  type MortalWrite,
} from './MortalStore.ts';

/** A page of the log with its header. */
const FRAME = 4_096 + 24;

/** A journal in a file: a write that is cut short leaves half a page in the log. */
export function createMortalFile(path: string, options: MortalOptions): MortalStore {
  const { durability, reach } = options;
  /** Boundaries that the write under way passes before its commit. */
  let uncommitted: readonly Boundary[] = [];
  const store = createSqliteStore(path, durability, () => {
    for (const boundary of uncommitted) {
      if (!reach.arrives(boundary)) continue;
      tear(`${path}-wal`);
      reach.die(boundary);
    }
  });
  const write: MortalWrite = ({ before, after }, run) => {
    uncommitted = before;
    const result = run();
    uncommitted = [];
    pass(after, options);
    return result;
  };
  return {
    store: throughBoundaries(store, durability, write),
    isSending: (key) => store.stateOf(key) === 'sending',
  };
}

/** The first half of a page after the log's last one, as an interrupted write leaves it. */
function tear(log: string): void {
  const file = openSync(log, 'r');
  const half = Buffer.alloc(FRAME / 2);
  try {
    readSync(file, half, 0, half.length, Math.max(0, fstatSync(file).size - FRAME));
  } finally {
    closeSync(file);
  }
  appendFileSync(log, half);
}
