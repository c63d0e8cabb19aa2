import { parseBook } from './parseBook.ts';
import { parseTrades } from './parseTrades.ts';
import { fileFault, type FeedProblem, type FeedResult } from './FeedProblem.ts';
import { readPlainFile } from './readPlainFile.ts';
import type { BookTape } from './Tape.ts';
import { isZip, unzip } from './unzip.ts';
import type { Recorded } from './withTape.ts';

/** Files of one market's recording. */
export interface TapeFiles {
  trades?: string | undefined;
  book?: string | undefined;
  /** The whole book to which a depth stream applies. */
  snapshot?: string | undefined;
}

/** Loads trades and book, CSV, plain, `.gz` or `.zip`, in the formats of exchanges and recorders. */
export async function loadTape(files: TapeFiles): Promise<FeedResult<Recorded>> {
  const recorded: Recorded = { trades: null, book: null };
  let clockOffsetMs: number | null = null;
  if (files.trades !== undefined) {
    const read = await readTapeFile(files.trades, 'of the trades');
    if (!read.ok) return read;
    const parsed = parseTrades(read.value.bytes, read.value.file);
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

/** A file's bytes; of an archive, those of the one file in it, as venues publish a day or a month. */
async function readTapeFile(
  path: string,
  named: string,
): Promise<FeedResult<{ file: string; bytes: Uint8Array }>> {
  const read = await readPlainFile(path, named);
  if (!read.ok) return read;
  const bytes = read.value;
  if (!isZip(bytes)) return { ok: true, value: { file: path, bytes } };
  const entries = await unzip(bytes, path);
  if (!entries.ok) return entries;
  const [only, ...more] = entries.value;
  if (more.length === 0) return { ok: true, value: only! };
  const what = `holds ${entries.value.length} files.`;
  return fileFault(path, what, 'Unpack it, and name the one that is wanted.');
}

async function loadBook(
  file: string,
  snapshotFile: string | undefined,
  clockOffsetMs: number | null,
): Promise<FeedResult<BookTape>> {
  const read = await readTapeFile(file, 'of the book');
  if (!read.ok) return read;
  const source = { ...read.value, clockOffsetMs };
  if (snapshotFile === undefined) return parseBook(source);
  const whole = await readTapeFile(snapshotFile, 'of the snapshot');
  if (!whole.ok) return whole;
  return parseBook({ ...source, snapshot: whole.value });
}

/** The problem of a recording that covers no whole bar. */
export function coversNothing(files: TapeFiles, interval: string): FeedProblem {
  const message = `covers no complete bar of ${interval}.`;
  const remedy = 'Trades and book must overlap, and reach over two bar boundaries at least.';
  const file = files.trades ?? files.book ?? '';
  return { file, line: null, column: null, value: null, message, remedy };
}
