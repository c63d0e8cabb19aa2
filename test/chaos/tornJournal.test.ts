import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createSqliteStore, JournalFault, type Durability } from '../../src/journal/index.ts';
import { contentOf, journalOn, openIntent } from '../journal/journalRows.ts';
import { isFull } from '../tiers.ts';

/** What a crash may leave of a file from one byte on: nothing, or zeros that were never written. */
const TEARS = {
  'cut off': (bytes: Buffer, at: number) => bytes.subarray(0, at),
  'full of zeros': (bytes: Buffer, at: number) =>
    Buffer.concat([bytes.subarray(0, at), Buffer.alloc(bytes.length - at)]),
} as const;
const tears = Object.entries(TEARS);
/** \`TRIMTAB_CHAOS=full\` tears at every byte; else at every seventh, which meets every field of a page. */
const STEP = isFull || process.env.TRIMTAB_CHAOS === 'full' ? 1 : 7;

// In memory where the system has that: thousands of openings would wait for the disk otherwise.
const place = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();
const directory = mkdtempSync(join(place, 'trimtab-torn-'));
afterAll(() => rmSync(directory, { recursive: true }));
const path = join(directory, 'torn.sqlite');
const PAGE = 4_096;
const FRAME = PAGE + 24;

/** What the journal said after each append, and where its log ended then. */
const after: Array<{ content: string; logEnd: number }> = [];
let main: Buffer;
let log: Buffer;
/** The same journal, closed: all in the database, no log. */
let whole: Buffer;

beforeAll(async () => {
  const source = join(directory, 'source.sqlite');
  const first = createSqliteStore(source, 'process');
  const journal = journalOn(first);
  for (let n = 0; n < 30; n++) {
    await openIntent(journal, `a${n}`, ['emitted', 'guarded'], { text: 'x'.repeat(n * 20) });
    await journal.record(`a${n}`, [{ state: 'sending' }, { state: 'accepted' }]);
  }
  void first.setLatch('kill', { value: 'L0', reason: 'start', time: 1 });
  void first.setMeta('account', 'one');
  void first.writeState('ema', '{"n":1}');
  await first.close();

  const store = createSqliteStore(source, 'process');
  const more = journalOn(store);
  const note = () => {
    after.push({
      content: JSON.stringify(contentOf(store)),
      logEnd: statSync(`${source}-wal`).size,
    });
  };
  note();
  for (let n = 0; n < 4; n++) {
    await openIntent(more, `b${n}`, ['emitted', 'guarded', 'sending'], { text: 'y'.repeat(n * 9) });
    note();
    await more.record(`b${n}`, [{ state: n % 2 === 0 ? 'accepted' : 'unknown' }]);
    note();
  }
  main = readFileSync(source);
  log = readFileSync(`${source}-wal`);
  await store.close();
  whole = readFileSync(source);
});

/** Opens what is left, as a restart would: its content, or that it was refused. */
function reopen(database: Buffer, wal?: Buffer, durability: Durability = 'process'): string {
  for (const ending of ['-wal', '-shm']) rmSync(path + ending, { force: true });
  writeFileSync(path, database);
  if (wal !== undefined) writeFileSync(`${path}-wal`, wal);
  try {
    const store = createSqliteStore(path, durability);
    try {
      return JSON.stringify(contentOf(store));
    } finally {
      void store.close();
    }
  } catch (error) {
    if (!(error instanceof JournalFault) || !['damaged', 'foreign'].includes(error.code))
      throw error;
    expect(error.message).toContain(path);
    return error.code;
  }
}

/** Thousands of openings, on a machine that may have other work. */
vi.setConfig({ testTimeout: 180_000 });

/** What was complete when the log ended there; before its first append, the log only named its writer. */
const wholeUntil = (at: number) =>
  (after.filter(({ logEnd }) => logEnd <= at).at(-1) ?? after[0]!).content;
const last = () => after.at(-1)!.content;

describe.each(tears)('torn, its rest %s', (_name, tear) => {
  test('the log, at each byte of its last page: every whole append is there, and no other', () => {
    for (let at = log.length - 1; at >= log.length - FRAME; at -= STEP) {
      expect(reopen(main, tear(log, at)) === wholeUntil(at), `byte ${at}`).toBe(true);
    }
  });

  test('the log, anywhere: every append before the tear is there, and no other', () => {
    for (let at = log.length; at >= 0; at -= 43 * STEP) {
      expect(reopen(main, tear(log, at)) === wholeUntil(at), `byte ${at}`).toBe(true);
    }
  });

  test('the database, at each byte of its last page: it is whole, or it is refused', () => {
    let refused = 0;
    for (let at = whole.length - 1; at >= whole.length - PAGE; at -= STEP) {
      const found = reopen(tear(whole, at));
      if (found === 'damaged') refused++;
      else expect(found === last(), `byte ${at}`).toBe(true);
    }
    expect(refused).toBeGreaterThan(PAGE / 4 / STEP);
  });

  test('the database under a log that has its newest pages: nothing is lost, or it is refused', () => {
    for (let at = main.length - 1; at >= main.length - PAGE; at -= STEP) {
      const found = reopen(tear(main, at), log);
      if (found !== 'damaged') expect(found === last(), `byte ${at}`).toBe(true);
    }
  });
});

test('one page full of rubbish, whichever it is: the journal is whole, or it is refused', () => {
  let refused = 0;
  const pages = whole.length / PAGE;
  for (let page = 0; page < pages; page++) {
    for (let from = 0; from < PAGE; from += 173) {
      const spoilt = Buffer.from(whole);
      spoilt.fill(page % 2 === 0 ? 0x00 : 0xa5, page * PAGE + from, (page + 1) * PAGE);
      const found = reopen(spoilt);
      if (found === 'damaged' || found === 'foreign') refused++;
      else expect(found === last(), `page ${page} from ${from}`).toBe(true);
    }
  }
  expect(refused).toBeGreaterThan(pages);
});

test('a log with a wrong page under later appends is refused: those appends were durable', () => {
  const frames = (log.length - 32) / FRAME;
  const lastStart = (after.at(-2)!.logEnd - 32) / FRAME;
  for (let frame = 0; frame < frames; frame++) {
    const spoilt = Buffer.from(log);
    spoilt[32 + frame * FRAME + 24 + 100]! ^= 0xff;
    const found = reopen(main, spoilt, 'power');
    if (frame >= lastStart) expect(found === wholeUntil(after.at(-2)!.logEnd)).toBe(true);
    else if (frame < lastStart - 1) expect(found, `page ${frame}`).toBe('damaged');
  }
  expect(reopen(main, log, 'power') === last()).toBe(true);
});
