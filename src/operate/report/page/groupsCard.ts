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
  { name: 'entry_tags', label: 'Entry tags' },
  { name: 'exit_reasons', label: 'Exit reasons' },
  { name: 'mixed_tags', label: 'Both' },
  { name: 'hours', label: 'Hours' },
  { name: 'weekdays', label: 'Weekdays' },
] as const;

/** Closed trades apart: long and short, by symbol, strategy, hour and weekday of the entry. */
export function groupsCard(): HTMLElement {
  const panel = tabPanel('groups-panel', 'Groups of trades');
  const tabs = tabBar({ label: 'Groups of trades', tabs: TABS, panel: panel.id }, (name) => {
    const { label } = TABS.find((tab) => tab.name === name)!;
    const rows = data.report.groups[name as (typeof TABS)[number]['name']];
    const isUnknown = rows.length === 0 && data.report.groups.all.trades > 0;
    const empty = isUnknown
      ? 'The run does not report what made its fills.'
      : 'No trade was closed.';
    const total = { ...data.report.groups.all, key: 'total' };
    const table = dataTable({ columns, rows, total, caption: label, empty });
    panel.replaceChildren(table);
  });
  const unit = data.report.grouping === 'lots' ? 'lots' : 'round trips';
  const note = el(
    'p',
    { class: 'sub' },
    `Closed ${unit}, after fees; by what opened and what closed them, and by hours and weekdays of the entry, UTC.`,
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

const share = (value: Maybe<number>): string => percent(value, 2);

const columns: readonly Column<Row>[] = [
  { label: 'group', text: (row) => row.key },
  column('trades', (row) => row.trades, whole),
  column(
    'won',
    (row) => row.win_rate,
    (value) => percent(value),
  ),
  column('won, drawn, lost', (row) => row.won, whole, {
    text: ({ won, drawn, lost }) => [won, drawn, lost].map(whole).join(' / '),
  }),
  column('P&L', (row) => row.pnl, gain, { tone: (row) => toneOf(row.pnl) }),
  column('of the equity', (row) => row.pnl_share, share, {
    title: 'P&L over the equity at the start',
  }),
  column('average', (row) => row.average, gain, { tone: (row) => toneOf(row.average ?? 0) }),
  column('average return', (row) => row.average_return, share, {
    title: 'Mean of P&L over the size of each trade',
  }),
  column('best', (row) => row.best, gain),
  column('worst', (row) => row.worst, gain),
  column('profit factor', (row) => row.profit_factor, ratio),
  column('held, average', (row) => row.average_hold_ms, duration),
  column('fees', (row) => row.fees, money),
];
