import { RATIO_CONVENTION } from '../../../statistics/index.ts';
import type { ReportData } from '../ReportData.ts';
import type { Figure } from './Figure.ts';
import { reportFigures } from './reportFigures.ts';

/** A run and its name. */
export interface NamedRun {
  name: string;
  data: ReportData;
}

/**
 * Every figure of some runs as JSON for other programs: `runs[].figures` by name with unit, group and value, or null with
 * the reason; beside them the tables and series of the report, unrounded. Times are epoch milliseconds, money is in quote
 * units, shares are fractions.
 */
export function figuresJson(runs: readonly NamedRun[]): string {
  const text = JSON.stringify({
    format: 'trimtab-report',
    ratios_of: RATIO_CONVENTION,
    runs: runs.map(toJson),
  });
  return `${text}\n`;
}

function toJson({ name, data }: NamedRun): object {
  const { figures, otherTrades, grouping, all, ...tables } = reportFigures(data);
  const { title, generatedFrom, startTime, endTime, hash, assumptions, about, check } = data;
  const other = grouping === 'lots' ? 'round_trips' : 'lots';
  return {
    run: { name, title, configuration: generatedFrom, start_time: startTime, end_time: endTime },
    hash,
    about,
    check,
    assumptions,
    trade_grouping: grouping,
    figures: byName(figures),
    [`trades_as_${other}`]: byName(otherTrades),
    ...tables,
    all_trades: all,
  };
}

function byName(figures: readonly Figure[]): Record<string, Omit<Figure, 'name'>> {
  return Object.fromEntries(figures.map(({ name, ...figure }) => [name, figure]));
}
