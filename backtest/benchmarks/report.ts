import type { ComparisonResult, ContenderResult } from './harness.ts';

/** Ratios as they were when they were recorded, by comparison with its unit, and contender. */
export type Recorded = Record<string, Record<string, number>>;

/** A ratio may be this share of its recorded one before `--check` fails. */
export const TOLERATED = 2 / 3;

/** Comparisons as tables for a terminal. */
export function formatResults(results: readonly ComparisonResult[], recorded: Recorded): string {
  return results.map((result) => formatResult(result, recorded[keyOf(result)] ?? {})).join('\n\n');
}

const keyOf = ({ name, unit }: ComparisonResult): string => `${name}, ${unit}`;

function formatResult(result: ComparisonResult, was: Record<string, number>): string {
  const { name, unit, isBaselineCompared, contenders } = result;
  const ours = contenders[0]!.name;
  const ratio = isBaselineCompared ? [`${ours} ×`, `${ours} is`] : ['ratio'];
  const head = [name, unit, 'ns each', ...ratio, 'lowest to highest', 'goal', 'recorded', ''];
  const rows = contenders.map((each, index) => [
    each.name,
    formatRate(each.rate),
    formatRate(1e9 / each.rate),
    formatRatio(each.ratio),
    ...(isBaselineCompared ? [index === 0 ? '' : formatLead(each.ratio)] : []),
    each.spread.map(formatRatio).join(' to '),
    formatGoal(each),
    was[each.name] === undefined ? '' : formatRatio(was[each.name]!),
    each.note,
  ]);
  const widths = head.map((_title, column) =>
    Math.max(...[head, ...rows].map((row) => row[column]!.length)),
  );
  const line = (row: string[]): string =>
    row
      .map((cell, column) =>
        column % (row.length - 1) === 0
          ? cell.padEnd(widths[column]!)
          : cell.padStart(widths[column]!),
      )
      .join('  ')
      .trimEnd();
  return [head, ...rows].map(line).join('\n');
}

const formatRate = (rate: number): string =>
  rate >= 100 ? Math.round(rate).toLocaleString('en-US') : rate.toPrecision(3);
const formatRatio = (ratio: number): string =>
  ratio >= 100 ? formatRate(ratio) : ratio.toPrecision(2);
/** A ratio to the baseline in words: a small fraction hides how far behind it is. */
const formatLead = (ratio: number): string =>
  ratio >= 1 ? `${formatRatio(ratio)} × ahead` : `${formatRatio(1 / ratio)} × behind`;

function formatGoal({ goal, must, ratio }: ContenderResult): string {
  const least = must ?? goal;
  if (least === null) return '';
  return `${must === null ? '' : 'must be '}≥ ${least} ${ratio >= least ? 'met' : 'MISSED'}`;
}

/** The ratios of a run, in the shape that is recorded. */
export function toRecorded(results: readonly ComparisonResult[]): Recorded {
  return Object.fromEntries(
    results.map((result) => [
      keyOf(result),
      Object.fromEntries(
        result.contenders.slice(1).map((each) => [each.name, Number(each.ratio.toPrecision(3))]),
      ),
    ]),
  );
}

/** Contenders that fell behind their recorded ratio by more than a third, or below what must be, in words. */
export function regressions(results: readonly ComparisonResult[], recorded: Recorded): string[] {
  return results.flatMap((result) =>
    result.contenders.flatMap((each) => {
      const { ratio, must } = each;
      if (must !== null && ratio < must)
        return [`${keyOf(result)}, ${each.name}: ${formatRatio(ratio)} where ${must} must be`];
      const was = recorded[keyOf(result)]?.[each.name];
      if (was === undefined || each.ratio >= was * TOLERATED) return [];
      return [
        `${keyOf(result)}, ${each.name}: ${formatRatio(each.ratio)} where ${formatRatio(was)} was`,
      ];
    }),
  );
}
