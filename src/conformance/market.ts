import {
  INDICATOR_IDS,
  INDICATORS,
  INTERVAL_MS,
  indicatorRecords,
  isValidPrice,
  withDefaults,
  type CandleRecord,
  type IndicatorId,
} from '../contract/index.ts';
import { check, lastly, type Check } from './Check.ts';
import type { Json } from './kit/Answer.ts';
import { accepted, equal, near, refused, refusedField, that } from './kit/claims.ts';
import type { Actor } from './kit/createActor.ts';
import { REFERENCE } from './kit/referenceIndicators.ts';
import type { Stage } from './kit/Stage.ts';
import { closedBars } from './kit/trading.ts';
import { Inconclusive } from './kit/Inconclusive.ts';

const MINUTE_MS = INTERVAL_MS['1m'];

const closedOnly = check(
  'MKT-1',
  'read',
  'bars are closed unless asked otherwise',
  async (stage) => {
    const me = await stage.actor();
    const bars = await closedBars(stage, me, { limit: 50 });
    that(bars.length > 0, 'some closed bars', bars);
    that(
      bars.every((bar) => bar.closed),
      'closed bars only',
      bars.at(-1),
    );
    const times = bars.map((bar) => bar.time);
    equal(
      times,
      [...times].sort((a, b) => a - b),
      'times in ascending order',
    );
    that(
      times.every((time) => time % MINUTE_MS === 0),
      'times on the grid of 1m',
      times,
    );
  },
);

const forming = check(
  'MKT-1',
  'paper',
  'include_forming adds the bar in progress',
  async (stage) => {
    const me = await stage.actor();
    const params = { symbol: stage.instrument.symbol };
    const boundary = await stage.tape.bars(1);
    const read = async (isAsked: boolean): Promise<CandleRecord[]> => {
      const query = { interval: '1m', limit: 3, ...(isAsked ? { include_forming: true } : {}) };
      return accepted(await me.call('market.candles', { params, query }), 'candles').candles;
    };
    that(
      (await read(true)).every((bar) => bar.closed),
      'no forming bar on a boundary',
      'one',
    );
    await stage.tape.to(boundary + MINUTE_MS / 2);
    const plain = await read(false);
    equal([plain.at(-1)?.time, plain.at(-1)?.closed], [boundary - MINUTE_MS, true], 'last bar');
    const { at } = await read(true).then((bars) => ({ at: bars.at(-1) }));
    equal([at?.time, at?.closed], [boundary, false], 'the bar in progress, on request');
    await stage.tape.to(boundary + MINUTE_MS);
    const closed = (await read(false)).at(-1);
    equal([closed?.time, closed?.closed], [boundary, true], 'the same bar once it closed');
    equal(closed?.open, at?.open, 'its open');
  },
);

const range = check(
  'MKT-1',
  'read',
  'start_time is inclusive, end_time exclusive',
  async (stage) => {
    const me = await stage.actor();
    const bars = await closedBars(stage, me, { limit: 20 });
    const [from, to] = [bars[5], bars[10]];
    if (from === undefined || to === undefined)
      throw new Inconclusive('Fewer than 11 closed bars.');
    const params = { symbol: stage.instrument.symbol };
    const query = { interval: '1m', start_time: from.time, end_time: to.time };
    const answer = accepted(await me.call('market.candles', { params, query }), 'a range');
    const times = answer.candles.map((bar: CandleRecord) => bar.time);
    equal(
      times,
      bars.slice(5, 10).map((bar) => bar.time),
      'times of the range',
    );
    stage.found('candles.query', 'interval, limit, start_time and end_time', true);
  },
);

const aggregated = check('MKT-1', 'read', 'longer bars are made of shorter ones', async (stage) => {
  const me = await stage.actor();
  const minutes = await closedBars(stage, me, { limit: 60 });
  const params = { symbol: stage.instrument.symbol };
  const query = { interval: '5m', limit: 6 };
  const answer = await me.call('market.candles', { params, query });
  const fives: CandleRecord[] = accepted(answer, 'bars of 5m').candles;
  const last = fives.at(-1);
  const inside = minutes.filter(
    ({ time }) => last !== undefined && time >= last.time && time < last.time + INTERVAL_MS['5m'],
  );
  if (last === undefined || inside.length === 0) throw new Inconclusive('No bar of 5m has closed.');
  equal(last.high, Math.max(...inside.map((bar) => bar.high)), 'high of the last bar of 5m');
  equal(last.low, Math.min(...inside.map((bar) => bar.low)), 'low of the last bar of 5m');
  equal([last.open, last.close], [inside[0]?.open, inside.at(-1)?.close], 'its open and close');
  near(
    last.volume,
    inside.reduce((sum, bar) => sum + bar.volume, 0),
    'its volume',
    1e-6,
  );
});

async function evaluate(stage: Stage, me: Actor, indicators: unknown[]): Promise<Json> {
  const body = { symbol: stage.instrument.symbol, interval: '1m', indicators };
  return accepted(await me.call('market.evaluate', { body }), 'the evaluation');
}

const barTime = check('MKT-2', 'read', 'values refer to the last closed bar', async (stage) => {
  const me = await stage.actor();
  const before = await closedBars(stage, me, { limit: 1 });
  const answer = await evaluate(stage, me, [{ id: 'a', indicator: 'sma' }]);
  const after = await closedBars(stage, me, { limit: 1 });
  const times = [before.at(-1)?.time, after.at(-1)?.time];
  that(times.includes(answer.bar_time), `bar_time ${times.join(' or ')}`, answer.bar_time);
  equal(answer.values[0]?.bar_time, answer.bar_time, 'bar_time of the value');
});

const notForming = check('MKT-2', 'paper', 'the bar in progress moves no value', async (stage) => {
  const me = await stage.actor();
  const boundary = await stage.tape.bars(1);
  const item = { id: 'a', indicator: 'sma', params: { period: 1 } };
  const at = await evaluate(stage, me, [item]);
  await stage.tape.to(boundary + 40_000);
  const inside = await evaluate(stage, me, [item]);
  equal(inside.values, at.values, 'values inside the next bar');
  equal(at.bar_time, boundary - MINUTE_MS, 'bar_time on a boundary');
});

const cache = check(
  'MKT-3',
  'paper',
  'candles are cached until the next boundary',
  async (stage) => {
    const me = await stage.cast({});
    const params = { symbol: stage.instrument.symbol };
    const { weight } = stage.dialect.headers;
    const read = () => me.call('market.candles', { params, query: { interval: '1m', limit: 2 } });
    const boundary = await stage.tape.bars(1);
    const first = await read();
    equal(accepted(first, 'candles').cached, false, 'cached of a first read');
    const { weight: full = 0, weightCached = 0 } = stage.dialect.endpoints['market.candles'];
    equal(first.headers[weight.toLowerCase()], String(full), 'weight of a first read');
    await stage.tape.to(boundary + 20_000);
    const second = await read();
    equal(accepted(second, 'candles').cached, true, 'cached of a second read');
    equal(second.body.age_seconds, 20, 'age_seconds 20 s later');
    equal(second.headers[weight.toLowerCase()], String(weightCached), 'weight of a cached read');
    const other = accepted(
      await (await stage.cast({})).call('market.candles', { params, query: { interval: '1m' } }),
    );
    equal(other.cached, false, "cached of another wallet's first read");
    await stage.tape.to(boundary + MINUTE_MS);
    equal(accepted(await read(), 'candles').cached, false, 'cached after the boundary');
  },
);

const catalogue = check('MKT-4', 'read', 'the catalogue has the fourteen', async (stage) => {
  const me = await stage.actor();
  const { items } = accepted(
    await me.call('market.indicators', { query: { limit: stage.dialect.limits.pageMax } }),
  );
  for (const row of indicatorRecords()) {
    const theirs = items.find((item: Json) => item.id === row.id);
    that(
      theirs !== undefined,
      `${row.id} in the catalogue`,
      items.map((item: Json) => item.id),
    );
    equal(theirs.series, row.series, `series of ${row.id}`);
    equal(theirs.price_series, row.price_series, `price_series of ${row.id}`);
    equal(theirs.params, row.params, `params of ${row.id}`);
  }
});

/** Relative tolerance of floating-point sums; series near 0 get an absolute tolerance too. */
const REACH = 1e-6;

const values = check('MKT-4', 'read', 'values are the published ones', async (stage) => {
  const me = await stage.actor();
  const bars = await closedBars(stage, me, { limit: 5_000 });
  if (bars.length < 400) throw new Inconclusive(`Only ${bars.length} closed bars; it takes 400.`);
  const items = INDICATOR_IDS.map((id) => ({ id, indicator: id }));
  const answer = await evaluate(stage, me, items);
  const last = bars.at(-1)!;
  if (answer.bar_time !== last.time) throw new Inconclusive('A bar closed between the two reads.');
  for (const id of INDICATOR_IDS) {
    const row = answer.values.find((value: Json) => value.id === id);
    const wanted = REFERENCE[id](bars, withDefaults(id));
    for (const series of INDICATORS[id].series) {
      const got = lineOf(row, id, series);
      const expected = wanted[series]?.at(-1) ?? NaN;
      const scale = Math.max(Math.abs(expected), last.close * 1e-3);
      const isNear = typeof got === 'number' && Math.abs(got - expected) <= scale * REACH;
      that(isNear, `${id} ${series} at ${last.time} to be ${expected}`, got);
    }
  }
  stage.found('evaluate.body', 'symbol, interval and a batch of indicators', true);
  return undefined;
});

const lineOf = (row: Json, id: IndicatorId, series: string): unknown =>
  INDICATORS[id].series.length === 1 ? row?.value : row?.series?.[series];

const bounds = check('MKT-4', 'read', 'params and series are checked', async (stage) => {
  const me = await stage.actor();
  const ask = (item: object) => {
    const indicators = [{ id: 'a', ...item }];
    const body = { symbol: stage.instrument.symbol, interval: '1m', indicators };
    return me.call('market.evaluate', { body });
  };
  const period = await ask({ indicator: 'sma', params: { period: 501 } });
  refusedField(period, 'indicators.0.params.period');
  const unknown = await ask({ indicator: 'sma', params: { length: 5 } });
  refusedField(unknown, 'indicators.0.params.length');
  refusedField(await ask({ indicator: 'supertrend' }), 'indicators.0.indicator');
  refusedField(await ask({ indicator: 'macd', series: 'upper' }), 'indicators.0.series');
});

const instruments = check(
  'MKT-6',
  'read',
  'instruments, markets, book and price agree',
  async (stage) => {
    const me = await stage.actor();
    const { instrument } = stage;
    const params = { symbol: instrument.symbol };
    accepted(
      await me.call('market.instruments', { query: { limit: stage.dialect.limits.pageMax } }),
      'the instruments',
    );
    const markets = accepted(
      await me.call('market.markets', { query: { limit: stage.dialect.limits.pageMax } }),
      'the markets',
    );
    const market = markets.items.find((row: Json) => row.symbol === instrument.symbol);
    that(market !== undefined, `${instrument.symbol} among the markets`, markets.items);
    const price = accepted(await me.call('market.price', { params }), 'the price');
    that(price.bid < price.ask, 'bid below ask', price);
    const query = { depth: 5 };
    const book = accepted(await me.call('market.orderbook', { params, query }), 'the book');
    const [bids, asks] = [book.bids.map(([p]: number[]) => p), book.asks.map(([p]: number[]) => p)];
    that(bids.length > 0 && bids.length <= 5 && asks.length <= 5, 'up to 5 levels a side', book);
    equal(
      bids,
      [...bids].sort((a, b) => b - a),
      'bids from the best down',
    );
    equal(
      asks,
      [...asks].sort((a, b) => a - b),
      'asks from the best up',
    );
    that(bids[0] < asks[0], 'the best bid below the best ask', book);
    const isOnGrid = [...bids, ...asks].every((p: number) => isValidPrice(p, instrument));
    that(isOnGrid, 'valid prices in the book', book);
    const unknown = await me.call('market.price', { params: { symbol: 'NO-SUCH-SYMBOL' } });
    refused(unknown, 404, 'unknown_symbol', 'a symbol that does not exist');
  },
);

const bookIsPrice = check('MKT-6', 'paper', 'the book begins at bid and ask', async (stage) => {
  const me = await stage.actor();
  const params = { symbol: stage.instrument.symbol };
  const price = accepted(await me.call('market.price', { params }), 'the price');
  const book = accepted(await me.call('market.orderbook', { params }), 'the book');
  equal([book.bids[0]?.[0], book.asks[0]?.[0]], [price.bid, price.ask], 'the best bid and ask');
  const { min_order_value: order, algo_min_value: algo } = stage.instrument;
  const { minOrderValue, algoMinValue } = stage.dialect.venue;
  stage.found('venue.minOrderValue', String(order), order === minOrderValue);
  stage.found('venue.algoMinValue', String(algo), algo === algoMinValue);
});

/** Spends the venue's budget on evaluations, whose weight is the largest, up to the gate. */
const gate = lastly(
  check('MKT-5', 'paper', 'reads stop at the gate, cached candles go on', async (stage) => {
    const me = await stage.cast({});
    const params = { symbol: stage.instrument.symbol };
    const query = { interval: '1m', limit: 2 };
    const limits = accepted(await me.call('utility.rateLimits'), 'the rate limits');
    const { venue } = limits;
    const { budget, readGate } = { ...stage.dialect.budget, budget: stage.dialect.budget.venue };
    equal(
      [venue?.budget, venue?.gate],
      [budget, budget * readGate],
      'budget and gate of the venue',
    );
    const item = { id: 'a', indicator: 'sma' };
    const body = { symbol: params.symbol, interval: '1m', indicators: [item] };
    accepted(await me.call('market.candles', { params, query }), 'candles, read once');
    const most = Math.ceil(venue.gate / 5) + 2;
    let answer = await me.call('market.evaluate', { body, impatient: true });
    for (let asked = 1; answer.status === 200 && asked < most; asked++) {
      answer = await me.call('market.evaluate', { body, impatient: true });
    }
    const details = refused(answer, 429, 'rate_limited', 'a read beyond the gate');
    equal(details.bucket_exceeded, 'read_headroom_gate', 'bucket_exceeded');
    that(details.retry_after_seconds > 0, 'retry_after_seconds above 0', details);
    const price = await me.call('market.price', { params, impatient: true });
    // One weight may still fit where five did not.
    if (price.status !== 200) refused(price, 429, 'rate_limited', 'another read beyond the gate');
    const cached = await me.call('market.candles', { params, query, impatient: true });
    equal(accepted(cached, 'a cached read beyond the gate').cached, true, 'cached');
    accepted(await me.call('orders.list', { impatient: true }), 'another kind of read');
    const after = accepted(await me.call('utility.rateLimits')).venue;
    that(after.used < budget, `headroom left of ${budget}`, after);
    stage.found('budget.venue', `${venue.budget} a minute`, true);
    stage.found('budget.readGate', `reads are refused from ${venue.gate}`, true);
  }),
);

export const marketChecks: readonly Check[] = [
  closedOnly,
  forming,
  range,
  aggregated,
  barTime,
  notForming,
  cache,
  catalogue,
  values,
  bounds,
  instruments,
  bookIsPrice,
  gate,
];
