import {
  formatDuration,
  formatFixed,
  formatGain,
  formatMoney,
  formatTime,
  formatWhole,
} from '../progress/formatNumbers.ts';
import { RATIO_CONVENTION } from '../../statistics/index.ts';
import { curveColour, curvesSvg } from './curvesSvg.ts';
import type { ReportData } from './ReportData.ts';
import { escapeHtml } from './pageShell.ts';
import { htmlTable, staticPage } from './staticPage.ts';
import { statistics, type Statistics } from './statistics.ts';
import { wholeCourse } from './wholeCourse.ts';

/** A run to compare, and its name. */
export interface ComparedRun {
  name: string;
  data: ReportData;
}

/** Figures of several runs side by side: a row per figure, a column per run. */
export interface Comparison {
  head: string[];
  rows: string[][];
  /** The basis of the ratios. */
  note: string;
}

const NONE = '–';
const ratio = (value: number | null): string => (value === null ? NONE : formatFixed(value, 2));
const percent = (value: number | null): string =>
  value === null ? NONE : `${formatFixed(value * 100, 2)} %`;

/** With fewer days a ratio is not significant, and the report says so instead. */
export const FEWEST_DAYS = 30;

type Figures = Statistics & { data: ReportData };
const FIGURES: ReadonlyArray<readonly [string, (figures: Figures) => string]> = [
  ['from (UTC)', ({ data }) => formatTime(data.startTime)],
  ['until', ({ data }) => formatTime(data.endTime)],
  ['P&L', ({ data }) => formatGain(data.totals.pnl)],
  ['of the capital', ({ data }) => percent(shareOf(data.totals))],
  ['max drawdown', ({ data }) => formatMoney(data.totals.max_drawdown)],
  ['of its peak', ({ data }) => percent(data.totals.max_drawdown_share)],
  ['Sharpe (annualised)', (figures) => enough(figures, ratio(figures.sharpe))],
  ['Sortino (annualised)', (figures) => enough(figures, ratio(figures.sortino))],
  ['Calmar', (figures) => enough(figures, ratio(figures.calmar))],
  ['CAGR', (figures) => enough(figures, percent(figures.cagr))],
  ['volatility (annualised)', (figures) => enough(figures, percent(figures.volatility))],
  ['liquidations', ({ data }) => data.liquidations?.length.toString() ?? NONE],
  ['trades', ({ trades }) => formatWhole(trades)],
  ['won', ({ win_rate }) => percent(win_rate)],
  ['profit factor', ({ profit_factor }) => ratio(profit_factor)],
  ['time in the market', ({ time_in_market }) => percent(time_in_market)],
  ['fills', ({ data }) => formatWhole(data.totals.fills)],
  ['turnover', ({ turnover }) => formatMoney(turnover)],
  ['fees', ({ data }) => formatMoney(data.totals.fees)],
  ['fees, bps', ({ fee_bps }) => ratio(fee_bps)],
  ['as maker', ({ maker_share }) => percent(maker_share)],
  ['intents', ({ data }) => formatWhole(data.totals.intents.emitted)],
  [
    'not accepted',
    ({ data }) => formatWhole(data.totals.intents.emitted - data.totals.intents.accepted),
  ],
  ['answers with 429', ({ data }) => formatWhole(data.totals.rate_limited)],
  ['uncovered', ({ data }) => uncovered(data.totals)],
  ['hash', ({ data }) => data.hash.slice(0, 12)],
];

/** A wallet without cash has no shares. */
function shareOf({ pnl, start_equity: start }: ReportData['totals']): number | null {
  return start === 0 ? null : pnl / start;
}

function uncovered({ uncovered: figures }: ReportData['totals']): string {
  // A file of an earlier version has a different figure.
  const seconds = figures?.total_seconds;
  return seconds === undefined ? NONE : formatDuration(seconds * 1_000);
}

function enough({ sharpe_days: days }: Figures, text: string): string {
  return days < FEWEST_DAYS ? `needs ${FEWEST_DAYS} days` : text;
}

export function compareRuns(runs: readonly ComparedRun[]): Comparison {
  const figures = runs.map(({ data }) => ({ ...statistics(wholeCourse(data)), data }));
  return {
    head: ['', ...runs.map(({ name }) => name)],
    rows: FIGURES.map(([label, show]) => [label, ...figures.map(show)]),
    note: `Sharpe, Sortino, Calmar, CAGR and volatility: ${RATIO_CONVENTION}.`,
  };
}

/** The comparison as one HTML page, with the P&L of all runs over one another. */
export function renderComparison(runs: readonly ComparedRun[]): string {
  const { head, rows, note } = compareRuns(runs);
  const curves = runs.map(({ name, data }) => ({ name, points: wholeCourse(data).curve }));
  const legend = runs.map(
    ({ name }, index) =>
      `<span><i class="dot" style="background:${curveColour(index)}"></i>${escapeHtml(name)}</span>`,
  );
  const body = `<div class="legend">${legend.join('')}</div>${curvesSvg(curves, formatMoney)}`;
  return staticPage({
    title: 'Runs compared',
    sub: runs.map(({ data }) => data.generatedFrom).join(' · '),
    cards: [
      { title: 'P&L', body },
      {
        title: 'Figures',
        body: `${htmlTable(['figure', ...head.slice(1)], rows)}<p class="note">${escapeHtml(note)}</p>`,
      },
    ],
  });
}
