/** What an action of a monitor or of an alert started: an order, or an execution. */
export interface StartedRecord {
  status: string;
  filled_size: number;
  order_id?: string;
  execution_id: string | null;
  /** Of an order. */
  reject_reason?: string | null;
  /** Of an execution. */
  reason?: string | null;
}

export interface ActionFault {
  code: string;
  message: string;
  details: unknown;
}

/** Reasons that the contract's errors call otherwise; any other is the code itself. */
const CODES: Readonly<Record<string, string>> = { nothing_to_reduce: 'no_position' };

/**
 * The failure of an action whose order or execution has ended already without a fill: it is recorded, but nothing
 * was done. null: it has filled, or it still may.
 */
export function actionFault(record: StartedRecord): ActionFault | null {
  const { status, filled_size: filled, order_id, execution_id } = record;
  const isOver = status === 'cancelled' || status === 'stopped';
  if (!isOver || filled > 0) return null;
  const isOrder = order_id !== undefined;
  const reason = (isOrder ? record.reject_reason : record.reason) ?? status;
  return {
    code: CODES[reason] ?? reason,
    message: `The ${isOrder ? 'order' : 'execution'} ended without a fill: ${reason}.`,
    details: { ...(isOrder ? { order_id } : { execution_id }), reason },
  };
}
