import type { YearRow } from '../performance.ts';
import type { Figure } from './Figure.ts';
import type { NamedRun } from './figuresJson.ts';
import type { TradeGroup } from './breakdown.ts';
import { reportFigures, type ReportFigures } from './reportFigures.ts';

const GROUPINGS = [
  'sides',
  'symbols',
  'strategies',
  'entry_tags',
  'exit_reasons',
  'mixed_tags',
  'hours',
  'weekdays',
] as const;

type Row = readonly [
  group: string,
  figure: string,
  value: number | null,
  unit: string,
  why?: string | undefined,
];

/**
 * Every figure of some runs as CSV, one a row: run, group, figure, value, unit, and the reason where there is no value.
 * Months and years, drawdowns and groups of trades are figures too: `2025-03.pnl`, `1.depth`, `long.win_rate`.
 */
export function figuresCsv(runs: readonly NamedRun[]): string {
  const lines = runs.flatMap(({ name, data }) =>
    rowsOf(reportFigures(data)).map(([group, figure, value, unit, why = '']) =>
      [name, group, figure, value === null ? '' : String(value), unit, why].map(cell).join(','),
    ),
  );
  return ['run,group,figure,value,unit,why', ...lines, ''].join('\n');
}

/** A spreadsheet would compute what begins like a formula. */
const FORMULAS = ['=', '+', '@', '-', '\t', '\r'];

function cell(text: string): string {
  const isFormula =
    FORMULAS.some((mark) => text.startsWith(mark)) && !Number.isFinite(Number(text));
  const plain = isFormula ? `'${text}` : text;
  return /[",\n\r]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}

function rowsOf(report: ReportFigures): Row[] {
  const other = report.grouping === 'lots' ? 'round_trips' : 'lots';
  return [
    ...report.figures.map((figure) => figureRow(figure.group, figure)),
    ...report.otherTrades.map((figure) => figureRow(`trades_as_${other}`, figure)),
    ...report.years.flatMap(yearRowsOf),
    ...report.drawdowns.flatMap((drawdown, at): Row[] => {
      const { start, valley, end, durationMs, depth, amount } = drawdown;
      const name = (figure: string): string => `${at + 1}.${figure}`;
      return [
        ['drawdowns', name('start'), start, 'time'],
        ['drawdowns', name('valley'), valley, 'time'],
        ['drawdowns', name('end'), end, 'time', end === null ? 'it has not recovered' : undefined],
        ['drawdowns', name('duration'), durationMs, 'ms'],
        ['drawdowns', name('depth'), depth, 'share'],
        ['drawdowns', name('amount'), amount, 'quote'],
      ];
    }),
    ...report.capacity.course.map(({ time, value, symbol }): Row => {
      const day = new Date(time).toISOString().slice(0, 10);
      return ['capacity', `${day}.${symbol}`, value, 'quote'];
    }),
    ...GROUPINGS.flatMap((kind) => report[kind].flatMap((group) => groupRows(kind, group))),
  ];
}

const figureRow = (group: string, { name, value, unit, why }: Figure): Row => [
  group,
  name,
  value,
  unit,
  why,
];

function yearRowsOf({ year, months, total, shares, share }: YearRow): Row[] {
  const rows = (name: string, money: number, part: number | null): Row[] => [
    ['calendar', `${name}.pnl`, money, 'quote'],
    ['calendar', `${name}.return`, part, 'share', part === null ? 'no equity' : undefined],
  ];
  const ofMonths = months.flatMap((money, at) => {
    const name = `${year}-${String(at + 1).padStart(2, '0')}`;
    return money === null ? [] : rows(name, money, shares[at] ?? null);
  });
  return [...ofMonths, ...rows(String(year), total, share)];
}

/** Why a figure of a group that has trades has no value. */
const LACKING: Readonly<Record<string, string>> = {
  pnl_share: 'the run began without equity',
  average_return: 'no trade has a size',
  profit_factor: 'no trade was lost',
};

function groupRows(kind: string, { key, ...group }: TradeGroup): Row[] {
  const lackReason = (figure: string): string | undefined =>
    group.trades === 0 && figure !== 'pnl_share' ? 'no trade was closed' : LACKING[figure];
  const row = (figure: string, value: number | null, unit: string): Row => [
    kind,
    `${key}.${figure}`,
    value,
    unit,
    value === null ? lackReason(figure) : undefined,
  ];
  return [
    row('trades', group.trades, 'count'),
    row('won', group.won, 'count'),
    row('drawn', group.drawn, 'count'),
    row('lost', group.lost, 'count'),
    row('win_rate', group.win_rate, 'share'),
    row('pnl', group.pnl, 'quote'),
    row('pnl_share', group.pnl_share, 'share'),
    row('average', group.average, 'quote'),
    row('average_return', group.average_return, 'share'),
    row('best', group.best, 'quote'),
    row('worst', group.worst, 'quote'),
    row('profit_factor', group.profit_factor, 'ratio'),
    row('average_hold', group.average_hold_ms, 'ms'),
    row('fees', group.fees, 'quote'),
  ];
}
