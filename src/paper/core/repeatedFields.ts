/** Names and indices, from the document down. */
export type FieldPath = readonly string[];

interface Open {
  /** Of an object; null: an array. */
  names: Set<string> | null;
  /** The field or the index that is read. */
  at: string | number;
}

/** Strings, and the marks between values; what is left of JSON is numbers, words and spaces. */
const TOKENS = /"[^"\\]*(?:\\.[^"\\]*)*"(\s*:)?|[{}[\],]/g;

/**
 * The fields that their object has more than once, in the order of the text, which must be JSON. `JSON.parse` keeps the last
 * of them in silence.
 */
export function repeatedFields(text: string): FieldPath[] {
  const found: FieldPath[] = [];
  const open: Open[] = [];
  for (const [token, colon] of text.matchAll(TOKENS)) {
    const within = open.at(-1);
    if (token === '{') open.push({ names: new Set(), at: '' });
    else if (token === '[') open.push({ names: null, at: 0 });
    else if (token === '}' || token === ']') open.pop();
    else if (token === ',') {
      if (typeof within?.at === 'number') within.at++;
    } else if (colon !== undefined && within !== undefined) {
      const name = JSON.parse(token.slice(0, -colon.length)) as string;
      within.at = name;
      if (within.names?.has(name)) found.push(open.map(({ at }) => String(at)));
      within.names?.add(name);
    }
  }
  return found;
}
