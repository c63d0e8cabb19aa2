import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createSqliteStore, JournalFault, type Durability } from '../../src/journal/index.ts';
import { contentOf, journalOn, openIntent } from '../journal/journalRows.ts';
import { isFull } from '../tiers.ts';

/** The rest of a file after a crash: missing, or zeros. */
const TEARS = {
  'cut off': (bytes: Buffer, at: number) => bytes.subarray(0, at),
  'full of zeros': (bytes: Buffer, at: number) =>
    Buffer.concat([bytes.subarray(0, at), Buffer.alloc(bytes.length - at)]),
} as const;
const tears = Object.entries(TEARS);
/**
 * \`TRIMTAB_CHAOS=full\` tears at every byte; otherwise at every seventh, which covers every field of a
 * page.
 */
const STEP = isFull || process.env.TRIMTAB_CHAOS === 'full' ? 1 : 29;

// In memory if available: thousands of opens would otherwise wait for the disk.
const place = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();
const directory = mkdtempSync(join(place, 'trimtab-torn-'));
afterAll(() => rmSync(directory, { recursive: true }));
const path = join(directory, 'torn.sqlite');
const PAGE = 4_096;
const FRAME = PAGE + 24;

/** Content of the journal after each append, and the end of its log. */
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

/** Opens the remains as a restart would: returns the content, or the refusal. */
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

/** Thousands of opens, on a possibly busy machine. */
vi.setConfig({ testTimeout: 180_000 });

/** The appends that were complete at this length of the log; before the first one it only names its writer. */
const wholeUntil = (at: number) =>
  (after.filter(({ logEnd }) => logEnd <= at).at(-1) ?? after[0]!).content;
const last = () => after.at(-1)!.content;

describe.each(tears)('torn, the rest %s', (_name, tear) => {
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

test('any single corrupted page: the journal is intact or refused', () => {
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
