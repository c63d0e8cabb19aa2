import { HOUR_MS } from '../../contract/durations.ts';
import type { FundingRates } from './FundingSchedule.ts';
import { settlementRules } from './settlementRules.ts';

/** A span of market time, epoch milliseconds; `from` is exclusive, `until` inclusive. */
export interface Stretch {
  from: number;
  until: number;
}

/** A span without settlements in a file, and the number that is missing there by the file's own steps. */
export interface UncoveredStretch extends Stretch {
  settlements: number;
}

/** First and last hour that a funding file settles, epoch milliseconds. */
export function fundingSpan(rates: FundingRates): Stretch {
  const hours = hoursOf(rates);
  return { from: hours[0]! * HOUR_MS, until: hours.at(-1)! * HOUR_MS };
}

/**
 * Spans in which a run is charged nothing because its funding file has no data: before the file begins,
 * after it ends, and where settlements are missing inside it.
 *
 * @param rates at least one settlement
 */
export function uncoveredStretches(rates: FundingRates, run: Stretch): UncoveredStretch[] {
  const hours = hoursOf(rates);
  const stepBefore = stepReader(hours);
  const [first, last] = [hours[0]!, hours.at(-1)!];
  const [begin, end] = [run.from / HOUR_MS, run.until / HOUR_MS];
  const found: UncoveredStretch[] = [];
  /** Missing settlements are whole steps away from an existing one. */
  const look = (from: number, until: number, step: number, settled: number): void => {
    const [start, stop] = [Math.max(from, begin), Math.min(until, end)];
    const countAt = (hour: number): number => Math.floor((hour - settled) / step);
    const settlements = countAt(stop) - countAt(start);
    if (stop <= start || settlements <= 0) return;
    found.push({ from: start * HOUR_MS, until: stop * HOUR_MS, settlements });
  };
  const firstStep = stepBefore(1);
  look(begin, first - firstStep, firstStep, first);
  for (let index = 1; index < hours.length; index++) {
    const [before, step] = [hours[index - 1]!, stepBefore(index)];
    if (hours[index]! - before > step) look(before, hours[index]! - step, step, before);
  }
  look(last, end, stepBefore(hours.length), last);
  return found;
}

/** Hours since the epoch, each once: venues stamp a settlement some milliseconds after its hour. */
function hoursOf({ time }: FundingRates): Float64Array {
  const hours = time.map((at) => Math.floor(at / HOUR_MS));
  return hours.filter((hour, index) => index === 0 || hour !== hours[index - 1]);
}

/**
 * The expected distance of a row from the one before; for a file too short for a rule, its smallest step.
 */
function stepReader(hours: Float64Array): (index: number) => number {
  const rules = settlementRules(hours);
  let smallest = Infinity;
  for (let index = 1; index < hours.length; index++) {
    smallest = Math.min(smallest, hours[index]! - hours[index - 1]!);
  }
  const usual = rules[0]?.step ?? (smallest === Infinity ? 1 : smallest);
  let rule = 0;
  return (index) => {
    // Rows are requested in order, so that a long file is scanned once.
    while (rule + 1 < rules.length && rules[rule + 1]!.from < index) rule++;
    return rules.length > 0 && rules[rule]!.from < index ? rules[rule]!.step : usual;
  };
}
