import type { Entry, GuardVerdict } from './Guard.ts';

/**
 * The verdict of a limit on exposure upon a monitor that re-arms: it may open again and again, on the service and
 * without the bot, so that no limit would hold. Undefined for any other intent.
 *
 * @param guard its name, which is that of its limit
 * @param entries those that enlarge
 */
export function endless(
  guard: 'max_position_notional' | 'max_gross_notional',
  entries: readonly Entry[],
  limit: number,
): Extract<GuardVerdict, { passed: false }> | undefined {
  const again = entries.find(({ isRepeated }) => isRepeated === true);
  if (again === undefined) return undefined;
  const reason =
    `a monitor that re-arms may open ${again.symbol} without end, and ${limit} would not hold; ` +
    'arm it without rearm, or let its action be reduce-only';
  return { passed: false, guard, reason, limit };
}
