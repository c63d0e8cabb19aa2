import { check, type Check } from './Check.ts';
import { accepted, equal, refused, refusedField, that } from './kit/claims.ts';
import {
  execution,
  itemsOf,
  launch,
  openPosition,
  pacemakerTime,
  priceOf,
  restingOrder,
  sizeFor,
  sizeSum,
  tradeSize,
} from './kit/trading.ts';

const verbatim = check('RULE-1', 'paper', 'records keep what was sent', async (stage) => {
  const me = await stage.actor();
  const plain = await restingOrder(stage, me);
  const read = { indicator: 'atr', params: { period: 14 }, interval: '1m' };
  const leg = { offset: { mult: 1.5, ...read } };
  const body = { ...plain, stop_loss: leg, reduce_only: false, client_order_id: stage.unique() };
  const order = accepted(await me.call('orders.place', { body }), 'an order with a leg');
  equal(order.request, body, 'request of the order');
  equal(order.stop_loss?.request, leg, 'request of its leg');
  const read2 = await me.call('orders.get', { params: { id: order.order_id } });
  equal(accepted(read2).request, body, 'request of the order read again');
  const params = { duration_seconds: 3_600, randomize: 0.25, limit_price: plain.price };
  const { symbol, side, size: total_size } = plain;
  const wanted = { algo: 'pacemaker', symbol, side, total_size, params };
  const launched = accepted(await launch(stage, me, wanted), 'a launch');
  equal(launched.request, wanted, 'request of the execution');
});

const unknownField = check(
  'RULE-1',
  'write',
  'an unknown field is never dropped',
  async (stage) => {
    const me = await stage.actor();
    const body = { ...(await restingOrder(stage, me)), note_to_self: 'x' };
    refusedField(await me.call('orders.place', { body }), 'note_to_self');
  },
);

const incoherent = check('RULE-2', 'write', 'incoherent orders: 422 by field', async (stage) => {
  const me = await stage.actor();
  const base = await restingOrder(stage, me);
  const { price, ...bare } = base;
  const from = { indicator: 'sma', params: { period: 20 }, interval: '1m' };
  const place = (body: unknown) => me.call('orders.place', { body });
  refusedField(await place({ ...base, price_from: from }), 'price_from');
  refusedField(await place(bare), 'price');
  refusedField(await place({ ...base, order_type: 'market' }), 'price');
  refusedField(await place({ ...base, side: 'long' }), 'side');
  refusedField(await place({ ...base, size: -1 }), 'size');
  refusedField(await place({ ...base, price: String(price) }), 'price');
  const offset = { indicator: 'atr', interval: '1m' };
  refusedField(await place({ ...base, stop_loss: { offset } }), 'stop_loss.offset.mult');
  const launched = { algo: 'pacemaker', symbol: base.symbol, side: 'buy', total_size: base.size };
  const tooShort = pacemakerTime(stage) - 1;
  const short = await launch(stage, me, { ...launched, params: { duration_seconds: tooShort } });
  refusedField(short, 'params.duration_seconds');
  stage.found('limits.pacemakerMinSeconds', `${tooShort} s are refused`, true);
});

const queries = check('RULE-2', 'read', 'queries are checked too', async (stage) => {
  const me = await stage.actor();
  const { pageMax } = stage.dialect.limits;
  refusedField(await me.call('orders.list', { query: { limit: 0 } }), 'limit');
  refusedField(await me.call('orders.list', { query: { limit: pageMax + 1 } }), 'limit');
  accepted(await me.call('orders.list', { query: { limit: pageMax } }), `limit ${pageMax}`);
  refusedField(await me.call('orders.list', { query: { no_such: 1 } }), 'no_such');
  const params = { symbol: stage.instrument.symbol };
  refusedField(await me.call('market.candles', { params }), 'interval');
  const query = { interval: '7m' };
  refusedField(await me.call('market.candles', { params, query }), 'interval');
  stage.found('limits.pageMax', `${pageMax} pass, ${pageMax + 1} are refused`, true);
});

const grid = check('RULE-3', 'write', 'sizes and prices off the grid: 422', async (stage) => {
  const me = await stage.actor();
  const base = await restingOrder(stage, me);
  const fine = 10 ** -(stage.instrument.size_decimals + 1);
  const place = (body: unknown) => me.call('orders.place', { body });
  refusedField(await place({ ...base, size: Number((base.size + fine).toFixed(9)) }), 'size');
  const odd = Number(`${Math.floor(base.price)}.123456789`);
  refusedField(await place({ ...base, price: odd }), 'price');
});

const liveAtPlacement = check('RULE-3', 'paper', 'orders meet live data', async (stage) => {
  const me = await stage.cast({ balance: 1_000 * stage.scale });
  const base = await restingOrder(stage, me);
  const { mark } = await priceOf(stage, me);
  const size = sizeFor(stage.instrument, 10_000_000, mark);
  const huge = await me.call('orders.place', { body: { ...base, size } });
  refused(huge, 422, 'insufficient_margin', 'an order beyond the margin');
  const { symbol } = base;
  const reducing = {
    symbol,
    side: 'sell',
    size: base.size,
    order_type: 'market',
    reduce_only: true,
  };
  const nothing = await me.call('orders.place', { body: reducing });
  refused(nothing, 422, 'no_position', 'an order with nothing to reduce');
  const history = accepted(await me.call('orders.history'), 'the history');
  equal(history.items, [], 'records of orders that were refused');
});

const launchesAreTaken = check('RULE-3', 'paper', 'launches fail at placement', async (stage) => {
  const me = await stage.cast({ balance: 1_000 * stage.scale });
  const { symbol } = stage.instrument;
  const { mark } = await priceOf(stage, me);
  const total_size = sizeFor(stage.instrument, 10_000_000, mark);
  const params = { duration_seconds: pacemakerTime(stage), slices: 1 };
  const body = { algo: 'pacemaker', symbol, side: 'buy', total_size, params };
  const launched = accepted(await launch(stage, me, body), 'a launch beyond the margin');
  await stage.tape.bars(3);
  const ended = await execution(me, launched.execution_id);
  equal([ended.status, ended.reason], ['stopped', 'insufficient_margin'], 'how it ends');
});

const nativeFlag = check('RULE-4', 'paper', 'every child order is reduce-only', async (stage) => {
  const me = await stage.actor();
  const { size } = await openPosition(stage, me);
  const { symbol } = stage.instrument;
  const total_size = tradeSize(stage, 2_000, (await priceOf(stage, me)).mark);
  const params = { duration_seconds: pacemakerTime(stage, 120), slices: 4 };
  const body = { algo: 'pacemaker', symbol, side: 'sell', total_size, params, reduce_only: true };
  const launched = accepted(await launch(stage, me, body), 'a reduce-only launch');
  await stage.tape.bars(4);
  const orders = await itemsOf(me, 'executions.orders', launched.execution_id);
  that(orders.length > 0, 'child orders', orders);
  const flags = orders.map((order) => order.reduce_only);
  that(
    flags.every((flag) => flag === true),
    'reduce_only: true on every child order',
    orders,
  );
  const flat = await me.call('positions.get', { params: { symbol } });
  refused(flat, 404, 'no_position', 'a position that was reduced to nothing');
  const fills = await itemsOf(me, 'executions.fills', launched.execution_id);
  equal(sizeSum(fills), size, 'size that was reduced, though more was asked for');
});

const manualFlag = check(
  'RULE-4',
  'paper',
  'a manual reduce-only order never turns',
  async (stage) => {
    const me = await stage.actor();
    const { size } = await openPosition(stage, me);
    const { symbol } = stage.instrument;
    const { mark } = await priceOf(stage, me);
    const more = tradeSize(stage, 3_000, mark);
    const body = { symbol, side: 'sell', size: more, order_type: 'market', reduce_only: true };
    const order = accepted(await me.call('orders.place', { body }), 'a larger reduce-only order');
    equal(order.filled_size, size, 'filled size of a reduce-only order');
    const flat = await me.call('positions.get', { params: { symbol } });
    refused(flat, 404, 'no_position', 'the position after it');
  },
);

export const ruleChecks: readonly Check[] = [
  verbatim,
  unknownField,
  incoherent,
  queries,
  grid,
  liveAtPlacement,
  launchesAreTaken,
  nativeFlag,
  manualFlag,
];
