/** Legs that an algorithm unwinds: of a long and a short, of either wallet, at a price and at a level that moves. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { EndpointId } from '../../../src/contract/index.ts';
import { ServiceError } from '../../../src/paper/core/ServiceError.ts';
import { holdLaw, Tried } from '../../holdLaw.ts';
import { isFull } from '../../tiers.ts';
import { createBench, feedOf, flat, MINUTE, START, type Row } from '../engine/bench.ts';

const QUIET = 5;
const SIZE = 4;
const AVERAGED = 3;
const PARAMS = {
  pacemaker: { duration_seconds: 120 },
  glidemaker: { strategy: 'balanced' },
  smartexit: { patience_seconds: 90 },
  ghostsweep: { sweep_limit_bps: 40 },
} as const;
type Algo = keyof typeof PARAMS;
const ALGOS = Object.keys(PARAMS) as Algo[];

const cents = (price: number): number => Math.round(price * 100) / 100;
const step = (from: number, to: number): Row => [
  from,
  Math.max(from, to),
  Math.min(from, to),
  to,
  1e6,
];

/** What is launched at a level, in the words of the description. */
function launchAt(algo: Algo, level: number, isLong: boolean) {
  const params = PARAMS[algo];
  // A seller may go one per cent below, a buyer one above, to the cent that is not worse.
  const worst = Math.round(level * (isLong ? 0.99 : 1.01) * 1e6) / 1e4;
  const bound = (isLong ? Math.ceil(worst) : Math.floor(worst)) / 100;
  const own = {
    pacemaker: { params },
    glidemaker: { params: { ...params, limit_price: bound } },
    smartexit: { params: { ...params, stop_price: level } },
    ghostsweep: { params: { trigger_price: level }, ...PARAMS.ghostsweep },
  }[algo];
  const side = isLong ? 'sell' : 'buy';
  return { algo, symbol: 'BTC', side, total_size: SIZE, reduce_only: true, ...own };
}

test('POS-3, POS-5: a leg launches its algorithm where its level is when the price reaches it', async () => {
  const tried = new Tried();
  const drawn = fc.record({
    isLong: fc.boolean(),
    wallet: fc.constantFrom('main', 'other'),
    algo: fc.constantFrom(...ALGOS),
    kind: fc.constantFrom('stop_loss' as const, 'stop_loss' as const, 'take_profit' as const),
    isRead: fc.boolean(),
    isPaused: fc.boolean(),
    bars: fc.integer({ min: 1, max: 4 }),
  });
  await holdLaw(80, drawn, ({ isLong, wallet, algo, kind, isRead: wantsRead, isPaused, bars }) => {
    const isRead = wantsRead && kind === 'stop_loss';
    const towards = isLong ? 1 : -1;
    const course = Array.from({ length: 12 }, (_none, at) => cents(100 + towards * 0.13 * at));
    const turn = bars + 1;
    const far = kind === 'stop_loss' ? 100 - towards * 5 : 100 + towards * 8;
    const rows = course.slice(1).map((to, at) => step(course[at]!, at === turn ? far : to));
    const bench = createBench({ feeds: [feedOf([...flat(100, QUIET), ...rows])] });
    bench.engine.addAccount('other', 100_000);
    const call = (endpoint: EndpointId, parts: object = {}) =>
      bench.call(endpoint, { wallet, ...parts });
    bench.run(QUIET);
    for (const owner of ['main', 'other'])
      bench.order(
        { side: isLong ? 'buy' : 'sell', size: SIZE, order_type: 'market' },
        { wallet: owner },
      );
    bench.run(1);
    const fixed = kind === 'stop_loss' ? 100 - towards * 2 : 100 + towards * 4;
    const at = { indicator: 'sma', params: { period: AVERAGED }, interval: '1m' };
    const leg = {
      ...(isRead ? { at } : { price: fixed }),
      exit_style: 'algo_unwind',
      unwind_algo: algo,
      unwind_params: PARAMS[algo],
    };
    const pathParams = { symbol: 'BTC' };
    const { legs } = call('positions.attachLegs', { pathParams, body: { [kind]: leg } });
    const { monitor_id: id } = legs[kind];
    const levelAfter = (closed: number): number => {
      const closes = [...flat(100, QUIET), ...rows].slice(0, QUIET + closed).map((row) => row[3]);
      const last = closes.slice(-AVERAGED);
      return isRead ? cents(last.reduce((sum, close) => sum + close, 0) / AVERAGED) : fixed;
    };
    const monitor = () => call('monitors.get', { pathParams: { id } });
    const isBelow = (kind === 'stop_loss') === isLong;
    expect(monitor()).toMatchObject({
      status: 'armed',
      trigger: { symbol: 'BTC', direction: isBelow ? 'below' : 'above' },
      action: { type: 'execute', request: launchAt(algo, levelAfter(1), isLong) },
      request: leg,
    });
    const live = () => call('positions.legs', { pathParams }).items;
    if (isPaused) {
      call('monitors.pause', { pathParams: { id } });
      expect([monitor().status, live().length]).toEqual(['paused', 1]);
      call('monitors.resume', { pathParams: { id } });
      expect([monitor().status, live().length]).toEqual(['armed', 1]);
    }
    bench.run(bars);
    expect(monitor().status).toBe('armed');
    const level = levelAfter(turn);
    const from = course[turn]!;
    const share = (from - level) / (from - far);
    const crossed = START + (QUIET + turn) * MINUTE + (MINUTE / 3) * (1 + share);
    bench.engine.advanceTo(Math.ceil(crossed) + 5);
    const fired = monitor();
    expect(fired).toMatchObject({ status: 'fired', fired_count: 1, last_error: null });
    expect(Math.abs(fired.last_fired_time - crossed)).toBeLessThan(4);
    const [execution, ...more] = call('executions.list').items;
    expect(more).toEqual([]);
    expect(execution.request).toEqual(launchAt(algo, level, isLong));
    // What its level stands for has happened already: it waits for nothing.
    expect(execution.phase).not.toBe('armed');
    expect(live()).toEqual([]);
    const query = { status: 'triggered' };
    expect(call('positions.legs', { pathParams, query }).items).toMatchObject([{ kind }]);
    const other = wallet === 'main' ? 'other' : 'main';
    expect(bench.call('executions.list', { wallet: other }).items).toEqual([]);
    tried.take(`${algo} ${isLong}`, ...(isRead ? ['read'] : []), ...(isPaused ? ['paused'] : []));
  });
  const kinds = ALGOS.flatMap((algo) => [`${algo} true`, `${algo} false`]);
  if (isFull) expect(tried.rare([...kinds, 'read', 'paused'], 10)).toEqual([]);
});

test('LEG-10: what a leg must be worth at its trigger, by its algorithm', async () => {
  const [LEAST, OF_ALGO] = [10, 100];
  const drawn = fc.record({
    algo: fc.constantFrom(...ALGOS),
    isLong: fc.boolean(),
    /** At the trigger, quote units. */
    value: fc.constantFrom(9.5, 10, 10.5, 50, 99.5, 100, 100.5),
  });
  await holdLaw(80, drawn, ({ algo, isLong, value }) => {
    const bench = createBench({ feeds: [feedOf(flat(100, 10))] });
    bench.run(5);
    const price = isLong ? 50 : 200;
    const size = value / price;
    // Smaller than an order may be: the rest of a larger one.
    bench.order({ side: isLong ? 'buy' : 'sell', size: 3 + size, order_type: 'market' });
    bench.order({ side: isLong ? 'sell' : 'buy', size: 3, order_type: 'market' });
    const unwind = { exit_style: 'algo_unwind', unwind_algo: algo, unwind_params: PARAMS[algo] };
    const body = { stop_loss: { price, ...unwind } };
    const needsMore = algo === 'glidemaker' || algo === 'smartexit';
    let code: string | null = null;
    try {
      bench.call('positions.attachLegs', { pathParams: { symbol: 'BTC' }, body });
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      code = error.code;
      const minimum = needsMore ? OF_ALGO : LEAST;
      expect(error.details).toEqual({ minimum, value: expect.closeTo(value, 9) });
    }
    const few = needsMore ? 'below_algo_minimum' : 'below_order_minimum';
    expect([algo, value, code]).toEqual([
      algo,
      value,
      value < (needsMore ? OF_ALGO : LEAST) ? few : null,
    ]);
  });
});
