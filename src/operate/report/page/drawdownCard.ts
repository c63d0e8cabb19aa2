import { card } from './cards.ts';
import { duration, money, NONE, percent, time, whole } from './format.ts';
import { data } from './pageData.ts';
import { dataTable, type Column } from './tables.ts';

/** The worst ten drawdowns, as numbered on the curve. */
export function drawdownCard(onRow: (from: number, until: number) => void): HTMLElement {
  type Row = (typeof data.report.drawdowns)[number] & { rank: number };
  const rows = data.report.drawdowns.map((drawdown, at): Row => ({ ...drawdown, rank: at + 1 }));
  const columns: Column<Row>[] = [
    { label: 'rank', align: 'right', text: (row) => whole(row.rank), sort: (row) => row.rank },
    { label: 'start (UTC)', text: (row) => time(row.start), sort: (row) => row.start },
    { label: 'valley', text: (row) => time(row.valley), sort: (row) => row.valley },
    {
      label: 'recovered',
      text: (row) => (row.end === null ? `${NONE} not yet` : time(row.end)),
      sort: (row) => row.end,
    },
    {
      label: 'lasted',
      align: 'right',
      text: (row) => duration(row.durationMs),
      sort: (row) => row.durationMs,
    },
    {
      label: 'depth',
      align: 'right',
      text: (row) => percent(row.depth, 2),
      sort: (row) => row.depth,
      tone: () => 'loss',
    },
    { label: 'money', align: 'right', text: (row) => money(row.amount), sort: (row) => row.amount },
  ];
  const table = dataTable({
    columns,
    rows,
    caption: 'Worst drawdowns',
    empty:
      data.totals.max_drawdown > 0
        ? 'The version that recorded the run retained only some of its instants; make the backtest again.'
        : 'The equity never fell below an earlier peak.',
    onRow: (row) => onRow(row.start, row.end ?? data.endTime),
  });
  return card('Worst drawdowns', [], table);
}
