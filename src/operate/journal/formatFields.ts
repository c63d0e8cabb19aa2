import { isMap } from '../../contract/isMap.ts';
import { formatInstant } from './formatInstant.ts';
import type { JsonMap } from './readJson.ts';

/** Names of fields that are instants, in epoch milliseconds. */
const INSTANT = /(^|_)(time|after|until)$|Time$/;
/** Epoch milliseconds in 2001; a smaller number is a duration. */
const FIRST_INSTANT = 1e12;
/** Width of a terminal. */
const WIDTH = 100;

/** `symbol BTC, time 2025-01-04 12:20:00.000, close 61000`: a plain object in readable form. */
export function formatFields(fields: JsonMap): string {
  return partsOf(fields).join(', ');
}

/** The same, wrapped. */
export function wrapFields(fields: JsonMap): string[] {
  return wrapParts(partsOf(fields));
}

/** Parts with commas between them, wrapped. */
export function wrapParts(parts: readonly string[]): string[] {
  const lines: string[] = [];
  for (const part of parts) {
    const last = lines.at(-1);
    const joined = last === undefined ? part : `${last}, ${part}`;
    if (last === undefined || joined.length > WIDTH) lines.push(part);
    else lines[lines.length - 1] = joined;
  }
  return lines;
}

function partsOf(fields: JsonMap): string[] {
  return Object.entries(fields)
    .filter(([, value]) => !isEmpty(value))
    .map(
      ([name, value]) =>
        `${name} ${isInstant(name, value) ? formatInstant(value) : formatValue(value)}`,
    );
}

export function formatValue(value: unknown): string {
  if (typeof value === 'string') return value;
  if (isMap(value)) return `(${formatFields(value)})`;
  if (Array.isArray(value)) return `[${value.map(formatValue).join(', ')}]`;
  if (typeof value === 'number') return formatNumber(value);
  return JSON.stringify(value) ?? 'nothing';
}

/** Digits beyond which a float shows rounding errors. */
const DIGITS = 10;

/** Integers as they are; others without rounding errors of float sums. `export` has every digit. */
export function formatNumber(value: number): string {
  return String(Number.isInteger(value) ? value : Number(value.toPrecision(DIGITS)));
}

function isInstant(name: string, value: unknown): value is number {
  return typeof value === 'number' && value >= FIRST_INSTANT && INSTANT.test(name);
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || (isMap(value) && Object.keys(value).length === 0);
}
