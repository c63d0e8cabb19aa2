import {
  EXECUTION_ACTIONS,
  EXECUTION_PHASES,
  EXECUTION_REASONS,
  EXECUTION_STATUSES,
  toValidPrice,
  type EndpointId,
  type ExecutionAction,
  type ExecutionStatus,
} from '../contract/index.ts';
import { launched, orderOf } from './algorithms.ts';
import { check, type Check } from './Check.ts';
import type { Answer, Json } from './kit/Answer.ts';
import { accepted, equal, near, refused, refusedField, that } from './kit/claims.ts';
import type { Actor } from './kit/createActor.ts';
import { ATR } from './kit/reads.ts';
import type { Stage } from './kit/Stage.ts';
import { execution, itemsOf, launch, pacemakerTime, priceAt, priceOf } from './kit/trading.ts';

const CONTROLS: Readonly<Record<ExecutionAction, EndpointId>> = {
  stop: 'executions.stop',
  pause: 'executions.pause',
  resume: 'executions.resume',
  'complete-at-market': 'executions.completeAtMarket',
  'mark-complete': 'executions.markComplete',
};

const control = (me: Actor, id: string, action: ExecutionAction): Promise<Answer> =>
  me.call(CONTROLS[action], { params: { id } });

/** A Pacemaker over ten minutes: long enough to be controlled. */
async function steerable(stage: Stage, me: Actor, more: object = {}): Promise<Json> {
  const order = await orderOf(stage, me, 6_000);
  const rest = { params: { duration_seconds: pacemakerTime(stage, 600), slices: 10 }, ...more };
  return launched(stage, me, 'pacemaker', order, rest);
}

const request = check('EXE-2', 'paper', 'a launch is recorded', async (stage) => {
  const me = await stage.actor();
  const { mark, ...order } = await orderOf(stage, me, 6_000);
  const client_execution_id = stage.unique();
  const params = {
    duration_seconds: pacemakerTime(stage, 600),
    slices: 4,
    limit_price: priceAt(stage.instrument, mark, 1.1),
  };
  const body = { algo: 'pacemaker', ...order, params, client_execution_id };
  const record = accepted(await launch(stage, me, body), 'a launch');
  const wanted = { ...order, algo: 'pacemaker', client_execution_id, reduce_only: false };
  for (const [name, value] of Object.entries(wanted)) equal(record[name], value, name);
  equal(record.status, 'running', 'status at launch');
  equal(record.arrival_price, mark, 'arrival_price');
  equal(record.wallet, me.wallet, 'wallet');
  const again = await launch(stage, me, body);
  refused(again, 409, 'duplicate_client_execution_id', 'the same client_execution_id again');
  const { items } = accepted(await me.call('executions.list'), 'the executions');
  equal(
    items.map((row: Json) => row.execution_id),
    [record.execution_id],
    'executions of the wallet',
  );
});

const shapes = check('EXE-2', 'write', 'launches are checked by field', async (stage) => {
  const me = await stage.actor();
  const { mark: _mark, ...order } = await orderOf(stage, me, 1_000);
  const ask = (rest: object) => launch(stage, me, { ...order, ...rest });
  refusedField(await ask({ algo: 'twap', params: {} }), 'algo');
  refusedField(await ask({ algo: 'glidemaker', params: { limit_price: 1 } }), 'params.strategy');
  const two = {
    strategy: 'passive',
    limit_price: 1,
    limit_price_from: { indicator: 'sma', interval: '1m' },
  };
  refusedField(await ask({ algo: 'glidemaker', params: two }), 'params.limit_price_from');
  refusedField(
    await ask({ algo: 'flowscale', params: { participation: 0.9 } }),
    'params.participation',
  );
  const band = { band_low: 2, band_high: 1 };
  refusedField(await ask({ algo: 'flowband', params: band }), 'params.band_high');
  refusedField(await ask({ algo: 'ghostsweep', params: {} }), 'params.trigger_price');
  const sweep = {
    algo: 'pacemaker',
    params: { duration_seconds: pacemakerTime(stage) },
    sweep_limit_bps: 5,
  };
  refusedField(await ask(sweep), 'sweep_limit_bps');
  const unknown = {
    algo: 'pacemaker',
    params: { duration_seconds: pacemakerTime(stage) },
    symbol: 'NO-SUCH-SYMBOL',
  };
  refused(await ask(unknown), 404, 'unknown_symbol', 'a launch on an unknown symbol');
});

const legsAtEnd = check('EXE-3', 'paper', 'legs follow what was filled', async (stage) => {
  const me = await stage.actor();
  const offset = { mult: 30, ...ATR };
  const { mark } = await priceOf(stage, me);
  const take_profit = { price: priceAt(stage.instrument, mark, 1.2) };
  const record = await steerable(stage, me, { stop_loss: { offset }, take_profit });
  await stage.tape.bars(4);
  const ended = accepted(await control(me, record.execution_id, 'stop'), 'a stop');
  that(ended.filled_size > 0, 'something filled after four bars', ended);
  const { resolution, size, status } = ended.stop_loss ?? {};
  equal([status, size], ['armed', ended.filled_size], 'status and size of the stop');
  equal(resolution.anchor, 'entry', 'anchor');
  near(resolution.anchor_price, ended.average_price, 'anchor_price: the average fill');
  const trigger = resolution.anchor_price - 30 * resolution.indicator_value;
  equal(resolution.trigger_price, toValidPrice(trigger, stage.instrument), 'trigger_price');
  const profit = ended.take_profit;
  equal([profit?.status, profit?.size], ['armed', ended.filled_size], 'the take-profit');
});

const noFillNoLegs = check('EXE-3', 'paper', 'without fills there are no legs', async (stage) => {
  const me = await stage.actor();
  const order = await orderOf(stage, me, 6_000);
  const limit_price = priceAt(stage.instrument, order.mark, 0.7);
  const stop_loss = { price: priceAt(stage.instrument, limit_price, 0.9) };
  const rest = { params: { duration_seconds: pacemakerTime(stage, 600), limit_price }, stop_loss };
  const record = await launched(stage, me, 'pacemaker', order, rest);
  await stage.tape.bars(1);
  const ended = accepted(await control(me, record.execution_id, 'stop'), 'a stop');
  const isArmed = ['armed', 'triggered'].includes(ended.stop_loss?.status);
  that(!isArmed, 'a leg that was never armed', ended.stop_loss);
});

const wrongAtEnd = check(
  'EXE-3',
  'paper',
  'a leg that is wrong at the end is rejected',
  async (stage) => {
    const me = await stage.actor();
    const probe = await stage.stream(me);
    await probe.subscribe('tpsl.watch');
    const order = await orderOf(stage, me, 6_000);
    const price = priceAt(stage.instrument, order.mark, 1.0006);
    const rest = { params: { participation: 0.01 }, take_profit: { price } };
    const record = await launched(stage, me, 'flowscale', order, rest);
    accepted(await control(me, record.execution_id, 'pause'), 'a pause');
    await stage.tape.until('a price above the take-profit', 300, async () =>
      (await priceOf(stage, me)).bid > price ? true : undefined,
    );
    accepted(await control(me, record.execution_id, 'resume'), 'a resume');
    const ended = accepted(
      await control(me, record.execution_id, 'complete-at-market'),
      'a completion',
    );
    const leg = ended.take_profit;
    equal(
      [leg?.status, leg?.error?.code],
      ['rejected', 'wrong_side_trigger'],
      'the leg at the end',
    );
    await probe.settle();
    const rejected = probe.of('tpsl.watch', 'leg_rejected').map((frame) => frame.data.leg_id);
    equal(rejected, [leg.leg_id], 'leg_rejected frames');
  },
);

const vocabulary = check('EXE-6', 'paper', 'REST and stream use the same words', async (stage) => {
  const me = await stage.actor();
  const probe = await stage.stream(me);
  await probe.subscribe('executions');
  const { execution_id: id } = await steerable(stage, me);
  const steps: ExecutionAction[] = ['pause', 'resume', 'complete-at-market'];
  for (const action of steps) {
    const { status, reason } = accepted(await control(me, id, action), action);
    await probe.settle();
    const last = probe.of('executions').findLast((frame) => frame.data.execution_id === id);
    equal([last?.data.status, last?.data.reason], [status, reason], `frame after ${action}`);
  }
  const records = probe.of('executions').flatMap(({ data }) => data.executions ?? [data]);
  for (const record of [...records, await execution(me, id)]) {
    that(EXECUTION_STATUSES.includes(record.status), 'a known status', record.status);
    that(EXECUTION_PHASES.includes(record.phase), 'a known phase', record.phase);
    const isKnown = record.reason === null || EXECUTION_REASONS.includes(record.reason);
    that(record.reason === undefined || isKnown, 'a known reason', record.reason);
  }
  const names = probe.of('executions').map((frame) => frame.event);
  for (const name of ['snapshot', 'started', 'status', 'ended']) {
    that(names.includes(name), `the event ${name}`, names);
  }
});

/** The status to which each control leads; the dialect defines from which it is allowed. */
const LEADS_TO: Readonly<Record<ExecutionAction, ExecutionStatus>> = {
  pause: 'paused',
  resume: 'running',
  stop: 'stopped',
  'complete-at-market': 'completed',
  'mark-complete': 'completed',
};

/** The control that brings a new execution into a status. */
const WAY_TO: Partial<Record<ExecutionStatus, ExecutionAction>> = {
  paused: 'pause',
  stopped: 'stop',
  completed: 'complete-at-market',
};

/** Brings a new execution into a status. */
async function inStatus(stage: Stage, me: Actor, status: ExecutionStatus): Promise<string> {
  const { execution_id: id } = await steerable(stage, me);
  const way = WAY_TO[status];
  if (way !== undefined) accepted(await control(me, id, way), `${way} of a running execution`);
  if (status === 'interrupted') await stage.paper.restart();
  equal((await execution(me, id)).status, status, 'status to begin with');
  return id;
}

const transitions = check('EXE-7', 'paper', 'the table of transitions', async (stage) => {
  const me = await stage.cast({ balance: 1_000_000 });
  const { transitions: table } = stage.dialect.executions;
  const fromRunning: readonly ExecutionAction[] = table.running;
  for (const status of EXECUTION_STATUSES) {
    const isEnd = status === 'completed' || status === 'stopped';
    const allowed: readonly ExecutionAction[] = isEnd ? [] : table[status];
    const way = WAY_TO[status];
    if (way !== undefined && !fromRunning.includes(way)) continue;
    for (const action of EXECUTION_ACTIONS) {
      await stage.tape.bars(1);
      const id = await inStatus(stage, me, status);
      const answer = await control(me, id, action);
      const next = LEADS_TO[action];
      if (!allowed.includes(action)) {
        const details = refused(answer, 409, 'invalid_transition', `${action} of ${status}`);
        equal([details.from, details.action], [status, action], 'details.from and action');
        equal([...(details.allowed ?? [])].sort(), [...allowed].sort(), 'details.allowed');
        continue;
      }
      equal(accepted(answer, `${action} of ${status}`).status, next, `status after ${action}`);
      if (next === 'running') await control(me, id, 'stop');
    }
  }
  stage.found('executions.transitions', 'as the table has them', true);
});

const endings = check('EXE-7', 'paper', 'how each control ends an execution', async (stage) => {
  const me = await stage.cast({ balance: 1_000_000 });
  const completed = await steerable(stage, me);
  const whole = accepted(await control(me, completed.execution_id, 'complete-at-market'));
  const all = [whole.reason, whole.filled_size, whole.progress];
  equal(all, ['complete_at_market', whole.total_size, 1], 'reason, filled size and progress');
  const marked = await steerable(stage, me);
  accepted(await control(me, marked.execution_id, 'pause'), 'a pause');
  const declared = accepted(await control(me, marked.execution_id, 'mark-complete'));
  equal(declared.reason, 'mark_complete', 'reason of mark-complete');
  that(declared.filled_size < declared.total_size, 'an incomplete fill', declared.filled_size);
  const stopped = await steerable(stage, me);
  const ended = accepted(await control(me, stopped.execution_id, 'stop'), 'a stop');
  equal(ended.reason, 'user_stop', 'reason of stop');
  that(typeof ended.ended_time === 'number', 'ended_time', ended.ended_time);
});

const pauseStops = check('EXE-7', 'paper', 'a pause stops the schedule', async (stage) => {
  const me = await stage.actor();
  const { execution_id: id } = await steerable(stage, me);
  await stage.tape.bars(2);
  accepted(await control(me, id, 'pause'), 'a pause');
  const before = await execution(me, id);
  await stage.tape.bars(5);
  const after = await execution(me, id);
  equal(after.filled_size, before.filled_size, 'filled size over a pause of five bars');
  const open = accepted(await me.call('orders.list'), 'the open orders').items;
  equal(open, [], 'child orders that rest during a pause');
  accepted(await control(me, id, 'resume'), 'a resume');
  const { filled_size, total_size } = await execution(me, id);
  const most = before.filled_size + (total_size / 10) * 2 + 1e-9;
  that(filled_size <= most, 'no catching up of the paused time', filled_size);
});

const batch = check('EXE-7', 'paper', 'a batch steers many', async (stage) => {
  const me = await stage.actor();
  const ids = [await steerable(stage, me), await steerable(stage, me)].map((e) => e.execution_id);
  const body = { action: 'pause', ids: [...ids, 'no_such_execution'] };
  const { results } = accepted(await me.call('executions.batch', { body }), 'a batch');
  const seen = results.map((row: Json) => [row.id, row.ok]);
  const wanted = [...ids.map((id) => [id, true]), ['no_such_execution', false]];
  equal(seen, wanted, 'results of a batch');
  equal(results[2].error?.code, 'not_found', 'error of an unknown execution');
  for (const id of ids) equal((await execution(me, id)).status, 'paused', 'status after a batch');
});

const progress = check(
  'EXE-8',
  'paper',
  'progress is live, and names the wallet',
  async (stage) => {
    const me = await stage.actor();
    const { execution_id: id } = await steerable(stage, me);
    let last = -1;
    for (let bar = 0; bar < 4; bar++) {
      await stage.tape.bars(1);
      const now = await execution(me, id);
      near(now.progress, now.filled_size / now.total_size, 'progress: the filled share', 1e-6);
      near(now.remaining_size, now.total_size - now.filled_size, 'remaining_size', 1e-6);
      equal(now.wallet, me.wallet, 'wallet');
      that(now.progress >= last, 'progress that never falls', now.progress);
      last = now.progress;
    }
    that(last > 0 && last < 1, 'progress between 0 and 1 after four of ten minutes', last);
    const fills = await itemsOf(me, 'executions.fills', id);
    const filled = fills.reduce((sum, fill) => sum + fill.size, 0);
    const value = fills.reduce((sum, fill) => sum + fill.size * fill.price, 0);
    const now = await execution(me, id);
    near(now.filled_size, filled, 'filled_size: the sum of its fills', 1e-6);
    near(now.average_price, value / filled, 'average_price: of its fills', 1e-6);
    for (const fill of fills) equal(fill.execution_id, id, 'execution_id of a fill');
  },
);

const reasons = check('EXE-8', 'paper', "the ended event's reason is REST's", async (stage) => {
  const me = await stage.actor();
  const probe = await stage.stream(me);
  await probe.subscribe('executions');
  for (const action of ['stop', 'complete-at-market'] as const) {
    const { execution_id: id } = await steerable(stage, me);
    const ended = accepted(await control(me, id, action), action);
    await probe.settle();
    const frames = probe.of('executions', 'ended');
    const frame = frames.find(({ data }) => data.execution_id === id);
    equal(frame?.data.reason, ended.reason, `reason of the ended event after ${action}`);
    equal(frame.wallet, me.wallet, 'wallet of the frame');
    const events = await itemsOf(me, 'executions.events', id);
    const last = events.find(({ event }) => event === 'ended');
    equal(last?.reason, ended.reason, 'reason among the events of the execution');
  }
});

export const executionChecks: readonly Check[] = [
  request,
  shapes,
  legsAtEnd,
  noFillNoLegs,
  wrongAtEnd,
  vocabulary,
  transitions,
  endings,
  pauseStops,
  batch,
  progress,
  reasons,
];
