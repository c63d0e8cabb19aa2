import type { WatchRow } from '../../contract/index.ts';

/** The trigger of a leg, or the price of a tracked entry, as it moved. */
export interface RecordedLevel {
  instance: string | undefined;
  symbol: string;
  kind: 'stop' | 'target' | 'trailing stop' | 'trailing target' | 'entry';
  /** Market times at which it was set, epoch milliseconds, ascending. */
  times: readonly number[];
  prices: readonly number[];
  /** Absent while it is in force. */
  end_time?: number;
  /** How it ended: `triggered`, `retired`, `stopped`, … */
  end?: string;
}

/** Follows the rows of `tpsl.watch`. */
export interface LevelLog {
  take(instance: string | undefined, event: string, row: WatchRow, time: number): void;
  readonly levels: readonly RecordedLevel[];
}

interface OpenLevel extends RecordedLevel {
  times: number[];
  prices: number[];
}

const ENDS: Readonly<Record<string, string>> = {
  leg_triggered: 'triggered',
  leg_retired: 'retired',
  leg_rejected: 'rejected',
  entry_retired: 'retired',
  entry_tracking_stopped: 'stopped',
  gone: 'gone',
};

export function createLevelLog(): LevelLog {
  const levels: OpenLevel[] = [];
  const open = new Map<string, OpenLevel>();

  function begin(id: string, instance: string | undefined, row: WatchRow): OpenLevel {
    const level = { instance, symbol: row.symbol, kind: kindOf(row), times: [], prices: [] };
    levels.push(level);
    open.set(id, level);
    return level;
  }

  function move(level: OpenLevel, price: number, time: number): void {
    if (level.prices.at(-1) === price) return;
    level.times.push(time);
    level.prices.push(price);
  }

  return {
    levels,
    take(instance, event, row, time) {
      const id = row.watch_id ?? row.leg_id ?? '';
      const end = ENDS[event];
      const known = open.get(id);
      // A leg that ended before it had a trigger was never a level.
      if (known === undefined && (end !== undefined || row.trigger_price == null)) return;
      const level = known ?? begin(id, instance, row);
      if (end === undefined) {
        if (row.trigger_price != null) move(level, row.trigger_price, time);
        return;
      }
      open.delete(id);
      level.end_time = time;
      level.end = end;
    },
  };
}

/** Of a leg, or of a tracked entry. */
export function kindOf(row: WatchRow): RecordedLevel['kind'] {
  if (row.watch_kind === 'entry') return 'entry';
  const name = row.kind === 'take_profit' ? 'target' : 'stop';
  return row['form'] === 'trail' ? `trailing ${name}` : name;
}
