// Rolling figures, P&L by month, and the cost of algorithms.
import type { PageData } from '../toPageData.ts';
import { card, type ChartCard } from './cards.ts';
import { el, gain, type Maybe, money, percent, ratio, whole } from './format.ts';
import { rollingChart } from './seriesCharts.ts';
import { tabBar, tabPanel } from './tabBar.ts';
import { dataTable, toneOf, type Column } from './tables.ts';

const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');

const ROLLING = [
  { name: 'sharpe', label: 'Sharpe' },
  { name: 'volatility', label: 'Volatility' },
  { name: 'beta', label: 'Beta' },
] as const;

/** A window needs this number of days; with fewer a note replaces an insignificant curve. */
export function rollingCard({ report: { rolling }, days, ratios }: PageData): ChartCard {
  const title = `Sharpe ratio, volatility and beta over ${rolling.windowDays} days`;
  if (rolling.times.length === 0) {
    const text = `Needs ${rolling.windowDays} whole days; the run has ${whole(days)}.`;
    return { section: card(title, [], el('p', { class: 'empty' }, text)), draw: () => {} };
  }
  const holder = el('div', {
    class: 'chart',
    id: 'rolling-chart',
    style: 'height:220px',
    role: 'img',
    'aria-label': `${title}: a curve over time.`,
  });
  const controls = el('div', { class: 'controls' });
  const note = el('p', { class: 'sub' }, `Of ${ratios}.`);
  const draw = (): void => {
    const show = rollingChart(holder, rolling.times);
    const tabs = ROLLING.filter(({ name }) => rolling[name].length > 0);
    controls.append(
      tabBar({ label: 'Rolling figure', tabs, panel: holder.id }, (name) => {
        const format = name === 'volatility' ? (value: number) => percent(value) : ratio;
        show(rolling[name as keyof Pick<typeof rolling, 'sharpe'>], format);
      }),
    );
  };
  return { section: card(title, [controls], note, holder), draw };
}

/** Months and years, in money and in percent of the equity at their beginning. */
export function monthsCard({ months }: PageData): HTMLElement {
  const panel = tabPanel('months-panel', 'P&L by month');
  const tabs = [
    { name: 'money', label: 'Money' },
    { name: 'percent', label: 'Percent' },
  ];
  const bar = tabBar({ label: 'Unit of the months', tabs, panel: panel.id }, (name) =>
    panel.replaceChildren(monthsTable(months, name === 'percent')),
  );
  return card('P&L by month (UTC)', [bar], panel);
}

function monthsTable(months: PageData['months'], inPercent: boolean): HTMLElement {
  type Row = PageData['months'][number];
  const column = (label: string, valueOf: (row: Row) => Maybe<number>): Column<Row> => ({
    label,
    align: 'right',
    text: (row) => (inPercent ? percent(valueOf(row), 2) : gain(valueOf(row))),
    sort: valueOf,
    tone: (row) => toneOf(valueOf(row)),
  });
  const columns: Column<Row>[] = [
    { label: 'year', text: (row) => String(row.year), sort: (row) => row.year },
    ...MONTHS.map((label, index) =>
      column(label, (row) => (inPercent ? row.shares[index] : row.months[index])),
    ),
    inPercent
      ? column('year’s return', (row) => row.share)
      : column('year’s P&L', (row) => row.total),
  ];
  return dataTable({ columns, rows: months, caption: 'P&L by month', empty: 'None.' });
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
