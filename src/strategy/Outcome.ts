import type {
  BasketRecord,
  ExecutionRecord,
  LeverageRecord,
  MonitorRecord,
  OrderRecord,
  OrderResult,
  ResultsRecord,
  ServiceFault,
  TpslRecord,
} from '../contract/index.ts';
import type { IntentKind, IntentOf } from '../intents/index.ts';

/**
 * The state of an intent. `denied` comes from a guard, `deferred` from the budget, `accepted` and `rejected`
 * from the service; `unknown` was sent and has no answer, and is never a refusal.
 */
export type OutcomeState =
  | 'denied'
  | 'guarded'
  | 'deferred'
  | 'sending'
  | 'accepted'
  | 'rejected'
  | 'unknown'
  | 'absent'
  | 'unresolved'
  | 'expired'
  /** The journal already holds this decision, so it was not executed again. */
  | 'duplicate';

/** The service's whole answer to each kind of intent. */
export interface IntentAnswers {
  place_order: OrderResult;
  modify_order: OrderRecord;
  cancel_order: OrderRecord;
  bulk_cancel: ResultsRecord;
  launch: ExecutionRecord;
  launch_basket: BasketRecord;
  control_execution: ExecutionRecord;
  /** An order, or an execution if `algo` was given. */
  close_position: OrderRecord | ExecutionRecord;
  attach_tpsl: TpslRecord;
  retire_tpsl: TpslRecord;
  set_leverage: LeverageRecord;
  create_monitor: MonitorRecord;
  pause_monitor: MonitorRecord;
  stop_monitor: MonitorRecord;
}

/**
 * The record of an accepted intent. Any field may be missing: an intent that an operator settled has only the
 * ids that the operator named.
 */
export type OutcomeRecord<K extends IntentKind = IntentKind> = {
  [Kind in IntentKind]: Partial<IntentAnswers[Kind]>;
}[K];

/** One step in the life of an intent, as its strategy sees it; {@link outcomeOf} narrows it to a kind. */
export interface Outcome<out K extends IntentKind = IntentKind> {
  state: OutcomeState;
  intent: { [Kind in IntentKind]: IntentOf<Kind> }[K];
  decisionKey: string;
  /** Market time, epoch milliseconds. */
  time: number;
  /** The order, execution, leg or monitor that the service made of it, once accepted. */
  record?: OutcomeRecord<K>;
  /** Why the service refused. */
  fault?: ServiceFault;
  /** The guard that denied it. */
  guard?: string;
  /** Why it was denied, or what it waits for. */
  reason?: string;
}

/**
 * Narrows outcomes to intents of one kind, with the type of their record:
 * `ctx.outcomes$.pipe(filter(outcomeOf('launch')))` has `record?.execution_id`. TypeScript does not narrow an
 * object by a field of its field, so a comparison of `outcome.intent.kind` narrows the intent alone.
 *
 * ```ts
 * merge(
 *   ctx.outcomes$.pipe(
 *     filter(outcomeOf('place_order')),
 *     map(({ record }) => record?.order_id),
 *   ),
 *   ctx.candles(ctx.symbol, '1h').pipe(
 *     map(() => placeOrder.market({ symbol: ctx.symbol, side: 'buy', size: 0.5 })),
 *   ),
 * );
 * ```
 */
export function outcomeOf<K extends IntentKind>(kind: K) {
  return (outcome: Outcome | Outcome<K>): outcome is Outcome<K> => outcome.intent.kind === kind;
}
