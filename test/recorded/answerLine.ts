/** A value as one line of text, with what JSON leaves out: undefined, infinite numbers, maps, sets, errors. */
export function lineOf(value: unknown): string {
  return JSON.stringify(value, (_key, one: unknown) => plain(one)) ?? 'undefined';
}

function plain(one: unknown): unknown {
  if (one === undefined) return '(undefined)';
  if (typeof one === 'bigint' || typeof one === 'function') return `(${typeof one})`;
  if (typeof one === 'number' && (!Number.isFinite(one) || Object.is(one, -0))) {
    return Object.is(one, -0) ? '(-0)' : `(${one})`;
  }
  if (one instanceof Map || one instanceof Set) return [one.constructor.name, ...one];
  if (one instanceof Error) return errorLine(one);
  return one;
}

function errorLine(error: unknown): string {
  if (!(error instanceof Error)) return `throws ${String(error)}`;
  const { code } = error as { code?: unknown };
  const cause = error.cause === undefined ? '' : ' (has a cause)';
  return `throws ${error.name} ${lineOf(code)}: ${error.message}${cause}`;
}

/** What an act answers, or what it throws with its code and its message. */
export function answerLine(act: () => unknown): string {
  try {
    return lineOf(act());
  } catch (error) {
    return errorLine(error);
  }
}

/** The same of what answers later. */
export async function laterLine(act: () => unknown): Promise<string> {
  try {
    return lineOf(await act());
  } catch (error) {
    return errorLine(error);
  }
}
