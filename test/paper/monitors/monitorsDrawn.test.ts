/**
 * Monitors of two markets by their definition: levels of a price and of an indicator, many on one level, both directions,
 * re-armed, in groups, paused, resumed, stopped, removed, with actions that fail, over a save. A plain reading beside the
 * service walks the bars' paths corner by corner.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createRandom } from '../../../src/env/index.ts';
import { ServiceError } from '../../../src/paper/core/ServiceError.ts';
import type { EndpointId } from '../../../src/contract/index.ts';
import type { Call } from '../../../src/paper/core/Engine.ts';
import type { MonitorFields } from '../../../src/paper/monitors/Monitor.ts';
import type { EngineOptions } from '../../../src/paper/engine/createEngine.ts';
import { holdLaw, Tried } from '../../holdLaw.ts';
import { isFull } from '../../tiers.ts';
import { createBench, feedOf, flat, MINUTE, START, type Row } from '../engine/bench.ts';

const BARS = 60;
const WARM_UP = 15;
const MARKETS = ['BTC', 'ETH'] as const;
/** Where actions trade, so that they move no watched market. */
const FREE = 'FREE';
const CORNERS = [0, 1, MINUTE / 3, (2 * MINUTE) / 3, MINUTE] as const;
const READS = [
  { period: 3, minutes: 1 },
  { period: 5, minutes: 1 },
  { period: 3, minutes: 5 },
] as const;
/** The actions that each status allows (conventions §4). */
const ALLOWED: Readonly<Record<Status, readonly string[]>> = {
  armed: ['pause', 'stop'],
  paused: ['resume', 'stop'],
  fired: ['rearm', 'stop'],
  failed: ['rearm', 'stop'],
  stopped: [],
};

type Status = 'armed' | 'paused' | 'fired' | 'failed' | 'stopped';
type Read = (typeof READS)[number];

interface Watched {
  id: string;
  /** What its record keeps of its creation. */
  made: Partial<MonitorFields>;
  symbol: (typeof MARKETS)[number];
  direction: 'above' | 'below';
  /** A price, or what is read at each closed bar. */
  level: number | Read;
  rearms: boolean;
  fails: string | null;
  status: Status;
  isReady: boolean;
  /** The order of arming: of those that fire at one instant, the first armed is first. */
  armed: number;
  fired: number;
  firedAt: number | null;
  error: string | null;
  group: { id: string; mode: 'oco' | 'none'; members: Watched[] } | null;
  isRemoved: boolean;
}

const made = fc.record({
  op: fc.constant('create' as const),
  symbol: fc.constantFrom(...MARKETS),
  direction: fc.constantFrom('above' as const, 'below' as const),
  /** Of the price, or which indicator is read. */
  level: fc.oneof(
    fc.record({ off: fc.constantFrom(-1.5, -0.8, -0.3, -0.1, 0, 0.1, 0.3, 0.8, 1.5) }),
    fc.record({ read: fc.constantFrom(...READS) }),
    fc.record({ read: fc.constant(READS[0]) }),
  ),
  rearms: fc.boolean(),
  action: fc.constantFrom('buys', 'buys', 'buys', 'too much', 'nothing to reduce'),
  name: fc.constantFrom(undefined, 'one', 'two'),
});
const op = fc.oneof(
  { weight: 5, arbitrary: made },
  {
    weight: 3,
    arbitrary: fc.record({
      op: fc.constant('control' as const),
      what: fc.constantFrom('pause', 'resume', 'resume', 'stop', 'rearm', 'rearm', 'remove'),
      which: fc.nat(30),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      op: fc.constant('group' as const),
      mode: fc.constantFrom('oco' as const, 'oco' as const, 'none' as const),
      which: fc.array(fc.nat(30), { minLength: 2, maxLength: 4 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      op: fc.constant('all' as const),
      what: fc.constantFrom('pause', 'resume', 'resume', 'stop'),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ op: 'reopen' as const }) },
);
const drawn = fc.record({
  seed: fc.nat(1e9),
  /** Whose monitors they are; the other one has none. */
  wallet: fc.constantFrom('main', 'other'),
  course: fc.array(fc.tuple(op, fc.constantFrom(0, 0, 0, 1, 2, 5)), {
    minLength: 8,
    maxLength: 30,
  }),
});
type Case = typeof drawn extends fc.Arbitrary<infer T> ? T : never;

/** Prices with so many places that an average hardly ever meets one, and some of one place, which levels have too. */
function rowsOf(seed: string, hasGaps: boolean): Row[] {
  const random = createRandom(seed);
  let last = 100;
  return Array.from({ length: BARS }, (): Row => {
    const places = random.next() < 0.3 ? 10 : 10_000;
    const round = (price: number): number => Math.round(price * places) / places;
    // Gaps of two markets would be crossed in one millisecond.
    const open = hasGaps ? round(last + (random.next() - 0.5) * 0.2) : last;
    const close = round(open + (random.next() - 0.5) * 1.2);
    const high = round(Math.max(open, close) + random.next() * 0.5);
    const low = round(Math.min(open, close) - random.next() * 0.5);
    last = close;
    return [open, Math.max(open, close, high), Math.min(open, close, low), close, 1_000];
  });
}

/** Thrown where a rounding decides, which no reading can foresee. */
class TooClose extends Error {}

class Plain {
  readonly all: Watched[] = [];
  readonly events: string[] = [];
  readonly #rows: Readonly<Record<string, readonly Row[]>>;
  #armings = 0;
  now = START;

  constructor(rows: Readonly<Record<string, readonly Row[]>>) {
    this.#rows = rows;
  }

  /** Path of a bar: the close before, open, nearer extreme, farther one, close. */
  #path(symbol: string, bar: number): number[] {
    const rows = this.#rows[symbol]!;
    const [open, high, low, close] = rows[bar]!;
    const far = (price: number): number => Math.round(Math.abs(price - open) * 1e4);
    const extremes = far(low) <= far(high) ? [low, high] : [high, low];
    return [rows[bar - 1]![3], open, ...extremes, close];
  }

  mark(symbol: string): number {
    const bar = Math.round((this.now - START) / MINUTE) - 1;
    return this.#rows[symbol]![bar]![3];
  }

  level({ symbol, level }: Watched): number {
    if (typeof level === 'number') return level;
    const { period, minutes } = level;
    const closed = Math.floor((this.now - START) / MINUTE / minutes);
    let sum = 0;
    for (let bar = closed - period; bar < closed; bar++)
      sum += this.#rows[symbol]![(bar + 1) * minutes - 1]![3];
    return sum / period;
  }

  isCrossed(one: Watched, mark: number): boolean {
    const level = this.#levelNear(one, mark);
    return one.direction === 'above' ? mark >= level : mark <= level;
  }

  /** An average that meets the mark may be off by a bit. */
  #levelNear(one: Watched, mark: number): number {
    const level = this.level(one);
    if (typeof one.level !== 'number' && Math.abs(mark - level) < 1e-6) throw new TooClose();
    return level;
  }

  arm(one: Watched, mark = this.mark(one.symbol)): void {
    one.status = 'armed';
    one.armed = this.#armings++;
    one.isReady = !this.isCrossed(one, mark);
  }

  /** One minute: the crossings along the paths, then what the closed bars change. */
  advance(): void {
    const bar = Math.round((this.now - START) / MINUTE);
    const paths = Object.fromEntries(MARKETS.map((at) => [at, this.#path(at, bar)]));
    for (let leg = 0; leg < CORNERS.length - 1; leg++) {
      const from = this.now + CORNERS[leg]!;
      const length = CORNERS[leg + 1]! - CORNERS[leg]!;
      for (;;) {
        const next = this.#firstCrossing(paths, leg);
        if (next === undefined) break;
        this.#fire(
          next.one,
          Math.ceil(from + next.share * length),
          paths[next.one.symbol]![leg + 1]!,
        );
      }
      // Beyond its level on the other side: it may cross from now on.
      for (const one of this.#armed())
        if (!one.isReady && this.#isPassed(one, paths[one.symbol]!, leg)) one.isReady = true;
    }
    this.now += MINUTE;
    const minutesOf = ({ level }: Watched): number =>
      typeof level === 'number' ? Infinity : level.minutes;
    // Of bars that close together the shorter comes first.
    const closing = this.#armed()
      .filter((one) => bar % minutesOf(one) === minutesOf(one) - 1)
      .toSorted((a, b) => minutesOf(a) - minutesOf(b));
    const isDue = (one: Watched): boolean =>
      one.isReady && this.isCrossed(one, this.mark(one.symbol));
    for (const one of closing) {
      if (one.status !== 'armed') continue;
      // Nor which of them stops the other.
      const isTied = (other: Watched): boolean => other.symbol !== one.symbol && isDue(other);
      const others = one.group?.members.filter((other) => closing.includes(other)) ?? [];
      if (isDue(one) && others.some(isTied)) throw new TooClose();
      const isCrossed = this.isCrossed(one, this.mark(one.symbol));
      if (!isCrossed) one.isReady = true;
      else if (one.isReady) this.#fire(one, this.now, this.mark(one.symbol));
    }
  }

  #armed(): Watched[] {
    return this.all
      .filter(({ status, isRemoved }) => status === 'armed' && !isRemoved)
      .toSorted((a, b) => a.armed - b.armed);
  }

  /** Where a leg of the path begins, it was seen already. */
  #isPassed(one: Watched, path: readonly number[], leg: number): boolean {
    const mark = path[leg + 1]!;
    const level = this.#levelNear(one, mark);
    return one.direction === 'above' ? mark < level : mark > level;
  }

  #firstCrossing(paths: Readonly<Record<string, readonly number[]>>, leg: number) {
    const found = this.#armed().flatMap((one) => {
      const [from, to] = [paths[one.symbol]![leg]!, paths[one.symbol]![leg + 1]!];
      if (!one.isReady || !this.isCrossed(one, to)) return [];
      return [{ one, share: from === to ? 1 : (this.level(one) - from) / (to - from) }];
    });
    return found.toSorted((a, b) => a.share - b.share || a.one.armed - b.one.armed)[0];
  }

  #fire(one: Watched, time: number, mark: number): void {
    if (one.fails !== null) {
      one.status = 'failed';
      one.error = one.fails;
      this.events.push(`failed ${one.id}`);
      return;
    }
    one.error = null;
    one.fired++;
    one.firedAt = time;
    one.status = 'fired';
    for (const other of one.group?.mode === 'oco' ? one.group.members : []) {
      if (other === one || other.isRemoved || other.status === 'stopped') continue;
      other.status = 'stopped';
      this.events.push(`stopped ${other.id}`);
    }
    this.events.push(`fired ${one.id}`);
    if (!one.rearms) return;
    this.arm(one, mark);
    // It fired at its level, and waits for the other side.
    one.isReady = false;
  }
}

const ACTIONS = {
  buys: {
    type: 'order',
    request: { symbol: FREE, side: 'buy', size: 2, order_type: 'market' },
  },
  'too much': {
    type: 'order',
    request: { symbol: FREE, side: 'buy', size: 9e7, order_type: 'market' },
  },
  'nothing to reduce': {
    type: 'execute',
    request: {
      algo: 'pacemaker',
      symbol: FREE,
      side: 'buy',
      total_size: 2,
      reduce_only: true,
      params: { duration_seconds: 60 },
    },
  },
} as const;
const ERRORS = {
  buys: null,
  'too much': 'insufficient_margin',
  'nothing to reduce': 'no_position',
} as const;

function play({ seed, wallet, course }: Case, tried: Tried): void {
  const rows = Object.fromEntries(MARKETS.map((at) => [at, rowsOf(`${seed} ${at}`, at === 'BTC')]));
  const feeds = [
    ...MARKETS.map((symbol) => feedOf(rows[symbol]!, { symbol })),
    feedOf(flat(10, BARS, 1e6), { symbol: FREE }),
  ];
  const options: EngineOptions = { feeds, instruments: { [FREE]: { price_decimals: 4 } } };
  let bench = createBench(options, { balance: 1e6 });
  bench.engine.addAccount('other', 1e6);
  bench.run(WARM_UP);
  const call = (endpoint: EndpointId, parts: Partial<Call> = {}) =>
    bench.call(endpoint, { wallet, ...parts });
  const refusal = (endpoint: EndpointId, parts: Partial<Call> = {}) =>
    bench.refusal(endpoint, { wallet, ...parts });
  const plain = new Plain(rows);
  plain.now = START + WARM_UP * MINUTE;
  const happened: string[] = [];
  /** By the last frame of each. */
  const shown = new Map<string, MonitorFields>();

  const act = (one: Case['course'][number][0]): void => {
    if (one.op === 'create') return create(one);
    const present = plain.all.filter(({ isRemoved }) => !isRemoved);
    if (one.op === 'reopen') {
      const saved = JSON.parse(JSON.stringify(bench.engine.save())) as typeof options.saved;
      takeEvents();
      bench = createBench({ ...options, saved: saved! });
      return tried.take('reopened');
    }
    if (present.length === 0) return;
    if (one.op === 'control') control(one.what, present[one.which % present.length]!);
    else if (one.op === 'group')
      group(one.mode, [...new Set(one.which.map((at) => present[at % present.length]!))]);
    else all(one.what, present);
  };

  function create({
    symbol,
    direction,
    level,
    rearms,
    action,
    name,
  }: Extract<Case['course'][number][0], { op: 'create' }>): void {
    const price =
      'off' in level ? Math.round((plain.mark(symbol) + level.off) * 10) / 10 : level.read;
    const trigger =
      typeof price === 'number'
        ? { type: 'price_level', price }
        : {
            type: 'indicator_level',
            indicator: 'sma',
            params: { period: price.period },
            interval: `${price.minutes}m`,
          };
    const body = {
      trigger: { ...trigger, symbol, direction },
      action: ACTIONS[action],
      rearm: rearms,
      ...(name !== undefined && { name }),
    };
    const scopes: string[] = [];
    const { monitor_id: id } = call('monitors.create', {
      body,
      requireScope: (scope) => void scopes.push(scope),
    });
    expect(scopes).toEqual(ACTIONS[action].type === 'order' ? ['trade'] : []);
    const watched: Watched = {
      id,
      made: { name: name ?? null, request: body, created_time: bench.engine.now },
      symbol,
      direction,
      level: price,
      rearms,
      fails: ERRORS[action],
      status: 'armed',
      isReady: false,
      armed: 0,
      fired: 0,
      firedAt: null,
      error: null,
      group: null,
      isRemoved: false,
    };
    plain.arm(watched);
    plain.all.push(watched);
    plain.events.push(`armed ${id}`);
  }

  function refusalOf(name: EndpointId, id: string): ServiceError | null {
    try {
      call(name, { pathParams: { id } });
      return null;
    } catch (error) {
      if (error instanceof ServiceError) return error;
      throw error;
    }
  }

  function apply(what: string, one: Watched): void {
    if (what === 'stop') one.status = 'stopped';
    else if (what === 'pause') one.status = 'paused';
    else plain.arm(one);
    const word = { stop: 'stopped', pause: 'paused', resume: 'resumed', rearm: 'armed' }[what];
    plain.events.push(`${word} ${one.id}`);
  }

  function control(what: string, one: Watched): void {
    const refused = refusalOf(`monitors.${what}` as EndpointId, one.id);
    if (what === 'remove') {
      expect(refused).toBeNull();
      if (ALLOWED[one.status].includes('stop')) apply('stop', one);
      one.isRemoved = true;
      return tried.take('removed');
    }
    const allowed = ALLOWED[one.status];
    if (allowed.includes(what)) {
      expect(refused).toBeNull();
      return apply(what, one);
    }
    expect(refused?.code).toBe('invalid_transition');
    expect(refused?.details).toEqual({ from: one.status, action: what, allowed });
  }

  function group(mode: 'oco' | 'none', members: Watched[]): void {
    const body = { mode, monitor_ids: members.map(({ id }) => id) };
    if (members.length < 2) return;
    if (members.some((one) => one.group !== null)) {
      expect(refusal('monitors.createGroup', { body }).code).toBe('validation_failed');
      return tried.take('grouped already');
    }
    const { group_id: id } = call('monitors.createGroup', { body });
    for (const one of members) {
      one.group = { id, mode, members };
      if (one.status === 'armed' || one.status === 'paused')
        plain.events.push(`${one.status} ${one.id}`);
    }
  }

  function all(what: string, present: readonly Watched[]): void {
    const able = present.filter(({ status }) => ALLOWED[status].includes(what));
    const { results } = call(`monitors.${what}All` as EndpointId);
    expect(results.map(({ id }: { id: string }) => id)).toEqual(able.map(({ id }) => id));
    for (const one of able) apply(what, one);
  }

  function takeEvents(): void {
    for (const { channel, event, wallet: owner, data } of bench.events.splice(0)) {
      if (channel !== 'monitors') continue;
      const record = data as MonitorFields;
      happened.push(`${event} ${record.monitor_id}`);
      shown.set(record.monitor_id, record);
      expect(owner).toBe(wallet);
    }
  }

  function compare(): void {
    takeEvents();
    // Which market is first of those that close at one instant is nobody's business.
    for (const at of MARKETS) {
      const own = new Set(plain.all.filter(({ symbol }) => symbol === at).map(({ id }) => id));
      const isOwn = (event: string): boolean => own.has(event.split(' ')[1]!);
      expect(happened.filter(isOwn)).toEqual(plain.events.filter(isOwn));
    }
    for (const one of plain.all) {
      if (one.isRemoved) continue;
      const record: MonitorFields = call('monitors.get', { pathParams: { id: one.id } });
      expect(record).toMatchObject(one.made);
      // What cannot act shows the group that it has joined with its next event.
      const isOver = record.status !== 'armed' && record.status !== 'paused';
      const joined = isOver ? { group_id: record.group_id } : {};
      expect({ ...shown.get(one.id), ...joined }).toEqual(record);
      expect([one.id, record.status, record.fired_count]).toEqual([one.id, one.status, one.fired]);
      expect(record.group_id).toBe(one.group?.id ?? null);
      expect(record.last_error?.code ?? null).toBe(one.error);
      if (one.firedAt === null) expect(record.last_fired_time).toBeNull();
      else expect(Math.abs(record.last_fired_time! - one.firedAt)).toBeLessThanOrEqual(1);
    }
    const present = plain.all.filter(({ isRemoved }) => !isRemoved).toReversed();
    for (const at of MARKETS)
      for (const status of ['armed', 'fired'] as const) {
        const query = { symbol: at, status, limit: 100 };
        const listed = call('monitors.list', { query }).items;
        expect(listed.map((row: { monitor_id: string }) => row.monitor_id)).toEqual(
          present.filter((one) => one.symbol === at && one.status === status).map(({ id }) => id),
        );
      }
    const order: readonly Status[] = ['armed', 'paused', 'fired', 'failed'];
    for (const group of call('monitors.groups', { query: { limit: 100 } }).items) {
      const members = plain.all.filter(({ group: its }) => its?.id === group.group_id);
      const statuses = members.filter(({ isRemoved }) => !isRemoved).map(({ status }) => status);
      expect(group.status).toBe(order.find((each) => statuses.includes(each)) ?? 'stopped');
      expect(group.mode).toBe(members[0]!.group!.mode);
    }
    const bought = plain.all.reduce((sum, { fired }) => sum + 2 * fired, 0);
    const [position] = call('positions.list').items;
    expect(position?.size ?? 0).toBe(bought);
  }

  const end = START + (BARS - 1) * MINUTE;
  for (const [one, minutes] of course) {
    act(one);
    compare();
    for (let at = 0; at < minutes && plain.now < end; at++) {
      plain.advance();
      bench.run(1);
      compare();
    }
  }
  while (plain.now < end) {
    plain.advance();
    bench.run(1);
  }
  compare();
  for (const one of plain.all) {
    if (one.fired > 0)
      tried.take(`fired ${typeof one.level === 'number' ? 'price' : 'read'} ${one.direction}`);
    if (one.fired > 1) tried.take('fired again');
  }
  for (const event of plain.events) tried.take(event.split(' ')[0]!);
}

test('monitors fire when their level is crossed, do what their group and controls say, and nothing else', async () => {
  const tried = new Tried();
  await holdLaw(18, drawn, (one) => {
    try {
      play(one, tried);
    } catch (error) {
      if (!(error instanceof TooClose)) throw error;
    }
  });
  const kinds = ['fired price above', 'fired price below', 'fired read above', 'fired read below'];
  const others = ['fired again', 'failed', 'stopped', 'reopened', 'removed', 'grouped already'];
  if (isFull) expect(tried.rare([...kinds, ...others], 5)).toEqual([]);
});
