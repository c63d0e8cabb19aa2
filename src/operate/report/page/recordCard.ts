import { goTo, goToTrade, onMark } from './candleCard.ts';
import { card } from './cards.ts';
import { el, whole } from './format.ts';
import { data, priceOf } from './pageData.ts';
import { selectTab } from './selectTab.ts';
import {
  dataTable,
  executionColumns,
  fillColumns,
  refusedColumns,
  tradeColumns,
  type Column,
} from './tables.ts';

/** One of the tables behind tabs. */
interface RecordTable {
  name: string;
  count: number;
  /** Draws the rows that the reader's filter accepts. */
  draw: (accepts: RowFilter) => HTMLElement;
  /** Shows a row of the drawn table, on its page. */
  reveal: (row: unknown) => void;
}

type RecordRow = { strategy: string; symbol: string };
type RowFilter = (row: RecordRow) => boolean;

function recordTable<Row extends RecordRow>(table: {
  name: string;
  rows: readonly Row[];
  columns: Column<Row>[];
  empty: string;
  go: (row: Row) => void;
}): RecordTable {
  const { name, rows, columns, empty, go } = table;
  let reveal: (row: Row) => void = () => {};
  const onReveal = (next: typeof reveal): void => void (reveal = next);
  return {
    name,
    count: rows.length,
    draw: (accepts) =>
      dataTable({ columns, rows: rows.filter(accepts), empty, caption: name, onRow: go, onReveal }),
    reveal: (row) => reveal(row as Row),
  };
}

const TABLES = [
  recordTable({
    name: 'Trades',
    rows: data.trades,
    columns: tradeColumns(data, priceOf),
    empty: 'No position was opened.',
    go: goToTrade,
  }),
  recordTable({
    name: 'Fills',
    rows: data.fills,
    columns: fillColumns(data, priceOf),
    empty: 'Nothing was filled.',
    go: (row) => goTo(row.symbol, row.time),
  }),
  recordTable({
    name: 'Executions',
    rows: data.executions,
    columns: executionColumns(data, priceOf),
    empty: 'No algorithm was launched.',
    go: (row) => goTo(row.symbol, row.start_time, row.end_time),
  }),
  recordTable({
    name: 'Not accepted',
    rows: data.refused,
    columns: refusedColumns(data),
    empty: 'Every intent was accepted.',
    go: (row) => goTo(row.symbol, row.time),
  }),
];

/** All that happened, in tables behind tabs; a row leads to its place on the candles. */
export function recordCard(): HTMLElement {
  const body = el('div');
  const tabs = el('div', { class: 'tabs', role: 'tablist' });
  const strategy = select(
    'strategy',
    data.strategies.map(({ name }) => name),
    () => show(),
  );
  const symbol = select('symbol', Object.keys(data.symbols), () => show());
  const accepts: RowFilter = (row) => strategy.accepts(row.strategy) && symbol.accepts(row.symbol);
  let current = TABLES[0]!;
  const show = (table = current): void => {
    current = table;
    body.replaceChildren(table.draw(accepts));
    selectTab(tabs, (tab) => tab.dataset.table === table.name);
  };
  for (const table of TABLES) {
    const all = table.name === 'Not accepted' ? data.refusedCount : table.count;
    const of = all === table.count ? '' : ` of ${whole(all)}`;
    const label = `${table.name} ${whole(table.count)}${of}`;
    tabs.append(
      el(
        'button',
        { type: 'button', role: 'tab', 'data-table': table.name, click: () => show(table) },
        label,
      ),
    );
  }
  show();
  onMark(({ table, row }) => {
    // A filter must not hide what the reader asked for.
    if (!accepts(row)) for (const one of [strategy, symbol]) one.clear();
    const found = TABLES.find(({ name }) => name === table)!;
    show(found);
    found.reveal(row);
  });
  return card('Record', [tabs, strategy.element, symbol.element], body);
}

/** A list to choose one value from, or every one. */
interface Select {
  element: HTMLElement;
  accepts: (value: string) => boolean;
  clear: () => void;
}

function select(name: string, values: readonly string[], onChange: () => void): Select {
  const options = values.map((value) => el('option', { value }, value));
  const element = el(
    'select',
    { 'aria-label': name, change: onChange },
    el('option', { value: '' }, `every ${name}`),
    ...options,
  );
  return {
    element,
    accepts: (value) => element.value === '' || element.value === value,
    clear: () => void (element.value = ''),
  };
}
