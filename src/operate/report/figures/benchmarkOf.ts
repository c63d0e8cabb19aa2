import { INTERVAL_MS } from '../../../contract/index.ts';
import { HOUR_MS } from '../../../contract/durations.ts';
import { dailyReturns, type TimedValue } from '../../../statistics/index.ts';
import type { ReportBenchmark, ReportCandles, ReportData } from '../ReportData.ts';

/** What the run is compared with: bought at its start for all of its capital, and held. */
export interface Benchmark {
  /** A symbol, or a file's name. */
  name: string;
  /** Its worth beside the run's equity, quote units, with the run's first and last time; fees and funding are not in it. */
  equity: readonly TimedValue[];
  /** Of whole UTC days. */
  returns: readonly number[];
}

/** The given closes, else those of the first symbol of the first strategy that has bars; null without any. */
export function benchmarkOf(data: ReportData): Benchmark | null {
  const { startTime, endTime, totals } = data;
  const found = data.benchmark ?? firstSymbol(data);
  if (found === null) return null;
  const before = found.closes.findLast(([time]) => time <= startTime) ?? found.closes[0];
  if (before === undefined || !(before[1] > 0)) return null;
  const inside = found.closes.filter(([time]) => time > startTime && time <= endTime);
  const last = inside.at(-1) ?? before;
  const capital = totals.start_equity;
  const worth = (price: number): number => (capital * price) / before[1];
  const equity: TimedValue[] = [
    [startTime, capital],
    ...inside
      .filter(([time]) => time < endTime)
      .map(([time, close]) => [time, worth(close)] as const),
    [endTime, worth(last[1])],
  ];
  const gains = equity.map(([time, value]) => [time, value - capital] as const);
  return { name: found.name, equity, returns: dailyReturns(gains, capital) };
}

function firstSymbol({ strategies, symbols }: ReportData): ReportBenchmark | null {
  const traded = strategies.flatMap((strategy) => strategy.symbols);
  const name = [...traded, ...Object.keys(symbols)].find((symbol) => symbols[symbol] !== undefined);
  return name === undefined ? null : { name, closes: hourlyCloses(symbols[name]!) };
}

/** The first open, and the last close of each UTC hour: a year of minutes has 500,000. */
function hourlyCloses({ time, open, close, interval }: ReportCandles): TimedValue[] {
  const length = INTERVAL_MS[interval];
  const closes: TimedValue[] = [];
  if (time.length > 0) closes.push([time[0]!, open[0]!]);
  for (let at = 0; at < time.length; at++) {
    const [end, next] = [time[at]! + length, (time[at + 1] ?? Infinity) + length];
    if (Math.ceil(end / HOUR_MS) === Math.ceil(next / HOUR_MS)) continue;
    closes.push([end, close[at]!]);
  }
  return closes;
}
