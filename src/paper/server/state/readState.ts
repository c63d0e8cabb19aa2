import { closeSync, existsSync, readFileSync } from 'node:fs';
import { z } from 'zod';
import { UnboundedFileError, openRegularFile, withFullStop } from '../../../env/index.ts';
import { change, type Change } from '../../state/Change.ts';
import { savedService } from '../../state/savedState.ts';
import type { SavedService } from '../../state/SavedService.ts';
import { LOG_FORMAT } from './StateLog.ts';
import { StateRefusal } from './StateRefusal.ts';
import type { TapeMark } from './tapeOf.ts';

export const STATE_FORMAT = 'trimtab-paper-state';
export const STATE_VERSION = 1;

/** A snapshot as it is stored in the file. */
export interface SavedState {
  format: typeof STATE_FORMAT;
  version: typeof STATE_VERSION;
  /** Number of the snapshot; the log of the same number continues it. */
  generation: number;
  demoKeyId: string | null;
  tape: TapeMark[];
  /** Settings and rules on which fills depend, as text. */
  venue: string;
  service: SavedService;
}

const head = z.looseObject({ format: z.literal(STATE_FORMAT), version: z.number() });

const body = z.strictObject({
  format: z.literal(STATE_FORMAT),
  version: z.literal(STATE_VERSION),
  generation: z.int(),
  demoKeyId: z.string().nullable(),
  tape: z.array(z.strictObject({ name: z.string(), rows: z.int(), sha256: z.string() })),
  venue: z.string(),
  service: savedService,
});

const RESTORE = 'Restore it from a copy, or name another file to start afresh.';

export const logPathOf = (path: string, generation: number): string => `${path}.${generation}.log`;

/** @throws StateRefusal for a pipe or a device, which may never end */
function readWholeText(path: string): string {
  let file: number;
  try {
    file = openRegularFile(path);
  } catch (error) {
    if (!(error instanceof UnboundedFileError)) throw error;
    throw new StateRefusal(
      path,
      `can't be read: ${withFullStop(error.message)}`,
      'Name a file for the state.',
    );
  }
  try {
    return readFileSync(file, 'utf8');
  } finally {
    closeSync(file);
  }
}

/** The validated snapshot; null if the file does not exist yet. @throws StateRefusal */
export function readSnapshot(path: string): SavedState | null {
  if (!existsSync(path)) return null;
  const value = parse(readWholeText(path));
  if (value === undefined) throw new StateRefusal(path, 'is torn: it is incomplete JSON.', RESTORE);
  const found = head.safeParse(value);
  if (!found.success) {
    throw new StateRefusal(
      path,
      'is not a state of a paper service.',
      'Check the path after --state.',
    );
  }
  if (found.data.version !== STATE_VERSION) {
    const reason = `has version ${found.data.version}; this trimtab reads version ${STATE_VERSION}.`;
    const remedy = 'Use the trimtab that wrote it, or name another file to start afresh.';
    throw new StateRefusal(path, reason, remedy);
  }
  const parsed = body.safeParse(value);
  if (parsed.success) return value as SavedState;
  const [issue] = parsed.error.issues;
  const place = issue?.path.join('.') ?? '';
  throw new StateRefusal(path, `is damaged at ${place}: ${issue?.message ?? ''}.`, RESTORE);
}

/**
 * The changes since the snapshot. A last line without its end was being written when the process died:
 * its change did not happen and is ignored. @throws StateRefusal
 */
export function readLog(path: string, generation: number): Change[] {
  const file = logPathOf(path, generation);
  if (!existsSync(file)) {
    const reason = `lacks its log ${file}.`;
    throw new StateRefusal(path, reason, 'Put it back beside it, or name another file.');
  }
  const lines = readWholeText(file).split('\n').slice(0, -1);
  const first = z
    .strictObject({ format: z.literal(LOG_FORMAT), version: z.literal(1), generation: z.int() })
    .safeParse(parse(lines[0] ?? ''));
  if (!first.success || first.data.generation !== generation) {
    throw new StateRefusal(path, `has a log that is not its own: ${file}:1.`, RESTORE);
  }
  return lines.slice(1).map((line, index) => {
    const value = parse(line);
    if (change.safeParse(value).success) return value as Change;
    throw new StateRefusal(path, `has a log that is torn: ${file}:${index + 2}.`, RESTORE);
  });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
