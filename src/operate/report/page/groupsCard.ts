import { card } from './cards.ts';
import { duration, el, gain, money, percent, ratio, whole, type Maybe } from './format.ts';
import { data } from './pageData.ts';
import { tabBar, tabPanel } from './tabBar.ts';
import { dataTable, toneOf, type Column } from './tables.ts';

type Row = (typeof data.report.groups.sides)[number];

const TABS = [
  { name: 'sides', label: 'Long and short' },
  { name: 'symbols', label: 'Symbols' },
  { name: 'strategies', label: 'Strategies' },
  { name: 'hours', label: 'Hours' },
  { name: 'weekdays', label: 'Weekdays' },
] as const;

/** Closed trades apart: long and short, by symbol, strategy, hour and weekday of the entry. */
export function groupsCard(): HTMLElement {
  const panel = tabPanel('groups-panel', 'Groups of trades');
  const tabs = tabBar({ label: 'Groups of trades', tabs: TABS, panel: panel.id }, (name) => {
    const { label } = TABS.find((tab) => tab.name === name)!;
    const rows = data.report.groups[name as keyof typeof data.report.groups];
    const table = dataTable({ columns, rows, caption: label, empty: 'No trade was closed.' });
    panel.replaceChildren(table);
  });
  const unit = data.report.grouping === 'lots' ? 'lots' : 'round trips';
  const note = el(
    'p',
    { class: 'sub' },
    `Closed ${unit}, after fees; hours and weekdays of the entry, UTC.`,
  );
  return card('Trades apart', [tabs], note, panel);
}

const column = (
  label: string,
  valueOf: (row: Row) => Maybe<number>,
  format: (value: Maybe<number>) => string,
  extra: Partial<Column<Row>> = {},
): Column<Row> => ({
  label,
  align: 'right',
  text: (row) => format(valueOf(row)),
  sort: valueOf,
  ...extra,
});

const columns: readonly Column<Row>[] = [
  { label: 'group', text: (row) => row.key },
  column('trades', (row) => row.trades, whole),
  column(
    'won',
    (row) => row.win_rate,
    (value) => percent(value),
  ),
  column('P&L', (row) => row.pnl, gain, { tone: (row) => toneOf(row.pnl) }),
  column('average', (row) => row.average, gain, { tone: (row) => toneOf(row.average ?? 0) }),
  column('best', (row) => row.best, gain),
  column('worst', (row) => row.worst, gain),
  column('profit factor', (row) => row.profit_factor, ratio),
  column('held, average', (row) => row.average_hold_ms, duration),
  column('fees', (row) => row.fees, money),
];
