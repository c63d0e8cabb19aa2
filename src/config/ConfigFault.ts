import type { FailureCode } from '../contract/index.ts';

/** Where something stands in a file; both count from 1. */
export interface Place {
  line: number;
  column: number;
}

/** One thing that is wrong with a configuration: where, what, why, and what to do about it. */
export interface ConfigFault {
  /** Its row in {@link FAILURES}. */
  code: FailureCode;
  /** The file as the user named it, or the flag that the value came from. */
  file: string;
  /** Null where nothing has a place: a missing file, a flag. */
  place: Place | null;
  /** The key, as in `strategies[0].symbols[1]`; empty for the file as a whole. */
  path: string;
  /** The value as it was written, shortened; null where there is none or where it may be a secret. */
  value: string | null;
  reason: string;
  remedy: string;
}

export type KeyPath = readonly (string | number)[];

/** `['strategies', 0, 'use']` → `strategies[0].use`. */
export function formatPath(path: KeyPath): string {
  return path.reduce<string>((text, key) => {
    if (typeof key === 'number') return `${text}[${key}]`;
    return text === '' ? key : `${text}.${key}`;
  }, '');
}

/**
 * A fault as people read it, and as terminals and editors make it a link:
 * `configs/bot.yaml:12:3: guards.max_leverag: unknown key. [TRIMTAB_CONFIG_UNKNOWN_KEY]` and, below it,
 * `Did you mean max_leverage?`
 */
export function formatFault(fault: ConfigFault): string {
  const place = fault.place === null ? '' : `:${fault.place.line}:${fault.place.column}`;
  const subject = fault.path === '' ? '' : `${fault.path}: `;
  const value = fault.value === null ? '' : ` (it is ${fault.value})`;
  return `${fault.file}${place}: ${subject}${fault.reason}${value}. [${fault.code}]\n  ${fault.remedy}`;
}

export function formatFaults(faults: readonly ConfigFault[]): string {
  return faults.map(formatFault).join('\n');
}
