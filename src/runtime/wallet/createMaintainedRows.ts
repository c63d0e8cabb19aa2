import type { LegKind, WatchRow } from '../../contract/index.ts';
import { rowsOf } from '../../intents/rowsOf.ts';

/** An order or an execution that may hold rows: the names that rows use for it, and its request. */
export interface RowHolder {
  id: string;
  request: unknown;
}

/**
 * The wallet's maintained rows (LEG-11, TRK-6), as far as they can be known. The stream reports a row when it
 * moves, arms or ends, not when it begins (conventions, *tpsl.watch*): until then an open order counts with
 * what its request takes.
 */
export interface MaintainedRows {
  /** Receives the rows of the stream, with what is open by now. */
  watches(rows: Iterable<WatchRow>, holders: readonly RowHolder[]): void;
  count(holders: readonly RowHolder[]): number;
  /** Rows of trails that are a position's own legs of these kinds: another attach of a kind frees them (POS-2). */
  attachedTrails(symbol: string, kinds: readonly LegKind[]): number;
  /** The rows whose price follows a level now. */
  tracked(holders: readonly RowHolder[]): Set<string>;
}

const ENDED: readonly string[] = ['triggered', 'retired', 'rejected', 'stopped'];
/** Beyond this many, names of ended records are dropped. */
const MOST_REPORTED = 512;

const isEntry = (row: WatchRow): boolean => row.watch_kind === 'entry';
const idsOf = ({ order_id, execution_id }: WatchRow): string[] =>
  [order_id, execution_id].filter((id) => id != null);

/** A leg's row need not contain its form; one without it is not counted, and the service decides. */
function isMaintained(row: WatchRow): boolean {
  if (ENDED.includes(row.status ?? '')) return false;
  return isEntry(row) || (row as { form?: unknown }).form === 'trail';
}

const isAttached = (row: WatchRow, kinds: readonly string[]): boolean =>
  !isEntry(row) && idsOf(row).length === 0 && kinds.includes(row.kind ?? '');

export function createMaintainedRows(): MaintainedRows {
  let live: WatchRow[] = [];
  /** Orders and executions whose entry, or whose legs, the stream has reported; the rows cover all of them. */
  const reported = { entries: new Set<string>(), legs: new Set<string>() };
  let hasSnapshot = false;

  const forget = (names: Set<string>, known: ReadonlySet<string>): void => {
    if (names.size <= MOST_REPORTED) return;
    for (const name of names) if (!known.has(name)) names.delete(name);
  };

  const untracked = ({ id, request }: RowHolder): number =>
    reported.entries.has(id) ? 0 : rowsOf(request).tracked;
  const untrailed = ({ id, request }: RowHolder): number =>
    reported.legs.has(id) ? 0 : rowsOf(request).trails;

  return {
    watches(rows, holders) {
      const all = [...rows];
      live = all.filter(isMaintained);
      // The first rows are a whole snapshot: what it leaves out has no row.
      const standing = hasSnapshot ? [] : holders.map(({ id }) => id);
      hasSnapshot = true;
      for (const id of standing) for (const names of Object.values(reported)) names.add(id);
      for (const row of all) {
        for (const id of idsOf(row)) (isEntry(row) ? reported.entries : reported.legs).add(id);
      }
      const known = new Set([...holders.map(({ id }) => id), ...all.flatMap(idsOf)]);
      for (const names of Object.values(reported)) forget(names, known);
    },
    count: (holders) =>
      holders.reduce((sum, holder) => sum + untracked(holder) + untrailed(holder), live.length),
    attachedTrails: (symbol, kinds) =>
      live.filter((row) => row.symbol === symbol && isAttached(row, kinds)).length,
    tracked(holders) {
      const shown = new Set(live.filter(isEntry).flatMap(idsOf));
      const ids = holders.filter((holder) => shown.has(holder.id) || untracked(holder) > 0);
      return new Set(ids.map(({ id }) => id));
    },
  };
}
