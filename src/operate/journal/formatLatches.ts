import type { Latch } from '../../journal/index.ts';
import { formatColumns } from '../progress/formatColumns.ts';
import { formatInstant } from './formatInstant.ts';

const HEAD = ['time (UTC)', 'latch', 'value', 'reason'];
const ALIGN = HEAD.map(() => 'left' as const);

/** Every change of a latch, oldest first; the current state is marked. */
export function formatLatches(changes: ReadonlyArray<Latch & { name: string }>): string {
  if (changes.length === 0) return 'No latch was ever set.';
  const rows = changes.map(({ name, value, reason, time }, index) => {
    const isLast = !changes.slice(index + 1).some((later) => later.name === name);
    return [formatInstant(time), name, isLast ? `${value} (now)` : value, reason];
  });
  return formatColumns([HEAD, ...rows], ALIGN);
}
