import { expect, test } from 'vitest';
import type { ExecutionRecord, FillRecord, WatchRow } from '../../../src/contract/index.ts';
import {
  closePosition,
  createMonitor,
  launch,
  placeOrder,
  type Intent,
} from '../../../src/intents/index.ts';
import { createOriginLog, tagOf } from '../../../src/runtime/record/createOriginLog.ts';
import { OPERATOR } from '../../../src/runtime/operator.ts';
import type { PipeEvent } from '../../../src/runtime/PipeEvent.ts';

const market = { symbol: 'BTC', side: 'buy', size: 1 } as const;
const fill = (more: Partial<FillRecord>): FillRecord => ({
  fill_id: 'fil_1',
  order_id: 'ord_1',
  symbol: 'BTC',
  side: 'buy',
  price: 100,
  size: 1,
  notional: 100,
  fee: 0,
  liquidity: 'taker',
  reduce_only: false,
  time: 0,
  ...more,
});
const event = (intent: Intent, more: Partial<PipeEvent> = {}, cause = 'bar'): PipeEvent => {
  const instance = cause === 'bar' ? 'trend' : OPERATOR;
  const emission = { intent, instance, cause, wallet: 'main', ordinal: 0, marketTime: 0 };
  return {
    state: 'accepted',
    key: 'key-1',
    attempt: 1,
    emission: { ...emission, decisionKey: 'd', trigger: {} },
    ...more,
  };
};
const leg = (more: Partial<WatchRow> = {}): WatchRow => ({
  watch_kind: 'leg',
  kind: 'stop_loss',
  symbol: 'BTC',
  leg_id: 'leg_1',
  form: 'price',
  trigger_price: 90,
  ...more,
});
const sold = (order_id: string, more: Partial<FillRecord> = {}): FillRecord =>
  fill({ order_id, side: 'sell', reduce_only: true, ...more });

test('a tag is the intent’s own, else its ref without numbers at the end, else what it is', () => {
  const tags = [
    placeOrder.market(market, { tag: 'pullback', ref: 'entry-17' }),
    placeOrder.market(market, { ref: 'entry-17' }),
    placeOrder.market(market, { ref: 'rung:2:1735689600000' }),
    placeOrder.market(market, { ref: '17' }),
    placeOrder.market(market),
    closePosition.atMarket('BTC'),
    launch.pacemaker({
      symbol: 'BTC',
      side: 'buy',
      total_size: 1,
      params: { duration_seconds: 300 },
    }),
  ].map((intent) => tagOf(intent));
  expect(tags).toEqual([
    'pullback',
    'entry',
    'rung',
    '17',
    'place_order',
    'close_position',
    'launch pacemaker',
  ]);
});

test('a fill before the answer is known by its client id, one after it by its order', () => {
  const log = createOriginLog();
  const entry = placeOrder.market(market, { tag: 'pullback' });
  log.intent(event(entry, { state: 'sending' }));
  const origin = { cause: 'signal', tag: 'pullback' };
  expect(log.fill('main', fill({ client_order_id: 'key-1' }))).toEqual(origin);
  log.intent(event(entry, { record: { order_id: 'ord_1' } }));
  expect(log.fill('main', fill({}))).toEqual(origin);
});

test.each(['denied', 'rejected', 'expired', 'absent'] as const)(
  'an intent that was %s explains no later fill of its client id',
  (state) => {
    const log = createOriginLog();
    const entry = placeOrder.market(market, { tag: 'pullback' });
    log.intent(event(entry, { state: 'sending' }));
    log.intent(event(entry, { state }));
    expect(log.fill('main', fill({ client_order_id: 'key-1' }))).toBeUndefined();
  },
);

test('a close that fills before its answer is explained afterwards', () => {
  const log = createOriginLog();
  const exit = closePosition.atMarket('BTC', {}, { tag: 'exit' });
  log.intent(event(exit, { state: 'sending' }));
  const early = sold('ord_7');
  expect(log.fill('main', early)).toBeUndefined();
  log.intent(event(exit, { record: { order_id: 'ord_7' } }));
  expect(log.of(early)).toEqual({ cause: 'signal', tag: 'exit' });
});

test('the order after a leg that triggered is its exit, all of its fills; another market’s is not', () => {
  const log = createOriginLog();
  log.fill('main', fill({ size: 2 }));
  log.watch('main', 'leg_armed', leg());
  log.watch('main', 'leg_triggered', leg({ form: 'trail' }));
  log.fill('main', sold('ord_9', { symbol: 'ETH' }));
  log.fill('main', sold('ord_8'));
  log.fill('main', sold('ord_8'));
  expect(log.of(sold('ord_8'))).toEqual({ cause: 'trailing stop' });
  expect(log.of(sold('ord_9'))).toBeUndefined();
});

test('each kind of leg, a liquidation, and an execution by which a leg unwinds', () => {
  const log = createOriginLog();
  log.fill('main', fill({ size: 10 }));
  const kinds: Partial<WatchRow>[] = [
    { kind: 'stop_loss' },
    { kind: 'take_profit' },
    { kind: 'take_profit', form: 'trail' },
  ];
  for (const [at, kind] of kinds.entries()) {
    log.watch('main', 'leg_triggered', leg(kind));
    log.fill('main', sold(`ord_2${at}`));
  }
  log.watch('main', 'leg_triggered', leg());
  log.execution('main', { execution_id: 'exe_1', symbol: 'BTC' } as ExecutionRecord);
  log.liquidation({ wallet: 'main', symbol: 'BTC' });
  log.fill('main', sold('ord_30'));
  log.fill('main', sold('ord_31', { execution_id: 'exe_1' }));
  const causes = ['ord_20', 'ord_21', 'ord_22', 'ord_30'].map((id) => log.of(sold(id))?.cause);
  expect(causes).toEqual(['stop loss', 'take profit', 'trailing take profit', 'liquidation']);
  expect(log.of(sold('ord_31', { execution_id: 'exe_1' }))).toEqual({ cause: 'stop loss' });
});

test('a position of which a last step is left is not closed, and one of which a rounding is left is', () => {
  const log = createOriginLog();
  log.fill('main', fill({ size: 20_000 }));
  log.watch('main', 'leg_triggered', leg());
  log.watch('main', 'leg_triggered', leg({ kind: 'take_profit' }));
  log.fill('main', sold('ord_50', { size: 19_999.99999 }));
  log.fill('main', sold('ord_51', { size: 0.00001 }));
  const causes = ['ord_50', 'ord_51'].map((id) => log.of(sold(id))?.cause);
  expect(causes).toEqual(['stop loss', 'take profit']);

  log.fill('main', fill({ order_id: 'ord_52', size: 1e6 }));
  log.watch('main', 'leg_triggered', leg());
  log.watch('main', 'leg_triggered', leg({ kind: 'take_profit' }));
  for (const size of [333_333.33, 333_333.33, 333_333.33, 0.01])
    log.fill('main', sold('ord_53', { size }));
  log.fill('main', fill({ order_id: 'ord_54' }));
  expect(log.of(sold('ord_53'))?.cause).toBe('stop loss');
  expect(log.of(fill({ order_id: 'ord_54' }))).toBeUndefined();
});

test('what was triggered and not filled explains no later order, once the position is closed', () => {
  const log = createOriginLog();
  log.fill('main', fill({}));
  log.watch('main', 'leg_triggered', leg());
  log.intent(event(closePosition.atMarket('BTC'), { record: { order_id: 'ord_40' } }));
  log.fill('main', sold('ord_40'));
  log.fill('main', fill({ order_id: 'ord_41' }));
  expect(log.of(sold('ord_40'))).toEqual({ cause: 'signal', tag: 'close_position' });
  expect(log.of(fill({ order_id: 'ord_41' }))).toBeUndefined();
});

test('an operator’s close names the kill level, the stop policy or the flattening', () => {
  const log = createOriginLog();
  const causes = ['kill:L3:1735689600000:read:1', 'stop:flatten:17', 'flatten:BTC:17', 'other'];
  const found = causes.map((cause, at) => {
    const record = { order_id: `ord_${at}` };
    log.intent(event(closePosition.atMarket('BTC'), { record, key: `key-${at}` }, cause));
    return log.of(sold(`ord_${at}`));
  });
  expect(found).toEqual([
    { cause: 'kill L3' },
    { cause: 'stop policy' },
    { cause: 'flatten' },
    { cause: 'operator' },
  ]);
});

test('what a monitor places is known by the client id that it was given, also as an execution', () => {
  const log = createOriginLog();
  const trigger = { type: 'price_level', symbol: 'BTC', direction: 'below', level: 90 } as const;
  const action = { type: 'order', request: { ...market, order_type: 'market' } } as const;
  const armed = createMonitor({ trigger, action } as never, { tag: 'floor' });
  log.intent(event(armed, { record: { monitor_id: 'mon_1' } }));
  const origin = { cause: 'monitor', tag: 'floor' };
  expect(log.fill('main', fill({ order_id: 'ord_50', client_order_id: 'key-1' }))).toEqual(origin);
  log.execution('main', {
    execution_id: 'exe_5',
    client_execution_id: 'key-1',
    symbol: 'BTC',
  } as ExecutionRecord);
  expect(log.of(fill({ order_id: 'ord_51', execution_id: 'exe_5' }))).toEqual(origin);
});

test('a thousand orders after it was cancelled, an order is forgotten; one that may fill is not', () => {
  const log = createOriginLog();
  const order = (at: number) => ({ record: { order_id: `ord_${at}` }, key: `key-${at}` });
  log.intent(event(placeOrder.market(market, { tag: 'rests' }), order(0)));
  for (let at = 1; at <= 1_500; at++) {
    log.intent(event(placeOrder.market(market, { tag: 'quote' }), order(at)));
    log.intent(event({ kind: 'cancel_order', order: { order_id: `ord_${at}` } }, order(at)));
  }
  const of = (at: number) => log.of(fill({ order_id: `ord_${at}` }))?.tag;
  expect([of(0), of(1), of(500), of(501)]).toEqual(['rests', undefined, undefined, 'quote']);
});

test('what is triggered on a wallet makes nothing on another', () => {
  const log = createOriginLog();
  log.fill('main', fill({ order_id: 'ord_1' }));
  log.fill('side', fill({ order_id: 'ord_2' }));
  log.watch('side', 'leg_triggered', leg());
  log.fill('main', sold('ord_3'));
  log.fill('side', sold('ord_4'));
  expect(log.of(sold('ord_3'))).toBeUndefined();
  expect(log.of(sold('ord_4'))).toEqual({ cause: 'stop loss' });
});

test('another’s order that goes on after a leg has triggered is no exit of it: the next new one is', () => {
  const log = createOriginLog();
  const others = sold('ord_1', { size: 0.25 });
  log.fill('main', fill({ order_id: 'ord_0' }));
  log.fill('main', others);
  expect(log.of(others)).toBeUndefined();
  log.watch('main', 'leg_triggered', leg());
  log.fill('main', others);
  log.fill('main', sold('ord_2', { size: 0.25 }));
  log.fill('main', sold('ord_3', { size: 0.25 }));
  expect(['ord_0', 'ord_1', 'ord_2', 'ord_3'].map((id) => log.of(sold(id))?.cause)).toEqual([
    undefined,
    undefined,
    'stop loss',
    undefined,
  ]);
});
