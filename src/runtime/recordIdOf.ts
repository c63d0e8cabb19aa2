/** The id under which the streams will show what a request became. */
export function recordIdOf(record: unknown): string | undefined {
  const { order_id, execution_id } = (record ?? {}) as Record<string, unknown>;
  const id = order_id ?? execution_id;
  return typeof id === 'string' ? id : undefined;
}
