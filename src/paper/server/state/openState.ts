import { rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { makeFolders, type Cancel, type Env } from '../../../env/index.ts';
import type { Change, Recorder } from '../../state/Change.ts';
import type { SavedService } from '../../state/SavedService.ts';
import { lockState } from './lockState.ts';
import {
  logPathOf,
  readLog,
  readSnapshot,
  STATE_FORMAT,
  STATE_VERSION,
  type SavedState,
} from './readState.ts';
import { StateLog } from './StateLog.ts';
import { StateRefusal } from './StateRefusal.ts';
import { differenceOf, type TapeMark } from './tapeOf.ts';
import { prepareSnapshot, syncDirectoryOf } from './writeSnapshot.ts';

/** The state of one service on disk, from its start to its end. */
export interface StateKeeper {
  /** State of an earlier process; null on the first start. */
  readonly saved: SavedState | null;
  /** Changes after `saved` was written, oldest first. */
  readonly changes: readonly Change[];
  /** Logs a change; does nothing before `begin`, because changes are only replayed then. */
  readonly record: Recorder;
  /** Writes the first snapshot and records from now on. */
  begin(take: () => Pick<SavedState, 'demoKeyId' | 'service'>): void;
  /** Writes a last snapshot and releases the file. */
  close(): void;
}

export interface StateOptions {
  path: string;
  tape: TapeMark[];
  /** Settings on which fills depend, as text. */
  venue: string;
}

/** How often the log is made durable against power cuts and its length is checked. */
const BEAT_MS = 1_000;
/** A log of at least this length and half its snapshot's is replaced by a new snapshot. */
const LEAST_LOG_BYTES = 256 * 1_024;

/**
 * Opens a state file: snapshot + log of the changes since. A change is passed to the system before it
 * happens, so nothing that was answered or streamed is lost with the process, however it ends. The cost
 * of snapshots is proportional to the log, not to the number of writes.
 *
 * @throws StateRefusal if the file is torn, of another version, of another tape, or in use
 */
export function openState(
  { path, tape, venue }: StateOptions,
  env: Pick<Env, 'timers' | 'log'>,
): StateKeeper {
  makeFolders(dirname(path));
  const unlock = lockState(path);
  try {
    const saved = readSnapshot(path);
    const changes = saved === null ? [] : readLog(path, saved.generation);
    if (saved !== null) {
      // A process that died between the rename and this removal left it, and the rename may not be durable yet.
      syncDirectoryOf(path);
      rmSync(logPathOf(path, saved.generation - 1), { force: true });
    }
    if (saved !== null) requireSame(path, saved, { tape, venue, changes });
    return keep({ path, tape, venue, saved, changes, unlock }, env);
  } catch (error) {
    unlock();
    throw error;
  }
}

/** Settings and rules may change between two runs, but not between a snapshot and what followed it. */
function requireSame(
  path: string,
  saved: SavedState,
  now: { tape: TapeMark[]; venue: string; changes: readonly Change[] },
): void {
  const difference = differenceOf(saved.tape, now.tape);
  if (difference !== null) {
    const remedy = 'Start it with the feeds of that tape, or name another file.';
    throw new StateRefusal(path, `was saved on another tape: ${difference}.`, remedy);
  }
  if (saved.venue === now.venue || now.changes.length === 0) return;
  const reason =
    'was not closed, and the settings of the venue, or the rules that it fills by, have changed since.';
  const remedy =
    'Start it once with the settings and the trimtab that it had, end it with Ctrl-C, then change them.';
  throw new StateRefusal(path, reason, remedy);
}

interface Opened extends StateOptions {
  saved: SavedState | null;
  changes: readonly Change[];
  unlock(): void;
}

function keep(opened: Opened, env: Pick<Env, 'timers' | 'log'>): StateKeeper {
  const { path, tape, venue, saved, changes, unlock } = opened;
  let generation = saved?.generation ?? 0;
  let log: StateLog | null = null;
  let snapshotBytes = 0;
  let cancelBeat: Cancel = () => {};
  let take: () => { demoKeyId: string | null; service: SavedService };

  /**
   * The new log exists before the snapshot that names it, and the old one until after it: either snapshot has its log
   * beside it, after a power cut too, which may leave a later change of the directory without an earlier one.
   */
  const snapshot = (): void => {
    const old = logPathOf(path, generation);
    const next = new StateLog(logPathOf(path, generation + 1), generation + 1);
    try {
      const head = { format: STATE_FORMAT, version: STATE_VERSION } as const;
      const state = { ...head, generation: generation + 1, tape, venue, ...take() };
      const prepared = prepareSnapshot(path, state);
      syncDirectoryOf(path);
      prepared.commit();
      snapshotBytes = prepared.bytes;
    } catch (error) {
      next.close();
      throw error;
    }
    // From here on the new snapshot is valid, even if a later step fails.
    generation++;
    log?.close();
    log = next;
    syncDirectoryOf(path);
    rmSync(old, { force: true });
  };
  const failed = (error: unknown): void =>
    env.log.error('The state could not be written', { error: String(error) });
  const beat = (): void => {
    cancelBeat = env.timers.after(BEAT_MS, beat);
    try {
      if (log!.bytes > Math.max(LEAST_LOG_BYTES, snapshotBytes / 2)) snapshot();
      else log!.sync(failed);
    } catch (error) {
      failed(error);
    }
  };

  return {
    saved,
    changes,
    record: (change) => log?.append(change),
    begin(from) {
      take = from;
      snapshot();
      cancelBeat = env.timers.after(BEAT_MS, beat);
    },
    close() {
      cancelBeat();
      try {
        if (log !== null) snapshot();
      } finally {
        log?.close();
        log = null;
        unlock();
      }
    },
  };
}
