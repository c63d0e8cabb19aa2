import { closeSync, readSync } from 'node:fs';
import { openRegularFile } from '../../env/index.ts';

export interface FileRow {
  /** From 1. */
  number: number;
  /** Without its end of line. */
  bytes: Buffer;
  /** False for the file's last row where it has no end of line. */
  isEnded: boolean;
}

const PIECE_BYTES = 1_048_576;
/** Nothing that is recorded takes so much: a file without rows is told here, and not where the memory ends. */
const LONGEST_ROW = 64 * PIECE_BYTES;
const END_OF_LINE = 0x0a;

/**
 * The rows of a file, one after another: memory holds a piece of it, however long it is. They come at once
 * and not in promises, because a strategy that is replayed takes its next input within a call.
 *
 * @throws the operating system's error where the file can't be read; RangeError with the number of a row that
 * is longer than any that is recorded
 */
export function* readRows(path: string): Generator<FileRow, void, undefined> {
  const file = openRegularFile(path);
  try {
    let number = 0;
    let begun: Buffer[] = [];
    let begunBytes = 0;
    for (;;) {
      const piece = Buffer.allocUnsafe(PIECE_BYTES);
      const length = readSync(file, piece, 0, PIECE_BYTES, null);
      if (length === 0) break;
      let from = 0;
      for (;;) {
        const end = piece.indexOf(END_OF_LINE, from);
        if (end === -1 || end >= length) break;
        const rest = piece.subarray(from, end);
        const bytes = begunBytes === 0 ? rest : Buffer.concat([...begun, rest]);
        yield { number: ++number, bytes, isEnded: true };
        [begun, begunBytes, from] = [[], 0, end + 1];
      }
      begun.push(piece.subarray(from, length));
      begunBytes += length - from;
      if (begunBytes > LONGEST_ROW) {
        throw new RangeError(`line ${number + 1} is longer than ${LONGEST_ROW / PIECE_BYTES} MiB`);
      }
    }
    if (begunBytes > 0) yield { number: ++number, bytes: Buffer.concat(begun), isEnded: false };
  } finally {
    closeSync(file);
  }
}
