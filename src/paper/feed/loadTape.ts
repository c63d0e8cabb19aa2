import type { FeedProblem, FeedResult } from './FeedProblem.ts';
import { parseBook } from './parseBook.ts';
import { parseTrades } from './parseTrades.ts';
import { readPlainFile } from './readPlainFile.ts';
import type { BookTape } from './Tape.ts';
import type { Recorded } from './withTape.ts';

/** Files of one market's recording. */
export interface TapeFiles {
  trades?: string | undefined;
  book?: string | undefined;
  /** The whole book to which a depth stream applies. */
  snapshot?: string | undefined;
}

/** Loads trades and book, CSV, plain or `.gz`, in the formats of exchanges and recorders. */
export async function loadTape(files: TapeFiles): Promise<FeedResult<Recorded>> {
  const recorded: Recorded = { trades: null, book: null };
  let clockOffsetMs: number | null = null;
  if (files.trades !== undefined) {
    const read = await readPlainFile(files.trades, '`trades` or --trades');
    if (!read.ok) return read;
    const parsed = parseTrades(read.value, files.trades);
    if (!parsed.ok) return parsed;
    recorded.trades = parsed.value.tape;
    ({ clockOffsetMs } = parsed.value);
  }
  if (files.book !== undefined) {
    const book = await loadBook(files.book, files.snapshot, clockOffsetMs);
    if (!book.ok) return book;
    recorded.book = book.value;
  }
  return { ok: true, value: recorded };
}

async function loadBook(
  file: string,
  snapshotFile: string | undefined,
  clockOffsetMs: number | null,
): Promise<FeedResult<BookTape>> {
  const read = await readPlainFile(file, '`book` or --book');
  if (!read.ok) return read;
  const source = { bytes: read.value, file, clockOffsetMs };
  if (snapshotFile === undefined) return parseBook(source);
  const whole = await readPlainFile(snapshotFile, '`snapshot` or --snapshot');
  if (!whole.ok) return whole;
  return parseBook({ ...source, snapshot: { bytes: whole.value, file: snapshotFile } });
}

/** The problem of a recording that covers no whole bar. */
export function coversNothing(files: TapeFiles, interval: string): FeedProblem {
  const message = `covers no complete bar of ${interval}.`;
  const remedy = 'Trades and book must overlap, and reach over two bar boundaries at least.';
  const file = files.trades ?? files.book ?? '';
  return { file, line: null, column: null, value: null, message, remedy };
}
