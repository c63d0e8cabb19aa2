import type { RecordedLine } from '../../strategy/recording/index.ts';

/** A source of candles as a recording names it: whose, the bars of history asked for, which subscription. */
const CANDLES = /^candles (\S+ \S+) (\d+)((?: forming)?#\d+)$/;

/** What was recorded of a strategy, as one that asks for other history would have been told it. */
export interface LinesWithHistory {
  lines: RecordedLine[];
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
export function withHistory(recorded: readonly RecordedLine[], asked: number): LinesWithHistory {
  const short = new Map<string, number>();
  const starts = recorded.flatMap(([kind], at) => (kind === 'start' ? [at] : []));
  const lines = starts.flatMap((from, life) =>
    lifeWithHistory(recorded.slice(from, starts[life + 1]), asked, short),
  );
  return { lines, short };
}

function lifeWithHistory(
  lines: readonly RecordedLine[],
  asked: number,
  short: Map<string, number>,
): RecordedLine[] {
  const tooMuch = new Map<string, number>();
  for (const [source, bars] of historyOf(lines)) {
    const [, candles = '', before] = CANDLES.exec(source)!;
    tooMuch.set(source, bars - asked);
    // Fewer bars than were asked for are all that the market had.
    if (bars === Number(before) && bars < asked) short.set(candles, bars);
  }
  return lines.flatMap((line): RecordedLine[] => {
    const [kind, source] = line;
    if (kind !== 'event' && kind !== 'subscribed' && kind !== 'failed') return [line];
    const [, candles, , subscription] = CANDLES.exec(source as string) ?? [];
    if (candles === undefined) return [line];
    const left = tooMuch.get(source as string) ?? 0;
    tooMuch.set(source as string, left - (kind === 'event' ? 1 : 0));
    if (kind === 'event' && left > 0) return [];
    return [line.with(1, `candles ${candles} ${asked}${subscription}`) as RecordedLine];
  });
}

/** Bars of history that each subscription to candles was told before the first of another kind. */
function historyOf(lines: readonly RecordedLine[]): Map<string, number> {
  const counts = new Map<string, number>();
  const over = new Set<string>();
  for (const line of lines) {
    if (line[0] === 'subscribed' && CANDLES.test(line[1])) counts.set(line[1], 0);
    if (line[0] !== 'event' || !counts.has(line[1]) || over.has(line[1])) continue;
    const isHistory = (line[3] as { history?: boolean }).history === true;
    if (isHistory) counts.set(line[1], counts.get(line[1])! + 1);
    else over.add(line[1]);
  }
  return counts;
}
