// Tables that sort by a click on a header, show a page at a time, and link to the chart.
import type { PageData } from '../toPageData.ts';
import {
  NONE,
  duration,
  el,
  gain,
  isNone,
  money,
  percent,
  ratio,
  size,
  time,
  timeWithSeconds,
  whole,
  type Maybe,
  type PriceFormat,
} from './format.ts';
import { strategyColour } from './theme.ts';

const PAGE_ROWS = 25;

/** `gain` or `loss`; empty for neither. */
type Tone = 'gain' | 'loss' | '';

export interface Column<Row> {
  label: string;
  text: (row: Row) => string;
  /** What it is sorted by, numbers or texts; absent: its text. */
  sort?: (row: Row) => Maybe<number | string>;
  /** `wrap` is for sentences, `tag` for names that may be long; absent: left. */
  align?: 'right' | 'wrap' | 'tag';
  tone?: (row: Row) => Tone;
  /** A strategy's colour. */
  dot?: (row: Row) => string;
  title?: string | undefined;
}

interface Table<Row> {
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  /** The last row, wherever the others are sorted to; shown beside two or more. */
  total?: Row;
  caption: string;
  /** Shown in place of a table without rows. */
  empty: string;
  /** Makes rows links. */
  onRow?: ((row: Row) => void) | undefined;
  /** Receives a function that shows a row, on its page. */
  onReveal?: ((reveal: (row: Row) => void) => void) | undefined;
}

interface TableState<Row> {
  page: number;
  /** The row that was asked for. */
  marked: Row | null;
  sortBy: Column<Row> | null;
  descending: boolean;
}

export function dataTable<Row>(table: Table<Row>): HTMLElement {
  const { columns, rows, onRow, empty, caption } = table;
  const total = table.total === undefined || rows.length < 2 ? {} : { total: table.total };
  const state: TableState<Row> = { page: 0, marked: null, sortBy: null, descending: false };
  const holder = el('div', { class: 'table-holder' });
  const render = (): void => {
    const sorted = sortRows(rows, state);
    const from = state.page * PAGE_ROWS;
    const shown = sorted.slice(from, from + PAGE_ROWS);
    holder.replaceChildren(
      rows.length === 0
        ? el('p', { class: 'empty' }, empty)
        : drawTable(
            { columns, rows: shown, ...total, caption, empty, onRow },
            sortOn,
            state.marked,
          ),
      ...pager(rows.length, state, render),
    );
  };
  const sortOn = (column: Column<Row>): void => {
    state.descending = state.sortBy === column ? !state.descending : column.align === 'right';
    state.sortBy = column;
    state.page = 0;
    render();
  };
  render();
  table.onReveal?.((row) => {
    const at = sortRows(rows, state).indexOf(row);
    if (at === -1) return;
    Object.assign(state, { page: Math.floor(at / PAGE_ROWS), marked: row });
    render();
    const shown = holder.querySelector<HTMLElement>('tr.marked');
    shown?.scrollIntoView({ behavior: 'smooth', block: 'center' });
    shown?.focus({ preventScroll: true });
  });
  return holder;
}

function sortRows<Row>(
  rows: readonly Row[],
  { sortBy, descending }: TableState<Row>,
): readonly Row[] {
  if (sortBy === null) return rows;
  const valueOf = sortBy.sort ?? sortBy.text;
  const direction = descending ? -1 : 1;
  return rows.toSorted((a, b) => {
    // Numbers or texts, a column's all of one kind: the same signs compare both.
    const [x, y] = [valueOf(a), valueOf(b)] as [Maybe<number>, Maybe<number>];
    if (isNone(x) || isNone(y)) return isNone(x) ? (isNone(y) ? 0 : 1) : -1;
    return (x < y ? -1 : x > y ? 1 : 0) * direction;
  });
}

function drawTable<Row>(
  { columns, rows, total, caption, onRow }: Table<Row>,
  sortOn: (column: Column<Row>) => void,
  marked: Row | null,
): HTMLElement {
  const head = columns.map((column) =>
    el(
      'th',
      { class: column.align ?? '', scope: 'col', title: column.title },
      el('button', { type: 'button', class: 'sort', click: () => sortOn(column) }, column.label),
    ),
  );
  const body = rows.map((row) => {
    const cells = columns.map((column) => tableCell(column, row));
    if (onRow === undefined) return el('tr', {}, ...cells);
    const open = (event: Event): void => {
      if ((event as KeyboardEvent).key === 'Enter') onRow(row);
    };
    const name = row === marked ? 'linked marked' : 'linked';
    const asks = { class: name, tabindex: '0', click: () => onRow(row), keydown: open };
    return el('tr', asks, ...cells);
  });
  return el(
    'div',
    { class: 'scroll' },
    el(
      'table',
      {},
      el('caption', { class: 'unseen' }, caption),
      el('thead', {}, el('tr', {}, ...head)),
      el('tbody', {}, ...body),
      total === undefined
        ? null
        : el('tfoot', {}, el('tr', {}, ...columns.map((column) => tableCell(column, total)))),
    ),
  );
}

function tableCell<Row>(column: Column<Row>, row: Row): HTMLElement {
  const tone = column.tone?.(row) ?? '';
  const dot =
    column.dot === undefined
      ? null
      : el('i', { class: 'dot', style: `background:${column.dot(row)}` });
  return el('td', { class: `${column.align ?? ''} ${tone}`.trim() }, dot, column.text(row));
}

function pager(count: number, state: { page: number }, render: () => void): HTMLElement[] {
  const pages = Math.ceil(count / PAGE_ROWS);
  if (pages <= 1) return [];
  const turn = (step: number) => (): void => {
    state.page = Math.min(pages - 1, Math.max(0, state.page + step));
    render();
  };
  const from = state.page * PAGE_ROWS;
  const shown = `${whole(from + 1)}–${whole(Math.min(count, from + PAGE_ROWS))} of ${whole(count)}`;
  return [
    el(
      'div',
      { class: 'pager' },
      el(
        'button',
        { type: 'button', class: 'ghost', disabled: state.page === 0, click: turn(-1) },
        '‹ Back',
      ),
      el('span', {}, shown),
      el(
        'button',
        { type: 'button', class: 'ghost', disabled: state.page === pages - 1, click: turn(1) },
        'On ›',
      ),
    ),
  ];
}

export function toneOf(value: Maybe<number>): Tone {
  if (isNone(value)) return '';
  return value > 0 ? 'gain' : value < 0 ? 'loss' : '';
}

type Colours = Pick<PageData, 'strategies'>;
/** How the prices of a symbol are shown. */
type PriceOf = (symbol: string) => PriceFormat;

/** Columns that several tables share. */
interface CommonColumns {
  strategy: Column<{ strategy: string }>;
  symbol: Column<{ symbol: string }>;
  side: Column<{ side: string }>;
  fees: Column<{ fees: number }>;
}

function commonColumns(data: Colours): CommonColumns {
  return {
    strategy: {
      label: 'strategy',
      text: (row) => row.strategy,
      dot: (row) => strategyColour(data, row.strategy),
    },
    symbol: { label: 'symbol', text: (row) => row.symbol },
    side: { label: 'side', text: (row) => row.side },
    fees: {
      label: 'fees',
      align: 'right',
      text: (row) => money(row.fees),
      sort: (row) => row.fees,
    },
  };
}

function number<Row>(
  label: string,
  valueOf: (row: Row) => Maybe<number>,
  format: (value: Maybe<number>) => string,
  extra: Partial<Column<Row>> = {},
): Column<Row> {
  return { label, align: 'right', text: (row) => format(valueOf(row)), sort: valueOf, ...extra };
}

function moment<Row>(label: string, valueOf: (row: Row) => Maybe<number>): Column<Row> {
  return { label, text: (row) => time(valueOf(row)), sort: valueOf };
}

function price<Row extends { symbol: string }>(
  label: string,
  valueOf: (row: Row) => Maybe<number>,
  priceOf: PriceOf,
): Column<Row> {
  const text = (row: Row): string => priceOf(row.symbol)(valueOf(row));
  return { label, align: 'right', text, sort: valueOf };
}

export function tradeColumns(
  data: Colours,
  priceOf: PriceOf,
): Column<PageData['trades'][number]>[] {
  const { strategy, symbol, side, fees } = commonColumns(data);
  return [
    moment('entry (UTC)', (row) => row.entry_time),
    moment('exit (UTC)', (row) => row.exit_time),
    strategy,
    symbol,
    side,
    number('size', (row) => row.size, size),
    price('entry price', (row) => row.entry_price, priceOf),
    price('exit price', (row) => row.exit_price, priceOf),
    number(
      'held',
      (row) => (row.exit_time === null ? null : row.exit_time - row.entry_time),
      duration,
    ),
    number('fills', (row) => row.fills, whole),
    number(
      'MAE',
      (row) => row.mae,
      (share) => percent(share, 2),
      {
        title: 'Worst price against the average entry price while it was open',
      },
    ),
    number(
      'MFE',
      (row) => row.mfe,
      (share) => percent(share, 2),
      {
        title: 'Best price against the average entry price while it was open',
      },
    ),
    fees,
    number('P&L', (row) => row.pnl, gain, { tone: (row) => toneOf(row.pnl) }),
    { label: 'entry tag', align: 'tag', text: (row) => row.entry_tag ?? NONE },
    { label: 'exit reason', align: 'tag', text: (row) => row.exit_reason ?? NONE },
  ];
}

export function fillColumns(data: Colours, priceOf: PriceOf): Column<PageData['fills'][number]>[] {
  const { strategy, symbol, side } = commonColumns(data);
  return [
    { label: 'time (UTC)', text: (row) => timeWithSeconds(row.time), sort: (row) => row.time },
    strategy,
    symbol,
    side,
    { label: 'role', text: (row) => row.role },
    number('size', (row) => row.size, size),
    price('price', (row) => row.price, priceOf),
    number('notional', (row) => row.size * row.price, money),
    { label: 'liquidity', text: (row) => row.liquidity },
    number(
      'fee',
      (row) => row.fee_rate * row.size * row.price,
      (fee) => (isNone(fee) ? NONE : fee.toFixed(4)),
    ),
    { label: 'made by', text: (row) => [row.cause, row.tag].filter(Boolean).join(': ') || NONE },
    { label: 'execution or order', text: (row) => row.execution_id ?? row.order_id ?? NONE },
  ];
}

type Execution = PageData['executions'][number];

export function executionColumns(data: Colours, priceOf: PriceOf): Column<Execution>[] {
  const { strategy, symbol, side, fees } = commonColumns(data);
  return [
    moment('start (UTC)', (row) => row.start_time),
    strategy,
    symbol,
    { label: 'algorithm', text: (row) => row.algo },
    side,
    number('filled', (row) => row.filled_size, size, {
      text: (row) => `${size(row.filled_size)} / ${size(row.total_size)}`,
    }),
    price('average', (row) => row.average_price, priceOf),
    number('slippage bps', slippageBps, ratio, {
      title: 'Average price against the price at launch; above zero cost money.',
      tone: (row) => toneOf(-(slippageBps(row) ?? 0)),
    }),
    number(
      'lasted',
      (row) => (isNone(row.end_time) ? null : row.end_time - row.start_time),
      duration,
    ),
    { label: 'status', text: (row) => row.status + (row.reason ? ` (${row.reason})` : '') },
    fees,
  ];
}

function slippageBps({
  average_price: paid,
  arrival_price: arrival,
  side,
}: Execution): number | null {
  if (isNone(paid) || !arrival) return null;
  return (side === 'buy' ? 1 : -1) * (paid / arrival - 1) * 10_000;
}

export function refusedColumns(data: Colours): Column<PageData['refused'][number]>[] {
  const { strategy, symbol } = commonColumns(data);
  return [
    { label: 'time (UTC)', text: (row) => timeWithSeconds(row.time), sort: (row) => row.time },
    strategy,
    symbol,
    { label: 'intent', text: (row) => row.kind },
    { label: 'outcome', text: (row) => row.outcome },
    { label: 'why', align: 'wrap', text: (row) => row.reason ?? NONE },
  ];
}

export function lifeColumns(data: Colours): Column<PageData['lives'][number]>[] {
  const { strategy } = commonColumns(data);
  return [
    { label: 'time (UTC)', text: (row) => timeWithSeconds(row.time), sort: (row) => row.time },
    strategy,
    { label: 'state', text: (row) => row.state },
    { label: 'why', align: 'wrap', text: (row) => row.reason },
  ];
}

export function reasonColumns(): Column<PageData['reasons'][number]>[] {
  return [
    { label: 'reason', align: 'wrap', text: (row) => row.reason ?? NONE },
    { label: 'outcome', text: (row) => row.outcome },
    number('intents', (row) => row.count, whole),
    {
      label: 'strategies',
      text: (row) => row.strategies.map(({ name, count }) => `${name} ${whole(count)}`).join(', '),
    },
    moment('last (UTC)', (row) => row.last_time),
    { label: 'the last one in full', align: 'wrap', text: (row) => row.example ?? NONE },
  ];
}

/** A strategy, or the row below all of them. */
export type ResultRow =
  | (PageData['strategies'][number] & { isTotal?: false })
  | (PageData['totals'] & { name: string; isTotal: true });

/** Columns for a strategy's name and market, in both of its tables. */
function ownColumns(data: Colours): Column<ResultRow>[] {
  return [
    {
      label: 'strategy',
      text: (row) => row.name,
      dot: (row) => (row.isTotal ? 'transparent' : strategyColour(data, row.name)),
    },
    {
      label: 'market',
      text: (row) => (row.isTotal ? '' : `${row.symbols.join(', ')} on ${row.wallet}`),
    },
  ];
}

/** A cost by its effect on the P&L: below zero if paid, so that a row adds up from left to right. */
const cost = (value: Maybe<number>): string => gain(isNone(value) || value === 0 ? value : -value);

/** Gross + fees + funding = P&L; every row and the total. */
export function resultColumns(data: Colours): Column<ResultRow>[] {
  const tone = (row: ResultRow): Tone => toneOf(row.pnl);
  return [
    ...ownColumns(data),
    number('gross', (row) => row.gross, gain, {
      title:
        'Realised and unrealised P&L before fees and funding, open positions at the last mark.',
    }),
    number('+ fees', (row) => row.fees, cost),
    number('+ funding', (row) => row.funding, cost, { title: 'Below zero was paid.' }),
    number('= net P&L', (row) => row.pnl, gain, { tone }),
    number('max drawdown', (row) => row.max_drawdown, money),
    number('turnover', (row) => row.turnover, whole),
    number('fee bps', (row) => row.fee_bps, ratio),
    number('maker', (row) => row.maker_share, percent),
  ];
}

const OUTCOMES = ['emitted', 'accepted', 'denied', 'rejected', 'unknown', 'expired'] as const;

export function activityColumns(data: Colours): Column<ResultRow>[] {
  const outcome = (name: keyof ResultRow['intents']): Column<ResultRow> =>
    number(name, (row) => row.intents[name], whole);
  return [
    ...ownColumns(data),
    ...OUTCOMES.map(outcome),
    number('fills', (row) => row.fills, whole),
    number('trades closed', (row) => row.trades, whole),
    number('open', (row) => row.open_trades, whole),
    number('won', (row) => row.win_rate, percent),
    number('profit factor', (row) => row.profit_factor, ratio),
  ];
}
