/** Text written into the JSON unchanged, valid or not: `NaN`, `1e400`, `01`. */
export class RawJson {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** An object as pairs, so that a name may be repeated. */
export class Pairs {
  readonly pairs: ReadonlyArray<readonly [string, unknown]>;
  constructor(pairs: ReadonlyArray<readonly [string, unknown]>) {
    this.pairs = pairs;
  }
}

/** JSON text of a tree, with what `JSON.stringify` could not write. */
export function encodeJson(value: unknown): string {
  if (value instanceof RawJson) return value.text;
  if (value instanceof Pairs) return objectText(value.pairs);
  if (Array.isArray(value)) return `[${value.map(encodeJson).join(',')}]`;
  if (typeof value === 'object' && value !== null) return objectText(Object.entries(value));
  return JSON.stringify(value) ?? 'null';
}

function objectText(pairs: ReadonlyArray<readonly [string, unknown]>): string {
  const rows = pairs.map(([name, value]) => `${JSON.stringify(name)}:${encodeJson(value)}`);
  return `{${rows.join(',')}}`;
}
