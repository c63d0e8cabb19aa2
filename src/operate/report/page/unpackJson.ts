// The page's data as they were before they were packed for its text.

type Packed = Readonly<Record<string, unknown>>;
type Column = readonly [
  name: string,
  values: unknown,
  missing?: unknown,
  nulls?: unknown,
  prefix?: string,
];

/** What `packJson` packed. Its numbers are not walked through one by one: there may be millions. */
export function unpackJson(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((one) => unpackJson(one));
  if ('~n' in value) return unpackNumbers(value['~n'] as number[]);
  if ('~l' in value) return unpackLists(value['~l'] as [unknown, unknown]);
  if ('~r' in value) return unpackRows(value['~r'] as [number, ...Column[]]);
  if ('~c' in value) return unpackCandles(value as Packed);
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, unpackJson(one)]));
}

function unpackNumbers(packed: readonly number[]): number[] {
  const scale = 10 ** packed[0]!;
  const values = Array<number>(packed.length - 1);
  for (let at = 0, whole = 0; at < values.length; at++) {
    whole += packed[at + 1]!;
    values[at] = whole / scale;
  }
  return values;
}

function unpackLists([packedLengths, packedNumbers]: [unknown, unknown]): number[][] {
  const lengths = unpackJson(packedLengths) as number[];
  const numbers = unpackJson(packedNumbers) as number[];
  let from = 0;
  return lengths.map((length) => numbers.slice(from, (from += length)));
}

function unpackRows([count, ...columns]: [number, ...Column[]]): Record<string, unknown>[] {
  const rows = Array.from({ length: count }, (): Record<string, unknown> => ({}));
  const read = new Map<string, unknown[]>();
  for (const [name, packed, missing = [], nulls = [], prefix] of columns) {
    const values = unpackColumn(packed as Packed, read);
    read.set(name, values);
    const without = new Set(unpackJson(missing) as number[]);
    const empty = new Set(unpackJson(nulls) as number[]);
    for (let at = 0; at < count; at++) {
      if (without.has(at)) continue;
      const value = prefix === undefined ? values[at] : `${prefix}${values[at] as number}`;
      rows[at]![name] = empty.has(at) ? null : value;
    }
  }
  return rows;
}

/** Numbers may be differences to the same column of an earlier row with the same word, or to another column. */
function unpackColumn(packed: Packed, read: ReadonlyMap<string, unknown[]>): unknown[] {
  if ('~w' in packed) return unpackWords(packed['~w'] as [string[], string]);
  const key = '~g' in packed ? '~g' : '~d';
  if (!(key in packed)) return unpackJson(packed) as unknown[];
  const [name, decimals, ...differences] = packed[key] as [string, number, ...number[]];
  const scale = 10 ** decimals;
  const others = read.get(name)!;
  if (key === '~d')
    return differences.map(
      (difference, at) => (Math.round((others[at] as number) * scale) + difference) / scale,
    );
  const last = new Map<unknown, number>();
  return differences.map((difference, at) => {
    const whole = (last.get(others[at]) ?? 0) + difference;
    last.set(others[at], whole);
    return whole / scale;
  });
}

/** A letter each: `ABC…Zabc…z0…9-_`. */
function unpackWords([words, letters]: [string[], string]): string[] {
  const order = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  const places = new Map(Array.from(order).map((letter, at) => [letter, words[at]!]));
  return Array.from(letters, (letter) => places.get(letter)!);
}

function unpackCandles({ '~c': packed, ...others }: Packed): Record<string, unknown> {
  const [decimals, opens, closes, highs, lows] = packed as [number, ...number[][]];
  const scale = 10 ** decimals;
  const [open, high, low, close]: [number[], number[], number[], number[]] = [[], [], [], []];
  for (let at = 0, last = 0; at < opens!.length; at++) {
    const first = last + opens![at]!;
    last = first + closes![at]!;
    open.push(first / scale);
    close.push(last / scale);
    high.push((Math.max(first, last) + highs![at]!) / scale);
    low.push((Math.min(first, last) - lows![at]!) / scale);
  }
  return { ...(unpackJson(others) as object), open, high, low, close };
}
