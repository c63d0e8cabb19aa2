import { formatColumns, type Align } from '../../progress/formatColumns.ts';
import {
  formatDuration,
  formatFixed,
  formatMoney,
  formatWhole,
} from '../../progress/formatNumbers.ts';
import type { TradeGroup } from './breakdown.ts';
import type { TradeGroups } from './reportFigures.ts';

const TABLES = [
  { name: 'entry_tags', title: 'BY ENTRY TAG' },
  { name: 'exit_reasons', title: 'BY EXIT REASON' },
  { name: 'mixed_tags', title: 'BY BOTH' },
] as const;

const HEAD = [
  'trades',
  'average %',
  'P&L',
  'P&L %',
  'held, average',
  'won',
  'drawn',
  'lost',
  'won %',
];
const ALIGN: readonly Align[] = ['left', ...HEAD.map((): Align => 'right')];

/** Closed trades by what opened and what closed them, as freqtrade's tables; empty if a run doesn't report it. */
export function formatGroups(groups: TradeGroups): string {
  const rows = TABLES.flatMap(({ name, title }) =>
    groups[name].length === 0
      ? []
      : [
          [title, ...HEAD],
          ...groups[name].map(rowOf),
          rowOf({ ...groups.all, key: 'total' }),
          [''],
        ],
  );
  return rows.length === 0 ? '' : `\n${formatColumns(rows.slice(0, -1), ALIGN)}\n`;
}

const NONE = '–';
const percent = (share: number | null): string =>
  share === null ? NONE : formatFixed(share * 100, 2);

function rowOf(group: TradeGroup): string[] {
  return [
    `  ${group.key}`,
    formatWhole(group.trades),
    percent(group.average_return),
    formatMoney(group.pnl),
    percent(group.pnl_share),
    group.average_hold_ms === null ? NONE : formatDuration(group.average_hold_ms),
    formatWhole(group.won),
    formatWhole(group.drawn),
    formatWhole(group.lost),
    percent(group.win_rate),
  ];
}
