import type { BarColumns } from './BotEvent.ts';

/** Bars of one symbol as they closed, in columns: a run keeps a million of them. */
export interface BarLog {
  add(bar: BarColumns): void;
  /** Views of what was added so far, by name. */
  readonly columns: { readonly [K in keyof BarColumns]: Float64Array };
}

const NAMES = ['time', 'open', 'high', 'low', 'close', 'volume'] as const;
const FIRST_ROOM = 1_024;

type Column = Float64Array;
type Columns = [Column, Column, Column, Column, Column, Column];

export function createBarLog(): BarLog {
  let count = 0;
  let room = FIRST_ROOM;
  let [time, open, high, low, close, volume] = NAMES.map(() => new Float64Array(room)) as Columns;

  const larger = (column: Float64Array): Float64Array => {
    const grown = new Float64Array(room);
    grown.set(column);
    return grown;
  };

  function grow(): void {
    room *= 2;
    [time, open, high, low, close, volume] = held().map(larger) as Columns;
  }

  const held = (): Columns => [time, open, high, low, close, volume];

  return {
    add(bar) {
      if (count === room) grow();
      time[count] = bar.time;
      open[count] = bar.open;
      high[count] = bar.high;
      low[count] = bar.low;
      close[count] = bar.close;
      volume[count] = bar.volume;
      count++;
    },
    get columns() {
      const columns = held();
      const entries = NAMES.map((name, at) => [name, columns[at]!.subarray(0, count)]);
      return Object.fromEntries(entries) as BarLog['columns'];
    },
  };
}
