import { INDICATOR_IDS, INDICATORS, toValidPrice } from '../contract/index.ts';
import { check, type Check } from './Check.ts';
import { accepted, equal, near, refused, refusedField, that } from './kit/claims.ts';
import { ATR, LOWER_BAND } from './kit/reads.ts';
import {
  attach,
  closedBars,
  openPosition,
  pacemakerTime,
  place,
  priceAt,
  priceOf,
  restingOrder,
  sizeFor,
  valueOf,
  withLegs,
} from './kit/trading.ts';

const forms = check('LEG-1', 'paper', 'each of the four forms is accepted', async (stage) => {
  const me = await stage.actor();
  const { mark } = await priceOf(stage, me);
  const stops = {
    price: { price: priceAt(stage.instrument, mark, 0.6) },
    offset: { offset: { mult: 2, ...ATR } },
    at: { at: LOWER_BAND },
    trail: { trail: { pct: 1.5, interval: '1m' } },
  };
  // At the best bid, so that a band's lower line is under the entry.
  const price = priceAt(stage.instrument, mark, 0.9999);
  for (const [form, stop_loss] of Object.entries(stops)) {
    const order = accepted(await withLegs(stage, me, { stop_loss }, { price }), `a ${form} leg`);
    equal(order.stop_loss?.form, form, 'form of the leg');
    equal(order.stop_loss?.request, stop_loss, 'request of the leg');
  }
  stage.found('legs.price', '{"price": …}', true);
});

const oneForm = check('LEG-1', 'write', 'exactly one form a leg', async (stage) => {
  const me = await stage.actor();
  const { price } = await restingOrder(stage, me);
  const two = { price: priceAt(stage.instrument, price, 0.9), offset: { mult: 2, ...ATR } };
  refusedField(await withLegs(stage, me, { stop_loss: two }), 'stop_loss');
  refusedField(await withLegs(stage, me, { stop_loss: {} }), 'stop_loss');
});

const offsets = check('LEG-2', 'paper', 'the sign follows kind and side', async (stage) => {
  const me = await stage.actor();
  const offset = { mult: 1.5, ...ATR };
  const { value } = await valueOf(stage, me, ATR);
  for (const side of ['buy', 'sell'] as const) {
    const legs = { take_profit: { offset }, stop_loss: { offset } };
    const order = accepted(await withLegs(stage, me, legs, { side }), `a ${side} with offsets`);
    const way = side === 'buy' ? 1 : -1;
    for (const [kind, sign] of [
      ['take_profit', way],
      ['stop_loss', -way],
    ] as const) {
      const { anchor_price: anchor, trigger_price, indicator_value } = order[kind].resolution;
      equal(anchor, order.price, 'anchor_price of a resting order');
      near(indicator_value, value, 'indicator_value', 1e-6);
      const wanted = toValidPrice(anchor + sign * 1.5 * indicator_value, stage.instrument);
      equal(trigger_price, wanted, `trigger_price of the ${kind} of a ${side}`);
    }
  }
});

const levels = check('LEG-3', 'paper', 'the trigger is the level', async (stage) => {
  const me = await stage.actor();
  const { mark } = await priceOf(stage, me);
  const price = priceAt(stage.instrument, mark, 0.9999);
  const { value } = await valueOf(stage, me, LOWER_BAND);
  const stop_loss = { at: LOWER_BAND };
  const order = accepted(await withLegs(stage, me, { stop_loss }, { price }), 'an `at` leg');
  const { trigger_price, indicator_value } = order.stop_loss.resolution;
  near(indicator_value, value, 'indicator_value', 1e-6);
  equal(trigger_price, toValidPrice(value, stage.instrument), 'trigger_price of an `at` leg');
});

const oscillators = INDICATOR_IDS.filter((id) => INDICATORS[id].priceSeries.length === 0);

const noOscillator = check('LEG-3', 'write', 'an oscillator is no level', async (stage) => {
  const me = await stage.actor();
  for (const indicator of oscillators) {
    for (const stop_loss of [
      { at: { indicator, interval: '1m' } },
      { trail: { indicator, interval: '1m' } },
    ]) {
      const answer = await withLegs(stage, me, { stop_loss });
      refused(answer, 422, 'oscillator_level', `a level of ${indicator}`);
    }
  }
});

const styles = check('LEG-5', 'paper', 'exit style and its parameters', async (stage) => {
  const me = await stage.actor();
  await openPosition(stage, me);
  const { mark } = await priceOf(stage, me);
  const price = priceAt(stage.instrument, mark, 0.8);
  const stop = (more: object) => attach(stage, me, { stop_loss: { price, ...more } });
  const native = accepted(await stop({ exit_style: 'native' }), 'a native leg');
  equal(native.legs.stop_loss.status, 'armed', 'status of a native leg');
  const style = { exit_style: 'algo_unwind' };
  refusedField(await stop(style), 'stop_loss.unwind_algo');
  const pacemaker = { ...style, unwind_algo: 'pacemaker' };
  refusedField(await stop(pacemaker), 'stop_loss.unwind_params.duration_seconds');
  const odd = {
    ...pacemaker,
    unwind_params: { duration_seconds: pacemakerTime(stage), strategy: 'passive' },
  };
  refusedField(await stop(odd), 'stop_loss.unwind_params.strategy');
  const flow = await stop({ ...style, unwind_algo: 'flowscale' });
  refused(flow, 422, 'unsupported_unwind_algo', 'an algorithm that follows volume');
  refusedField(await stop({ unwind_algo: 'pacemaker' }), 'stop_loss.unwind_algo');
  refusedField(await stop({ min_move_bps: 5 }), 'stop_loss.min_move_bps');
  const unwind = { ...pacemaker, unwind_params: { duration_seconds: pacemakerTime(stage) } };
  const compiled = accepted(await stop(unwind), 'an unwinding leg');
  that(typeof compiled.legs.stop_loss.monitor_id === 'string', 'a monitor_id', compiled);
});

const orderLegsAreNative = check(
  'LEG-5',
  'write',
  'orders take native legs only',
  async (stage) => {
    const me = await stage.actor();
    const { price } = await restingOrder(stage, me);
    const unwind = { exit_style: 'algo_unwind', unwind_algo: 'pacemaker' };
    const params = { unwind_params: { duration_seconds: pacemakerTime(stage) } };
    const leg = { price: priceAt(stage.instrument, price, 0.9), ...unwind, ...params };
    refusedField(await withLegs(stage, me, { stop_loss: leg }), 'stop_loss.exit_style');
  },
);

const series = check('LEG-6', 'paper', 'series picks the line', async (stage) => {
  const me = await stage.actor();
  const { mark } = await priceOf(stage, me);
  const price = priceAt(stage.instrument, mark, 1.3);
  const bands = {
    indicator: 'bollinger',
    params: { period: 20, std_dev: 2 },
    interval: '1m',
  } as const;
  for (const line of ['upper', 'mid', 'lower']) {
    const { value } = await valueOf(stage, me, { ...bands, series: line });
    const take_profit = { at: { ...bands, series: line } };
    const order = accepted(await withLegs(stage, me, { take_profit }, { side: 'sell', price }));
    near(order.take_profit.resolution.indicator_value, value, `value of ${line}`, 1e-6);
    equal(order.take_profit.resolution.series, line, 'series of the resolution');
  }
  const missing = await withLegs(stage, me, { stop_loss: { at: bands } });
  refusedField(missing, 'stop_loss.at.series');
  const unknown = await withLegs(stage, me, { stop_loss: { at: { ...bands, series: 'top' } } });
  refusedField(unknown, 'stop_loss.at.series');
});

const echo = check('LEG-7', 'paper', 'what was resolved is echoed', async (stage) => {
  const me = await stage.actor();
  const bars = await closedBars(stage, me, { limit: 1 });
  const offset = { mult: 2, ...ATR };
  const order = accepted(await withLegs(stage, me, { stop_loss: { offset } }), 'an offset leg');
  const seen = order.stop_loss.resolution;
  const wanted = {
    indicator: 'atr',
    interval: '1m',
    series: 'value',
    anchor: 'entry',
    bar_time: bars.at(-1)?.time,
    anchor_price: order.price,
  };
  for (const [name, value] of Object.entries(wanted))
    equal(seen[name], value, `resolution.${name}`);
  for (const name of ['indicator_value', 'trigger_price']) {
    that(typeof seen[name] === 'number', `a number as resolution.${name}`, seen);
  }
  const price = priceAt(stage.instrument, order.price, 0.9);
  const plain = accepted(await withLegs(stage, me, { stop_loss: { price } }), 'a price leg');
  const { trigger_price, anchor, indicator } = plain.stop_loss.resolution;
  equal([trigger_price, anchor, indicator ?? null], [price, 'entry', null], 'an absolute price');
  await openPosition(stage, me);
  const body = { stop_loss: { offset } };
  const { legs } = accepted(await attach(stage, me, body), 'a leg on the position');
  equal(legs.stop_loss.resolution.anchor, 'current_price', 'anchor on the position surface');
});

const side = check('LEG-8', 'write', 'a leg on the wrong side of the entry', async (stage) => {
  const me = await stage.actor();
  const { price } = await restingOrder(stage, me);
  const wrong = { stop_loss: 1.05, take_profit: 0.95 };
  for (const [kind, share] of Object.entries(wrong)) {
    const trigger = priceAt(stage.instrument, price, share);
    const answer = await withLegs(stage, me, { [kind]: { price: trigger } });
    const details = refused(
      answer,
      422,
      'wrong_side_trigger',
      `a ${kind} at ${share} of the entry`,
    );
    const seen = [details.resolved_value, details.anchor_price, details.leg];
    equal(seen, [trigger, price, kind], 'resolved_value, anchor_price and leg');
  }
});

const resolvedSide = check(
  'LEG-8',
  'paper',
  'the side is checked on what resolves',
  async (stage) => {
    const me = await stage.actor();
    const { symbol, size: total_size } = await restingOrder(stage, me);
    const { mark } = await priceOf(stage, me);
    const band = { ...LOWER_BAND, series: 'upper' };
    const above = await withLegs(stage, me, { stop_loss: { at: band } });
    const details = refused(above, 422, 'wrong_side_trigger', 'a stop at a band above the entry');
    const { value } = await valueOf(stage, me, band);
    equal(details.resolved_value, toValidPrice(value, stage.instrument), 'resolved_value');
    const limit_price = priceAt(stage.instrument, mark, 0.7);
    const params = { duration_seconds: pacemakerTime(stage, 600), limit_price };
    const stop_loss = { price: priceAt(stage.instrument, limit_price, 1.01) };
    const body = { algo: 'pacemaker', symbol, side: 'buy', total_size, params, stop_loss };
    const asked = { body, idempotencyKey: stage.unique() };
    const launched = await me.call('executions.launch', asked);
    refused(launched, 422, 'wrong_side_trigger', "a stop above a launch's limit");
  },
);

const attachSide = check(
  'LEG-8',
  'paper',
  'on a position only what triggers at once is refused',
  async (stage) => {
    const me = await stage.actor();
    const { symbol } = stage.instrument;
    const opened = await openPosition(stage, me);
    const risen = await stage.tape.until('a price above the entry', 200, async () => {
      const quote = await priceOf(stage, me);
      return quote.mark > opened.entry_price * 1.001 ? quote.mark : undefined;
    });
    const above = priceAt(stage.instrument, risen, 1.001);
    const refusal = await attach(stage, me, { stop_loss: { price: above } });
    const details = refused(refusal, 422, 'wrong_side_trigger', 'a stop above the current price');
    equal([details.resolved_value, details.leg], [above, 'stop_loss'], 'resolved_value and leg');
    equal(details.anchor_price, risen, 'anchor_price: the current price');
    const between = priceAt(stage.instrument, (opened.entry_price + risen) / 2);
    const { legs } = accepted(
      await attach(stage, me, { stop_loss: { price: between } }),
      `a stop above the entry of ${symbol}, below its price`,
    );
    equal(legs.stop_loss.resolution.trigger_price, between, 'its trigger_price');
  },
);

const pairs = check('LEG-9', 'paper', 'what an unwind cannot serve', async (stage) => {
  const me = await stage.actor();
  await openPosition(stage, me);
  const style = { exit_style: 'algo_unwind', unwind_algo: 'pacemaker' };
  const unwind = { ...style, unwind_params: { duration_seconds: pacemakerTime(stage) } };
  const trail = { trail: { pct: 2, interval: '1m' }, ...unwind };
  refused(await attach(stage, me, { stop_loss: trail }), 422, 'trail_cannot_unwind');
  const at = { at: LOWER_BAND, exit_style: 'algo_unwind', unwind_algo: 'ghostsweep' };
  refused(await attach(stage, me, { stop_loss: at }), 422, 'unwind_cannot_serve_level');
});

const minimum = check('LEG-10', 'paper', 'the algo minimum, and whom it binds', async (stage) => {
  const me = await stage.actor();
  const { algo_min_value, min_order_value } = stage.instrument;
  await openPosition(stage, me, { value: (algo_min_value + min_order_value) / 2, isExact: true });
  const { mark } = await priceOf(stage, me);
  const price = priceAt(stage.instrument, mark, 0.9);
  const leg = (unwind_algo: string, unwind_params?: object) => {
    const params = unwind_params === undefined ? {} : { unwind_params };
    return attach(stage, me, {
      stop_loss: { price, exit_style: 'algo_unwind', unwind_algo, ...params },
    });
  };
  for (const algo of ['glidemaker', 'smartexit']) {
    const details = refused(await leg(algo), 422, 'below_algo_minimum', `a small ${algo}`);
    equal(details.minimum, algo_min_value, 'minimum');
    that(details.value < algo_min_value, `a value below ${algo_min_value}`, details.value);
  }
  accepted(await leg('pacemaker', { duration_seconds: pacemakerTime(stage) }), 'a small pacemaker');
  stage.found('limits.pacemakerMinSeconds', `${pacemakerTime(stage)} s pass`, true);
  accepted(await leg('ghostsweep'), 'a small ghostsweep');
});

const dust = check('LEG-10', 'paper', 'below the order minimum nothing unwinds', async (stage) => {
  const me = await stage.actor();
  const { symbol, min_order_value, size_decimals } = stage.instrument;
  const { size } = await openPosition(stage, me, { value: min_order_value * 5, isExact: true });
  const { mark } = await priceOf(stage, me);
  const left = sizeFor(stage.instrument, min_order_value / 2, mark);
  const sold = Number((size - left).toFixed(size_decimals));
  await place(me, { symbol, side: 'sell', size: sold, order_type: 'market', reduce_only: true });
  const unwind = {
    unwind_algo: 'pacemaker',
    unwind_params: { duration_seconds: pacemakerTime(stage) },
  };
  const price = priceAt(stage.instrument, mark, 0.9);
  const stop_loss = { price, exit_style: 'algo_unwind', ...unwind };
  refused(await attach(stage, me, { stop_loss }), 422, 'below_order_minimum', 'an unwind of dust');
});

const published = check(
  'LEG-12',
  'paper',
  'the names stand in the OpenAPI document',
  async (stage) => {
    const answer = await stage.plain({ method: 'GET', path: '/paper/openapi.json' });
    equal(answer.status, 200, 'status of /paper/openapi.json');
    const names = Object.keys(answer.body?.components?.schemas ?? {});
    for (const name of ['TpSlOffsetSpec', 'TpSlAtSpec', 'TpSlTrailSpec', 'UnwindParamsSpec']) {
      that(names.includes(name), `${name} among components.schemas`, names);
    }
  },
);

export const legChecks: readonly Check[] = [
  forms,
  oneForm,
  offsets,
  levels,
  noOscillator,
  styles,
  orderLegsAreNative,
  series,
  echo,
  side,
  resolvedSide,
  attachSide,
  pairs,
  minimum,
  dust,
  published,
];
