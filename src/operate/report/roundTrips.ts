import { addSize, type SizeSum } from '../../contract/sizes.ts';
import type { ReportFill } from './ReportData.ts';

/** Effect of a fill on its strategy's position. */
export type FillRole = 'entry' | 'exit' | 'flip';

/** From flat to flat again, or to the end of the run. Money in quote units, sizes in base units. */
export interface RoundTrip {
  strategy: string;
  symbol: string;
  side: 'long' | 'short';
  entry_time: number;
  /** Null while it is open. */
  exit_time: number | null;
  /** Largest size held. */
  size: number;
  /** Average of all entries. */
  entry_price: number;
  /** Average of the closed part; null if nothing was closed. */
  exit_price: number | null;
  fees: number;
  /**
   * Profit of the closed part against its average entry price at that time, less all fees; funding is not
   * part of a trade.
   */
  pnl: number;
  fills: number;
  /** Of the fill that opened it: its tag, else what made it. Null if a run doesn't report it. */
  entry_tag: string | null;
  /** What made the fill that closed it, for an intent of the strategy with its tag: `signal: exit`. */
  exit_reason: string | null;
}

/** A fill's own words for the tables by entry tag and exit reason. */
export const entryTagOf = ({ tag, cause }: ReportFill): string | null => tag ?? cause ?? null;
export const exitReasonOf = ({ tag, cause }: ReportFill): string | null =>
  cause === undefined || tag === undefined ? (cause ?? null) : `${cause}: ${tag}`;

export interface Trades {
  roundTrips: RoundTrip[];
  /** The role of each fill, in the order of the fills. */
  roles: FillRole[];
}

/** A position in the making. */
interface OpenTrip extends RoundTrip {
  /** Above zero on either side. */
  held: SizeSum;
  /** The held size and its average entry price. */
  cost: number;
  /** Profit of the closed part, before fees. */
  realized: number;
  bought: number;
  closed: number;
  entryNotional: number;
  exitNotional: number;
}

/** Groups fills, ascending in time, into trades by strategy and symbol; a flip ends one and starts the next. */
export function roundTrips(fills: readonly ReportFill[]): Trades {
  const open = new Map<string, OpenTrip>();
  const done: OpenTrip[] = [];
  const roles = fills.map((fill): FillRole => {
    const key = JSON.stringify([fill.strategy, fill.symbol]);
    const trip = open.get(key);
    if (trip === undefined) {
      open.set(key, begin(fill, { size: fill.size, dust: 0 }));
      return 'entry';
    }
    trip.fills += 1;
    if ((fill.side === 'buy') === (trip.side === 'long')) {
      enlarge(trip, fill);
      return 'entry';
    }
    const rest = reduce(trip, fill);
    if (trip.exit_time === null) return 'exit';
    done.push(trip);
    open.delete(key);
    if (rest.size === 0) return 'exit';
    open.set(key, begin(fill, rest));
    return 'flip';
  });
  const all = [...done, ...open.values()].toSorted((a, b) => a.entry_time - b.entry_time);
  return { roundTrips: all.map(settle), roles };
}

function begin(fill: ReportFill, held: SizeSum): OpenTrip {
  const { size } = held;
  return {
    strategy: fill.strategy,
    symbol: fill.symbol,
    side: fill.side === 'buy' ? 'long' : 'short',
    entry_time: fill.time,
    exit_time: null,
    size,
    entry_price: fill.price,
    exit_price: null,
    fees: fill.fee * (size / fill.size),
    pnl: 0,
    fills: 1,
    entry_tag: entryTagOf(fill),
    exit_reason: null,
    held,
    cost: size * fill.price,
    realized: 0,
    bought: size,
    closed: 0,
    entryNotional: size * fill.price,
    exitNotional: 0,
  };
}

function enlarge(trip: OpenTrip, fill: ReportFill): void {
  addSize(trip.held, fill.size);
  trip.cost += fill.size * fill.price;
  trip.bought += fill.size;
  trip.size = Math.max(trip.size, trip.held.size);
  trip.entryNotional += fill.size * fill.price;
  trip.fees += fill.fee;
}

/** Closes as much as the fill covers; the result is what remains of the fill. */
function reduce(trip: OpenTrip, fill: ReportFill): SizeSum {
  const closing = Math.min(trip.held.size, fill.size);
  const cost = trip.cost * (closing / trip.held.size);
  trip.realized += (trip.side === 'long' ? 1 : -1) * (closing * fill.price - cost);
  trip.cost -= cost;
  addSize(trip.held, -fill.size);
  trip.closed += closing;
  trip.exitNotional += closing * fill.price;
  trip.fees += fill.fee * (closing / fill.size);
  const { size, dust } = trip.held;
  if (size <= 0) {
    trip.exit_time = fill.time;
    trip.exit_reason = exitReasonOf(fill);
  }
  return { size: Math.max(0, -size), dust };
}

function settle(trip: OpenTrip): RoundTrip {
  const {
    held: _held,
    cost: _cost,
    realized,
    bought,
    closed,
    entryNotional,
    exitNotional,
    ...shown
  } = trip;
  return {
    ...shown,
    entry_price: entryNotional / bought,
    exit_price: closed === 0 ? null : exitNotional / closed,
    pnl: realized - trip.fees,
  };
}
