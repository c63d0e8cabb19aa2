import {
  readRefusal,
  showNoAnswer,
  showNotSent,
  type EndpointId,
  type Exchange,
  type MonitorRecord,
  type ServiceRequest,
} from '../../contract/index.ts';
import { effectOf } from '../../intents/effectOf.ts';
import type { Emission } from '../../strategy/index.ts';
import { actionOf, clientIdOf } from '../wallet/index.ts';

/** Sends a read to the service, as the bot or as a command with its key. */
export type ReadRecord = (request: ServiceRequest) => Exchange | Promise<Exchange>;

/** The field under which an answer names what a request made, which says of which list it is. */
export type IdField = 'order_id' | 'execution_id' | 'monitor_id';

/** A record as the service shows it. */
export type ServiceRecord = Record<string, unknown>;

const LISTS: Readonly<Record<IdField, { what: string; endpoint: EndpointId }>> = {
  order_id: { what: 'order', endpoint: 'orders.get' },
  execution_id: { what: 'execution', endpoint: 'executions.get' },
  monitor_id: { what: 'monitor', endpoint: 'monitors.get' },
};

interface Asked {
  emission: Pick<Emission, 'intent' | 'wallet'>;
  /** Idempotency key of the intent, which is the client id of what it made unless the strategy named one. */
  key: string;
  field: IdField;
  ids: readonly string[];
}

/**
 * Whether the service has the records that an operator found for an intent: of the right list, on its wallet, of its
 * symbol and side, and of no other intent. What can't be asked is no evidence.
 *
 * @returns why they can't be taken; the service's records, in the order of the ids, if they can
 */
export async function checkRecords(
  asked: Asked,
  read: ReadRecord,
): Promise<string | readonly ServiceRecord[]> {
  const records: ServiceRecord[] = [];
  for (const id of asked.ids) {
    const found = await checkRecord(id, asked, read);
    if (typeof found === 'string') return found;
    records.push(found);
  }
  return records;
}

async function checkRecord(
  id: string,
  { emission, key, field }: Asked,
  read: ReadRecord,
): Promise<string | ServiceRecord> {
  const { intent, wallet } = emission;
  const { what, endpoint } = LISTS[field];
  const request = { wallet, endpoint, pathParams: { id }, query: {}, body: '' };
  const exchange = await read(request);
  if (exchange.kind === 'not_sent') return unasked(what, id, showNotSent(exchange));
  if (exchange.kind === 'no_answer') return unasked(what, id, showNoAnswer(exchange));
  const { status, body } = exchange.response;
  if (status !== 200) {
    const refusal = readRefusal(status, body);
    const code = refusal.kind === 'refused' ? refusal.fault.code : `status ${status}`;
    if (status !== 404 || code !== 'not_found') return unasked(what, id, code);
    return `${wallet} has no ${what} ${id}; what a ${intent.kind} makes is named by its ${field}: look it up on the service`;
  }
  const record = (body ?? {}) as ServiceRecord;
  if (record[field] !== id) return unasked(what, id, `its answer is of another ${what}`);
  return explainOther(record, { emission, key, field, ids: [id] }) ?? record;
}

/** A record of that wallet which this intent can't have made. */
function explainOther(
  record: ServiceRecord,
  { emission: { intent }, key, field, ids: [id] }: Asked,
): string | undefined {
  const { what } = LISTS[field];
  const made = field === 'monitor_id' ? requestOf(record) : record;
  const { symbol, side } = made as { symbol?: unknown; side?: unknown };
  const { entries, reductions } = effectOf(intent);
  const meant = [...entries, ...reductions];
  const isMeant = meant.some(
    (one) =>
      (symbol === undefined || one.symbol === symbol) &&
      (side === undefined || one.side === undefined || one.side === side),
  );
  if (meant.length > 0 && !isMeant) {
    const wanted = meant.map((one) => [one.side, one.symbol].filter(Boolean).join(' '));
    return `${what} ${id} is ${String(side)} ${String(symbol)}, and the ${intent.kind} was ${wanted.join(', ')}: choose the record that it made`;
  }
  if (intent.kind === 'close_position') return explainOtherClose(record, key, `${what} ${id}`);
  if (intent.kind !== 'place_order' && intent.kind !== 'launch') return undefined;
  const { client_order_id: order, client_execution_id: execution } = intent.request as {
    client_order_id?: string;
    client_execution_id?: string;
  };
  const own = order ?? execution ?? key;
  const found = clientIdOf(record);
  if (found === undefined || found === own) return undefined;
  return `${what} ${id} has the client id ${found}, and this ${intent.kind} was sent with ${own}: choose the record that it made`;
}

/** A close names neither side nor client id: what it made only reduces, and has its key where the service shows keys. */
function explainOtherClose(record: ServiceRecord, key: string, named: string): string | undefined {
  const { reduce_only: onlyReduces, idempotency_key: shown } = record;
  if (onlyReduces === false)
    return `${named} may open a position, and a close_position only reduces: choose the record that it made`;
  if (typeof shown !== 'string' || shown === key) return undefined;
  return `${named} was made under the key ${shown}, and this close_position was sent under ${key}: choose the record that it made`;
}

/** What a monitor does when it fires, as far as its record says. */
const requestOf = (record: ServiceRecord): object =>
  record['action'] == null ? {} : actionOf(record as MonitorRecord);

const unasked = (what: string, id: string, reason: string): string =>
  `the service can't be asked for ${what} ${id} (${reason}): try again, or add --unchecked once you have seen the record on the service`;
