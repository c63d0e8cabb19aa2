import type { BarColumns } from './BotEvent.ts';

/** Bars of one symbol as they closed, in columns: a run keeps a million of them. */
export interface BarLog {
  add(bar: BarColumns): void;
  /** Views of what was added so far, by name. */
  readonly columns: { readonly [K in keyof BarColumns]: Float64Array };
}

const NAMES = ['time', 'open', 'high', 'low', 'close', 'volume'] as const;
const FIRST_ROOM = 1_024;

export function createBarLog(): BarLog {
  let count = 0;
  let room = FIRST_ROOM;
  let held = NAMES.map(() => new Float64Array(room));

  function grow(): void {
    room *= 2;
    held = held.map((column) => {
      const larger = new Float64Array(room);
      larger.set(column);
      return larger;
    });
  }

  return {
    add(bar) {
      if (count === room) grow();
      for (let at = 0; at < NAMES.length; at++) held[at]![count] = bar[NAMES[at]!];
      count++;
    },
    get columns() {
      const entries = NAMES.map((name, at) => [name, held[at]!.subarray(0, count)]);
      return Object.fromEntries(entries) as BarLog['columns'];
    },
  };
}
