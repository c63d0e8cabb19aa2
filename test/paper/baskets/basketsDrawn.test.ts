/**
 * Baskets by their definition (BSK-1): all legs or none, under a template's range or the request's, and controls that
 * reach every leg that allows them, whatever became of each.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkRequest, defaultDialect, type EndpointId } from '../../../src/contract/index.ts';
import { ServiceError } from '../../../src/paper/core/ServiceError.ts';
import { holdLaw, Tried } from '../../holdLaw.ts';
import { isFull } from '../../tiers.ts';
import { createBench, feedOf, flat } from '../engine/bench.ts';

const MARKETS = ['BTC', 'ETH', 'SOL'] as const;
const RANGES = [undefined, { low: 90, high: 110 }, { low: 99, high: 101 }] as const;
/** The actions that each status of an execution allows (conventions §4). */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  running: ['pause', 'stop'],
  paused: ['resume', 'stop'],
  interrupted: ['resume', 'stop'],
};
const LIVELIEST = ['running', 'paused', 'interrupted'];
const AFTER = { pause: 'paused', resume: 'running', stop: 'stopped' } as const;
type Action = keyof typeof AFTER;

const leg = fc.record({
  symbol: fc.constantFrom(...MARKETS),
  minutes: fc.constantFrom(2, 4, 30),
  limit: fc.constantFrom(undefined, undefined, 100, 105),
  /** Of few: two of a basket may be the same. */
  client: fc.constantFrom(undefined, undefined, undefined, undefined, 'one', 'two'),
});
const action = fc.constantFrom<Action>('pause', 'resume', 'resume', 'stop');
const op = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      op: fc.constant('launch' as const),
      legs: fc.array(leg, { minLength: 1, maxLength: 4 }),
      own: fc.constantFrom(...RANGES),
      /** Launched by way of a template of this range. */
      template: fc.option(fc.constantFrom(...RANGES), { nil: null }),
      name: fc.constantFrom(undefined, 'one'),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ op: fc.constant('basket' as const), action, at: fc.nat(9) }),
  },
  { weight: 4, arbitrary: fc.record({ op: fc.constant('leg' as const), action, at: fc.nat(40) }) },
  {
    weight: 2,
    arbitrary: fc.record({ op: fc.constant('wait' as const), minutes: fc.constantFrom(1, 3) }),
  },
  { weight: 1, arbitrary: fc.constant({ op: 'interrupt' as const }) },
);
type Op = typeof op extends fc.Arbitrary<infer T> ? T : never;
type Leg = typeof leg extends fc.Arbitrary<infer T> ? T : never;

interface Launched {
  id: string;
  /** What its record keeps of its launch. */
  made: object;
  range: object | null;
  template: string | null;
  executions: string[];
}

function play(ops: readonly Op[], tried: Tried): void {
  const feeds = MARKETS.map((symbol) => feedOf(flat(100, 200), { symbol }));
  const instruments = { SOL: { price_decimals: 2 } };
  const bench = createBench({ feeds, instruments }, { balance: 1e7 });
  const { call, run, refusal } = bench;
  run(5);
  const baskets: Launched[] = [];
  const clients = new Set<string>();
  let templates = 0;

  const toRequest = ({ symbol, minutes, limit, client }: Leg) => ({
    algo: 'pacemaker',
    symbol,
    side: 'buy',
    total_size: 4,
    params: {
      duration_seconds: minutes * 60,
      slices: 2,
      ...(limit === undefined ? {} : { limit_price: limit }),
    },
    ...(client === undefined ? {} : { client_execution_id: client }),
  });
  const codeOf = (run: () => unknown): string | null => {
    try {
      run();
      return null;
    } catch (error) {
      if (error instanceof ServiceError) return error.code;
      throw error;
    }
  };
  const holds = (legs: readonly Leg[], range: { low: number; high: number } | undefined): boolean =>
    range === undefined ||
    legs.every(({ limit }) => limit === undefined || (limit >= range.low && limit <= range.high));
  const statusOf = (id: string): string => call('executions.get', { pathParams: { id } }).status;

  function launch({ legs, own, template, name }: Extract<Op, { op: 'launch' }>): void {
    const request = legs.map(toRequest);
    const count = call('executions.list', { query: { limit: 500 } }).items.length;
    let made: string | null = null;
    if (template !== null) {
      const body = { name: 'x', legs: request, ...(template && { price_range: template }) };
      const refused = codeOf(() => {
        made = call('baskets.createTemplate', { body }).template_id;
      });
      const isFullUp = templates >= 10;
      const isOutside = !holds(legs, template);
      // Requests are checked by their shape before a template is looked at; this bench has no such check.
      if (isOutside) return;
      expect(refused).toBe(isFullUp ? 'template_limit' : null);
      if (refused !== null) return;
      templates++;
    }
    const range = own ?? template ?? undefined;
    if (template === null && !holds(legs, range)) return;
    const body = {
      ...(made === null ? { legs: request } : { template_id: made }),
      ...(own && { price_range: own }),
      ...(name !== undefined && { name }),
    };
    const ids = legs.flatMap(({ client }) => client ?? []);
    const isTwice = new Set(ids).size < ids.length;
    const isTaken = ids.some((id) => clients.has(id));
    const idempotencyKey = `key-${baskets.length}`;
    const answer: { basket?: ReturnType<typeof call> } = {};
    const refused = codeOf(() => {
      answer.basket = call('baskets.launch', { body, idempotencyKey });
    });
    if (isTwice || isTaken || !holds(legs, range)) {
      expect(refused).not.toBeNull();
      // None of them was launched.
      expect(call('executions.list', { query: { limit: 500 } }).items).toHaveLength(count);
      if (made !== null) call('baskets.removeTemplate', { pathParams: { id: made } });
      if (made !== null) templates--;
      return tried.take(isTwice ? 'twice' : isTaken ? 'taken' : 'outside');
    }
    expect(refused).toBeNull();
    for (const id of ids) clients.add(id);
    const { basket_id: id, legs: shown } = answer.basket;
    const executions = shown.map((each: { execution_id: string }) => each.execution_id);
    for (const [at, execution] of executions.entries())
      expect(call('executions.get', { pathParams: { id: execution } })).toMatchObject({
        idempotency_key: idempotencyKey,
        symbol: legs[at]!.symbol,
      });
    baskets.push({
      id,
      range: range ?? null,
      template: made,
      executions,
      made: { name: name ?? null, request: body, created_time: bench.engine.now },
    });
    if (own !== undefined && template) tried.take('two ranges');
  }

  function control({ action: what, at }: Extract<Op, { op: 'basket' }>): void {
    const basket = baskets[at % baskets.length]!;
    const before = basket.executions.map(statusOf);
    const able = before.map((status) => ALLOWED[status]?.includes(what) ?? false);
    const name = `baskets.${what}` as EndpointId;
    if (!able.includes(true)) {
      const { code } = refusal(name, { pathParams: { id: basket.id } });
      expect(code).toBe('invalid_transition');
      return tried.take('none allows it');
    }
    const shown = call(name, { pathParams: { id: basket.id } });
    const after = basket.executions.map(statusOf);
    expect(after).toEqual(before.map((status, leg) => (able[leg] ? AFTER[what] : status)));
    expect(shown.legs.map(({ status }: { status: string }) => status)).toEqual(after);
    if (able.includes(false)) tried.take('some allow it');
  }

  function compare(): void {
    for (const basket of baskets) {
      const statuses = basket.executions.map(statusOf);
      const live = LIVELIEST.find((each) => statuses.includes(each));
      const ended = statuses.every((each) => each === 'completed') ? 'completed' : 'stopped';
      const shown = call('baskets.get', { pathParams: { id: basket.id } });
      expect([statuses, shown.status]).toEqual([statuses, live ?? ended]);
      expect(shown).toMatchObject({
        price_range: basket.range,
        template_id: basket.template,
        ...basket.made,
      });
      expect(shown.legs.map(({ status }: { status: string }) => status)).toEqual(statuses);
      tried.take(...(new Set(statuses).size > 1 ? ['mixed'] : []));
    }
    for (const status of [...LIVELIEST, 'completed', 'stopped']) {
      const listed = call('baskets.list', { query: { status, limit: 100 } }).items;
      expect(listed.every((one: { status: string }) => one.status === status)).toBe(true);
    }
  }

  for (const one of ops) {
    if (one.op === 'launch') launch(one);
    else if (one.op === 'wait') run(one.minutes);
    else if (one.op === 'interrupt') bench.engine.interruptExecutions();
    else if (baskets.length === 0) continue;
    else if (one.op === 'basket') control(one);
    else {
      const all = baskets.flatMap(({ executions }) => executions);
      const id = all[one.at % all.length]!;
      codeOf(() => call(`executions.${one.action}` as EndpointId, { pathParams: { id } }));
    }
    compare();
  }
}

test('BSK-1: a basket is launched whole or not at all, and controlled leg by leg', async () => {
  const tried = new Tried();
  await holdLaw(30, fc.array(op, { minLength: 6, maxLength: 30 }), (ops) => play(ops, tried));
  const kinds = [
    'mixed',
    'some allow it',
    'none allows it',
    'twice',
    'taken',
    'outside',
    'two ranges',
  ];
  if (isFull) expect(tried.rare(kinds, 3)).toEqual([]);
});

test('BSK-1: the rows of all legs count, and a basket whose executions are dropped has ended as they did', () => {
  const feeds = MARKETS.map((symbol) => feedOf(flat(100, 60), { symbol }));
  const instruments = { SOL: { price_decimals: 2 } };
  const { call, run, refusal } = createBench(
    { feeds, instruments, retention: 1 },
    { balance: 1e7 },
  );
  run(5);
  const trail = { trail: { pct: 1, interval: '1m' } };
  const resting = (rows: number) => ({
    algo: 'glidemaker',
    symbol: 'BTC',
    side: 'buy',
    total_size: 1,
    params: { strategy: 'passive', limit_price: 50 },
    ...(rows > 0 && { stop_loss: trail }),
    ...(rows > 1 && { take_profit: trail }),
  });
  for (let at = 0; at < 8; at++) call('executions.launch', { body: resting(2) });
  const legs = (...rows: number[]) => ({ body: { legs: rows.map(resting) } });
  // Sixteen of twenty rows are in use.
  expect(refusal('baskets.launch', legs(2, 2, 1)).code).toBe('trailing_limit');
  expect(call('baskets.launch', legs(2, 1, 1)).status).toBe('running');
  expect(refusal('baskets.launch', legs(0, 1)).code).toBe('trailing_limit');
  expect(call('baskets.launch', legs(0, 0)).status).toBe('running');

  const short = {
    algo: 'pacemaker',
    symbol: 'ETH',
    side: 'buy',
    total_size: 4,
    params: { duration_seconds: 60, slices: 1 },
  };
  const { basket_id: id, ...basket } = call('baskets.launch', { body: { legs: [short, short] } });
  expect(basket.status).toBe('completed');
  for (let at = 0; at < 5; at++) call('executions.launch', { body: short });
  const dropped = refusal('executions.get', { pathParams: { id: basket.legs[0].execution_id } });
  expect(dropped.code).toBe('not_found');
  expect(call('baskets.get', { pathParams: { id } }).status).toBe('completed');
});

test('BSK-1: a basket whose executions are dropped shows how each ended, at its launch or later', () => {
  const { call, run, refusal } = createBench({ feeds: [feedOf(flat(100, 60))], retention: 4 });
  run(5);
  const paced = (more: object) => ({
    algo: 'pacemaker',
    symbol: 'BTC',
    side: 'buy',
    total_size: 4,
    params: { duration_seconds: 60, slices: 1 },
    ...more,
  });
  const [short, nothing] = [paced({}), paced({ side: 'sell', reduce_only: true })];
  const long = paced({ params: { duration_seconds: 600 } });
  const ended = call('baskets.launch', { body: { legs: [nothing, short] } });
  const stopped = call('baskets.launch', { body: { legs: [long, long] } });
  call('baskets.stop', { pathParams: { id: stopped.basket_id } });
  for (let at = 0; at < 8; at++) call('executions.launch', { body: short });
  for (const [{ basket_id: id, legs }, ends] of [
    [ended, ['stopped', 'completed']],
    [stopped, ['stopped', 'stopped']],
  ]) {
    const dropped = { pathParams: { id: legs[0].execution_id } };
    expect(refusal('executions.get', dropped).code).toBe('not_found');
    const shown = call('baskets.get', { pathParams: { id } });
    expect(shown.status).toBe('stopped');
    expect(shown.legs.map(({ status }: { status: string }) => status)).toEqual(ends);
  }
});

test('BSK-1: a basket that works is kept, however many came after it', () => {
  const { call, run } = createBench({ feeds: [feedOf(flat(100, 60))], retention: 1 });
  run(5);
  const paced = { algo: 'pacemaker', symbol: 'BTC', side: 'buy', total_size: 4 };
  const launch = () => {
    const params = { duration_seconds: 600 };
    const id: string = call('baskets.launch', { body: { legs: [{ ...paced, params }] } }).basket_id;
    return { pathParams: { id } };
  };
  const working = launch();
  for (let at = 0; at < 4; at++) call('baskets.stop', launch());
  expect(call('baskets.list').items.length).toBeLessThan(4);
  expect(call('baskets.get', working).status).toBe('running');
  call('baskets.stop', working);
});

test('a launch by a template is refused in the words of a launch by its legs', () => {
  const feeds = [feedOf(flat(100, 10))];
  const { call, run, refusal } = createBench({ feeds });
  run(5);
  const leg = {
    algo: 'pacemaker',
    symbol: 'BTC',
    side: 'buy',
    total_size: 4,
    params: { duration_seconds: 60, limit_price: 105 },
  };
  const body = { name: 'x', legs: [leg] };
  const { template_id: template } = call('baskets.createTemplate', { body });
  const range = { price_range: { low: 90, high: 101 } };
  const refused = refusal('baskets.launch', { body: { template_id: template, ...range } });
  const checked = checkRequest('baskets.launch', { legs: [leg], ...range }, defaultDialect);
  if (checked.ok) throw new Error('It was not refused.');
  const { code, message, details } = checked.fault;
  expect([refused.code, refused.message, refused.details]).toEqual([code, message, details]);
});
