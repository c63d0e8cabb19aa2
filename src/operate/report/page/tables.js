// Tables that sort by a click on a header, show a page at a time, and link to the chart.
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
} from './format.js';
import { strategyColour } from './theme.js';

const PAGE_ROWS = 25;

/**
 * A column: `label`, `text(row)`, and optionally `sort(row)` (its number or text), `align` (`right`, or `wrap` for
 * sentences), `tone(row)`
 * (`gain` or `loss`), `dot(row)` (a strategy's colour) and `title`.
 */
export function dataTable({ columns, rows, onRow, empty, caption }) {
  const state = { page: 0, sortBy: null, descending: false };
  const holder = el('div', { class: 'table-holder' });
  const render = () => {
    const sorted = sortRows(rows, columns, state);
    const from = state.page * PAGE_ROWS;
    const shown = sorted.slice(from, from + PAGE_ROWS);
    holder.replaceChildren(
      rows.length === 0
        ? el('p', { class: 'empty' }, empty)
        : drawTable(columns, shown, caption, onRow, sortOn),
      ...pager(rows.length, state, render),
    );
  };
  const sortOn = (column) => {
    state.descending = state.sortBy === column ? !state.descending : column.align === 'right';
    state.sortBy = column;
    state.page = 0;
    render();
  };
  render();
  return holder;
}

function sortRows(rows, columns, { sortBy, descending }) {
  if (sortBy === null) return rows;
  const valueOf = sortBy.sort ?? sortBy.text;
  const direction = descending ? -1 : 1;
  return rows.toSorted((a, b) => {
    const [x, y] = [valueOf(a), valueOf(b)];
    if (isNone(x) || isNone(y)) return isNone(x) ? (isNone(y) ? 0 : 1) : -1;
    return (x < y ? -1 : x > y ? 1 : 0) * direction;
  });
}

function drawTable(columns, rows, caption, onRow, sortOn) {
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
    return el('tr', { class: 'linked', click: () => onRow(row) }, ...cells);
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
    ),
  );
}

function tableCell(column, row) {
  const tone = column.tone?.(row) ?? '';
  const dot =
    column.dot === undefined
      ? null
      : el('i', { class: 'dot', style: `background:${column.dot(row)}` });
  return el('td', { class: `${column.align ?? ''} ${tone}`.trim() }, dot, column.text(row));
}

function pager(count, state, render) {
  const pages = Math.ceil(count / PAGE_ROWS);
  if (pages <= 1) return [];
  const turn = (step) => () => {
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

export const toneOf = (value) => (value > 0 ? 'gain' : value < 0 ? 'loss' : '');

/** Columns that several tables share. */
function commonColumns(data) {
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

function number(label, valueOf, format, extra = {}) {
  return { label, align: 'right', text: (row) => format(valueOf(row)), sort: valueOf, ...extra };
}

function moment(label, valueOf) {
  return { label, text: (row) => time(valueOf(row)), sort: valueOf };
}

function price(label, valueOf, priceOf) {
  return number(label, valueOf, (value) => value, {
    text: (row) => priceOf(row.symbol)(valueOf(row)),
  });
}

export function tradeColumns(data, priceOf) {
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
    fees,
    number('P&L', (row) => row.pnl, gain, { tone: (row) => toneOf(row.pnl) }),
  ];
}

export function fillColumns(data, priceOf) {
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
      (row) => row.fee,
      (fee) => (isNone(fee) ? NONE : fee.toFixed(4)),
    ),
    { label: 'execution or order', text: (row) => row.execution_id ?? row.order_id ?? NONE },
  ];
}

export function executionColumns(data, priceOf) {
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

function slippageBps({ average_price: paid, arrival_price: arrival, side }) {
  if (isNone(paid) || !arrival) return null;
  return (side === 'buy' ? 1 : -1) * (paid / arrival - 1) * 10_000;
}

export function refusedColumns(data) {
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

export function lifeColumns(data) {
  const { strategy } = commonColumns(data);
  return [
    { label: 'time (UTC)', text: (row) => timeWithSeconds(row.time), sort: (row) => row.time },
    strategy,
    { label: 'state', text: (row) => row.state },
    { label: 'why', align: 'wrap', text: (row) => row.reason },
  ];
}

export function reasonColumns() {
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

/** Columns for a strategy's name and market, in both of its tables. */
function ownColumns(data) {
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
const cost = (value) => gain(isNone(value) || value === 0 ? value : -value);

/** Gross + fees + funding = P&L; every row and the total. */
export function resultColumns(data) {
  const tone = (row) => toneOf(row.pnl);
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

export function activityColumns(data) {
  const outcome = (name) => number(name, (row) => row.intents[name], whole);
  return [
    ...ownColumns(data),
    ...['emitted', 'accepted', 'denied', 'rejected', 'unknown', 'expired'].map(outcome),
    number('fills', (row) => row.fills, whole),
    number('trades closed', (row) => row.trades, whole),
    number('open', (row) => row.open_trades, whole),
    number('won', (row) => row.win_rate, percent),
    number('profit factor', (row) => row.profit_factor, ratio),
  ];
}
