import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect } from 'vitest';
import { EXTRACTS } from '../data/places.ts';
import type { Columns } from './series.ts';

/** A table's columns by name, as text; an empty cell is an empty string. */
export type Table = Readonly<Record<string, string[]>>;

export function readText(path: string): string {
  const bytes = readFileSync(join(EXTRACTS, path));
  return (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
}

export function readTable(path: string): Table {
  const [header, ...lines] = readText(path).trim().split(/\r?\n/);
  const rows = lines.map((line) => line.split(','));
  const names = header!.split(',');
  return Object.fromEntries(names.map((name, at) => [name, rows.map((row) => row[at] ?? '')]));
}

/** A column as numbers; NaN where the cell is empty. */
export function numbers(table: Table, name: string): number[] {
  const cells = table[name];
  if (cells === undefined) throw new Error(`No column ${name}.`);
  return cells.map((cell) => (cell.trim() === '' ? NaN : Number(cell)));
}

/** The bars of a candle file, or of those of its rows from `fromTime` on. */
export function readBars(path: string, fromTime = -Infinity): Columns {
  const table = readTable(path);
  const time = numbers(table, 'timestamp');
  const start = time.findIndex((t) => t >= fromTime);
  const column = (name: string) => numbers(table, name).slice(start);
  return {
    time: time.slice(start),
    open: column('open'),
    high: column('high'),
    low: column('low'),
    close: column('close'),
    volume: column('volume'),
  };
}

export interface Agreement {
  /** Largest allowed |ours − reference| / max(1, |reference|); may fall with the bar's index. */
  tolerance: number | ((bar: number) => number);
  /** Absolute distance in units of this instead of max(1, |reference|), for prices near zero. */
  scale?: number;
}

/** Fails with the first bar where the reference has a value and ours is missing or too far off. */
export function expectAgreement(ours: number[], theirs: number[], agreement: Agreement): void {
  const { tolerance, scale } = agreement;
  let compared = 0;
  for (const [bar, reference] of theirs.entries()) {
    if (Number.isNaN(reference)) continue;
    compared += 1;
    const unit = scale ?? Math.max(1, Math.abs(reference));
    const distance = Math.abs(ours[bar]! - reference) / unit;
    const allowed = typeof tolerance === 'number' ? tolerance : tolerance(bar);
    if (distance <= allowed) continue;
    expect.fail(`bar ${bar}: ours ${ours[bar]}, reference ${reference}, allowed ${allowed}`);
  }
  expect(compared).toBeGreaterThan(0);
}
