import { INDICATOR_IDS, INDICATORS } from '../contract/index.ts';
import { check, type Check } from './Check.ts';
import { codeOf, type Json } from './kit/Answer.ts';
import { accepted, equal, refused, refusedField, that } from './kit/claims.ts';
import type { Actor } from './kit/createActor.ts';
import type { Stage } from './kit/Stage.ts';
import { closedBars, pacemakerTime, priceAt, priceOf, tradeSize } from './kit/trading.ts';
import { Inconclusive } from './kit/Inconclusive.ts';

const far = { direction: 'below', share: 0.5 } as const;
const close = { direction: 'above', share: 1.0008 } as const;

/** A monitor that buys a little by market when the price crosses a share of the mark. */
async function buyAt(
  stage: Stage,
  me: Actor,
  { direction, share }: { direction: 'above' | 'below'; share: number },
  more: object = {},
): Promise<{ body: Json; price: number }> {
  const { instrument } = stage;
  const { symbol } = instrument;
  const { mark } = await priceOf(stage, me);
  const price = priceAt(instrument, mark, share);
  const trigger = { type: 'price_level', symbol, price, direction };
  const size = tradeSize(stage, 200, mark);
  const request = { symbol, side: 'buy', size, order_type: 'market' };
  return { body: { trigger, action: { type: 'order', request }, ...more }, price };
}

async function arm(me: Actor, body: Json): Promise<Json> {
  return accepted(await me.call('monitors.create', { body }), 'a monitor');
}

const read = async (me: Actor, id: string): Promise<Json> =>
  accepted(await me.call('monitors.get', { params: { id } }), 'the monitor');

const shapes = check('MON-1', 'write', 'monitors are checked by field', async (stage) => {
  const me = await stage.actor();
  const { body } = await buyAt(stage, me, far);
  const create = (given: Json) => me.call('monitors.create', { body: given });
  const trigger = { ...body.trigger, type: 'time' };
  refusedField(await create({ ...body, trigger }), 'trigger.type');
  const { price: _price, ...priceless } = body.trigger;
  refusedField(await create({ ...body, trigger: priceless }), 'trigger.price');
  const request = { ...body.action.request, size: -1 };
  const action = { ...body.action, request };
  refusedField(await create({ ...body, action }), 'action.request.size');
  const { symbol, direction } = body.trigger;
  const oscillator = INDICATOR_IDS.find((id) => INDICATORS[id].priceSeries.length === 0);
  const level = {
    type: 'indicator_level',
    symbol,
    direction,
    indicator: oscillator,
    interval: '1m',
  };
  refused(await create({ ...body, trigger: level }), 422, 'oscillator_level');
});

const recorded = check(
  'MON-1',
  'paper',
  'a monitor is recorded, listed, removed',
  async (stage) => {
    const me = await stage.actor();
    const { body } = await buyAt(stage, me, far, { name: 'dip', rearm: true });
    const made = await arm(me, body);
    equal([made.status, made.rearm, made.fired_count], ['armed', true, 0], 'a fresh monitor');
    equal([made.name, made.request], ['dip', body], 'its name and request');
    const { items } = accepted(await me.call('monitors.list'), 'the monitors');
    equal(
      items.map((row: Json) => row.monitor_id),
      [made.monitor_id],
      'monitors of the wallet',
    );
    const params = { id: made.monitor_id };
    accepted(await me.call('monitors.remove', { params }), 'a removal');
    const read = await me.call('monitors.get', { params });
    const isGone = codeOf(read) === 'not_found' || read.body?.status === 'stopped';
    that(isGone, 'a monitor that is stopped or gone', read.body);
  },
);

const firesOnce = check(
  'MON-1',
  'paper',
  'a price level fires once on its crossing',
  async (stage) => {
    const me = await stage.actor();
    const probe = await stage.stream(me);
    await probe.subscribe('monitors');
    const { body, price } = await buyAt(stage, me, close);
    const begin = await stage.tape.now();
    const { monitor_id: id } = await arm(me, body);
    await stage.tape.until('a price at the trigger', 400, async () => {
      const bars = (await closedBars(stage, me)).filter(({ time }) => time >= begin);
      const isReached = bars.some(({ high }) => high >= price);
      equal((await read(me, id)).status, isReached ? 'fired' : 'armed', `status at ${price}`);
      return isReached ? true : undefined;
    });
    const fired = await read(me, id);
    equal(fired.fired_count, 1, 'fired_count');
    const { items } = accepted(await me.call('orders.fills'), 'the fills');
    const size = items.reduce((sum: number, fill: Json) => sum + fill.size, 0);
    equal(size, body.action.request.size, 'what its action bought');
    await probe.settle();
    const names = probe.of('monitors').map((frame) => frame.event);
    for (const name of ['snapshot', 'armed', 'fired']) {
      that(names.includes(name), `the event ${name} on the channel monitors`, names);
    }
  },
);

const needsCrossing = check(
  'MON-1',
  'paper',
  'a level that is true already waits',
  async (stage) => {
    const me = await stage.actor();
    const { body } = await buyAt(stage, me, { direction: 'above', share: 0.8 });
    const { monitor_id: id } = await arm(me, body);
    await stage.tape.bars(3);
    equal((await read(me, id)).status, 'armed', 'status of a level that was never crossed');
  },
);

const indicatorLevel = check(
  'MON-1',
  'paper',
  'an indicator level launches an algorithm',
  async (stage) => {
    const me = await stage.actor();
    const { symbol } = stage.instrument;
    const { mark } = await priceOf(stage, me);
    const total_size = tradeSize(stage, 2_000, mark);
    const params = { duration_seconds: pacemakerTime(stage), slices: 1 };
    const request = { algo: 'pacemaker', symbol, side: 'buy', total_size, params };
    const level = { indicator: 'sma', params: { period: 10 }, interval: '1m' };
    const trigger = { type: 'indicator_level', symbol, ...level, direction: 'above' };
    const { monitor_id: id } = await arm(me, { trigger, action: { type: 'execute', request } });
    await stage.tape.until('a crossing of the average', 200, async () =>
      (await read(me, id)).status === 'fired' ? true : undefined,
    );
    const { items } = accepted(await me.call('executions.list'), 'the executions');
    equal(
      items.map((row: Json) => row.algo),
      ['pacemaker'],
      'executions that it launched',
    );
  },
);

const failing = check('MON-1', 'paper', 'an action that fails is reported', async (stage) => {
  const me = await stage.cast({ balance: 0 });
  const { body } = await buyAt(stage, me, close);
  const { monitor_id: id } = await arm(me, body);
  const failed = await stage.tape.until('a price at the trigger', 400, async () => {
    const now = await read(me, id);
    return now.status === 'armed' ? undefined : now;
  });
  equal([failed.status, failed.last_error?.code], ['failed', 'insufficient_margin'], 'how it ends');
  const again = accepted(await me.call('monitors.rearm', { params: { id } }), 'a rearm');
  equal(again.status, 'armed', 'status after a rearm');
});

const controls = check('MON-1', 'paper', 'stop, pause, resume and their table', async (stage) => {
  const me = await stage.actor();
  const { body } = await buyAt(stage, me, far);
  const { monitor_id: id } = await arm(me, body);
  const params = { id };
  const step = (name: 'pause' | 'resume' | 'stop' | 'rearm') =>
    me.call(`monitors.${name}`, { params });
  refused(await step('resume'), 409, 'invalid_transition', 'a resume of an armed one');
  refused(await step('rearm'), 409, 'invalid_transition', 'a rearm of an armed one');
  equal(accepted(await step('pause'), 'a pause').status, 'paused', 'status after pause');
  refused(await step('pause'), 409, 'invalid_transition', 'a second pause');
  equal(accepted(await step('resume'), 'a resume').status, 'armed', 'status after resume');
  equal(accepted(await step('stop'), 'a stop').status, 'stopped', 'status after stop');
  refused(await step('stop'), 409, 'invalid_transition', 'a second stop');
  refused(await step('resume'), 409, 'invalid_transition', 'a resume of a stopped one');
});

const all = check('MON-1', 'paper', 'all at once', async (stage) => {
  const me = await stage.actor();
  const { body } = await buyAt(stage, me, far);
  const ids = [await arm(me, body), await arm(me, body)].map((made) => made.monitor_id).sort();
  for (const [name, status] of [
    ['pauseAll', 'paused'],
    ['resumeAll', 'armed'],
    ['stopAll', 'stopped'],
  ] as const) {
    const { results } = accepted(await me.call(`monitors.${name}`), name);
    equal(results.map((row: Json) => row.id).sort(), ids, `ids of ${name}`);
    for (const id of ids) equal((await read(me, id)).status, status, `status after ${name}`);
  }
});

const groups = check('MON-1', 'paper', 'an oco group: the first stops the other', async (stage) => {
  const me = await stage.actor();
  const up = await arm(me, (await buyAt(stage, me, close)).body);
  const down = await arm(me, (await buyAt(stage, me, { direction: 'below', share: 0.9992 })).body);
  const monitor_ids = [up.monitor_id, down.monitor_id];
  const asked = { body: { mode: 'oco', monitor_ids } };
  const group = accepted(await me.call('monitors.createGroup', asked), 'an oco group');
  equal([group.mode, group.monitor_ids], ['oco', monitor_ids], 'the group');
  const ended = await stage.tape.until('a crossing', 400, async () => {
    const both = [await read(me, monitor_ids[0]), await read(me, monitor_ids[1])];
    return both.some(({ status }) => status !== 'armed') ? both : undefined;
  });
  const statuses = ended.map(({ status }) => status).sort();
  equal(statuses, ['fired', 'stopped'], 'statuses once one fired');
  equal(
    ended.map((row) => row.group_id),
    [group.group_id, group.group_id],
    'group_id of both',
  );
});

const failedInGroup = check(
  'MON-1',
  'paper',
  'only a successful action stops the other',
  async (stage) => {
    const me = await stage.cast({ balance: 0 });
    const up = await arm(me, (await buyAt(stage, me, close)).body);
    const down = await arm(me, (await buyAt(stage, me, far)).body);
    const monitor_ids = [up.monitor_id, down.monitor_id];
    const asked = { body: { mode: 'oco', monitor_ids } };
    accepted(await me.call('monitors.createGroup', asked), 'an oco group');
    const failed = await stage.tape.until('a crossing', 400, async () => {
      const now = await read(me, up.monitor_id);
      return now.status === 'armed' ? undefined : now;
    });
    if (failed.status !== 'failed') throw new Inconclusive('The action did not fail.');
    equal((await read(me, down.monitor_id)).status, 'armed', 'status of the other one');
  },
);

const rearms = check('MON-1', 'paper', 'rearm: true fires again', async (stage) => {
  const me = await stage.actor();
  const { body } = await buyAt(stage, me, { direction: 'above', share: 1.0004 }, { rearm: true });
  const { monitor_id: id } = await arm(me, body);
  const twice = await stage.tape.until('two crossings', 800, async () => {
    const now = await read(me, id);
    return now.fired_count >= 2 ? now : undefined;
  });
  equal(twice.status, 'armed', 'status of a monitor that rearms itself');
});

export const monitorChecks: readonly Check[] = [
  shapes,
  recorded,
  firesOnce,
  needsCrossing,
  indicatorLevel,
  failing,
  controls,
  all,
  groups,
  failedInGroup,
  rearms,
];
