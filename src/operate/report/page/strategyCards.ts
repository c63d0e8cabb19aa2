import { card } from './cards.ts';
import { data } from './pageData.ts';
import {
  activityColumns,
  dataTable,
  lifeColumns,
  reasonColumns,
  resultColumns,
  type Column,
  type ResultRow,
} from './tables.ts';

/** What each strategy earned and did. */
export function strategyCard(): HTMLElement {
  const rows: ResultRow[] = [...data.strategies, { ...data.totals, name: 'total', isTotal: true }];
  const table = (caption: string, columns: Column<ResultRow>[]): HTMLElement =>
    dataTable({ columns, rows, caption, empty: 'None.' });
  return card(
    'Strategies',
    [],
    table('What strategies earned', resultColumns(data)),
    table('What strategies did', activityColumns(data)),
  );
}

/** Why intents were not accepted, most frequent first; empty if all were. */
export function reasonsCard(): HTMLElement | null {
  if (data.reasons.length === 0) return null;
  const [columns, rows] = [reasonColumns(), data.reasons] as const;
  const table = dataTable({ columns, rows, caption: 'Reasons', empty: 'None.' });
  return card('Why intents were not accepted', [], table);
}

/** Strategies that ended through their own fault, and their restarts; empty if none did. */
export function livesCard(): HTMLElement | null {
  if (data.lives.length === 0) return null;
  const table = dataTable({
    columns: lifeColumns(data),
    rows: data.lives,
    caption: 'Ends and restarts',
    empty: 'None.',
  });
  return card('Strategies that ended by their own fault', [], table);
}
