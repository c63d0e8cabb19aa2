import { closeSync, readSync } from 'node:fs';
import { openRegularFile } from '../../env/index.ts';

export interface FileRow {
  /** From 1. */
  number: number;
  /** Without its end of line. */
  bytes: Buffer;
  /** False for the file's last row if it has no end of line. */
  isEnded: boolean;
}

const PIECE_BYTES = 1_048_576;
/** No recorded row is that long: a file without rows fails here, before memory runs out. */
const LONGEST_ROW = 64 * PIECE_BYTES;
const END_OF_LINE = 0x0a;

/**
 * The rows of a file, one after another: memory holds only a piece of it, for any length. They are read
 * synchronously, because a replayed strategy takes its next input within a call.
 *
 * @throws the operating system's error if the file can't be read; RangeError with the number of a row
 *   that is longer than any that is recorded
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
