import { expect, test } from 'vitest';
import type { Exchange } from '../../../src/contract/index.ts';
import {
  closePosition,
  createMonitor,
  launchBasket,
  placeOrder,
  type Intent,
} from '../../../src/intents/index.ts';
import { createJournal, createMemoryStore } from '../../../src/journal/index.ts';
import { checkRecords, type IdField } from '../../../src/runtime/recovery/checkRecords.ts';
import { createSettle } from '../../../src/runtime/recovery/createSettle.ts';
import { clocksAt } from '../../journal/journalRows.ts';
import { startPaper } from '../../wire/startPaper.ts';
import { keepOld } from '../keepOld.ts';

const order = (side: 'buy' | 'sell', symbol = 'BTC') =>
  placeOrder.limit({ symbol, side, size: 0.01, price: 10_000, client_order_id: 'own' });
const pace = (side: 'buy' | 'sell') =>
  ({
    symbol: 'BTC',
    side,
    algo: 'pacemaker',
    total_size: 0.01,
    params: { duration_seconds: 600 },
  }) as const;
const monitor = (side: 'buy' | 'sell') =>
  createMonitor({
    trigger: { type: 'price_level', symbol: 'BTC', price: 90_000, direction: 'above' },
    action: { type: 'execute', request: pace(side) },
  });

/** A paper service with an order, an execution and a monitor, and what is said of an id there. */
async function open() {
  const { client, http } = await startPaper();
  const { order_id } = await client.orders.place({ body: order('buy').request as never });
  const { execution_id } = await client.executions.launch({ body: pace('buy') as never });
  const { monitor_id } = await client.monitors.create({ body: monitor('buy').request as never });
  const check = (intent: Intent, field: IdField, ...ids: string[]) =>
    checkRecords({ emission: { intent, wallet: 'main' }, key: 'k', field, ids }, (request) =>
      http.request(request),
    );
  /** A position is opened and closed under this key. @returns the order that closed it */
  const closeAt = async (idempotencyKey: string): Promise<string> => {
    await client.orders.place({
      body: placeOrder.market({ symbol: 'BTC', side: 'buy', size: 0.01 }).request as never,
    });
    const symbol = 'BTC';
    const made = await client.positions.close({ symbol, body: {}, idempotencyKey });
    return (made as { order_id: string }).order_id;
  };
  return { check, closeAt, order_id, execution_id: execution_id!, monitor_id: monitor_id! };
}

test('a record that the intent made is taken, of each list', async () => {
  const { check, closeAt, order_id, execution_id, monitor_id } = await open();
  expect(await check(order('buy'), 'order_id', order_id)).toMatchObject([{ order_id, size: 0.01 }]);
  const close = closePosition.atMarket('BTC');
  const closed = await closeAt('k');
  expect(await check(close, 'order_id', closed)).toMatchObject([{ order_id: closed }]);
  expect(await check(monitor('buy'), 'monitor_id', monitor_id)).toMatchObject([{ monitor_id }]);
  const basket = launchBasket({ legs: [pace('sell'), pace('buy')] });
  expect(await check(basket, 'execution_id', execution_id)).toMatchObject([{ execution_id }]);
});

test('an id that does not exist, or is of another list, is refused with place and remedy', async () => {
  const { check, order_id, execution_id } = await open();
  const words =
    /^main has no monitor ord_typo_1; what a create_monitor makes is named by its monitor_id: look/;
  expect(await check(monitor('buy'), 'monitor_id', 'ord_typo_1')).toMatch(words);
  expect(await check(monitor('buy'), 'monitor_id', order_id)).toContain(`no monitor ${order_id}`);
  expect(await check(order('buy'), 'order_id', execution_id)).toContain('has no order');
  // One of several is enough.
  const basket = launchBasket({ legs: [pace('buy'), pace('buy')] });
  expect(await check(basket, 'execution_id', execution_id, 'bas_99')).toContain('execution bas_99');
});

test('an order that opened something, or closed it for another intent, settles no close', async () => {
  const { check, closeAt, order_id } = await open();
  const close = closePosition.atMarket('BTC');
  expect(await check(close, 'order_id', order_id)).toMatch(
    /^order .* may open a position, .* close_position only reduces: choose the record that it made$/,
  );
  const other = await closeAt('other');
  expect(await check(close, 'order_id', other)).toMatch(
    /^order .* was made under the key other, .* close_position was sent under k: choose/,
  );
});

test('a record of another side, symbol or client id is refused', async () => {
  const { check, order_id, execution_id, monitor_id } = await open();
  expect(await check(order('sell'), 'order_id', order_id)).toMatch(
    /is buy BTC, and .* was sell BTC/,
  );
  expect(await check(closePosition.atMarket('ETH'), 'order_id', order_id)).toMatch(/was ETH/);
  expect(await check(monitor('sell'), 'monitor_id', monitor_id)).toMatch(/is buy BTC/);
  const basket = launchBasket({ legs: [pace('sell')] });
  expect(await check(basket, 'execution_id', execution_id)).toMatch(/is buy BTC/);
  const other = placeOrder.market({ symbol: 'BTC', side: 'buy', size: 1 });
  expect(await check(other, 'order_id', order_id)).toMatch(/has the client id own, .* sent with k/);
});

const answer = (status: number, body: unknown): Exchange => ({
  kind: 'answered',
  response: { status, headers: {}, body },
});

test.each<[string, Exchange, RegExp]>([
  ['no answer', { kind: 'no_answer', reason: 'timeout' }, /\(timeout\)/],
  [
    'no key',
    { kind: 'not_sent', reason: 'link.secret: no such file' },
    /\(link\.secret: no such file\)/,
  ],
  [
    'a certificate that is over',
    { kind: 'not_sent', reason: 'not_connected', cause: { code: 'CERT_HAS_EXPIRED' } },
    /\(not_connected \(CERT_HAS_EXPIRED\)\)/,
  ],
  [
    'a proxy’s page',
    {
      kind: 'no_answer',
      reason: 'unreadable_body',
      unread: { status: 502, headers: { 'content-type': 'text/html' }, isEmpty: false },
    },
    /\(502 text\/html, which is not/,
  ],
  ['a proxy’s 404', answer(404, '<html>'), /\(status 404\)/],
  ['an error of the service', answer(503, {}), /\(status 503\)/],
  ['an answer that is of another', answer(200, { order_id: 'ord_2' }), /another order/],
])('%s is no evidence: settled only unchecked', async (_what, exchange, words) => {
  const store = createMemoryStore();
  const states = ['sending', 'unknown', 'unresolved'] as const;
  const key = await keepOld(store, { name: 'd', intent: order('buy'), states });
  const journal = createJournal(store, clocksAt(9_000));
  const read = (): Exchange => exchange;
  const settle = createSettle({ journal, isRunning: false, read, onEvent: () => {} });
  const found = { as: 'accepted', records: ['ord_1'], reason: 'seen', by: 'ann' } as const;
  const refused = await settle(key, found);
  expect(refused).toMatch(words);
  expect(refused).toContain('--unchecked');
  expect(store.stateOf(key)).toBe('unresolved');
  expect(await settle(key, { ...found, unchecked: true })).toBeUndefined();
  expect(store.stateOf(key)).toBe('accepted');
});

test('what has ended otherwise while the service was asked is not settled', async () => {
  const store = createMemoryStore();
  const states = ['sending', 'unknown', 'unresolved'] as const;
  const key = await keepOld(store, { name: 'd', intent: order('buy'), states });
  const journal = createJournal(store, clocksAt(9_000));
  const settle = createSettle({
    journal,
    isRunning: false,
    async read() {
      await journal.record(key, [{ state: 'absent', data: {} }]);
      return answer(200, { order_id: 'ord_1', symbol: 'BTC', side: 'buy' });
    },
    onEvent: () => {},
  });
  const found = { as: 'accepted', records: ['ord_1'], reason: 'seen', by: 'ann' } as const;
  expect(await settle(key, found)).toBe('it is absent already, which is final');
});
