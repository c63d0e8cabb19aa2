/** Rows of one shape, stored by column: one object per row would dominate the memory of a long run. */
export interface RowLog<Row> {
  /** The row is the log's from then on. @returns its index */
  add(row: Row): number;
  set<Field extends keyof Row>(place: number, field: Field, value: Row[Field]): void;
  /** All rows, as newly created objects. */
  list(): Row[];
}

const ROWS_AT_ONCE = 256;

type ColumnKind = 'number' | 'text' | 'word';

/**
 * @param fields every field of a row, at most 31; a `word` repeats, and each distinct one is stored once. A field that is
 *   undefined, or a `number` that is none, is left out of its row.
 */
export function createRowLog<Row extends object>(
  fields: Readonly<Record<keyof Row, ColumnKind>>,
): RowLog<Row> {
  const names = Object.keys(fields) as Array<keyof Row>;
  const columns = names.map((name) => COLUMNS[fields[name]]());
  let count = 0;
  /** The newest rows, which are not in the columns yet: written one by one, each would find every column cold. */
  let pending: Row[] = [];

  function flush(): void {
    const from = count - pending.length;
    for (let at = 0; at < names.length; at++) {
      const name = names[at]!;
      const column = columns[at]!;
      for (let row = 0; row < pending.length; row++) column.set(from + row, pending[row]![name]);
    }
    pending = [];
  }

  /** A row like the one before is a copy of it with its own values: smaller, and made faster than field by field. */
  let like: Partial<Row> = {};
  let likeLacks = -1;
  const cells: unknown[] = [];

  const rowAt = (place: number): Row => {
    let lacks = 0;
    for (let at = 0; at < names.length; at++) {
      cells[at] = columns[at]!.get(place);
      if (cells[at] === undefined) lacks |= 1 << at;
    }
    const row: Partial<Row> = lacks === likeLacks ? { ...like } : {};
    for (let at = 0; at < names.length; at++) {
      if (cells[at] !== undefined) row[names[at]!] = cells[at] as Row[keyof Row];
    }
    like = row;
    likeLacks = lacks;
    return row as Row;
  };

  return {
    add(row) {
      pending.push(row);
      const place = count++;
      if (pending.length >= ROWS_AT_ONCE) flush();
      return place;
    },
    set(place, field, value) {
      const row = place - (count - pending.length);
      if (row >= 0) pending[row]![field] = value;
      else columns[names.indexOf(field)]!.set(place, value);
    },
    list() {
      flush();
      // Whoever got the rows of an earlier list may have changed them.
      likeLacks = -1;
      return Array.from({ length: count }, (_, place) => rowAt(place));
    },
  };
}

interface Column {
  get(place: number): unknown;
  set(place: number, value: unknown): void;
}

/** An array that only ever held numbers is as small as a typed one, and grows by itself. */
function createNumbers(): Column {
  const values: number[] = [];
  return {
    get: (place) => (Number.isNaN(values[place]) ? undefined : values[place]),
    set: (place, value) => (values[place] = typeof value === 'number' ? value : Number.NaN),
  };
}

function createTexts(): Column {
  const values: unknown[] = [];
  return {
    get: (place) => values[place],
    set: (place, value) => (values[place] = value),
  };
}

function createWords(): Column {
  const words: unknown[] = [];
  const places = new Map<unknown, number>();
  const column: number[] = [];
  return {
    get: (place) => words[column[place]!],
    set(place, word) {
      let known = places.get(word);
      if (known === undefined) {
        known = words.push(word) - 1;
        places.set(word, known);
      }
      column[place] = known;
    },
  };
}

const COLUMNS: Readonly<Record<ColumnKind, () => Column>> = {
  number: createNumbers,
  text: createTexts,
  word: createWords,
};
