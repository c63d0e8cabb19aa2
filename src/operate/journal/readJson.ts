import { isMap } from '../../contract/isMap.ts';

export type JsonMap = Readonly<Record<string, unknown>>;

/** A value that a journal stores as JSON; a text that is not JSON is shown as it is. */
export function readJson(text: string): JsonMap {
  try {
    const value: unknown = JSON.parse(text);
    return isMap(value) ? value : { value };
  } catch {
    return { unreadable: text };
  }
}
