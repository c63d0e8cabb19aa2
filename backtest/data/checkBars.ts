import { barOpenTime, INTERVAL_MS, type Interval } from '../../src/contract/index.ts';
import { counted } from '../../src/env/index.ts';
import { checkBar, checkNumbers, mixedIntervals, type Candles } from '../../src/paper/index.ts';
import type { Finding } from './Finding.ts';
import { findGaps, orderOf } from './findGaps.ts';
import { noNumber } from './noNumber.ts';
import { watchOrder } from './watchOrder.ts';

export interface BarOptions {
  interval: Interval;
  /** Move from one close to the next, as a fraction, beyond which a bar is reported. */
  outlier: number;
}

interface Bars {
  line: Float64Array;
  columns: Candles;
  written?: ReadonlyMap<string, string>;
}

/** All findings in a file of bars, in the order of its rows; gaps follow. */
export function checkBars(bars: Bars, { interval, outlier }: BarOptions): Finding[] {
  const { line, columns } = bars;
  const found: Finding[] = [];
  const good: number[] = [];
  const orderFault = watchOrder(columns.time);
  for (let row = 0; row < line.length; row++) {
    const time = columns.time[row]!;
    const fault = faultOf(bars, row, interval);
    const place = { line: line[row]!, time, rows: 1 };
    if (fault !== null) found.push({ ...place, ...fault });
    const misplaced = orderFault(row);
    if (misplaced !== null) found.push({ ...place, ...misplaced });
    if (fault === null) good.push(row);
  }
  // In a list's literal, since a call takes no more than some 100,000 arguments.
  return [
    ...found,
    ...longerBars(bars, interval),
    ...zeroVolumeRuns(bars),
    ...outliers(bars, good, outlier),
    ...gapsOf(bars, interval),
  ];
}

function faultOf(
  { line, columns, written }: Bars,
  row: number,
  interval: Interval,
): Pick<Finding, 'kind' | 'detail'> | null {
  const missing = checkNumbers(columns, row);
  if (missing !== null) {
    return { kind: 'not_a_number', detail: noNumber(written, line[row]!, missing.column!) };
  }
  const bar = checkBar(columns, row);
  if (bar !== null) {
    return { kind: 'impossible', detail: `${bar.column} ${bar.value} ${bar.message.slice(0, -1)}` };
  }
  const time = columns.time[row]!;
  if (barOpenTime(time, interval) === time) return null;
  return { kind: 'misaligned', detail: `no bar of ${interval} opens then` };
}

/** Each of them passes for a bar of the interval with a gap after it, and a backtest refuses the file. */
function longerBars({ line, columns: { time } }: Bars, interval: Interval): Finding[] {
  const mixed = mixedIntervals(time, interval);
  if (mixed === null) return [];
  const { row, message } = mixed;
  const detail = message.slice(0, -1);
  return [{ kind: 'mixed_intervals', line: line[row]!, time: time[row]!, rows: 1, detail }];
}

function gapsOf({ line, columns }: Bars, interval: Interval): Finding[] {
  const order = orderOf(columns.time);
  const step = INTERVAL_MS[interval];
  const times = Float64Array.from(order, (row) => barOpenTime(columns.time[row]!, interval));
  return findGaps(times, () => step).map(({ index, missing }) => ({
    kind: 'gap',
    line: line[order[index]!]!,
    time: times[index - 1]! + step,
    rows: missing,
    detail: `${counted(missing, 'bar')} missing`,
  }));
}

function zeroVolumeRuns({ line, columns }: Bars): Finding[] {
  const { time, volume } = columns;
  const runs: Finding[] = [];
  for (let row = 0; row < volume.length; row++) {
    if (volume[row] !== 0) continue;
    const start = row;
    while (volume[row + 1] === 0) row++;
    const rows = row - start + 1;
    const detail =
      rows === volume.length
        ? 'no bar has volume, so that no order fills on them'
        : rows === 1
          ? 'without volume'
          : `${rows} bars without volume`;
    runs.push({ kind: 'zero_volume', line: line[start]!, time: time[start]!, rows, detail });
  }
  return runs;
}

function outliers({ line, columns }: Bars, good: readonly number[], limit: number): Finding[] {
  const { time, close } = columns;
  const found: Finding[] = [];
  for (let index = 1; index < good.length; index++) {
    const row = good[index]!;
    const move = close[row]! / close[good[index - 1]!]! - 1;
    if (Math.abs(move) <= limit) continue;
    const detail = `closes ${(move * 100).toFixed(1)} % from the bar before`;
    found.push({ kind: 'outlier', line: line[row]!, time: time[row]!, rows: 1, detail });
  }
  return found;
}

/** The largest move from one close to the next, as a fraction. */
export function largestMove({ close }: Candles): number {
  let largest = 0;
  for (let row = 1; row < close.length; row++) {
    const move = Math.abs(close[row]! / close[row - 1]! - 1);
    if (move > largest && move < Infinity) largest = move;
  }
  return largest;
}
