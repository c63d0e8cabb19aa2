import type { Latch } from '../../journal/index.ts';
import { formatColumns } from '../progress/formatColumns.ts';
import { UTC, type TimeZone } from '../timeZone.ts';

const ALIGN = ['left', 'left', 'left', 'left'] as const;

/**
 * Changes of latches, oldest first.
 *
 * @param isWhole whether they are all that there are: the last of each latch is marked as its current state
 */
export function formatLatches(
  changes: ReadonlyArray<Latch & { name: string }>,
  { zone = UTC, isWhole }: { zone?: TimeZone; isWhole: boolean },
): string {
  if (changes.length === 0) return 'No latch was ever set.';
  const rows = changes.map(({ name, value, reason, time }, index) => {
    const isLast = isWhole && !changes.slice(index + 1).some((later) => later.name === name);
    return [zone.format(time), name, isLast ? `${value} (now)` : value, reason];
  });
  const head = [`time (${zone.name})`, 'latch', 'value', 'reason'];
  return formatColumns([head, ...rows], ALIGN);
}
