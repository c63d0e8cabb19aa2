import type {
  ExecutionRecord,
  FillRecord,
  LegRecord,
  OrderRecord,
} from '../../src/contract/index.ts';
import type { JournalReader } from '../../src/journal/index.ts';
import { FAR, LEFT, SCRIPT, SYMBOL, type Step } from './script.ts';
import type { Account } from './startService.ts';

/** The service’s records of one wallet, read over HTTP with a separate key. */
interface Truth {
  orders: readonly OrderRecord[];
  executions: readonly ExecutionRecord[];
  fills: readonly FillRecord[];
  legs: readonly LegRecord[];
  open: readonly OrderRecord[];
  position: number;
}

/** Faults found in the end, as text; a good round has none. */
export interface Count {
  doubled: string[];
  lost: string[];
  /** The journal, or what is still open, differs from the script. */
  differs: string[];
}

/** Counts the effects of the script on the service, and compares the bot's journal. */
export async function countOnService(
  account: Account,
  openReader: () => JournalReader | Promise<JournalReader>,
): Promise<Count> {
  const truth = await readTruth(account);
  const count: Count = { doubled: [], lost: [], differs: [] };
  for (const step of SCRIPT) countStep(step, truth, count);
  countRest(truth, count);
  const reader = await openReader();
  try {
    await holdJournal(reader, truth, count);
  } finally {
    await reader.close();
  }
  return count;
}

async function readTruth({ outside, wallet }: Account): Promise<Truth> {
  const query = { limit: 500 };
  const [open, past, executions, fills, positions] = await Promise.all([
    outside.orders.list({ query, wallet }),
    outside.orders.history({ query, wallet }),
    outside.executions.list({ query, wallet }),
    outside.orders.fills({ query, wallet }),
    outside.positions.list({ query, wallet }),
  ]);
  const held = positions.items.find(({ symbol }) => symbol === SYMBOL);
  const legs =
    held === undefined ? { items: [] } : await outside.positions.legs({ symbol: SYMBOL, wallet });
  // An order may have closed between the two lists.
  const orders = new Map([...open.items, ...past.items].map((order) => [order.order_id, order]));
  return {
    orders: [...orders.values()].filter(({ execution_id }) => execution_id == null),
    executions: executions.items,
    fills: fills.items,
    legs: legs.items,
    open: open.items,
    position: held === undefined ? 0 : held.side === 'short' ? -held.size : held.size,
  };
}

function report(found: number, what: string, count: Count): void {
  if (found > 1) count.doubled.push(`${what}: ${found} on the service`);
  if (found < 1) count.lost.push(`${what}: none on the service`);
}

function countStep({ name, trace }: Step, truth: Truth, count: Count): void {
  if (trace === undefined) return;
  const { kind, size } = trace;
  const found =
    kind === 'order'
      ? truth.orders.filter((order) => order.size === size).length
      : truth.executions.filter((execution) => execution.total_size === size).length;
  report(found, name, count);
}

/** Checks without a size: the close, cancels and stops, and what is still open. */
function countRest(truth: Truth, count: Count): void {
  const sizes = SCRIPT.map(({ trace }) => trace?.size);
  const others = truth.orders.filter(({ size }) => !sizes.includes(size));
  report(others.filter((order) => order.reduce_only).length, 'close', count);
  const strange = others.filter((order) => !order.reduce_only);
  if (strange.length > 0) count.doubled.push(`${strange.length} orders that the script has not`);
  for (const kind of ['take_profit', 'stop_loss']) {
    const legs = truth.legs.filter((leg) => leg.kind === kind);
    report(legs.length, `protect-again, ${kind}`, count);
  }

  const differ = (is: unknown, should: unknown, what: string): void => {
    if (is !== should)
      count.differs.push(`${what}: ${String(is)}, and should be ${String(should)}`);
  };
  const filled = truth.fills.reduce(
    (sum, { side, size }) => sum + (side === 'buy' ? size : -size),
    0,
  );
  differ(truth.position.toFixed(8), LEFT.toFixed(8), 'position');
  differ(filled.toFixed(8), LEFT.toFixed(8), 'sum of all fills');
  differ(truth.open.length, 0, 'open orders');
  differ(truth.executions[0]?.status, 'stopped', 'the execution');
  const rest = truth.orders.find(({ size }) => size === 0.0011);
  differ(rest?.price, FAR.moved, 'price of the resting order');
  differ(rest?.status, 'cancelled', 'the resting order');
}

/** Each intent's state against what the service has under its key. */
async function holdJournal(reader: JournalReader, truth: Truth, count: Count): Promise<void> {
  const problems = await reader.problems();
  count.differs.push(...problems);
  const ids = new Set(
    [
      ...truth.orders.map(({ client_order_id }) => client_order_id),
      ...truth.executions.map(({ client_execution_id }) => client_execution_id),
    ].filter((id) => id != null),
  );
  const accepted = new Map<string, number>();
  for await (const { intent } of reader.lives()) {
    const { key, decisionKey, instance, kind, state } = intent;
    const name = decisionKey.slice(decisionKey.lastIndexOf('/') + 1);
    const makes = kind === 'place_order' || kind === 'launch';
    const isDone = state === 'accepted';
    if (!['accepted', 'rejected', 'denied', 'expired', 'absent'].includes(state)) {
      count.differs.push(`${name} is ${state} in the journal at the end`);
    }
    if (makes && isDone !== ids.has(key)) {
      count.differs.push(`${name} is ${state}; the service has ${ids.has(key) ? 'it' : 'nothing'}`);
    }
    if (makes) ids.delete(key);
    const step = /^[a-z-]+/.exec(name)?.[0] ?? name;
    if (isDone && instance === 'script') accepted.set(step, (accepted.get(step) ?? 0) + 1);
  }
  for (const id of ids) count.doubled.push(`${id} is not in the journal`);
  for (const { name } of SCRIPT) report(accepted.get(name) ?? 0, `${name}, accepted`, count);
}
