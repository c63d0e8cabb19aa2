// The page's data as they were before they were packed for its text.

type Column = readonly [name: string, values: unknown, missing?: unknown];

/** What `packJson` packed. Its numbers are not walked through one by one: there may be millions. */
export function unpackJson(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((one) => unpackJson(one));
  if ('~n' in value) return unpackNumbers(value['~n'] as number[]);
  if ('~l' in value) return unpackLists(value['~l'] as [unknown, unknown]);
  if ('~r' in value) return unpackRows(value['~r'] as [number, ...Column[]]);
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
  for (const [name, packed, missing] of columns) {
    const values = unpackJson(packed) as unknown[];
    const without = new Set((unpackJson(missing) as number[] | undefined) ?? []);
    for (let at = 0; at < count; at++) if (!without.has(at)) rows[at]![name] = values[at];
  }
  return rows;
}
