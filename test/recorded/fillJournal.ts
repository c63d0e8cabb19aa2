import { createRandom } from '../../src/env/index.ts';
import {
  createJournal,
  idempotencyKeyOf,
  type JournalStore,
  type Step,
} from '../../src/journal/index.ts';
import { clocksAt } from '../journal/journalRows.ts';
import { STORY_TIME } from './createStory.ts';

export const HOUR = 3_600_000;

/** One decision and its steps. */
interface Life {
  intent: { kind: string } & Record<string, unknown>;
  states: readonly string[];
  instance?: string;
  wallet?: string;
  trigger?: object;
}

const order = (size: number) => ({
  kind: 'place_order',
  request: { order_type: 'limit', symbol: 'BTC', side: 'buy', size, price: 60_000 },
});
const LIVES: readonly Life[] = [
  {
    intent: {
      kind: 'launch',
      request: { algo: 'pacemaker', symbol: 'BTC', side: 'buy', total_size: 0.5 },
    },
    states: ['guarded', 'deferred', 'sending', 'accepted'],
  },
  { intent: order(9), states: ['denied'] },
  { intent: order(1), states: ['guarded', 'sending', 'rejected'], wallet: 'side' },
  { intent: order(2), states: ['guarded', 'sending', 'unknown'] },
  { intent: order(3), states: ['guarded', 'sending', 'unknown', 'unresolved'] },
  { intent: order(4), states: ['guarded', 'sending', 'unknown', 'absent'] },
  { intent: order(5), states: ['guarded', 'deferred', 'expired'] },
  { intent: order(6), states: ['guarded', 'sending'] },
  {
    intent: { kind: 'close_position', symbol: 'BTC' },
    states: ['guarded', 'sending', 'accepted'],
    instance: 'range',
  },
  {
    intent: { kind: 'cancel_order', order_id: 'ord_1', symbol: 'BTC' },
    states: ['guarded', 'sending', 'unknown', 'accepted'],
  },
  {
    intent: { kind: 'set_leverage', symbol: 'BTC', leverage: 3, mode: 'cross' },
    states: ['guarded', 'sending', 'accepted'],
  },
  {
    intent: { kind: 'attach_tpsl', symbol: 'ETH', request: { stop_loss: { price: 3 } } },
    states: ['guarded', 'sending', 'rejected'],
    instance: 'range',
  },
  {
    intent: {
      kind: 'create_monitor',
      request: { trigger: { type: 'price_level', symbol: 'BTC', price: 1, direction: 'above' } },
    },
    states: ['guarded', 'sending', 'accepted'],
  },
  {
    intent: {
      kind: 'launch_basket',
      request: { legs: [{ symbol: 'BTC', side: 'buy', algo: 'pacemaker', total_size: 1 }] },
    },
    states: ['guarded', 'sending', 'unknown', 'unresolved'],
  },
  { intent: { kind: 'bulk_cancel', symbol: 'BTC' }, states: [] },
];

const DATA: Readonly<Record<string, Record<string, unknown>>> = {
  emitted: { cause: 'bar:BTC:5m:1', ordinal: 0, marketTime: STORY_TIME },
  guarded: { lane: 'entry', weight: 20, passedGuards: ['has_scopes', 'entry_gate'] },
  deferred: { reason: '20 for entry, 620 of 900 used' },
  sending: { attempt: 1, endpoint: 'orders.place', body: '{"symbol":"BTC"}' },
  accepted: {
    record: {
      order_id: 'ord_9',
      execution_id: 'exe_1',
      status: 'filled',
      filled_size: 0.1,
      average_price: 61_003,
    },
  },
  denied: {
    guard: 'max_order_notional',
    reason: '549,000 is above 10,000',
    limit: 10_000,
    value: 549_000,
    passedGuards: ['owns_symbols'],
  },
  rejected: {
    status: 422,
    code: 'insufficient_margin',
    reason: 'The margin is too small.',
    details: { needed: 5 },
  },
  unknown: { reason: 'timeout after 30 s' },
  unresolved: { reason: 'nothing in its lists says what became of it' },
  absent: { reason: 'not in the list of orders' },
  expired: { reason: 'not_after has passed' },
};

/**
 * Decisions of each kind in each state, an hour apart, and latches.
 *
 * @returns their keys
 */
export async function fillJournal(store: JournalStore, from: number): Promise<string[]> {
  const keys: string[] = [];
  const random = createRandom('journal');
  for (const [
    at,
    { intent, states, instance = 'trend', wallet = 'main', trigger = {} },
  ] of LIVES.entries()) {
    const decisionKey = `${wallet}/${instance}/bar:BTC:5m:${at}#0`;
    const key = idempotencyKeyOf(decisionKey, 0);
    keys.push(key);
    const clocks = clocksAt(from + at * HOUR);
    const journal = createJournal(store, clocks);
    const given =
      at % 3 === 0
        ? {
            bar: { symbol: 'BTC', interval: '5m', time: from, close: 61_000 },
            indicators: { fast: 61_020.5, slow: 61_001.25 },
          }
        : trigger;
    const row = {
      key,
      decisionKey,
      generation: 0,
      instance,
      wallet,
      kind: intent.kind,
      intent: JSON.stringify({ intent, trigger: given }),
    };
    const step = (state: string): Step => ({ state, data: DATA[state] }) as Step;
    await journal.open(row, [step('emitted')]);
    for (const state of states) {
      clocks.queue.advanceTo(clocks.queue.now() + 1 + Math.floor(random.next() * 40_000));
      await journal.record(key, [step(state)]);
    }
  }
  await store.setLatch('kill', { value: 'L2', reason: 'daily loss', time: from });
  await store.setLatch('kill', { value: 'L0', reason: 'rearmed by anna', time: from + 1 });
  await store.setLatch('pause/trend', { value: 'paused', reason: 'a look', time: from + 2 });
  return keys;
}
