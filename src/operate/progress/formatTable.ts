import type { ReportTotals, RunFigures } from '../report/ReportData.ts';
import { formatColumns, type Align } from './formatColumns.ts';
import { formatDuration, formatGain, formatMoney, formatWhole } from './formatNumbers.ts';

export interface ClosingFigures {
  strategies: readonly (RunFigures & { name: string })[];
  totals: RunFigures & Pick<ReportTotals, 'rate_limited' | 'uncovered'>;
  hash: string;
}

const OUTCOMES = ['emitted', 'denied', 'accepted', 'rejected', 'unknown', 'expired'] as const;
const HEAD = ['strategy', ...OUTCOMES, 'fills', 'fees', 'P&L', 'max drawdown'];
const ALIGN: readonly Align[] = ['left', ...HEAD.slice(1).map((): Align => 'right')];

/** The closing table: a row per strategy, the total, figures that must be zero, and the run's hash. */
export function formatTable({ strategies, totals, hash }: ClosingFigures): string {
  const rows = [...strategies, { ...totals, name: 'total' }].map(cells);
  return [
    formatColumns([HEAD, ...rows], ALIGN),
    '',
    `429s: ${totals.rate_limited}`,
    `unknowns: ${totals.intents.unknown}`,
    ...uncoveredLines(totals),
    `hash: ${hash}`,
    '',
  ].join('\n');
}

/** Time during which any part of any position had no acknowledged stop. */
function uncoveredLines({ uncovered }: ClosingFigures['totals']): string[] {
  if (uncovered === undefined) return [];
  const { total_seconds: sum, longest_seconds: longest } = uncovered;
  const more = longest === 0 ? '' : ` (longest ${formatDuration(longest * 1_000)})`;
  return [`uncovered: ${formatDuration(sum * 1_000)}${more}`];
}

function cells(row: RunFigures & { name: string }): string[] {
  return [
    row.name,
    ...OUTCOMES.map((outcome) => formatWhole(row.intents[outcome])),
    formatWhole(row.fills),
    formatMoney(row.fees),
    formatGain(row.pnl),
    `${formatMoney(row.max_drawdown)} (${(row.max_drawdown_share * 100).toFixed(2)} %)`,
  ];
}
