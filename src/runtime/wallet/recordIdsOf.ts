import type { Intent } from '../../intents/index.ts';
import type { OrderStanding, RecordKind } from './createExposure.ts';
import { CLIENT } from './createOpenWork.ts';

/** The ids under which the streams will show what a request became: a basket's are those of its legs. */
export function recordIdsOf(record: unknown): string[] {
  if (record === undefined || record === null) return [];
  const { order_id, execution_id, monitor_id, legs } = record as Record<string, unknown>;
  const own = order_id ?? execution_id ?? monitor_id;
  if (typeof own === 'string') return [own];
  return Array.isArray(legs) ? legs.flatMap((leg: unknown) => recordIdsOf(leg)) : [];
}

/** Of what {@link recordIdsOf} names; a basket's are executions. */
export function kindOfRecord(record: unknown): RecordKind {
  const { order_id, execution_id, monitor_id, legs } = (record ?? {}) as Record<string, unknown>;
  if (typeof order_id === 'string') return 'order';
  if (typeof execution_id === 'string' || Array.isArray(legs)) return 'execution';
  return typeof monitor_id === 'string' ? 'monitor' : 'order';
}

/** The name of a record by its client id, `client:<id>`, which stays when the service gives it a new id. */
export function clientNameOf(record: unknown): string | undefined {
  const id = clientIdOf(record);
  return id === undefined ? undefined : `${CLIENT}${id}`;
}

/** The name by which an order or a launch is asked for, known before any answer; undefined for what has none. */
export function clientNameAsked(intent: Intent, key: string): string | undefined {
  if (intent.kind === 'place_order') return `${CLIENT}${intent.request.client_order_id ?? key}`;
  if (intent.kind === 'launch') return `${CLIENT}${intent.request.client_execution_id ?? key}`;
  return undefined;
}

/** The client id of an order or execution; undefined if it has none. */
export function clientIdOf(record: unknown): string | undefined {
  if (record === undefined || record === null) return undefined;
  const { client_order_id, client_execution_id } = record as Record<string, unknown>;
  const id = client_execution_id ?? client_order_id;
  return typeof id === 'string' ? id : undefined;
}

/** How an order or an execution stands, if its record says both its size and when it changed. */
export function standingOf(record: unknown): OrderStanding | undefined {
  const { total_size, size = total_size, updated_time } = (record ?? {}) as Record<string, unknown>;
  if (typeof size !== 'number' || typeof updated_time !== 'number') return undefined;
  return { size, updated_time };
}
