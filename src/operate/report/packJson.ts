/** Shorter lists are not worth their frame. */
const LEAST = 16;
/** Decimals beyond which a list of numbers is left as it is. */
const MOST_DECIMALS = 12;

type Row = Readonly<Record<string, unknown>>;

/**
 * A value for JSON in which long lists take less room: numbers as the differences of whole numbers, `{ '~n': [decimals,
 * first, difference, …] }`, lists of numbers as one, `{ '~l': [lengths, numbers] }`, and rows by column,
 * `{ '~r': [count, [name, column, rows without it], …] }`. The page's
 * `unpackJson` gives the value back; numbers have the twelve significant digits that a page shows.
 */
export function packJson(value: unknown): unknown {
  if (ArrayBuffer.isView(value)) return packJson(Array.from(value as Float64Array));
  if (Array.isArray(value)) return packList(value);
  if (typeof value === 'number') return shorten(value);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, packJson(one)]));
}

function packList(list: readonly unknown[]): unknown {
  if (list.length >= LEAST) {
    if (list.every((one) => Number.isFinite(one))) return packNumbers(list as number[]);
    if (list.every(isRow)) return packRows(list);
    if (list.every(isNumbers)) return packLists(list);
  }
  return list.map((one) => packJson(one));
}

const isNumbers = (one: unknown): one is number[] =>
  Array.isArray(one) && one.every((value) => Number.isFinite(value));

/** Short lists in one: what follows in them often continues. */
const packLists = (lists: readonly number[][]): unknown => ({
  '~l': [packJson(lists.map(({ length }) => length)), packJson(lists.flat())],
});

const isRow = (one: unknown): one is Row =>
  typeof one === 'object' && one !== null && Object.getPrototypeOf(one) === Object.prototype;

/** Twelve significant digits hold any price, size and epoch millisecond beyond display. */
export function shorten(value: number): number {
  return Number.isSafeInteger(value) ? value : Number(value.toPrecision(12));
}

function packNumbers(given: readonly number[]): unknown {
  const list = given.map(shorten);
  let decimals = 0;
  for (const value of list) {
    while (decimals <= MOST_DECIMALS && !isWhole(value, decimals)) decimals += 1;
    if (decimals > MOST_DECIMALS) return list;
  }
  let before = 0;
  const differences = list.map((value) => {
    const whole = Math.round(value * 10 ** decimals);
    const difference = whole - before;
    before = whole;
    return difference;
  });
  return { '~n': [decimals, ...differences] };
}

/** Whether the whole number of so many decimals gives the value back, bit by bit. */
function isWhole(value: number, decimals: number): boolean {
  const whole = Math.round(value * 10 ** decimals);
  return Number.isSafeInteger(whole * 2) && whole / 10 ** decimals === value;
}

function packRows(rows: readonly Row[]): unknown {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const columns = names.map((name) => {
    const missing: number[] = [];
    let before: unknown = null;
    const column = rows.map((row, at) => {
      if (row[name] === undefined) missing.push(at);
      // What is missing repeats the value before it, which costs nothing.
      else before = row[name];
      return row[name] ?? (row[name] === null ? null : before);
    });
    return missing.length === 0
      ? [name, packJson(column)]
      : [name, packJson(column), packJson(missing)];
  });
  return { '~r': [rows.length, ...columns] };
}
