import type { ExecutionRecord, OrderRecord, WatchRow } from '../../contract/index.ts';

/**
 * What orders and executions have filled, as far as the rows of their stops depend on it: a stop of an entry
 * grows with each fill (EXE-3, conventions *Legs*), and its row states its size at most once.
 */
export interface FilledSizes {
  /** @returns whether a stop has grown by it */
  order(order: OrderRecord): boolean;
  execution(execution: ExecutionRecord): boolean;
  rows(rows: Iterable<WatchRow>): void;
  /** It ended unseen: what it had filled by then is not known. */
  forget(id: string): void;
  /** Base units; undefined where it was never shown. */
  of(id: string): number | undefined;
}

/** Beyond this many, what has no row is forgotten. */
const MOST_RETAINED = 1_000;

export function createFilledSizes(): FilledSizes {
  let sizes = new Map<string, number>();
  let owners = new Set<string>();

  /** What has filled never becomes less: a smaller size is of a frame that came late. */
  function take(id: string, size: number): boolean {
    if (size <= (sizes.get(id) ?? 0)) return false;
    sizes.set(id, size);
    if (sizes.size > MOST_RETAINED + owners.size) forgetOthers(id, size);
    return owners.has(id);
  }

  function forgetOthers(newest: string, size: number): void {
    const known = sizes;
    sizes = new Map();
    for (const id of owners) if (known.has(id)) sizes.set(id, known.get(id)!);
    sizes.set(newest, size);
  }

  return {
    order: (order) => !order.reduce_only && take(order.order_id, order.filled_size),
    execution: ({ execution_id: id, filled_size: size }) => take(id, size),
    rows(rows) {
      const ids = [...rows].map((row) => row.order_id ?? row.execution_id);
      owners = new Set(ids.filter((id) => id != null));
    },
    forget: (id) => void sizes.delete(id),
    of: (id) => sizes.get(id),
  };
}
