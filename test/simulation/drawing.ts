import type { Random } from '../../src/env/index.ts';

export const HOUR_MS = 3_600_000;

export function pick<T>(random: Random, list: readonly T[]): T {
  return list[Math.floor(random.next() * list.length)]!;
}

export const between = (random: Random, low: number, high: number): number =>
  Math.round(low + random.next() * (high - low));
