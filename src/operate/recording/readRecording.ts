import { createHash } from 'node:crypto';
import type { RecordedLine } from '../../strategy/recording/index.ts';
import { failed, type RunResult } from '../run/RunFailure.ts';
import { whyUnreadable } from '../whyUnreadable.ts';
import { readRows, type FileRow } from './readRows.ts';
import {
  RECORDING_FORMAT,
  RECORDING_VERSION,
  type Recording,
  type RecordingHeader,
} from './Recording.ts';

/** Reads a recording and checks every sum in it; a damaged one is refused with the line. */
export function readRecording(path: string): RunResult<Recording> {
  try {
    return checkRows(path, readRows(path));
  } catch (error) {
    return failed(`The recording ${path} can't be read: ${whyUnreadable(error)}.\n  ${REMEDY}`);
  }
}

function checkRows(path: string, rows: Iterable<FileRow>): RunResult<Recording> {
  const digest = createHash('sha256');
  let header: RecordingHeader | undefined;
  // Rows count once a sum after them was found to be right.
  let proven = 1;
  let isComplete = false;
  for (const { number, bytes, isEnded } of rows) {
    const value = parse(bytes);
    if (header === undefined) {
      const found = headerOf(value);
      if (typeof found === 'string') return failed(`${path}:1: ${found}`);
      header = found;
    } else if (!Array.isArray(value)) {
      const { sum, end } = (value ?? {}) as { sum?: string; end?: boolean };
      if (sum === undefined && !isEnded) break;
      if (sum !== digest.copy().digest('hex')) return damaged(path, number);
      proven = number;
      isComplete = end === true;
      if (isComplete) break;
    }
    digest.update(bytes).update('\n');
  }
  if (header === undefined) return failed(`${path}:1: ${NO_RECORDING}`);
  const lines = new Map(
    header.instances.map(({ name }, instance) => [
      name,
      { [Symbol.iterator]: () => linesOf(path, instance, proven) },
    ]),
  );
  return { ok: true, value: { header, lines, isComplete } };
}

/** What was recorded of one instance, as far as it is proven; the rows of the others are not even parsed. */
function* linesOf(
  path: string,
  instance: number,
  proven: number,
): Generator<RecordedLine, void, undefined> {
  const own = Buffer.from(`[${instance},`);
  for (const { number, bytes } of readRows(path)) {
    if (number > proven) return;
    if (!bytes.subarray(0, own.length).equals(own)) continue;
    const value = parse(bytes);
    if (!Array.isArray(value))
      throw new Error(`${path}:${number}: it was changed since it was read.`);
    yield value.slice(1) as unknown as RecordedLine;
  }
}

const REMEDY = 'A bot writes one where its configuration says record: PATH.';
const NO_RECORDING = `this is no recording.\n  ${REMEDY}`;

function headerOf(value: unknown): RecordingHeader | string {
  const header = value as Partial<RecordingHeader> | null | undefined;
  if (header?.format !== RECORDING_FORMAT) return NO_RECORDING;
  if (header.version !== RECORDING_VERSION) {
    return `version ${header.version} of the format; this program reads ${RECORDING_VERSION}.`;
  }
  return header as RecordingHeader;
}

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString()) as unknown;
  } catch {
    return undefined;
  }
}

function damaged<T>(path: string, row: number): RunResult<T> {
  return failed(
    `${path}:${row}: what stands before this line is not what was written.\n  Take it from a copy.`,
  );
}
