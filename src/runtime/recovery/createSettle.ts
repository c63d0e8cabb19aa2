import type { Intent } from '../../intents/index.ts';
import type { IntentState, Journal } from '../../journal/index.ts';
import type { PipeEvent } from '../PipeEvent.ts';
import { checkRecords, type IdField, type ReadRecord, type ServiceRecord } from './checkRecords.ts';
import { toEmission } from './readPersisted.ts';

/** What an operator found on the service about an intent that the bot can't find out about. */
export interface Settlement {
  as: 'accepted' | 'absent';
  /** Ids of what the service made of it: one, or one for each leg of a basket; empty if not known. */
  records: readonly string[];
  /** The records are taken on the operator's word: the service is not asked for them. */
  unchecked?: boolean | undefined;
  reason: string;
  /** The operator, as `ann at host`. */
  by: string;
}

/**
 * Ends an intent by an operator's decision.
 *
 * @param key idempotency key, in full
 * @returns why it can't be settled; undefined if it is, durably
 * @throws the journal's faults
 */
export type Settle = (key: string, settlement: Settlement) => Promise<string | undefined>;

export interface SettleOptions {
  journal: Journal;
  /** A running bot reconciles what is unknown; without one, nothing does. */
  isRunning: boolean;
  /** Asks the service for the records that an operator names. */
  read: ReadRecord;
  onEvent(event: PipeEvent): void;
}

/** The field under which the service's answer names what an intent made; undefined if it makes nothing. */
function idFieldOf(intent: Intent): IdField | undefined {
  // Closed by an algorithm, a position is worked by an execution.
  const isWorked = intent.kind === 'close_position' && intent.request.algo !== undefined;
  return isWorked ? 'execution_id' : ID_FIELDS[intent.kind];
}

const ID_FIELDS: Partial<Record<Intent['kind'], IdField>> = {
  place_order: 'order_id',
  modify_order: 'order_id',
  close_position: 'order_id',
  launch: 'execution_id',
  launch_basket: 'execution_id',
  control_execution: 'execution_id',
  create_monitor: 'monitor_id',
};

/** Journal first: only what is durable frees exposure and is reported to the strategy. */
export function createSettle({ journal, isRunning, read, onEvent }: SettleOptions): Settle {
  return async (key, settlement) => {
    const row = journal.store.intent(key);
    const refusal = settlementRefusal(journal.stateOf(key), isRunning);
    if (refusal !== undefined || row === undefined) return refusal;
    const entries = journal.store.entries(key);
    const emission = toEmission(row, entries);
    let made = recordOf(emission.intent, settlement.records);
    if (typeof made === 'string') return made;
    const { records: ids, unchecked = false } = settlement;
    const field = idFieldOf(emission.intent);
    if (field !== undefined && ids.length > 0 && !unchecked) {
      const found = await checkRecords({ emission, key, field, ids }, read);
      if (typeof found === 'string') return found;
      // The answers take a while, in which it may have ended otherwise.
      const late = settlementRefusal(journal.stateOf(key), isRunning);
      if (late !== undefined) return late;
      made = recordOf(emission.intent, ids, found);
      if (typeof made === 'string') return made;
    }
    const { as, by, reason } = settlement;
    await journal.record(key, [{ state: as, data: { settled_by: by, reason, ...made } }]);
    const attempt = entries.filter((entry) => entry.state === 'sending').length;
    onEvent({ state: as, emission, key, attempt, reason: `settled by ${by}: ${reason}`, ...made });
    return undefined;
  };
}

function settlementRefusal(state: IntentState | undefined, isRunning: boolean): string | undefined {
  switch (state) {
    case 'unresolved':
      return undefined;
    case 'unknown':
      if (!isRunning) return undefined;
      return 'the bot is still reconciling it; wait until it is unresolved, or stop the bot';
    case 'sending':
      if (isRunning) return 'it is being sent; wait for the outcome';
      return 'the bot ended while it was being sent; start the bot to reconcile it';
    case undefined:
      return 'the journal does not hold it';
    case 'emitted':
    case 'guarded':
    case 'deferred':
      return `it is ${state}: nothing of it was sent, and there is nothing to settle`;
    default:
      return `it is ${state} already, which is final`;
  }
}

/**
 * Named as by an answer, so that exposure and refs follow it in the same way.
 *
 * @param found the records as the service shows them, if it was asked
 */
function recordOf(
  intent: Intent,
  ids: readonly string[],
  found?: readonly ServiceRecord[],
): { record?: ServiceRecord } | string {
  const [id, ...more] = ids;
  if (id === undefined) return {};
  const { kind } = intent;
  const field = idFieldOf(intent);
  if (field === undefined) return `a ${kind} makes no record of its own; leave ${id} out`;
  if (kind === 'launch_basket') {
    return { record: { legs: found ?? ids.map((leg) => ({ execution_id: leg })) } };
  }
  if (more.length > 0) return `a ${kind} makes one record; choose one of ${ids.join(', ')}`;
  return { record: found?.[0] ?? { [field]: id } };
}
