import { HOUR_MS } from '../../src/contract/durations.ts';
import { counted } from '../../src/env/index.ts';
import {
  impossibleRate,
  percentHint,
  settlementRules,
  timeText,
  type FundingRates,
} from '../../src/paper/index.ts';
import type { Finding } from './Finding.ts';
import { findGaps, orderOf } from './findGaps.ts';
import { noNumber } from './noNumber.ts';
import { watchOrder } from './watchOrder.ts';

/**
 * All findings in a file of funding. Venues change how often they settle: a run of equal steps is not a
 * gap, however long the steps are.
 */
export function checkFunding(funding: {
  line: Float64Array;
  columns: FundingRates;
  written?: ReadonlyMap<string, string>;
}): Finding[] {
  const { line, columns, written } = funding;
  const { time, rate } = columns;
  const found: Finding[] = [];
  // A settlement is stamped some milliseconds after its hour.
  const orderFault = watchOrder(time.map((at) => Math.floor(at / HOUR_MS)));
  for (let row = 0; row < line.length; row++) {
    const place = { line: line[row]!, time: time[row]!, rows: 1 };
    if (!Number.isFinite(time[row]) || !Number.isFinite(rate[row])) {
      const name = Number.isFinite(time[row]) ? 'funding_rate' : 'timestamp';
      found.push({ ...place, kind: 'not_a_number', detail: noNumber(written, line[row]!, name) });
      continue;
    }
    if (impossibleRate(rate[row]!) !== null) {
      const detail = `${rate[row]} is over 5 % at once: is it in percent?`;
      found.push({ ...place, kind: 'impossible', detail });
    }
    const misplaced = orderFault(row);
    if (misplaced !== null) found.push({ ...place, ...misplaced });
  }
  const hint = percentHint(rate);
  if (hint !== null && found.every(({ kind }) => kind !== 'impossible')) {
    found.push({ line: line[0]!, time: time[0]!, rows: 1, kind: 'outlier', detail: `${hint}.` });
  }
  return [...found, ...gapsOf(funding)];
}

/** The most frequent distance of rows, the shortest of equally frequent ones; of a file too short for a rule. */
function commonStep(hours: Float64Array): number {
  const counts = new Map<number, number>();
  for (let index = 1; index < hours.length; index++) {
    const step = hours[index]! - hours[index - 1]!;
    if (step > 0) counts.set(step, (counts.get(step) ?? 0) + 1);
  }
  const [best] = [...counts].toSorted(([a, often], [b, oftener]) => oftener - often || a - b);
  return best?.[0] ?? 1;
}

function gapsOf({ line, columns }: { line: Float64Array; columns: FundingRates }): Finding[] {
  const order = orderOf(columns.time);
  const hours = Float64Array.from(order, (row) => Math.floor(columns.time[row]! / HOUR_MS));
  const rules = settlementRules(hours);
  const regimes = rules.slice(1).map(({ from, step }): Finding => ({
    kind: 'regime',
    line: line[order[from]!]!,
    time: hours[from]! * HOUR_MS,
    rows: 1,
    detail: `settles every ${step} h from ${timeText(hours[from]! * HOUR_MS)}`,
  }));
  const usual = rules[0]?.step ?? commonStep(hours);
  const stepAt = (index: number): number =>
    rules.findLast(({ from }) => from < index)?.step ?? usual;
  const gaps = findGaps(hours, stepAt).map(({ index, missing }): Finding => ({
    kind: 'gap',
    line: line[order[index]!]!,
    time: (hours[index - 1]! + stepAt(index)) * HOUR_MS,
    rows: missing,
    detail: `${counted(missing, 'settlement')} missing`,
  }));
  return [...regimes, ...gaps];
}
