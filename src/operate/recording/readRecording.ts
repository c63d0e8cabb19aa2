import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { reasonOf } from '../../env/index.ts';
import type { RecordedLine } from '../../strategy/recording/index.ts';
import { failed, type RunResult } from '../run/RunFailure.ts';
import {
  RECORDING_FORMAT,
  RECORDING_VERSION,
  type Recording,
  type RecordingHeader,
} from './Recording.ts';

/** Reads a recording and checks every sum in it; a damaged one is refused with the line. */
export async function readRecording(path: string): Promise<RunResult<Recording>> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    return failed(`The recording ${path} can't be read: ${reasonOf(error)}`);
  }
  const rows = text.split('\n');
  const header = headerOf(rows[0] ?? '');
  if (typeof header === 'string') return failed(`${path}:1: ${header}`);
  return readRows(path, rows, header);
}

function headerOf(row: string): RecordingHeader | string {
  const header = parse(row) as Partial<RecordingHeader> | undefined;
  if (header?.format !== RECORDING_FORMAT) {
    return 'this is no recording.\n  A bot writes one where its configuration says record: PATH.';
  }
  if (header.version !== RECORDING_VERSION) {
    return `version ${header.version} of the format; this program reads ${RECORDING_VERSION}.`;
  }
  return header as RecordingHeader;
}

function readRows(path: string, rows: string[], header: RecordingHeader): RunResult<Recording> {
  const lines = new Map(header.instances.map(({ name }) => [name, [] as RecordedLine[]]));
  const digest = createHash('sha256').update(`${rows[0]}\n`);
  // Lines count once a sum after them was found to be right.
  let unproven: Array<[string, RecordedLine]> = [];
  for (let at = 1; at < rows.length; at++) {
    const row = rows[at]!;
    const isLast = at >= rows.length - 1;
    if (row === '' && isLast) break;
    const value = parse(row);
    if (Array.isArray(value)) {
      const [number, ...line] = value as [number, ...unknown[]];
      unproven.push([header.instances[number]?.name ?? '', line as unknown as RecordedLine]);
    } else {
      const { sum, end } = (value ?? {}) as { sum?: string; end?: boolean };
      if (sum === undefined && isLast) break;
      if (sum !== digest.copy().digest('hex')) return damaged(path, at + 1);
      for (const [name, line] of unproven) lines.get(name)?.push(line);
      unproven = [];
      if (end === true) return { ok: true, value: { header, lines, isComplete: true } };
    }
    digest.update(`${row}\n`);
  }
  return { ok: true, value: { header, lines, isComplete: false } };
}

function parse(row: string): unknown {
  try {
    return JSON.parse(row) as unknown;
  } catch {
    return undefined;
  }
}

function damaged<T>(path: string, row: number): RunResult<T> {
  return failed(
    `${path}:${row}: what stands before this line is not what was written.\n  Take it from a copy.`,
  );
}
