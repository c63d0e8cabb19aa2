import { check, type Check } from './Check.ts';
import type { Json } from './kit/Answer.ts';
import { accepted, equal, near, refused, refusedField, that } from './kit/claims.ts';
import {
  bpsBetween,
  place,
  priceAt,
  priceOf,
  restingOrder,
  sizeFor,
  tradeSize,
} from './kit/trading.ts';
import { Inconclusive } from './kit/Inconclusive.ts';
import type { Stage } from './kit/Stage.ts';

const limit = check('ORD-1', 'write', 'a limit order rests as it was sent', async (stage) => {
  const me = await stage.actor();
  const body = { ...(await restingOrder(stage, me)), client_order_id: stage.unique() };
  const order = await place(me, body);
  for (const [name, value] of Object.entries(body))
    equal(order[name], value, `${name} of the order`);
  equal(
    [order.status, order.filled_size],
    ['open', 0],
    'status and filled size of a resting order',
  );
  equal([order.time_in_force, order.reduce_only], ['gtc', false], 'defaults of an order');
  const params = { id: order.order_id };
  accepted(await me.call('orders.cancel', { params }), 'its cancel');
});

const market = check('ORD-1', 'paper', 'a market order takes, within its bound', async (stage) => {
  const me = await stage.actor();
  const { symbol } = stage.instrument;
  const { mark, ask } = await priceOf(stage, me);
  const size = tradeSize(stage, 1_000, mark);
  const order = await place(me, { symbol, side: 'buy', size, order_type: 'market' });
  equal([order.status, order.filled_size], ['filled', size], 'a small market order');
  that(order.average_price >= ask, `a buyer to pay the ask ${ask} or more`, order.average_price);
  const bound = stage.dialect.venue.marketSlippageBps;
  const paid = bpsBetween(mark, order.average_price);
  that(paid <= bound, `at most ${bound} bps from the mark`, paid);
});

const slippage = check('ORD-1', 'paper', 'slippage_bps bounds the price', async (stage) => {
  const me = await stage.cast({ balance: 100_000_000 });
  const { symbol } = stage.instrument;
  const { mark, ask } = await priceOf(stage, me);
  const order = (size: number, slippage_bps: number): Promise<Json> =>
    place(me, { symbol, side: 'buy', size, order_type: 'market', slippage_bps });
  const none = await order(tradeSize(stage, 1_000, mark), bpsBetween(mark, ask) / 2);
  equal([none.status, none.filled_size], ['cancelled', 0], 'an order whose bound is below the ask');
  const huge = await order(sizeFor(stage.instrument, 50_000_000, mark), 3);
  equal(huge.status, 'cancelled', 'the rest of a market order that finds too little');
  that(huge.filled_size > 0 && huge.filled_size < huge.size, 'a part of it to be filled', huge);
  const paid = bpsBetween(mark, huge.average_price);
  that(paid <= 3, 'at most 3 bps from the mark', paid);
});

const defaultSlippage = check(
  'ORD-1',
  'paper',
  'market orders have a default bound',
  async (stage) => {
    const me = await stage.actor();
    const settings = accepted(await me.call('account.settings'), 'the settings');
    const { marketSlippageBps } = stage.dialect.venue;
    equal(settings.default_slippage_bps, marketSlippageBps, 'default_slippage_bps');
    stage.found('venue.marketSlippageBps', `${settings.default_slippage_bps} bps`, true);
  },
);

const timeInForce = check('ORD-1', 'paper', 'time in force', async (stage) => {
  const me = await stage.actor();
  const base = await restingOrder(stage, me);
  const { mark } = await priceOf(stage, me);
  const away = await place(me, { ...base, time_in_force: 'ioc' });
  equal([away.status, away.filled_size], ['cancelled', 0], 'an ioc that meets nothing');
  const crossing = { ...base, price: priceAt(stage.instrument, mark, 1.01) };
  const taken = await place(me, { ...crossing, time_in_force: 'ioc' });
  equal([taken.status, taken.filled_size], ['filled', base.size], 'an ioc that crosses');
  const body = { ...crossing, time_in_force: 'post_only' };
  refused(await me.call('orders.place', { body }), 422, 'would_cross', 'a post_only that crosses');
  const posted = await place(me, { ...base, time_in_force: 'post_only' });
  equal(posted.status, 'open', 'status of a post_only away from the market');
});

const result = check('ORD-2', 'paper', 'queued, and a resolution for each leg', async (stage) => {
  const me = await stage.actor();
  const base = await restingOrder(stage, me);
  const bare = await place(me, base);
  equal(bare.queued, false, 'queued of an order without legs');
  const take_profit = { price: priceAt(stage.instrument, base.price, 1.1) };
  const stop_loss = { price: priceAt(stage.instrument, base.price, 0.9) };
  const rested = await place(me, { ...base, take_profit, stop_loss });
  equal(rested.queued, true, 'queued of a resting order with legs');
  for (const [kind, { price }] of Object.entries({ take_profit, stop_loss })) {
    const leg = rested[kind];
    equal([leg?.kind, leg?.form, leg?.status], [kind, 'price', 'queued'], `the ${kind} leg`);
    equal(leg.resolution?.trigger_price, price, `trigger_price of the ${kind}`);
  }
  const { price: _price, ...unpriced } = base;
  const filled = await place(me, { ...unpriced, order_type: 'market', stop_loss });
  equal([filled.status, filled.queued], ['filled', false], 'a filled order with a leg');
  equal(filled.stop_loss?.status, 'armed', 'status of the leg of a filled order');
});

const clientIds = check(
  'ORD-3',
  'write',
  'client_order_id names an order for ever',
  async (stage) => {
    const me = await stage.actor();
    const client_order_id = stage.unique();
    const body = { ...(await restingOrder(stage, me)), client_order_id };
    const order = await place(me, body);
    const params = { id: `client:${client_order_id}` };
    const found = accepted(await me.call('orders.get', { params }), 'the order by its client id');
    equal(found.order_id, order.order_id, 'order_id behind the client id');
    const twice = await me.call('orders.place', { body });
    refused(twice, 409, 'duplicate_client_order_id', 'the same client id again');
    accepted(await me.call('orders.cancel', { params }), 'a cancel by client id');
    const after = await me.call('orders.place', { body });
    refused(after, 409, 'duplicate_client_order_id', 'the client id of a cancelled order');
    const bad = { ...body, client_order_id: 'no spaces' };
    refusedField(await me.call('orders.place', { body: bad }), 'client_order_id');
  },
);

/** What an order is about, whichever answer shows it: who recovers from a list trades on what that says. */
const termsOf = ({ symbol, side, size, price, filled_size: filled }: Json): Json => ({
  symbol,
  side,
  size,
  price,
  filled,
});

const lifecycle = check('ORD-4', 'write', 'place, modify, cancel, history', async (stage) => {
  const me = await stage.actor();
  const base = await restingOrder(stage, me);
  const order = await place(me, base);
  const params = { id: order.order_id };
  const price = priceAt(stage.instrument, base.price, 0.99);
  const modified = accepted(
    await me.call('orders.modify', { params, body: { price } }),
    'a modify',
  );
  equal([modified.order_id, modified.price], [order.order_id, price], 'the modified order');
  equal(modified.size, base.size, 'its size');
  const listed = accepted(await me.call('orders.list', { query: { symbol: base.symbol } }));
  const isIt = (row: Json): boolean => row.order_id === order.order_id;
  const open = listed.items.find(isIt);
  that(open !== undefined, 'the order among the open ones', listed.items);
  equal(termsOf(open), termsOf(modified), 'the order among the open ones');
  const cancelled = accepted(await me.call('orders.cancel', { params }), 'a cancel');
  equal(cancelled.status, 'cancelled', 'status of a cancelled order');
  equal(termsOf(cancelled), termsOf(modified), 'the cancelled order');
  for (const answer of [
    await me.call('orders.cancel', { params }),
    await me.call('orders.modify', { params, body: { price } }),
  ]) {
    const details = refused(answer, 409, 'invalid_transition', 'a change of a closed order');
    equal(details.from, 'cancelled', 'details.from');
  }
  const history = accepted(await me.call('orders.history'), 'the history');
  const closed = history.items.find(isIt);
  equal(closed?.status, 'cancelled', 'status of the order in the history');
  equal(termsOf(closed), termsOf(modified), 'the order in the history');
  const unknown = await me.call('orders.get', { params: { id: 'no_such_order' } });
  refused(unknown, 404, 'not_found', 'an unknown order');
});

const bulk = check('ORD-4', 'paper', 'bulk cancel, by symbol and whole', async (stage) => {
  const me = await stage.actor();
  const base = await restingOrder(stage, me);
  const placed = [await place(me, base), await place(me, base), await place(me, base)];
  const other = stage.instruments.find(({ symbol }) => symbol !== base.symbol);
  if (other !== undefined) {
    const elsewhere = { query: { symbol: other.symbol } };
    const none = accepted(await me.call('orders.bulkCancel', elsewhere), 'a bulk cancel elsewhere');
    equal(none.results, [], 'results elsewhere');
  }
  const query = { symbol: base.symbol };
  const { results } = accepted(await me.call('orders.bulkCancel', { query }), 'a bulk cancel');
  const ids = results.map((row: Json) => row.id).sort();
  equal(ids, placed.map((order) => order.order_id).sort(), 'ids of a bulk cancel');
  that(
    results.every((row: Json) => row.ok === true),
    'each ok',
    results,
  );
  const left = accepted(await me.call('orders.list'), 'the open orders');
  equal(left.items, [], 'open orders after a bulk cancel');
});

const fills = check('ORD-4', 'paper', 'fills add up', async (stage) => {
  const me = await stage.actor();
  const { symbol } = stage.instrument;
  const size = tradeSize(stage, 1_000, (await priceOf(stage, me)).mark);
  const order = await place(me, { symbol, side: 'buy', size, order_type: 'market' });
  const { items } = accepted(await me.call('orders.fills', { query: { symbol } }), 'the fills');
  const own = items.filter((fill: Json) => fill.order_id === order.order_id);
  const filled = own.reduce((sum: number, fill: Json) => sum + fill.size, 0);
  near(filled, size, 'the sum of the fills');
  for (const fill of own) {
    equal([fill.side, fill.liquidity], ['buy', 'taker'], 'side and liquidity of a taker');
    near(fill.notional, fill.price * fill.size, 'notional of a fill');
    near(fill.fee, fill.venue_fee + fill.service_fee, 'fee of a fill');
  }
});

const paging = check('ORD-4', 'paper', 'lists come in pages', async (stage) => {
  const me = await stage.actor();
  const base = await restingOrder(stage, me);
  for (let count = 0; count < 5; count++) await place(me, base);
  const seen: string[] = [];
  let cursor: string | null = null;
  for (let page = 0; page < 5; page++) {
    const query: Record<string, string | number> = {
      limit: 2,
      ...(cursor === null ? {} : { cursor }),
    };
    const list = accepted(await me.call('orders.list', { query }), 'a page');
    that(list.items.length <= 2, 'at most 2 items a page', list.items.length);
    seen.push(...list.items.map((row: Json) => row.order_id));
    cursor = list.next_cursor;
    if (cursor === null) break;
  }
  equal(new Set(seen).size, 5, 'different orders over all pages');
  equal(seen.length, 5, 'orders over all pages');
});

/** The path of a symbol's leverage, with every character encoded, and as a client writes it. */
function encodedPath({ dialect, instrument: { symbol } }: Stage) {
  const hex = [...Buffer.from(symbol)]
    .map((byte) => `%${byte.toString(16).toUpperCase()}`)
    .join('');
  const base = `/v1${dialect.endpoints['leverage.get'].path}`;
  const pathOf = (name: string): string => base.replace('{symbol}', name);
  return { symbol, path: pathOf(hex), plain: pathOf(encodeURIComponent(symbol)) };
}

const encoded = check(
  'ORD-5',
  'read',
  'a percent-encoded path is signed as sent',
  async (stage) => {
    const me = await stage.actor();
    const { symbol, path } = encodedPath(stage);
    const answer = await me.raw({ method: 'GET', path });
    equal([answer.status, answer.body?.symbol], [200, symbol], `the leverage at ${path}`);
  },
);

const decoded = check(
  'ORD-5',
  'write',
  'a signature over another encoding fails',
  async (stage) => {
    const me = await stage.actor();
    const { path, plain } = encodedPath(stage);
    const other = await me.raw({ method: 'GET', path, signing: { instead: { path: plain } } });
    refused(other, 401, 'invalid_signature', 'a signature over the decoded path');
  },
);

const slash = check('ORD-5', 'read', 'a slash stays inside its segment', async (stage) => {
  const me = await stage.actor();
  const params = { symbol: 'NO/SUCH' };
  const unknown = await me.call('market.price', { params });
  refused(unknown, 404, 'unknown_symbol', 'a spot symbol that does not exist');
  const spot = stage.instruments.find((row) => row.symbol.includes('/'));
  if (spot === undefined)
    return 'no spot symbol is listed; its encoding was seen on an unknown one';
  const answer = await me.call('market.price', { params: { symbol: spot.symbol } });
  equal(accepted(answer, `the price of ${spot.symbol}`).symbol, spot.symbol, 'symbol');
  return undefined;
});

const spotOrder = check('ORD-5', 'paper', 'a spot symbol trades', async (stage) => {
  const me = await stage.actor();
  const spot = stage.instruments.find(({ kind }) => kind === 'spot');
  if (spot === undefined) return 'no spot symbol is listed';
  const { symbol } = spot;
  const { mark } = accepted(await me.call('market.price', { params: { symbol } }), 'the price');
  const size = sizeFor(spot, 100, mark);
  const body = { symbol, side: 'buy', size, order_type: 'market' };
  const order = accepted(await me.call('orders.place', { body }), `an order on ${symbol}`);
  if (order.filled_size === 0) throw new Inconclusive('The bar had no volume.');
  const { items } = accepted(await me.call('account.balances'), 'the balances');
  const held = items.find((row: Json) => row.asset === spot.base);
  equal(held?.total, order.filled_size, `balance of ${spot.base}`);
  return undefined;
});

export const orderChecks: readonly Check[] = [
  limit,
  market,
  slippage,
  defaultSlippage,
  timeInForce,
  result,
  clientIds,
  lifecycle,
  bulk,
  fills,
  paging,
  encoded,
  decoded,
  slash,
  spotOrder,
];
