import { parse } from 'yaml';

/** A value of a list as YAML that is read as this value again: a text may be a number, null or have a comment. */
export function yamlOf(value: string | number | boolean): string {
  const text = String(value);
  if (typeof value !== 'string') return text;
  try {
    return parse(text) === value ? text : JSON.stringify(text);
  } catch {
    return JSON.stringify(text);
  }
}
