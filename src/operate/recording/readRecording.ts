import { createHash } from 'node:crypto';
import type { RecordedLine } from '../../strategy/recording/index.ts';
import { failed, type RunResult } from '../run/RunFailure.ts';
import { explainUnreadable } from '../explainUnreadable.ts';
import { createListing, type ListingInMaking } from './createListing.ts';
import { readRows, type FileRow } from './readRows.ts';
import { OF_THE_BOT, type RecordedView } from './RecordedView.ts';
import {
  RECORDING_FORMAT,
  RECORDING_VERSION,
  type RecordedRow,
  type Recording,
  type RecordingHeader,
} from './Recording.ts';

/**
 * Reads a recording, checks every sum in it and lists its content; a damaged one is refused with the
 * line.
 *
 * @param onView receives what the bot's operator could see
 */
export function readRecording(path: string, onView: TakeView = () => {}): RunResult<Recording> {
  try {
    return checkRows(path, readRows(path), onView);
  } catch (error) {
    return failed(
      'TRIMTAB_RECORDING_UNREADABLE',
      `The recording ${path} can't be read: ${explainUnreadable(error, path, REMEDY)}`,
    );
  }
}

/** Receives each verified row of the bot's views, and where it is in the file: its first byte and its length. */
export type TakeView = (row: RecordedView, place: { offset: number; length: number }) => void;

/** An instance's number in the header, and a line of it. */
type NumberedLine = [instance: number, ...line: RecordedLine];

interface WaitingRow {
  value: NumberedLine;
  offset: number;
  length: number;
}

function checkRows(path: string, rows: Iterable<FileRow>, onView: TakeView): RunResult<Recording> {
  const digest = createHash('sha256');
  let header: RecordingHeader | undefined;
  let listings: ListingInMaking[] = [];
  // Rows count once a sum after them was verified.
  let waiting: WaitingRow[] = [];
  let offset = 0;
  let proven = 1;
  let isComplete = false;
  for (const { number, bytes, isEnded } of rows) {
    if (isComplete) return failed('TRIMTAB_RECORDING_UNREADABLE', `${path}:${number}: ${GOES_ON}`);
    const value = parse(bytes);
    if (header === undefined) {
      const found = headerOf(value) ?? explainNoHeader(bytes, isEnded);
      if (typeof found === 'string')
        return failed('TRIMTAB_RECORDING_UNREADABLE', `${path}:1: ${found}`);
      header = found;
      listings = header.instances.map(createListing);
    } else if (Array.isArray(value)) {
      waiting.push({ value: value as NumberedLine, offset, length: bytes.length });
    } else {
      const { sum, end } = (value ?? {}) as { sum?: string; end?: boolean };
      if (sum === undefined && !isEnded) break;
      if (sum !== digest.copy().digest('hex')) return damaged(path, number);
      for (const {
        value: [instance, ...line],
        ...place
      } of waiting) {
        if (instance === OF_THE_BOT) onView(line as unknown as RecordedView, place);
        else listings[instance]?.take(line);
      }
      waiting = [];
      proven = number;
      isComplete = end === true;
    }
    digest.update(bytes).update('\n');
    offset += bytes.length + 1;
  }
  if (header === undefined)
    return failed('TRIMTAB_RECORDING_EMPTY', `${path} is empty: ${NOTHING_YET}`);
  const names = header.instances.map(({ name }) => name);
  const instances = new Map(names.map((name, at) => [name, listings[at]!.listing]));
  const rowsAgain = (): Iterable<RecordedRow> => provenRows(path, names, proven);
  return { ok: true, value: { header, instances, rows: rowsAgain, isComplete } };
}

/** The lines of all instances, as far as they are verified. */
function* provenRows(
  path: string,
  names: readonly string[],
  proven: number,
): Generator<RecordedRow, void, undefined> {
  let last = 0;
  for (const { number, bytes } of readRows(path)) {
    if (number > proven) return;
    last = number;
    const value = parse(bytes);
    if (value === undefined) throw changed(path, number);
    // The header and the sums are not lines.
    if (!Array.isArray(value)) continue;
    const [at, ...line] = value as NumberedLine;
    const instance = names[at];
    if (instance !== undefined) yield { instance, line };
  }
  if (last < proven) throw changed(path, last);
}

const changed = (path: string, row: number): Error =>
  new Error(`${path}:${row}: it was changed since it was read.`);

const REMEDY = 'A bot writes one where its configuration says record: PATH.';
const NOTHING_YET = `its bot has written nothing into it yet, or was ended before.\n  ${REMEDY}`;
const GOES_ON =
  'the recording has ended before this line.\n  Take it from a copy; a file may hold only one recording.';

/** The header, or why it can't be read; undefined if the row is not a header. */
function headerOf(value: unknown): RecordingHeader | string | undefined {
  const header = value as Partial<RecordingHeader> | null | undefined;
  const { format, version, instances } = header ?? {};
  if (format !== RECORDING_FORMAT || typeof version !== 'number') return undefined;
  if (version !== RECORDING_VERSION) {
    return (
      `version ${version} of the format; this program reads ${RECORDING_VERSION}.\n` +
      '  Use the Trimtab that wrote it, or record again.'
    );
  }
  return Array.isArray(instances) ? (header as RecordingHeader) : undefined;
}

const COMPRESSED = Buffer.from([0x1f, 0x8b]);

function explainNoHeader(bytes: Buffer, isEnded: boolean): string {
  if (bytes.subarray(0, 2).equals(COMPRESSED))
    return 'it is compressed.\n  Unpack it first: gunzip.';
  if (!isEnded && bytes.includes(RECORDING_FORMAT)) {
    return 'it is cut off within its first line.\n  Take a copy that is whole, or record again.';
  }
  return `this is not a recording.\n  ${REMEDY}`;
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
    'TRIMTAB_RECORDING_UNREADABLE',
    `${path}:${row}: what stands before this line is not what was written.\n  Take it from a copy.`,
  );
}
