import { UTC } from '../timeZone.ts';

/** Epoch ms → `2025-01-04 12:20:00.123` (UTC). */
export function formatInstant(time: number): string {
  return UTC.format(time);
}
