/** The ids under which the streams will show what a request became: a basket's are those of its legs. */
export function recordIdsOf(record: unknown): string[] {
  const { order_id, execution_id, monitor_id, legs } = (record ?? {}) as Record<string, unknown>;
  const own = order_id ?? execution_id ?? monitor_id;
  if (typeof own === 'string') return [own];
  return Array.isArray(legs) ? legs.flatMap((leg: unknown) => recordIdsOf(leg)) : [];
}
