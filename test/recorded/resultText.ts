/** A value as text, with what JSON has no word for. */
export function valueText(value: unknown): string {
  const text = JSON.stringify(value, (_key, item: unknown) => {
    if (typeof item === 'number' && (!Number.isFinite(item) || Object.is(item, -0)))
      return Object.is(item, -0) ? '«-0»' : `«${item}»`;
    if (item === undefined) return '«undefined»';
    if (typeof item === 'bigint') return `«${item}n»`;
    if (typeof item === 'function') return '«function»';
    if (ArrayBuffer.isView(item)) return [...(item as Uint8Array)];
    if (item instanceof Map) return { '«map»': [...item] };
    if (item instanceof Set) return { '«set»': [...item] };
    if (item instanceof Error) return errorFields(item);
    return item;
  });
  return text ?? '«undefined»';
}

/** What an error says, without the place that it was thrown at. */
function errorFields(error: Error): object {
  const { name, message, cause } = error;
  const own = Object.entries(error).filter(([field]) => field !== 'stack');
  return {
    '«error»': name,
    message,
    ...(cause !== undefined && { cause }),
    ...Object.fromEntries(own),
  };
}

/** What a call gives, or throws. */
export function resultText(call: () => unknown): string {
  try {
    return valueText(call());
  } catch (error) {
    return `threw ${valueText(error)}`;
  }
}

export async function resultTextOf(call: () => Promise<unknown>): Promise<string> {
  try {
    return valueText(await call());
  } catch (error) {
    return `rejected ${valueText(error)}`;
  }
}
