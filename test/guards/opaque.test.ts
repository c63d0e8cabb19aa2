import { expect, test } from 'vitest';
import type { GuardedIntent, GuardSnapshot } from '../../src/guards/Guard.ts';
import { maxEntriesPerHour } from '../../src/guards/maxEntriesPerHour.ts';

test('what may open anything counts as an entry of the hour, what opens nothing does not', () => {
  const guard = maxEntriesPerHour({ max_entries_per_hour: 3 });
  for (const [recentEntries, throttled] of [
    [2, undefined],
    [3, undefined],
    [0, 'latched'],
  ] as const) {
    const snapshot = { recentEntries, throttled } as GuardSnapshot;
    const isFull = recentEntries >= 3 || throttled !== undefined;
    for (const opaque of [true, false, undefined]) {
      const { passed } = guard({ entries: [], opaque } as unknown as GuardedIntent, snapshot);
      expect(passed, `${recentEntries} ${throttled} ${opaque}`).toBe(!(isFull && opaque === true));
    }
  }
});
