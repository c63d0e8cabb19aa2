// Rolling Sharpe ratio, P&L by month, and the cost of algorithms.
import type { PageData } from '../toPageData.ts';
import { card, type ChartCard } from './cards.ts';
import { rollingChart } from './charts.ts';
import { el, gain, type Maybe, money, ratio, whole } from './format.ts';
import { dataTable, toneOf, type Column } from './tables.ts';

const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');

/** A window needs this number of days; with fewer a note replaces an insignificant curve. */
export function rollingCard({ rolling, ratios }: PageData): ChartCard {
  const title = `Sharpe ratio over ${rolling.windowDays} days (${ratios})`;
  if (rolling.values.length === 0) {
    const text = `Needs ${rolling.windowDays} whole days; the run has ${whole(rolling.days)}.`;
    return { section: card(title, [], el('p', { class: 'empty' }, text)), draw: () => {} };
  }
  const holder = el('div', { class: 'chart', id: 'rolling-chart', style: 'height:220px' });
  return { section: card(title, [], holder), draw: () => rollingChart(holder, rolling) };
}

export function monthsCard({ months }: PageData): HTMLElement {
  type Row = PageData['months'][number];
  const column = (label: string, valueOf: (row: Row) => Maybe<number>): Column<Row> => ({
    label,
    align: 'right',
    text: (row) => gain(valueOf(row)),
    sort: valueOf,
    tone: (row) => toneOf(valueOf(row)),
  });
  const columns: Column<Row>[] = [
    { label: 'year', text: (row) => String(row.year), sort: (row) => row.year },
    ...MONTHS.map((label, index) => column(label, (row) => row.months[index])),
    column('year’s P&L', (row) => row.total),
  ];
  const table = dataTable({ columns, rows: months, caption: 'P&L by month', empty: 'None.' });
  return card('P&L by month (UTC)', [], table);
}

/** Slippage and shortfall of algorithms; empty if none filled. */
export function algorithmsCard({ shortfalls }: PageData): HTMLElement | null {
  if (shortfalls.length === 0) return null;
  type Row = PageData['shortfalls'][number];
  const bps = (
    label: string,
    valueOf: (row: Row) => Maybe<number>,
    title?: string,
  ): Column<Row> => ({
    label,
    title,
    align: 'right',
    text: (row) => ratio(valueOf(row)),
    sort: valueOf,
  });
  const columns: Column<Row>[] = [
    { label: 'algorithm', text: (row) => row.algo },
    {
      label: 'executions',
      align: 'right',
      text: (row) => whole(row.orders),
      sort: (row) => row.orders,
    },
    {
      label: 'filled, at arrival prices',
      align: 'right',
      text: (row) => money(row.notional),
      sort: (row) => row.notional,
    },
    bps(
      'slippage, bps',
      (row) => row.slippage_bps,
      'Average price against the price at its launch; positive is worse',
    ),
    bps('fees, bps', (row) => row.fee_bps),
    bps('shortfall, bps', (row) => row.shortfall_bps, 'Slippage and fees of what was filled'),
  ];
  const table = dataTable({ columns, rows: shortfalls, caption: 'Algorithms', empty: 'None.' });
  return card('What algorithms cost', [], table);
}
