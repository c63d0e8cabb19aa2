// Tables that change in place: a row, its focus and a selection in it live as long as its key does.
import { el } from '../../report/page/format.ts';
import { holdFocus, wayOf } from './holdFocus.ts';
import type { Times } from './PageAsks.ts';

export interface LiveColumn<Row> {
  label: string;
  text(row: Row, at: Times): string;
  align?: 'right' | 'wrap';
  /** `gain`, `loss`, `warn`, `strong`, `muted` or none. */
  tone?(row: Row, at: Times): string;
  /** Makes the cell a button; null: not in this row. */
  press?(row: Row): (() => void) | null;
  /** What the button does, for those who hear its text alone. */
  pressLabel?(row: Row): string;
  /** A text that is copied, such as a command. */
  isCode?: boolean;
}

export interface KeyedTable<Row> {
  element: HTMLElement;
  /** @param empty in place of a table without rows, if it is not the usual one */
  show(rows: readonly Row[], at: Times, empty?: string): void;
}

interface LiveCell<Row> {
  update(row: Row, at: Times): void;
  element: HTMLElement;
}

interface LiveRow<Row> {
  element: HTMLElement;
  cells: readonly LiveCell<Row>[];
}

/** Characters beyond which a stacked cell has a line of its own. */
const LONG = 26;

export function keyedTable<Row>(options: {
  caption: string;
  columns: readonly LiveColumn<Row>[];
  /** A row's identity; an object is one by itself. */
  keyOf(row: Row): unknown;
  /** Shown in place of a table without rows. */
  empty: string;
}): KeyedTable<Row> {
  const { caption, columns, keyOf, empty } = options;
  // Narrow screens lay rows out as blocks, which would take their meaning for a screen reader with it.
  const heads = columns.map(({ label, align }) =>
    el('th', { role: 'columnheader', scope: 'col', class: align ?? '' }, label),
  );
  const body = el('tbody', { role: 'rowgroup' });
  const table = el(
    'table',
    { role: 'table', class: 'live' },
    el('caption', { class: 'unseen' }, caption),
    el('thead', { role: 'rowgroup' }, el('tr', { role: 'row' }, ...heads)),
    body,
  );
  const none = el('p', { class: 'empty' }, empty);
  const known = new Map<unknown, LiveRow<Row>>();
  return {
    element: el('div', { class: 'scroll' }, table, none),
    show(rows, at, instead = empty) {
      setText(none, instead);
      setHidden(table, rows.length === 0);
      setHidden(none, rows.length > 0);
      const left = new Set(known.keys());
      for (const [index, row] of rows.entries()) {
        const key = keyOf(row);
        left.delete(key);
        const live = known.get(key) ?? createRow(columns);
        known.set(key, live);
        for (const cell of live.cells) cell.update(row, at);
        const there = body.children[index];
        if (there !== live.element) body.insertBefore(live.element, there ?? null);
      }
      const way = wayOf(document.activeElement);
      for (const key of left) {
        known.get(key)!.element.remove();
        known.delete(key);
      }
      holdFocus(way);
    },
  };
}

function createRow<Row>(columns: readonly LiveColumn<Row>[]): LiveRow<Row> {
  const cells = columns.map(createCell);
  return { cells, element: el('tr', { role: 'row' }, ...cells.map(({ element }) => element)) };
}

function createCell<Row>(column: LiveColumn<Row>): LiveCell<Row> {
  const { label, align = '', press, pressLabel } = column;
  const shown = el(column.isCode === true ? 'code' : 'span', { class: 'cell' });
  const element = el('td', { role: 'cell', 'data-label': label }, shown);
  const button = press === undefined ? null : el('button', { type: 'button', class: 'in-cell' });
  let act: (() => void) | null = null;
  button?.addEventListener('click', () => act?.());
  return {
    element,
    update(row, at) {
      const text = column.text(row, at);
      act = press?.(row) ?? null;
      const holder = act === null || button === null ? shown : button;
      if (element.firstChild !== holder) element.replaceChildren(holder);
      setText(holder, text);
      if (holder === button && pressLabel !== undefined)
        setAttribute(button, 'aria-label', pressLabel(row));
      // Where rows are stacked, empty cells take no room and long ones a line of their own.
      const room = text === '' ? 'blank' : text.length > LONG ? 'long' : '';
      const names = [align, column.tone?.(row, at) ?? '', room];
      setAttribute(element, 'class', names.filter((name) => name !== '').join(' '));
    },
  };
}

/** Writes a text only if it is another, so that a selection survives. */
export function setText(element: HTMLElement, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

export function setAttribute(element: HTMLElement, name: string, value: string): void {
  if (element.getAttribute(name) !== value) element.setAttribute(name, value);
}

export function setHidden(element: HTMLElement, hidden: boolean): void {
  if (element.hidden !== hidden) element.hidden = hidden;
}
