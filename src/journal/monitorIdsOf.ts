/**
 * The ids that the service gave the monitors of accepted intents: a monitor of a strategy's own name carries no key, and
 * only the answer tells that it is the bot's.
 *
 * @param rows the steps with which they were accepted
 */
export function monitorIdsOf(rows: readonly object[]): ReadonlySet<string> {
  const ids = rows.flatMap((row) => {
    const { data } = row as { data?: unknown };
    const id = typeof data === 'string' ? idIn(data) : undefined;
    return typeof id === 'string' ? [id] : [];
  });
  return new Set(ids);
}

/** A step that is damaged hides its own monitor, and none of the others. */
function idIn(data: string): unknown {
  try {
    const { record } = JSON.parse(data) as { record?: { monitor_id?: unknown } | null };
    return record?.monitor_id;
  } catch {
    return undefined;
  }
}
