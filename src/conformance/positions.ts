import { check, type Check } from './Check.ts';
import { codeOf, type Json } from './kit/Answer.ts';
import { accepted, equal, near, refused, refusedField, that } from './kit/claims.ts';
import type { Actor } from './kit/createActor.ts';
import { LOWER_BAND } from './kit/reads.ts';
import type { Stage } from './kit/Stage.ts';
import {
  attach,
  openPosition,
  pacemakerTime,
  place,
  position,
  priceAt,
  priceOf,
  valueOf,
} from './kit/trading.ts';

const at = (stage: Stage): { symbol: string } => ({ symbol: stage.instrument.symbol });

const unwinding = (stage: Stage) =>
  ({
    exit_style: 'algo_unwind',
    unwind_algo: 'pacemaker',
    unwind_params: { duration_seconds: pacemakerTime(stage) },
  }) as const;

const monitor = async (me: Actor, id: string): Promise<Json> =>
  accepted(await me.call('monitors.get', { params: { id } }), `the monitor ${id}`);

const opened = check('POS-1', 'paper', 'a position adds up', async (stage) => {
  const me = await stage.actor();
  const params = at(stage);
  refused(await me.call('positions.get', { params }), 404, 'no_position', 'a flat symbol');
  const long = await openPosition(stage, me, { value: 2_000 });
  const { mark } = await priceOf(stage, me);
  equal([long.side, long.mark_price], ['long', mark], 'side and mark price');
  near(long.notional, long.size * mark, 'notional');
  near(long.unrealized_pnl, long.size * (mark - long.entry_price), 'unrealized_pnl', 1e-6);
  const list = accepted(await me.call('positions.list'), 'the positions');
  equal(list.items, [long], 'positions of the wallet');
  const fees = accepted(await me.call('positions.entryFees', { params }), 'the entry fees');
  near(fees.entry_notional, long.size * long.entry_price, 'entry_notional', 1e-6);
  near(fees.fee_bps, (fees.entry_fees / fees.entry_notional) * 10_000, 'fee_bps', 1e-6);
  equal(fees.maker_share, 0, 'maker_share of a taker');
  that(fees.break_even_price > long.entry_price, 'a break-even above the entry', fees);
});

const shorts = check('POS-1', 'paper', 'a sale turns a long into a short', async (stage) => {
  const me = await stage.actor();
  const { size } = await openPosition(stage, me, { value: 1_000 });
  const body = { ...at(stage), side: 'sell', size: size * 2, order_type: 'market' };
  const order = await place(me, body);
  const short = await position(stage, me);
  equal([short.side, short.size], ['short', size], 'side and size after selling twice the size');
  equal(short.entry_price, order.average_price, 'entry price of the short');
});

const leverage = check('POS-1', 'paper', 'leverage is read and set', async (stage) => {
  const me = await stage.actor();
  const params = at(stage);
  const before = accepted(await me.call('leverage.get', { params }), 'the leverage');
  equal(before.max_leverage, stage.instrument.max_leverage, 'max_leverage');
  const body = { leverage: 5, mode: 'isolated' };
  const after = accepted(await me.call('leverage.set', { params, body }), 'a change');
  equal([after.leverage, after.mode], [5, 'isolated'], 'leverage and mode');
  const read = accepted(await me.call('leverage.get', { params }), 'the leverage');
  equal([read.leverage, read.mode], [5, 'isolated'], 'leverage and mode, read again');
  const high = { leverage: stage.instrument.max_leverage + 1 };
  const answer = await me.call('leverage.set', { params, body: high });
  refused(answer, 422, 'leverage_out_of_range', 'more than the maximum');
});

const closes = check(
  'POS-1',
  'paper',
  'a position is closed by order or algorithm',
  async (stage) => {
    const me = await stage.actor();
    const params = at(stage);
    await openPosition(stage, me);
    const order = accepted(await me.call('positions.close', { params, body: {} }), 'a close');
    equal([order.reduce_only, order.side], [true, 'sell'], 'the closing order');
    refused(
      await me.call('positions.get', { params }),
      404,
      'no_position',
      'the position after it',
    );
    const flat = await me.call('positions.close', { params, body: {} });
    refused(flat, 422, 'no_position', 'a close of nothing');
    const { size } = await openPosition(stage, me);
    const body = {
      algo: 'pacemaker',
      params: { duration_seconds: pacemakerTime(stage), slices: 1 },
    };
    const execution = accepted(
      await me.call('positions.close', { params, body }),
      'a close by algo',
    );
    const seen = [execution.algo, execution.reduce_only, execution.total_size, execution.side];
    equal(seen, ['pacemaker', true, size, 'sell'], 'the execution that closes');
    await stage.tape.bars(2);
    refused(
      await me.call('positions.get', { params }),
      404,
      'no_position',
      'the position after it',
    );
    const mixed = {
      algo: 'pacemaker',
      params: { duration_seconds: pacemakerTime(stage) },
      slippage_bps: 5,
    };
    refusedField(await me.call('positions.close', { params, body: mixed }), 'slippage_bps');
  },
);

const needsPosition = check(
  'POS-2',
  'paper',
  'without a position nothing is attached',
  async (stage) => {
    const me = await stage.actor();
    const { mark } = await priceOf(stage, me);
    const answer = await attach(stage, me, {
      stop_loss: { price: priceAt(stage.instrument, mark, 0.9) },
    });
    refused(answer, 422, 'no_position', 'a leg on nothing');
    refusedField(await attach(stage, me, {}), '');
  },
);

const coupled = check(
  'POS-2',
  'paper',
  'native legs follow the size, and go with it',
  async (stage) => {
    const me = await stage.actor();
    const params = at(stage);
    const probe = await stage.stream(me);
    await probe.subscribe('tpsl.watch');
    const { size } = await openPosition(stage, me);
    const { mark } = await priceOf(stage, me);
    const stop_loss = { price: priceAt(stage.instrument, mark, 0.8) };
    const take_profit = { price: priceAt(stage.instrument, mark, 1.2) };
    const { legs } = accepted(await attach(stage, me, { stop_loss, take_profit }), 'two legs');
    equal([legs.stop_loss.status, legs.take_profit.status], ['armed', 'armed'], 'status of both');
    await place(me, { ...params, side: 'buy', size, order_type: 'market' });
    const grown = (await position(stage, me)).size;
    const list = async (): Promise<Json[]> =>
      accepted(await me.call('positions.legs', { params }), 'the legs').items;
    for (const leg of await list()) {
      equal([leg.coupled, leg.size], [true, grown], `coupling and size of the ${leg.kind}`);
    }
    accepted(await me.call('positions.close', { params, body: {} }), 'a close');
    const left = (await list()).filter((leg) => ['armed', 'queued'].includes(leg.status));
    equal(left, [], 'live legs after the close');
    await probe.settle();
    const ids = probe
      .of('tpsl.watch', 'leg_retired')
      .map((frame) => frame.data.leg_id)
      .sort();
    equal(ids, [legs.stop_loss.leg_id, legs.take_profit.leg_id].sort(), 'leg_retired frames');
  },
);

const fires = check('POS-2', 'paper', 'a touched leg closes the position', async (stage) => {
  const me = await stage.actor();
  const params = at(stage);
  const probe = await stage.stream(me);
  await probe.subscribe('tpsl.watch');
  const { size } = await openPosition(stage, me);
  const { mark } = await priceOf(stage, me);
  const stop_loss = { price: priceAt(stage.instrument, mark, 0.999) };
  const take_profit = { price: priceAt(stage.instrument, mark, 1.001) };
  accepted(await attach(stage, me, { stop_loss, take_profit }), 'two legs');
  await stage.tape.until('a touch of a leg', 300, async () =>
    codeOf(await me.call('positions.get', { params })) === 'no_position' ? true : undefined,
  );
  await probe.settle();
  equal(probe.of('tpsl.watch', 'leg_triggered').length, 1, 'number of legs that were triggered');
  equal(probe.of('tpsl.watch', 'leg_retired').length, 1, 'number of legs that were retired');
  const { items } = accepted(await me.call('orders.fills'), 'the fills');
  const sold = items.filter((fill: Json) => fill.side === 'sell');
  const sum = sold.reduce((total: number, fill: Json) => total + fill.size, 0);
  near(sum, size, 'the size that was sold');
  that(
    sold.every((fill: Json) => fill.reduce_only),
    'reduce-only fills',
    sold,
  );
});

const replaces = check(
  'POS-2',
  'paper',
  'attaching again replaces; DELETE retires',
  async (stage) => {
    const me = await stage.actor();
    const params = at(stage);
    await openPosition(stage, me);
    const { mark } = await priceOf(stage, me);
    const stop = (share: number) => ({
      stop_loss: { price: priceAt(stage.instrument, mark, share) },
    });
    const first = accepted(await attach(stage, me, stop(0.8)), 'a stop');
    const second = accepted(await attach(stage, me, stop(0.85)), 'another stop');
    const { items } = accepted(await me.call('positions.legs', { params }), 'the legs');
    const statusOf = (id: string): string => items.find((leg: Json) => leg.leg_id === id)?.status;
    const ids = [first, second].map(({ legs }) => legs.stop_loss.leg_id);
    const armed = items
      .filter((leg: Json) => leg.status === 'armed')
      .map((leg: Json) => leg.leg_id);
    equal(armed, [ids[1]], 'armed legs after a replacement');
    that(statusOf(ids[0]) !== 'armed', 'the first stop to be retired', statusOf(ids[0]));
    accepted(await me.call('positions.retireLegs', { params }), 'a DELETE');
    const after = accepted(await me.call('positions.legs', { params }), 'the legs').items;
    equal(
      after.filter((leg: Json) => leg.status === 'armed'),
      [],
      'armed legs after DELETE',
    );
  },
);

const compiles = check('POS-3', 'paper', 'unwinding legs compile into monitors', async (stage) => {
  const me = await stage.actor();
  await openPosition(stage, me, { value: 5_000 });
  const { mark } = await priceOf(stage, me);
  const { size } = await position(stage, me);
  const stop = priceAt(stage.instrument, mark, 0.9);
  const plain = {
    take_profit: { offset: offset(), ...unwinding(stage) },
    stop_loss: { price: stop, ...unwinding(stage) },
  };
  const { legs } = accepted(await attach(stage, me, plain), 'two unwinding legs');
  for (const [kind, leg] of Object.entries(legs) as Array<[string, Json]>) {
    const compiled = await monitor(me, leg.monitor_id);
    const wanted = ['price_level', leg.resolution.trigger_price];
    equal([compiled.trigger.type, compiled.trigger.price], wanted, `trigger of the ${kind}`);
    const direction = kind === 'stop_loss' ? 'below' : 'above';
    equal(compiled.trigger.direction, direction, `direction of the ${kind}`);
    const { type, request } = compiled.action;
    equal([type, request.reduce_only, request.side], ['execute', true, 'sell'], 'its action');
    equal(request.total_size, size, 'its size');
  }
  equal(legs.stop_loss.resolution.trigger_price, stop, 'trigger_price of the stop');
  const level = { stop_loss: { at: LOWER_BAND, ...unwinding(stage) } };
  const tracking = accepted(await attach(stage, me, level), 'an `at` leg that unwinds');
  const compiled = await monitor(me, tracking.legs.stop_loss.monitor_id);
  const { type, indicator, series } = compiled.trigger;
  equal(
    [type, indicator, series],
    ['indicator_level', 'keltner', 'lower'],
    'trigger of an `at` leg',
  );
  equal((await monitor(me, legs.stop_loss.monitor_id)).status, 'stopped', 'the replaced monitor');
});

const offset = (): object => ({
  mult: 40,
  indicator: 'atr',
  params: { period: 14 },
  interval: '1m',
});

const levelTracks = check(
  'POS-3',
  'paper',
  'an `at` monitor fires at the level of its bar',
  async (stage) => {
    const me = await stage.actor();
    await openPosition(stage, me, { value: 5_000 });
    const band = {
      indicator: 'keltner',
      params: { period: 5, mult: 1 },
      series: 'lower',
      interval: '1m',
    } as const;
    await stage.tape.until('a level below the market', 60, async () => {
      const { mark } = await priceOf(stage, me);
      return (await valueOf(stage, me, band)).value < mark ? true : undefined;
    });
    const answer = await attach(stage, me, { stop_loss: { at: band, ...unwinding(stage) } });
    const { monitor_id: id } = accepted(answer, 'an `at` leg').legs.stop_loss;
    await stage.tape.until('a price at the level', 300, async () =>
      (await monitor(me, id)).status === 'fired' ? true : undefined,
    );
    await stage.tape.bars(3);
    const flat = await me.call('positions.get', { params: at(stage) });
    refused(flat, 404, 'no_position', 'the position after the unwind');
  },
);

const pair = check('POS-4', 'paper', 'two compiled legs are an oco group', async (stage) => {
  const me = await stage.actor();
  await openPosition(stage, me, { value: 5_000 });
  // Slow enough that the position is still there when the first has fired.
  const unwind = { ...unwinding(stage), unwind_params: { duration_seconds: 3_600, slices: 10 } };
  const { mark } = await priceOf(stage, me);
  const stop_loss = { price: priceAt(stage.instrument, mark, 0.999), ...unwind };
  const take_profit = { price: priceAt(stage.instrument, mark, 1.001), ...unwind };
  const answer = accepted(await attach(stage, me, { stop_loss, take_profit }), 'two legs');
  const ids = [answer.legs.stop_loss.monitor_id, answer.legs.take_profit.monitor_id].sort();
  const groups = accepted(await me.call('monitors.groups'), 'the groups').items;
  const group = groups.find((row: Json) => row.group_id === answer.group_id);
  equal([group?.mode, [...(group?.monitor_ids ?? [])].sort()], ['oco', ids], 'the group');
  const ended = await stage.tape.until('a touch of a leg', 300, async () => {
    const both = [await monitor(me, ids[0]), await monitor(me, ids[1])];
    return both.some(({ status }) => status !== 'armed') ? both : undefined;
  });
  const statuses = ended.map(({ status }) => status).sort();
  equal(statuses, ['fired', 'stopped'], 'statuses of the two once one fired');
  that((await position(stage, me)).size > 0, 'a position that is still being unwound', 'none');
});

const single = check('POS-4', 'paper', 'one compiled leg is no group', async (stage) => {
  const me = await stage.actor();
  await openPosition(stage, me, { value: 5_000 });
  const { mark } = await priceOf(stage, me);
  const stop_loss = { price: priceAt(stage.instrument, mark, 0.9), ...unwinding(stage) };
  const take_profit = { price: priceAt(stage.instrument, mark, 1.1) };
  const answer = accepted(await attach(stage, me, { stop_loss, take_profit }), 'two legs');
  equal(answer.group_id ?? null, null, 'group_id where one leg is native');
});

const frozen = check('POS-5', 'paper', 'side, size and level stay as attached', async (stage) => {
  const me = await stage.actor();
  const { size } = await openPosition(stage, me, { value: 3_000 });
  const stop = { stop_loss: { offset: offset(), ...unwinding(stage) } };
  const { legs } = accepted(await attach(stage, me, stop), 'an unwinding stop');
  const { monitor_id: id, resolution } = legs.stop_loss;
  const more = { ...at(stage), side: 'buy', size, order_type: 'market' };
  await place(me, more);
  await stage.tape.bars(5);
  const later = await monitor(me, id);
  const { request } = later.action;
  const seen = [request.side, request.total_size, later.trigger.price];
  equal(seen, ['sell', size, resolution.trigger_price], 'side, size and level five bars later');
});

const rearmed = check('POS-5', 'paper', 'rearm resolves nothing anew', async (stage) => {
  const me = await stage.cast({ balance: 1_000_000 });
  const params = at(stage);
  const { size } = await openPosition(stage, me, { value: 5_000 });
  const { mark } = await priceOf(stage, me);
  const leg = (share: number): object => ({
    price: priceAt(stage.instrument, mark, share),
    ...unwinding(stage),
  });
  const body = { stop_loss: leg(0.9994), take_profit: leg(1.0006) };
  const { legs } = accepted(await attach(stage, me, body), 'two legs');
  const ids = [legs.stop_loss.monitor_id, legs.take_profit.monitor_id];
  const before = await stage.tape.until('a touch of a leg', 300, async () => {
    const both = [await monitor(me, ids[0]), await monitor(me, ids[1])];
    return both.find(({ status }) => status === 'fired');
  });
  await stage.tape.bars(2);
  await place(me, { ...params, side: 'buy', size: size * 2, order_type: 'market' });
  const id = before.monitor_id;
  const again = accepted(await me.call('monitors.rearm', { params: { id } }), 'a rearm');
  equal(again.status, 'armed', 'status after a rearm');
  equal(again.trigger, before.trigger, 'trigger after a rearm');
  equal(again.action, before.action, 'action after a rearm');
});

export const positionChecks: readonly Check[] = [
  opened,
  shorts,
  leverage,
  closes,
  needsPosition,
  coupled,
  fires,
  replaces,
  compiles,
  levelTracks,
  pair,
  single,
  frozen,
  rearmed,
];
