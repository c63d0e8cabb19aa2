// The service's rate budget: what is used, what waits.
import { NONE, el, percent, timeWithSeconds, whole } from '../../report/page/format.ts';
import { card } from '../../report/page/cards.ts';
import { factList } from './factList.ts';
import { keyedTable } from './keyedTable.ts';
import { UNKNOWN_PAST, type LiveCard } from './tableCards.ts';

interface LaneRow {
  lane: string;
  spent: number | undefined;
  deferred: number;
}

export function budgetCard(): LiveCard {
  const facts = factList();
  const lanes = keyedTable<LaneRow>({
    caption: 'Rate budget by lane',
    columns: [
      { label: 'lane', text: (row) => row.lane, tone: () => 'strong' },
      { label: 'spent', align: 'right', text: ({ spent }) => whole(spent) },
      {
        label: 'deferred',
        align: 'right',
        text: (row) => whole(row.deferred),
        tone: (row) => (row.deferred > 0 ? 'warn' : 'muted'),
      },
    ],
    keyOf: (row) => row.lane,
    empty: 'Nothing was spent yet.',
  });
  const element = card('Rate budget', [], el('div', {}, facts.element, lanes.element));
  element.id = 'budget';
  return {
    element,
    show({ blocks: { budget }, past }, at) {
      if (past?.unknown.includes('budget') === true) return lanes.show([], at, UNKNOWN_PAST);
      const { used, limit, allowance, peak, held_until, spent, deferred } = budget;
      facts.show([
        { label: 'used in this window', text: `${whole(used)} of ${whole(allowance)}` },
        { label: 'the service’s limit', text: whole(limit) },
        {
          label: 'highest in a window',
          text: allowance === 0 ? whole(peak) : `${whole(peak)} (${percent(peak / allowance, 0)})`,
        },
        {
          label: 'held until',
          text: held_until === null ? NONE : `${timeWithSeconds(held_until)} UTC`,
          tone: held_until === null ? '' : 'warn',
        },
      ]);
      const names = [...new Set([...Object.keys(spent), ...Object.keys(deferred)])].sort();
      lanes.show(
        names.map((lane) => ({ lane, spent: spent[lane], deferred: deferred[lane] ?? 0 })),
        at,
      );
    },
  };
}
