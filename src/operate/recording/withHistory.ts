import type { RecordedLine, TakeLine } from '../../strategy/recording/index.ts';

/**
 * A source of candles as a recording names it: the market, the requested bars of history, the
 * subscription.
 */
const CANDLES = /^candles (\S+ \S+) (\d+)((?: forming)?#\d+)$/;

/** Whether it says only that bars are to come. */
const isHeld = (line: RecordedLine): boolean =>
  line[0] === 'event' && (line[3] as { kind?: unknown }).kind === 'held';

/** Bars of history that each subscription to candles received before the first bar of another kind. */
export type LifeHistory = ReadonlyMap<string, number>;

/** Counts the history that each life receives. */
export function createHistories(): {
  lives: readonly LifeHistory[];
  take(line: RecordedLine): void;
} {
  const lives: LifeHistory[] = [];
  let counts = new Map<string, number>();
  let over = new Set<string>();
  function take(line: RecordedLine): void {
    if (line[0] === 'start') {
      [counts, over] = [new Map(), new Set()];
      lives.push(counts);
    }
    if (line[0] === 'subscribed' && CANDLES.test(line[1])) counts.set(line[1], 0);
    if (line[0] !== 'event' || !counts.has(line[1]) || over.has(line[1]) || isHeld(line)) return;
    const isHistory = (line[3] as { history?: boolean }).history === true;
    if (isHistory) counts.set(line[1], counts.get(line[1])! + 1);
    else over.add(line[1]);
  }
  return { lives, take };
}

/**
 * Candles with fewer bars of history in the recording than requested, with the bars that it has: `BTC
 * 15m`, how many.
 */
export function findShort(lives: readonly LifeHistory[], asked: number): Map<string, number> {
  const short = new Map<string, number>();
  for (const life of lives) {
    for (const [source, bars] of life) {
      const [, candles = '', before] = CANDLES.exec(source)!;
      // A recording with fewer bars than it requested has all that the market had.
      if (bars === Number(before) && bars < asked) short.set(candles, bars);
    }
  }
  return short;
}

/**
 * The bars of history that a strategy requests are part of its candles' name, so a strategy with another
 * warm-up would find no candles at all. This renames them to the requested name; of a longer history only
 * the end is replayed, of a shorter one everything.
 *
 * @param asked bars of history that the strategy requests now
 */
export function withHistory(
  take: TakeLine,
  lives: readonly LifeHistory[],
  asked: number,
): TakeLine {
  let life = 0;
  let left = new Map<string, number>();

  /** undefined: not replayed. */
  function replayAgain(line: RecordedLine): RecordedLine | undefined {
    if (line[0] === 'start') left = new Map(lives[life++]);
    if (line[0] !== 'event' && line[0] !== 'subscribed' && line[0] !== 'failed') return line;
    const [kind, source] = line;
    const [, candles, , subscription] = CANDLES.exec(source) ?? [];
    if (candles === undefined) return line;
    const bars = left.get(source) ?? 0;
    const isBar = kind === 'event' && !isHeld(line);
    if (isBar) left.set(source, bars - 1);
    if (isBar && bars > asked) return undefined;
    return line.with(1, `candles ${candles} ${asked}${subscription}`) as RecordedLine;
  }

  return () => {
    for (let line = take(); line !== undefined; line = take()) {
      const replayed = replayAgain(line);
      if (replayed !== undefined) return replayed;
    }
    return undefined;
  };
}
