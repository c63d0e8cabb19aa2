import type { RecordedLine } from '../../strategy/recording/index.ts';

/** A source of candles as a recording names it: whose, the bars of history asked for, which subscription. */
const CANDLES = /^candles (\S+ \S+) (\d+)((?: forming)?#\d+)$/;

/** What was recorded of a strategy, as one that asks for other history would have been told it. */
export interface LinesWithHistory {
  lines: Iterable<RecordedLine>;
  /** Candles of which the recording holds fewer bars of history than are asked for: `BTC 15m`, how many. */
  short: ReadonlyMap<string, number>;
}

/**
 * The bars of history that a strategy asks for are part of its candles' name, so that one with another
 * warm-up would find no candles at all. They get the name that it asks by; of a longer history only the end
 * is told, and a shorter one is all that there is.
 *
 * @param asked bars of history that the strategy asks for now
 */
export function withHistory(recorded: Iterable<RecordedLine>, asked: number): LinesWithHistory {
  const short = new Map<string, number>();
  const lives = historyOf(recorded);
  for (const life of lives) {
    for (const [source, bars] of life) {
      const [, candles = '', before] = CANDLES.exec(source)!;
      // Fewer bars than were asked for are all that the market had.
      if (bars === Number(before) && bars < asked) short.set(candles, bars);
    }
  }
  return { lines: { [Symbol.iterator]: () => tellAgain(recorded, asked, lives) }, short };
}

function* tellAgain(
  recorded: Iterable<RecordedLine>,
  asked: number,
  lives: ReadonlyArray<ReadonlyMap<string, number>>,
): Generator<RecordedLine, void, undefined> {
  let life = 0;
  let left = new Map<string, number>();
  for (const line of recorded) {
    if (line[0] === 'start') left = new Map(lives[life++]);
    if (line[0] !== 'event' && line[0] !== 'subscribed' && line[0] !== 'failed') {
      yield line;
      continue;
    }
    const [kind, source] = line;
    const [, candles, , subscription] = CANDLES.exec(source) ?? [];
    if (candles === undefined) {
      yield line;
      continue;
    }
    const bars = left.get(source) ?? 0;
    if (kind === 'event') left.set(source, bars - 1);
    if (kind === 'event' && bars > asked) continue;
    yield line.with(1, `candles ${candles} ${asked}${subscription}`) as RecordedLine;
  }
}

/** Bars of history that each subscription to candles was told before the first of another kind, by life. */
function historyOf(lines: Iterable<RecordedLine>): Array<Map<string, number>> {
  const lives: Array<Map<string, number>> = [];
  let counts = new Map<string, number>();
  let over = new Set<string>();
  for (const line of lines) {
    if (line[0] === 'start') {
      [counts, over] = [new Map(), new Set()];
      lives.push(counts);
    }
    if (line[0] === 'subscribed' && CANDLES.test(line[1])) counts.set(line[1], 0);
    if (line[0] !== 'event' || !counts.has(line[1]) || over.has(line[1])) continue;
    const isHistory = (line[3] as { history?: boolean }).history === true;
    if (isHistory) counts.set(line[1], counts.get(line[1])! + 1);
    else over.add(line[1]);
  }
  return lives;
}
