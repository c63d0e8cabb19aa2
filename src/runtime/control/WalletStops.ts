import type { MonitorRecord, PositionRecord, WatchRow } from '../../contract/index.ts';
import type { Cancel } from '../../env/index.ts';
import type { JournalStore } from '../../journal/index.ts';
import type { AccountModel } from '../../streams/index.ts';

/** An armed stop as the journal records it: after a restart the service no longer shows what it retired. */
export interface Stop {
  id: string;
  symbol: string;
  side: string;
  trigger: number;
  /**
   * When its position was opened, by the service's clock, epoch milliseconds; absent in what a version before this was
   * recorded has journaled.
   */
  opened?: number;
  /** Wall time, epoch milliseconds. */
  since: number;
  /** It was submitted again already. */
  isSecond: boolean;
  /** It came with an order or a launch: a removal of the position's legs may leave it. */
  isOfEntry?: boolean;
  /** Keys of the bot's own intents that take it off, without those that failed. */
  removedBy?: readonly string[];
}

/** What a wallet's armed stops are, and which of them was submitted again. */
export interface WalletStops {
  stops: Map<string, Stop>;
  /** Of an earlier process, and not shown armed since if they are an entry's. */
  earlier: Set<string>;
  /** Symbol → trigger of the stop that was submitted again for the open position. */
  offered: Map<string, number>;
  /** By the id of a missing stop, or the key of an accepted removal: cancels its evaluation. */
  waiting: Map<string, Cancel>;
  /** Stops of positions that were closed or reversed, and since when: their rows may be shown a little longer. */
  over: Map<string, number>;
  model?: AccountModel;
  /** The first snapshots of this process were taken over. */
  hasShown: boolean;
  armed: ReadonlySet<string>;
  monitors: ReadonlyMap<string, MonitorRecord>;
  written: string;
}

/** What is armed for longer beside another position is that one's: its entry's next fill armed it anew. */
export const SHOWN_LONGER_MS = 30_000;

/** An intent that ended so changed nothing at the service. */
export const FAILED: readonly string[] = ['denied', 'rejected', 'expired', 'absent'];

/** Notes that an intent takes the stop off. */
export function leave(stop: Stop, key: string): void {
  stop.removedBy = [...new Set([...(stop.removedBy ?? []), key])];
}

/** That intent failed. */
export function stay(stop: Stop, key: string): void {
  const others = stop.removedBy?.filter((one) => one !== key) ?? [];
  if (others.length > 0) stop.removedBy = others;
  else delete stop.removedBy;
}

export const metaOf = (wallet: string): string => `stops:${wallet}`;

export function readStops(store: JournalStore, wallet: string): WalletStops {
  const written = store.meta(metaOf(wallet)) ?? '{"stops":[],"offered":[]}';
  const persisted = JSON.parse(written) as { stops: Stop[]; offered: Array<[string, number]> };
  for (const stop of persisted.stops) {
    // The process may have ended between a failure and the record of it.
    for (const key of stop.removedBy ?? []) {
      if (FAILED.includes(store.stateOf(key) ?? '')) stay(stop, key);
    }
  }
  return {
    stops: new Map(persisted.stops.map((stop) => [stop.id, stop])),
    earlier: new Set(persisted.stops.map(({ id }) => id)),
    offered: new Map(persisted.offered),
    waiting: new Map(),
    over: new Map(),
    hasShown: false,
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
  for (const id of state.over.keys()) {
    if (!rows.has(id) || isWaiting(rows.get(id))) state.over.delete(id);
  }
  state.armed = new Set(armed.map(({ leg_id: id }) => id!));
  for (const row of armed) armStop(state, row, model.positions.get(row.symbol), now);
  for (const symbol of state.offered.keys()) {
    if (!model.positions.has(symbol)) state.offered.delete(symbol);
  }
  state.hasShown = true;
  const missing: string[] = [];
  for (const stop of state.stops.values()) {
    const { id, symbol } = stop;
    const isFired = rows.get(id)?.status === 'triggered';
    if (isFired || !isOf(stop, model.positions.get(symbol))) {
      state.stops.delete(id);
      if (!isWaiting(rows.get(id))) state.over.set(id, now);
    } else if (!state.armed.has(id)) missing.push(id);
  }
  return missing;
}

/** Of the side and the opening of its own: one that was opened since has not had it. */
const isOf = ({ side, opened }: Stop, position: PositionRecord | undefined): boolean =>
  position?.side === side && (opened === undefined || position.opened_time === opened);

function armStop(
  state: WalletStops,
  row: WatchRow,
  position: PositionRecord | undefined,
  now: number,
): void {
  const { leg_id: id, symbol, trigger_price: trigger, order_id: order, execution_id } = row;
  if (position === undefined || id == null || trigger == null) return;
  const overSince = state.over.get(id) ?? Number.NEGATIVE_INFINITY;
  if (now - overSince < SHOWN_LONGER_MS) return;
  state.over.delete(id);
  const { side, opened_time: opened } = position;
  const isSecond = state.offered.get(symbol) === trigger;
  const isOfEntry = order != null || execution_id != null;
  // What an earlier process removed has left it.
  if (isOfEntry) state.earlier.delete(id);
  const shown = { side, opened };
  const first: Stop = { id, symbol, ...shown, trigger, since: now, isSecond };
  // What the first snapshots show armed is of the position that they show.
  state.stops.set(id, {
    ...first,
    ...state.stops.get(id),
    ...(state.hasShown ? {} : shown),
    ...(isOfEntry ? { isOfEntry } : {}),
    trigger,
  });
}

/** A leg whose entry is still open: the entry's next fill arms it again. */
const isWaiting = (row: WatchRow | undefined): boolean => row?.status === 'queued';

const isArmed = (row: WatchRow): boolean =>
  row.watch_kind === 'leg' &&
  row.kind === 'stop_loss' &&
  row.status === 'armed' &&
  row.leg_id != null;
