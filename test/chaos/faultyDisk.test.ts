import { execFile, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import {
  createMemoryStore,
  createSqliteStore,
  JournalFault,
  type JournalStore,
} from '../../src/journal/index.ts';
import { contentOf } from '../journal/journalRows.ts';
import { isFull, rotated, rotation } from '../tiers.ts';
import { drawOperations, type Operation } from './disk/journalOperations.ts';

const FOLDER = join(import.meta.dirname, 'disk');
const COUNT = 40;
const KEYS = Array.from({ length: COUNT }, (_none, at) => `k${at}`);
const SEEDS = isFull ? 6 : 1;
/** Cuts of each seed, as many again while the file is created, and other faults of each kind. */
const [CUTS, OTHERS] = isFull ? [30, 12] : [7, 3];
/** Calls of a first opening, in which the file is created. */
const CREATION = 45;

// In memory if available: the shim alone says what is durable.
const place = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'trimtab-platter-'));
const shim = join(place, 'faultyDisk.so');
const missing = compile();
afterAll(() => rmSync(place, { recursive: true }));

/** @returns why it can't be compiled here; empty if it was */
function compile(): string {
  const flags = ['-O1', '-Wall', '-Wextra', '-Werror', '-shared', '-fPIC', '-o', shim];
  const { status, stderr, error } = spawnSync('cc', [
    ...flags,
    join(FOLDER, 'faultyDisk.c'),
    '-ldl',
  ]);
  if (error === undefined && status === 0) return '';
  const reason = `: a disk that fails needs a C compiler and Linux (${error?.message ?? String(stderr)})`;
  if (process.env.CI === 'true')
    test('the compiler that these tests need', () => expect.fail(reason));
  return reason;
}

interface Outcome {
  /** What the process said: `12 begins`, `12 done`, `12 failed full`. */
  lines: string[];
  /** The file as a start finds it after the cut: its content, or the code of a refusal. */
  found: string;
  /** Calls that changed something and syncs, of a run that came to its end. */
  calls: number;
  syncs: number;
}

let runs = 0;
async function write(seed: number, fault: string, chance: number, count = COUNT): Promise<Outcome> {
  const own = join(place, String(runs++));
  const [folder, aside] = [join(own, 'disk'), join(own, 'aside')];
  for (const each of [folder, aside]) mkdirSync(each, { recursive: true });
  const env = {
    ...process.env,
    LD_PRELOAD: shim,
    FAULTY_DISK_FOLDER: folder,
    FAULTY_DISK_ASIDE: aside,
    FAULTY_DISK_FAULT: fault,
    FAULTY_DISK_SEED: String(chance),
  };
  const program = join(FOLDER, 'writeJournal.ts');
  const args = ['--conditions=trimtab-source', program, folder, String(seed), String(count)];
  const ended = await new Promise<{ signal: unknown; stdout: string; stderr: string }>(
    (resolve) => {
      execFile(process.execPath, args, { env }, (error, stdout, stderr) =>
        resolve({ signal: error?.signal, stdout, stderr }),
      );
    },
  );
  // It always ends by a cut.
  expect(ended.signal, `${fault}: ${ended.stderr}`).toBe('SIGKILL');
  const lines = ended.stdout.split('\n').filter((line) => line !== '');
  const counted = join(folder, 'count');
  const [calls = 0, syncs = 0] = existsSync(counted)
    ? readFileSync(counted, 'utf8').split(' ').map(Number)
    : [];
  const found = reopen(join(folder, 'journal.sqlite'));
  rmSync(own, { recursive: true });
  return { lines, found, calls, syncs };
}

function reopen(path: string): string {
  try {
    const store = createSqliteStore(path);
    try {
      return described(store);
    } finally {
      void store.close();
    }
  } catch (error) {
    if (error instanceof JournalFault) return `refused: ${error.message}`;
    throw error;
  }
}

/** All that it says, and which decisions it holds, compacted ones included. */
const described = (store: JournalStore): string =>
  JSON.stringify([contentOf(store), KEYS.filter((key) => store.holds(key))]);

/**
 * Contents that the file may have: all that was acknowledged, in its order, with or without what had begun when the
 * power went, and what failed in a way that leaves it open.
 */
function allowed(operations: readonly Operation[], lines: readonly string[]): string[] {
  const ends = new Map(
    lines.map((line) => line.split(' ')).map(([at, ...end]) => [at, end.join(' ')]),
  );
  let lists: Array<Array<Exclude<Operation, string>>> = [[]];
  for (const [at, operation] of operations.entries()) {
    const end = ends.get(String(at));
    if (end === undefined || typeof operation === 'string') continue;
    const isOpen = end === 'begins' || end === 'failed unreachable';
    if (end !== 'done' && !isOpen) continue;
    lists = lists.flatMap((list) => [...(isOpen ? [list] : []), [...list, operation]]);
  }
  return lists.flatMap((carriedOut) => {
    const store = createMemoryStore();
    try {
      for (const each of carriedOut) each(store);
      return [described(store)];
    } catch {
      return [];
    }
  });
}

/** Whether the journal took anything after a sync of it failed, before it was opened again. */
function goesOn(operations: readonly Operation[], lines: readonly string[]): boolean {
  let isBroken = false;
  return lines.some((line) => {
    const [at, end, code] = line.split(' ');
    if (operations[Number(at)] === 'checkpoint' || at === 'close') return false;
    const before = isBroken;
    isBroken = at !== 'open' && (isBroken || (end === 'failed' && code === 'unreachable'));
    return before && isBroken && end === 'done';
  });
}

const seeds = Array.from({ length: SEEDS }, (_none, at) => (isFull ? at : rotation * SEEDS + at));

describe.skipIf(missing !== '').each(seeds)(
  `a journal on a disk that fails, seed %i${missing}`,
  (seed) => {
    const operations = drawOperations(seed, COUNT);
    /** Places all over the run, others with each seed. */
    const spread = (calls: number, count: number): number[] =>
      Array.from(
        { length: count },
        (_none, at) => 1 + Math.floor(((at + (seed % 7) / 7) * calls) / count),
      );

    test('has what was acknowledged after a cut at any call', { timeout: 300_000 }, async () => {
      const { calls, found, lines } = await write(seed, '', 0);
      expect(allowed(operations, lines)).toContain(found);
      for (const at of [...spread(CREATION, CUTS), ...spread(calls, CUTS)]) {
        const cut = await write(seed, `cut ${at}`, at);
        expect(allowed(operations, cut.lines), `cut ${at}: ${cut.lines.at(-1)}`).toContain(
          cut.found,
        );
      }
    });

    test.each(['error', 'sync', 'full', 'short'])(
      'has what was acknowledged after a call that fails (%s), and a cut',
      { timeout: 300_000 },
      async (kind) => {
        const { calls, syncs } = await write(seed, '', 0);
        for (const at of spread(kind === 'sync' ? syncs : calls, OTHERS)) {
          const after = await write(seed, `${kind} ${at}`, at);
          const said = `${kind} ${at}: ${after.lines.filter((line) => line.includes('failed')).join(', ')}`;
          expect(allowed(operations, after.lines), said).toContain(after.found);
          if (kind === 'sync') expect(goesOn(operations, after.lines), said).toBe(false);
        }
      },
    );
  },
);

test.skipIf(missing !== '')(
  'a journal outlives every sync that fails while it is opened, and every call that fails while it is created',
  { timeout: 300_000 },
  async () => {
    let seed = 0;
    while (drawOperations(seed, 3)[1] !== 'reopen') seed++;
    const operations = drawOperations(seed, 3);
    const { syncs } = await write(seed, '', 0, 3);
    const each = (count: number, kind: string) =>
      Array.from({ length: count }, (_none, at) => `${kind} ${at + 1}`);
    const faults = [...each(syncs, 'sync'), ...rotated(each(CREATION, 'error'), 6)];
    for (const [at, fault] of faults.entries()) {
      const { lines, found } = await write(seed, fault, at, 3);
      expect(allowed(operations, lines), `${fault}: ${lines.join(', ')}`).toContain(found);
    }
  },
);
