import type { ExecutionRecord } from '../../contract/index.ts';

/** A client id names one execution permanently (conventions §1). If two records carry it, the service has renamed
 * the execution, and the record of the older name is obsolete: counted twice, it would represent exposure that
 * does not exist, and be stopped under a name that the service no longer knows.
 */
export function newestByClientId(records: Iterable<ExecutionRecord>) {
  const all = [...records];
  const newest = new Map<string, ExecutionRecord>();
  const ids = new Map<string, string>();
  let isRenamed = false;
  for (const record of all) {
    const { client_execution_id: clientId } = record;
    if (clientId == null) continue;
    const other = newest.get(clientId);
    if (other !== undefined) {
      isRenamed = true;
      // At equal times, the later arrival.
      if (record.updated_time < other.updated_time) continue;
    }
    newest.set(clientId, record);
    ids.set(clientId, record.execution_id);
  }
  if (!isRenamed) return { ids, records: all };
  return {
    ids,
    records: all.filter((record) => {
      const { client_execution_id: clientId } = record;
      return clientId == null || newest.get(clientId) === record;
    }),
  };
}
