import { differencesOf, scaleNumbers, wholesOf, type ScaledNumbers } from './packNumbers.ts';

export type Row = Readonly<Record<string, unknown>>;

/** A column of rows; where a row has no value, it has that of the row before. */
interface Column {
  name: string;
  values: readonly unknown[];
  /** Rows that lack it, and rows in which it is null. */
  missing: readonly number[];
  nulls: readonly number[];
  /** What its texts begin with, where they are numbered. */
  prefix: string;
  /** Null if it is not of numbers. */
  numbers: ScaledNumbers | null;
}

/** One for each different text of a column, so that there are at most as many. */
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/**
 * Rows by column: `{ '~r': [count, [name, values, rows without it, rows where it is null, prefix], …] }`. Numbers, and the
 * numbers of numbered texts, are the differences that are smallest: to the row before (`~n`), to the last row with the
 * same word in another column (`~g`: an earlier fill of the same symbol), or to another number of the row (`~d`: an exit
 * to its entry). Texts of few words are a letter each, `{ '~w': [words, letters] }`.
 *
 * @param pack packs what is in a column of anything else
 */
export function packRows(rows: readonly Row[], pack: (value: unknown) => unknown): unknown {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const columns = names.map((name) => toColumn(name, rows));
  // A number refers to columns that a reader has read before it.
  const others = columns.filter(({ numbers }) => numbers === null);
  const numeric = columns.filter(({ numbers }) => numbers !== null);
  const words = others.filter(isOfWords);
  return {
    '~r': [
      rows.length,
      ...others.map((column) => written(column, packWords(column) ?? pack(column.values), pack)),
      ...numeric.map((column, at) =>
        written(column, smallest(column, words, numeric.slice(0, at)), pack),
      ),
    ],
  };
}

function toColumn(name: string, rows: readonly Row[]): Column {
  const [missing, nulls]: [number[], number[]] = [[], []];
  let before: unknown = rows.find((row) => row[name] !== undefined && row[name] !== null)?.[name];
  const values = rows.map((row, at) => {
    const value = row[name];
    if (value === undefined) missing.push(at);
    else if (value === null) nulls.push(at);
    // What is missing repeats the value before it, which costs nothing.
    else before = value;
    return before ?? null;
  });
  const ids = numberedTexts(values);
  const given = ids?.numbers ?? values;
  const isNumeric = given.every((value) => Number.isFinite(value));
  const numbers = isNumeric ? scaleNumbers(given as number[]) : null;
  return { name, values, missing, nulls, prefix: ids?.prefix ?? '', numbers };
}

/** Texts such as `exe_17` by their number; null for others. */
function numberedTexts(values: readonly unknown[]): { prefix: string; numbers: number[] } | null {
  const [first] = values;
  const prefix = typeof first === 'string' ? (/^(.+?)\d+$/.exec(first)?.[1] ?? '') : '';
  if (prefix === '') return null;
  const numbers: number[] = [];
  for (const value of values) {
    if (typeof value !== 'string' || !value.startsWith(prefix)) return null;
    const number = Number(value.slice(prefix.length));
    if (!Number.isSafeInteger(number) || `${prefix}${number}` !== value) return null;
    numbers.push(number);
  }
  return { prefix, numbers };
}

function isOfWords({ values }: Column): boolean {
  return (
    new Set(values).size <= LETTERS.length && values.every((value) => typeof value === 'string')
  );
}

function packWords(column: Column): object | null {
  if (!isOfWords(column)) return null;
  const words = [...new Set(column.values)];
  const letters = new Map(words.map((word, at) => [word, LETTERS[at]!]));
  return { '~w': [words, column.values.map((value) => letters.get(value)!).join('')] };
}

function written(column: Column, packed: unknown, pack: (value: unknown) => unknown): unknown[] {
  const { name, missing, nulls, prefix } = column;
  const rest = [missing, nulls].map((rows) => pack(rows));
  if (prefix !== '') return [name, packed, ...rest, prefix];
  if (nulls.length > 0) return [name, packed, ...rest];
  return missing.length > 0 ? [name, packed, rest[0]] : [name, packed];
}

/** The way of writing that takes the fewest digits. */
function smallest(column: Column, words: readonly Column[], before: readonly Column[]): object {
  const numbers = column.numbers!;
  const ways: { key: string; by: string[]; decimals: number; differences: number[] }[] = [
    { key: '~n', by: [], ...numbers, differences: differencesOf(numbers.wholes) },
    ...words.map(({ name, values }) => ({
      key: '~g',
      by: [name],
      decimals: numbers.decimals,
      differences: differencesByWord(numbers.wholes, values),
    })),
    ...before.flatMap((other) => {
      const decimals = Math.max(numbers.decimals, other.numbers!.decimals);
      const [own, base] = [wholesOf(numbers, decimals), wholesOf(other.numbers!, decimals)];
      if (own === null || base === null) return [];
      const differences = own.map((whole, at) => whole - base[at]!);
      return [{ key: '~d', by: [other.name], decimals, differences }];
    }),
  ];
  const costs = ways.map(({ differences }) => digitsOf(differences));
  const { key, by, decimals, differences } = ways[costs.indexOf(Math.min(...costs))]!;
  return { [key]: [...by, decimals, ...differences] };
}

function differencesByWord(wholes: readonly number[], words: readonly unknown[]): number[] {
  const last = new Map<unknown, number>();
  return wholes.map((whole, at) => {
    const before = last.get(words[at]) ?? 0;
    last.set(words[at], whole);
    return whole - before;
  });
}

/** About how long they are as text; a sum of logarithms follows what DEFLATE makes of them. */
function digitsOf(differences: readonly number[]): number {
  return differences.reduce((sum, difference) => sum + Math.log2(1 + Math.abs(difference)), 0);
}
