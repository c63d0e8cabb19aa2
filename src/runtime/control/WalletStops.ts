import type { MonitorRecord, WatchRow } from '../../contract/index.ts';
import type { JournalStore } from '../../journal/index.ts';
import type { AccountModel } from '../../streams/index.ts';

/** An armed stop as the journal records it: after a restart the service no longer shows what it retired. */
export interface Stop {
  id: string;
  symbol: string;
  side: string;
  trigger: number;
  /** Wall time, epoch milliseconds. */
  since: number;
  /** It was submitted again already. */
  isSecond: boolean;
}

/** What a wallet's armed stops are, and which of them was submitted again. */
export interface WalletStops {
  stops: Map<string, Stop>;
  /** Of an earlier process. */
  earlier: ReadonlySet<string>;
  /** Symbol → trigger of the stop that was submitted again for the open position. */
  offered: Map<string, number>;
  waiting: Set<string>;
  /** Positions that were closed or reversed: their rows may be shown a little longer. */
  over: Set<string>;
  model?: AccountModel;
  armed: ReadonlySet<string>;
  monitors: ReadonlyMap<string, MonitorRecord>;
  written: string;
}

export const metaOf = (wallet: string): string => `stops:${wallet}`;

export function readStops(store: JournalStore, wallet: string): WalletStops {
  const written = store.meta(metaOf(wallet)) ?? '{"stops":[],"offered":[]}';
  const persisted = JSON.parse(written) as { stops: Stop[]; offered: Array<[string, number]> };
  return {
    stops: new Map(persisted.stops.map((stop) => [stop.id, stop])),
    earlier: new Set(persisted.stops.map(({ id }) => id)),
    offered: new Map(persisted.offered),
    waiting: new Set(),
    over: new Set(),
    armed: new Set(),
    monitors: new Map(),
    written,
  };
}

/** The journaled state. */
export const textOf = ({ stops, offered }: WalletStops): string =>
  JSON.stringify({ stops: [...stops.values()], offered: [...offered] });

/**
 * Takes over what the streams show.
 *
 * @param now wall time, epoch milliseconds
 * @returns ids of stops that are not armed any more while their position is open
 */
export function showStops(
  state: WalletStops,
  model: AccountModel,
  rows: ReadonlyMap<string, WatchRow>,
  now: number,
): string[] {
  const armed = [...rows.values()].filter(isArmed);
  for (const id of state.over) {
    if (!rows.has(id) || isWaiting(rows.get(id))) state.over.delete(id);
  }
  state.armed = new Set(armed.map(({ leg_id: id }) => id!));
  for (const row of armed) armStop(state, row, model.positions.get(row.symbol)?.side, now);
  for (const symbol of state.offered.keys()) {
    if (!model.positions.has(symbol)) state.offered.delete(symbol);
  }
  const missing: string[] = [];
  for (const stop of state.stops.values()) {
    const { id, symbol, side } = stop;
    const isFired = rows.get(id)?.status === 'triggered';
    if (isFired || model.positions.get(symbol)?.side !== side) {
      state.stops.delete(id);
      if (!isWaiting(rows.get(id))) state.over.add(id);
    } else if (!state.armed.has(id)) missing.push(id);
  }
  return missing;
}

function armStop(state: WalletStops, row: WatchRow, side: string | undefined, now: number): void {
  const { leg_id: id, symbol, trigger_price: trigger } = row;
  if (side === undefined || id == null || trigger == null || state.over.has(id)) return;
  const known = state.stops.get(id);
  const since = known?.since ?? now;
  const isSecond = known?.isSecond ?? state.offered.get(symbol) === trigger;
  state.stops.set(id, { id, symbol, side: known?.side ?? side, trigger, since, isSecond });
}

/** A leg whose entry is still open: the entry's next fill arms it again. */
const isWaiting = (row: WatchRow | undefined): boolean => row?.status === 'queued';

const isArmed = (row: WatchRow): boolean =>
  row.watch_kind === 'leg' &&
  row.kind === 'stop_loss' &&
  row.status === 'armed' &&
  row.leg_id != null;
