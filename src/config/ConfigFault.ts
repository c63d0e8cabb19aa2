import type { FailureCode } from '../contract/index.ts';

/** A location in a file; both count from 1. */
export interface Place {
  line: number;
  column: number;
}

/** One fault of a configuration: location, value, reason and remedy. */
export interface ConfigFault {
  /** Its row in {@link FAILURES}. */
  code: FailureCode;
  /** The file as the user named it, or the flag that the value came from. */
  file: string;
  /** Null if there is no location: a missing file, a flag. */
  place: Place | null;
  /** The key, as in `strategies[0].symbols[1]`; empty for the file as a whole. */
  path: string;
  /** The value as it was written, shortened; null if there is none or if it may be a secret. */
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
 * A fault as text, in a form that terminals and editors turn into a link: `configs/bot.yaml:12:3:
 * guards.max_leverag: unknown key. [TRIMTAB_CONFIG_UNKNOWN_KEY]` and, below it, `Did you mean
 * max_leverage?`
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

/** Whether flags alone are to blame: those are mended on the command line. */
export function isOfFlags(faults: readonly ConfigFault[]): boolean {
  return faults.length > 0 && faults.every(({ file }) => file.startsWith('--'));
}
