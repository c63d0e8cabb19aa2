/** An order: by the service's id, by its client id, or by the `ref` of the intent that placed it. */
export type OrderTarget =
  | { order_id: string; client_order_id?: never; ref?: never }
  | { client_order_id: string; order_id?: never; ref?: never }
  | { ref: string; order_id?: never; client_order_id?: never };

/** An execution: by the service's id, or by the `ref` of the intent that launched it. */
export type ExecutionTarget =
  { execution_id: string; ref?: never } | { ref: string; execution_id?: never };

/** A monitor: by the service's id, or by the `ref` of the intent that created it. */
export type MonitorTarget =
  { monitor_id: string; ref?: never } | { ref: string; monitor_id?: never };

export type TargetKind = 'order' | 'execution' | 'monitor';

/**
 * Resolves what an earlier intent of the same instance created. The result goes into the path as it is, so an
 * order may resolve to `client:<client_order_id>` before the service has given it an id.
 */
export type RefResolver = (kind: TargetKind, ref: string) => string | undefined;
