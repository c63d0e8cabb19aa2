import type { ReportIntent } from './ReportData.ts';

/** How often intents ended for one reason. */
export interface RefusalReason {
  outcome: string;
  /** The guard or the error code; the whole reason if it names none; absent if there is none. */
  reason?: string;
  count: number;
  /** Most frequent first. */
  strategies: { name: string; count: number }[];
  last_time: number;
  /** The last one's reason in full. */
  example?: string;
}

/** The text before the colon of `max_order_notional: 31,020 is above 30,000`. */
const CODE = /^([\w.-]+): /;

/** Groups intents that were not accepted, ascending in time, by outcome and reason; most frequent first. */
export function countReasons(refused: readonly ReportIntent[]): RefusalReason[] {
  const groups = new Map<string, RefusalReason>();
  for (const intent of refused) {
    const { outcome, reason } = intent;
    const code = reason === undefined ? undefined : (CODE.exec(reason)?.[1] ?? reason);
    const key = JSON.stringify([outcome, code]);
    const group = groups.get(key) ?? begin(outcome, code);
    groups.set(key, group);
    add(group, intent);
  }
  for (const { strategies } of groups.values()) strategies.sort(byCount);
  return [...groups.values()].toSorted(byCount);
}

function begin(outcome: string, code: string | undefined): RefusalReason {
  const group: RefusalReason = { outcome, count: 0, strategies: [], last_time: 0 };
  return code === undefined ? group : { ...group, reason: code };
}

function add(group: RefusalReason, { strategy, time, reason }: ReportIntent): void {
  group.count += 1;
  group.last_time = time;
  if (reason !== undefined) group.example = reason;
  const known = group.strategies.find(({ name }) => name === strategy);
  if (known === undefined) group.strategies.push({ name: strategy, count: 1 });
  else known.count += 1;
}

function byCount(a: { count: number }, b: { count: number }): number {
  return b.count - a.count;
}
