import { existsSync, readFileSync } from 'node:fs';
import { damaged } from './toJournalFault.ts';

const HEADER = 32;
const FRAME_HEADER = 24;
/** The last bit: whether checksums read big-endian words. */
const MAGIC = 0x377f0682;

/**
 * SQLite takes the first wrong page of its log for the end of it, silently, and drops every append after it.
 * That is right for the one append that was in flight when the power failed, whose pages may have reached the
 * disk in any order. More than one append after a wrong page means that some of them had been durable and are
 * damaged, and the intents that they recorded as sent may have been sent.
 *
 * @throws JournalFault `damaged`
 * @see https://www.sqlite.org/fileformat2.html#walformat
 */
export function requireWholeLog(path: string): void {
  const log = existsSync(`${path}-wal`) ? readFileSync(`${path}-wal`) : Buffer.alloc(0);
  const frames = readFrames(log);
  const wrong = frames.findIndex(({ isRight }) => !isRight);
  if (wrong === -1) return;
  const lost = frames.slice(wrong).filter(({ isOfThisLog }) => isOfThisLog);
  const firstCommit = lost.findIndex(({ isCommit }) => isCommit);
  if (firstCommit === -1 || firstCommit === lost.length - 1) return;
  throw damaged(path, `its log is wrong in page ${wrong + 1}, with whole appends behind it`);
}

interface Frame {
  /** Its checksum depends on everything before it. */
  isRight: boolean;
  /** Not a page of an earlier log that this one overwrites. */
  isOfThisLog: boolean;
  /** The last page of an append. */
  isCommit: boolean;
}

function readFrames(log: Buffer): Frame[] {
  if (log.length < HEADER || (log.readUInt32BE(0) & ~1) !== MAGIC) return [];
  const size = FRAME_HEADER + log.readUInt32BE(8);
  const isBigEndian = (log.readUInt32BE(0) & 1) === 1;
  const salts = log.subarray(16, 24);
  const frames: Frame[] = [];
  let sum: Sum = [log.readUInt32BE(24), log.readUInt32BE(28)];
  let isRight = size > FRAME_HEADER;
  for (let at = HEADER; at + size <= log.length; at += size) {
    const frame = log.subarray(at, at + size);
    const isOfThisLog = salts.equals(frame.subarray(8, 16));
    if (isRight) {
      sum = add(sum, frame.subarray(0, 8), isBigEndian);
      sum = add(sum, frame.subarray(FRAME_HEADER), isBigEndian);
      isRight =
        isOfThisLog && sum[0] === frame.readUInt32BE(16) && sum[1] === frame.readUInt32BE(20);
    }
    frames.push({ isRight, isOfThisLog, isCommit: frame.readUInt32BE(4) !== 0 });
  }
  return frames;
}

type Sum = readonly [number, number];

function add([first, second]: Sum, bytes: Buffer, isBigEndian: boolean): Sum {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  for (let at = 0; at < bytes.length; at += 8) {
    first = (first + view.getUint32(at, !isBigEndian) + second) >>> 0;
    second = (second + view.getUint32(at + 4, !isBigEndian) + first) >>> 0;
  }
  return [first, second];
}
