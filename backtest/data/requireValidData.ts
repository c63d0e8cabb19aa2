import type { Interval } from '../../src/contract/index.ts';
import { shellWord } from '../../src/env/index.ts';
import {
  archiveOf,
  firstFault,
  impossibleRate,
  mixedIntervals,
  secondRate,
  type Candles,
  type FeedProblem,
  type FundingRates,
} from '../../src/paper/index.ts';
import type { Part } from './joinRows.ts';

/** @param file a file, or an entry of an archive, which is examined as a whole */
const seeAll = (file: string): string =>
  `See all of it with \`trimtab data check ${shellWord(archiveOf(file))}\`.`;

/** The first row that can't be traded on, with its place; null if all are valid. */
export function requireValidBars(part: Part<Candles>, interval: Interval): FeedProblem | null {
  const { file, line, columns, written } = part;
  const found = firstFault(columns, interval) ?? mixedIntervals(columns.time, interval);
  if (found === null) return null;
  const { row, ...wrong } = found;
  const value = wrong.value ?? written?.get(`${line[row]}:${wrong.column}`) ?? null;
  return { file, line: line[row]!, ...wrong, value, remedy: `${wrong.remedy} ${seeAll(file)}` };
}

export function requireValidFunding({
  file,
  line,
  columns,
}: Part<FundingRates>): FeedProblem | null {
  const { time, rate } = columns;
  for (let row = 0; row < line.length; row++) {
    const place = { file, line: line[row]!, remedy: seeAll(file) };
    const at = { ...place, column: 'timestamp', value: String(time[row]) };
    if (!Number.isInteger(time[row])) return { ...at, message: 'is not a time.' };
    if (row > 0 && time[row]! <= time[row - 1]!) {
      const message = time[row] === time[row - 1] ? 'occurs twice.' : `follows ${time[row - 1]}.`;
      return {
        ...at,
        message,
        remedy: `Sort rows by timestamp, one row a settlement. ${seeAll(file)}`,
      };
    }
    if (!Number.isFinite(rate[row])) {
      return { ...place, column: 'funding_rate', value: null, message: 'holds no number.' };
    }
    const found = impossibleRate(rate[row]!) ?? secondRate(columns, row);
    if (found !== null) {
      const remedy = `${found.remedy} ${seeAll(file)}`;
      return { ...place, ...found, column: 'funding_rate', value: String(rate[row]), remedy };
    }
  }
  return null;
}

/** The first row of joined files that gives an hour another rate, with its place; null if there is none. */
export function requireOneRate(
  { time, rate }: FundingRates,
  files: ReadonlyArray<Part<FundingRates>>,
): FeedProblem | null {
  for (const row of time.keys()) {
    const found = secondRate({ time, rate }, row);
    if (found === null) continue;
    const { file, line, columns } = files.find((each) => each.columns.time.includes(time[row]!))!;
    const at = line[columns.time.indexOf(time[row]!)]!;
    return { file, line: at, column: 'funding_rate', value: String(rate[row]), ...found };
  }
  return null;
}
