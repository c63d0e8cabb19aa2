// The spent rate budget, and the intents that waited.
import type { PageData } from '../toPageData.ts';
import { card } from './cards.ts';
import { el, percent, whole } from './format.ts';
import { dataTable, type Column } from './tables.ts';

/** Weight by lane, the remaining headroom, and the causes of waits. */
export function budgetCard({ budget, delays }: PageData): HTMLElement | null {
  if (budget === null) return null;
  const { peak, allowance } = budget;
  const lanes = Object.entries(budget.spent).map(([lane, weight]) => ({ lane, weight }));
  const all = lanes.reduce((sum, { weight }) => sum + weight, 0);
  const laneColumns: Column<{ lane: string; weight: number }>[] = [
    { label: 'lane', text: (row) => row.lane },
    countColumn('weight spent', (row) => row.weight),
    {
      label: 'of all',
      align: 'right',
      text: (row) => percent(all === 0 ? 0 : row.weight / all),
      sort: (row) => row.weight,
    },
  ];
  const delayColumns: Column<PageData['delays'][number]>[] = [
    { label: 'waited for', align: 'wrap', text: (row) => row.cause },
    countColumn('intents', (row) => row.count),
  ];
  const left = allowance === 0 ? null : 1 - peak / allowance;
  const note = `At most ${whole(peak)} of ${whole(allowance)} were used in one window: a headroom of ${percent(left)}.`;
  return card(
    'Rate budget',
    [],
    dataTable({ columns: laneColumns, rows: lanes, caption: 'Weight by lane', empty: 'None.' }),
    el('p', { class: 'sub', id: 'headroom' }, note),
    dataTable({
      columns: delayColumns,
      rows: delays,
      caption: 'What intents waited for',
      empty: 'No intent had to wait.',
    }),
  );
}

function countColumn<Row>(label: string, valueOf: (row: Row) => number): Column<Row> {
  return { label, align: 'right', text: (row) => whole(valueOf(row)), sort: valueOf };
}
