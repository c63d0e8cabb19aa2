import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { defaultDialect, type ServiceRequest } from '../../../src/contract/index.ts';
import type { Intent } from '../../../src/intents/index.ts';
import { effectOf } from '../../../src/intents/effectOf.ts';
import { toServiceRequest } from '../../../src/intents/toServiceRequest.ts';
import { laneOf } from '../../../src/runtime/pipe/laneOf.ts';
import { changedBy, openedBy, reducedBy } from '../../../src/runtime/pipe/openedBy.ts';
import { toGuardedIntent, weightOf } from '../../../src/runtime/pipe/toGuardedIntent.ts';
import { holdLaw } from '../../holdLaw.ts';

/** What an intent may add, drawn: each flag absent, true and false, one to three legs, legs that trail and track. */

const SYMBOLS = ['BTC', 'ETH', 'SOL/USDC'];
const symbol = fc.constantFrom(...SYMBOLS);
const side = fc.constantFrom('buy' as const, 'sell' as const);
const size = fc.integer({ min: 1, max: 9 });
const price = fc.integer({ min: 90, max: 110 });
const flag = fc.constantFrom(undefined, true, false);
/** A read of an indicator: followed, read once, or with the flag left out. */
const level = flag.map((track) => ({ indicator: 'ema', interval: '1h', ...defined({ track }) }));
const leg = fc.constantFrom<object | undefined>(
  undefined,
  { price: 80 },
  { trail: { pct: 1, interval: '1h' } },
  { at: { indicator: 'ema', interval: '1h' } },
);

function defined<T extends object>(fields: T): Partial<T> {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined),
  ) as Partial<T>;
}

interface Asked {
  symbol: string;
  side: 'buy' | 'sell';
  size: number;
  price?: number | undefined;
  /** The price for which a sweep waits; null: a level. */
  trigger?: number | null | undefined;
  /** How far beyond a level it may sweep, basis points. */
  reach?: number | undefined;
  reduce_only?: boolean | undefined;
  tracked: number;
  trails: number;
  request: object;
}

const common = fc.record({
  symbol,
  side,
  size,
  reduce_only: flag,
  stop_loss: leg,
  take_profit: leg,
});
const trailsOf = (...legs: Array<object | undefined>): number =>
  legs.filter((one) => one !== undefined && 'trail' in one).length;

const order: fc.Arbitrary<Asked> = fc
  .tuple(common, fc.constantFrom('market', 'limit', 'level'), price, level)
  .map(([all, how, at, from]) => ({
    ...all,
    price: how === 'limit' ? at : undefined,
    tracked: how === 'level' && 'track' in from && from.track === true ? 1 : 0,
    trails: trailsOf(all.stop_loss, all.take_profit),
    request: {
      order_type: how === 'market' ? 'market' : 'limit',
      ...defined(all),
      ...(how === 'limit' ? { price: at } : {}),
      ...(how === 'level' ? { price_from: from } : {}),
    },
  }));

/**
 * Conventions §4: a buy may pay up to its limit, the band's upper edge or the sweep limit, a sale down to its limit, the
 * lower edge or the sweep limit; without a limit a sweep takes up to 1 % beyond its trigger.
 *
 * @param at its price, if it has one and not a level
 */
function placesOf(
  algo: string,
  { side: on, bound, at }: { side: string; bound: object; at: number | undefined },
): Pick<Asked, 'price' | 'trigger' | 'reach'> {
  if (algo === 'flowband') return { price: on === 'buy' ? 100 : 90 };
  if (algo !== 'ghostsweep') return { price: at };
  const { sweep_limit, sweep_limit_bps: bps = 100 } = bound as Record<string, number>;
  if (at === undefined) {
    return sweep_limit === undefined ? { trigger: null, reach: bps } : { price: sweep_limit };
  }
  // In cents of a percent, which are whole.
  const beyond = (at * (on === 'buy' ? 10_000 + bps : 10_000 - bps)) / 10_000;
  return { trigger: at, price: sweep_limit ?? beyond };
}

const launched: fc.Arbitrary<Asked> = fc
  .tuple(
    common,
    fc.constantFrom('pacemaker', 'glidemaker', 'ghostsweep', 'flowband', 'flowscale'),
    price,
    level,
    flag,
    fc.constantFrom<object>(
      {},
      { sweep_limit_bps: 250 },
      { sweep_limit_bps: 0 },
      { sweep_limit: 104 },
    ),
  )
  .map(([{ size: total_size, ...all }, algo, at, from, isLimited, bound]) => {
    const isTracked = 'track' in from && from.track === true;
    const params = {
      pacemaker: { duration_seconds: 60, ...(isLimited === true ? { limit_price: at } : {}) },
      glidemaker: {
        strategy: 'passive',
        ...(isLimited === true ? { limit_price: at } : { limit_price_from: from }),
      },
      ghostsweep: isLimited === true ? { trigger_price: at } : {},
      flowband: { band_low: 90, band_high: 100 },
      flowscale: { participation: 0.1, ...(isLimited === true ? { limit_price: at } : {}) },
    }[algo];
    const trigger = algo === 'ghostsweep' && isLimited !== true ? { trigger_from: from } : {};
    const sweep = algo === 'ghostsweep' ? bound : {};
    const isLevel = isLimited !== true && (algo === 'glidemaker' || algo === 'ghostsweep');
    return {
      ...all,
      size: total_size,
      ...placesOf(algo, { side: all.side, bound, at: isLimited === true ? at : undefined }),
      tracked: isLevel && isTracked ? 1 : 0,
      trails: trailsOf(all.stop_loss, all.take_profit),
      request: { algo, total_size, params, ...trigger, ...sweep, ...defined(all) },
    };
  });

interface Expected {
  symbols: readonly string[];
  entries: readonly object[];
  /** Default: none. */
  reductions?: readonly object[];
  isExit: boolean;
  scopes: readonly string[];
  rows: number;
  /** That it may start; default: none. */
  executions?: number;
  lane: 'control' | 'exit' | 'entry';
  weight: number;
  leverage?: number;
}

const entryOf = ({
  symbol: of,
  side: on,
  size: by,
  price: at,
  trigger,
  reach,
  request,
}: Asked) => ({
  symbol: of,
  side: on,
  size: by,
  ...(at === undefined ? {} : { price: at }),
  ...(trigger === undefined ? {} : { triggeredAt: trigger }),
  ...(reach === undefined ? {} : { reachBps: reach }),
  ...('order_type' in request && request.order_type === 'market' ? { isAtOnce: true } : {}),
});
const entriesOf = (...all: Asked[]) =>
  all.filter(({ reduce_only }) => reduce_only !== true).map(entryOf);
const reductionsOf = (...all: Asked[]) =>
  all
    .filter(({ reduce_only }) => reduce_only === true)
    .map(({ symbol: of, side: on, size: by }) => ({ symbol: of, side: on, size: by }));
const rowsOf = (...all: Asked[]): number =>
  all.reduce((sum, { tracked, trails }) => sum + tracked + trails, 0);
const laneFor = (isExit: boolean) => (isExit ? 'exit' : 'entry');

const placing: fc.Arbitrary<[object, Expected]> = order.map((one) => [
  { kind: 'place_order', request: one.request },
  {
    symbols: [one.symbol],
    entries: entriesOf(one),
    reductions: reductionsOf(one),
    isExit: one.reduce_only === true,
    scopes: ['trade'],
    rows: rowsOf(one),
    lane: laneFor(one.reduce_only === true),
    weight: 2,
  },
]);
const launching: fc.Arbitrary<[object, Expected]> = launched.map((one) => [
  { kind: 'launch', request: one.request },
  {
    symbols: [one.symbol],
    entries: entriesOf(one),
    reductions: reductionsOf(one),
    isExit: one.reduce_only === true,
    scopes: ['algo'],
    rows: rowsOf(one),
    executions: 1,
    lane: laneFor(one.reduce_only === true),
    weight: 20,
  },
]);
const basket: fc.Arbitrary<[object, Expected]> = fc
  .array(launched, { minLength: 1, maxLength: 3 })
  .map((legs) => {
    const isExit = legs.every(({ reduce_only }) => reduce_only === true);
    return [
      { kind: 'launch_basket', request: { legs: legs.map(({ request }) => request) } },
      {
        symbols: [...new Set(legs.map((one) => one.symbol))],
        entries: entriesOf(...legs),
        reductions: reductionsOf(...legs),
        isExit,
        scopes: ['algo'],
        rows: rowsOf(...legs),
        executions: legs.length,
        lane: laneFor(isExit),
        weight: 20 * legs.length,
      },
    ];
  });
const monitor: fc.Arbitrary<[object, Expected]> = fc
  .tuple(fc.oneof(order, launched), symbol, flag, price, fc.boolean())
  .map(([one, on, rearm, at, isLevel]) => {
    const isOrder = 'order_type' in one.request;
    const isExit = one.reduce_only === true;
    const trigger = isLevel
      ? {
          type: 'indicator_level',
          symbol: on,
          direction: 'above',
          indicator: 'ema',
          interval: '1h',
        }
      : { type: 'price_level', symbol: on, direction: 'above', price: at };
    const action = { type: isOrder ? 'order' : 'execute', request: one.request };
    const triggeredAt = isLevel || on !== one.symbol ? null : at;
    return [
      { kind: 'create_monitor', request: { trigger, action, ...defined({ rearm }) } },
      {
        symbols: [...new Set([one.symbol, on])],
        // What waits for a price fills at none before it.
        entries: entriesOf({ ...one, request: {} }).map((entry) => ({
          ...entry,
          // A sweep that it launches waits for its own trigger.
          triggeredAt: one.trigger ?? triggeredAt,
          ...(rearm === true ? { isRepeated: true } : {}),
        })),
        reductions: reductionsOf(one).map((each) => ({ ...each, isArmed: true })),
        isExit,
        scopes: isOrder ? ['algo', 'trade'] : ['algo'],
        rows: rowsOf(one),
        executions: isOrder || isExit ? 0 : 1,
        lane: laneFor(isExit),
        weight: 5,
      },
    ];
  });
const closing: fc.Arbitrary<[object, Expected]> = fc
  .tuple(symbol, fc.boolean())
  .map(([of, byAlgo]) => [
    {
      kind: 'close_position',
      symbol: of,
      request: byAlgo
        ? { algo: 'pacemaker', params: { duration_seconds: 60 } }
        : { order_type: 'market' },
    },
    {
      symbols: [of],
      entries: [],
      reductions: [{ symbol: of, size: Infinity }],
      isExit: true,
      scopes: byAlgo ? ['trade', 'algo'] : ['trade'],
      rows: 0,
      executions: byAlgo ? 1 : 0,
      lane: 'exit',
      weight: byAlgo ? 20 : 2,
    },
  ]);
const BY = { exit_style: 'algo_unwind', unwind_algo: 'smartexit' };
const unwound = fc.constantFrom<object | undefined>(
  undefined,
  { price: 80, ...BY },
  { at: { indicator: 'ema', interval: '1h' }, ...BY },
);
const protecting: fc.Arbitrary<[object, Expected]> = fc
  .tuple(symbol, fc.oneof(leg, unwound), fc.oneof(leg, unwound))
  .map(([of, stop_loss, take_profit]) => {
    const unwinds = [stop_loss, take_profit].some(
      (one) => one !== undefined && 'unwind_algo' in one,
    );
    return [
      { kind: 'attach_tpsl', symbol: of, legs: defined({ stop_loss, take_profit }) },
      {
        symbols: [of],
        entries: [],
        reductions: [{ symbol: of, size: Infinity, isArmed: true }],
        isExit: true,
        scopes: unwinds ? ['trade', 'algo'] : ['trade'],
        rows: trailsOf(stop_loss, take_profit),
        lane: 'exit',
        weight: 2,
      },
    ];
  });
const TARGETS: Readonly<Record<string, object | undefined>> = {
  cancel_order: { order: { order_id: 'x' } },
  stop_monitor: { monitor: { monitor_id: 'x' } },
  pause_monitor: { monitor: { monitor_id: 'x' } },
};
const others: fc.Arbitrary<[object, Expected]> = fc
  .tuple(
    symbol,
    fc.constantFrom(
      'retire_tpsl',
      'bulk_cancel',
      'cancel_order',
      'stop_monitor',
      'pause_monitor',
      'set_leverage',
    ),
  )
  .map(([of, kind]) => {
    const target = TARGETS[kind];
    const byId = target !== undefined;
    const sets = kind === 'set_leverage';
    return [
      { kind, ...(byId ? target : { symbol: of }), ...(sets ? { request: { leverage: 7 } } : {}) },
      {
        symbols: byId ? [] : [of],
        entries: [],
        isExit: !sets,
        scopes: kind.endsWith('monitor') ? ['algo'] : ['trade'],
        rows: 0,
        lane: sets ? 'entry' : 'control',
        weight:
          defaultDialect.endpoints[
            requestOf({ kind, ...target, symbol: of, request: { leverage: 7 } } as never).endpoint
          ].weight,
        ...(sets ? { leverage: 7 } : {}),
      },
    ];
  });

function requestOf(intent: Intent): ServiceRequest {
  const made = toServiceRequest(intent, {
    wallet: 'main',
    idempotencyKey: 'key',
    resolve: (_kind, ref) => ref,
  });
  if (!made.ok) throw new Error(made.reason);
  return made.request;
}

test('guards and lanes see each entry of each intent, with its price, and no exit as one', async () => {
  const drawn = fc.oneof(placing, launching, basket, monitor, closing, protecting, others);
  await holdLaw(2_500, drawn, ([drawnIntent, expected]) => {
    const intent = drawnIntent as Intent;
    const guarded = toGuardedIntent(intent);
    const effect = effectOf(intent);
    expect([...guarded.symbols].toSorted()).toEqual([...expected.symbols].toSorted());
    expect(guarded.entries).toEqual(expected.entries);
    expect(guarded.isExit).toBe(expected.isExit);
    expect([...guarded.scopes].toSorted()).toEqual([...expected.scopes].toSorted());
    expect(guarded.maintainedRows).toBe(expected.rows);
    expect(guarded.executions).toBe(expected.executions ?? 0);
    expect(guarded.leverage).toBe(expected.leverage);
    expect(effect.reductions).toEqual(expected.reductions ?? []);
    expect(effect.opaque).toBe(false);
    expect(laneOf(effect)).toBe(expected.lane);
    expect(weightOf(intent, requestOf(intent), defaultDialect)).toBe(expected.weight);
  });
});

describe('a change of what exists', () => {
  const shown = fc.record({
    symbol,
    side,
    reduce_only: fc.boolean(),
    size: fc.option(size, { nil: undefined }),
  });
  const drawn = fc.record({
    shown: fc.option(shown, { nil: undefined }),
    asked: fc.option(shown, { nil: undefined }),
    change: fc.record({
      price: fc.option(price, { nil: undefined }),
      size: fc.option(size, { nil: undefined }),
    }),
    action: fc.constantFrom(
      'modify',
      'stop',
      'pause',
      'resume',
      'complete-at-market',
      'mark-complete',
    ),
  });

  test('opens what it adds, or what it moves, and is unknown where its target or its size is', async () => {
    await holdLaw(2_500, drawn, ({ shown: known, asked, change, action }) => {
      const isOrder = action === 'modify';
      const intent = (
        isOrder
          ? { kind: 'modify_order', order: { order_id: 'x' }, change: defined(change) }
          : { kind: 'control_execution', execution: { execution_id: 'x' }, action }
      ) as Intent;
      const sized = known && { ...known, size: known.size ?? 1 };
      const book = {
        order: () => (isOrder ? sized : undefined),
        liveExecutions: () =>
          sized === undefined ? [] : [{ execution_id: 'y' }, { ...sized, execution_id: 'x' }],
      } as never;
      const accepted = { unseenOrder: () => undefined, unseenExecution: () => undefined };
      const sources = { wallet: 'main', book, accepted, asked: () => asked as never };
      const changed = changedBy(intent, requestOf(intent), sources);
      const target = sized ?? asked;
      const effect = effectOf(intent);
      // What is resumed runs again; what is swept ran already.
      expect(toGuardedIntent(intent).executions).toBe(action === 'resume' ? 1 : 0);
      const ends = ['stop', 'pause', 'mark-complete'].includes(action);
      if (ends) {
        expect(effect).toMatchObject({ isExit: true, opaque: false });
        expect(laneOf(effect, changed)).toBe('control');
        return;
      }
      const opened = openedBy(intent, effect, changed);
      const grown = (change.size ?? 0) - (target?.size ?? 0);
      const isLarger = isOrder && target?.reduce_only === true && grown > 0;
      if (changed !== undefined)
        expect(reducedBy(intent, changed)).toEqual(
          isLarger ? [{ symbol: target.symbol, side: target.side, size: grown }] : [],
        );
      const lane = target?.reduce_only === true ? 'exit' : 'entry';
      expect(laneOf(effect, changed)).toBe(lane);
      const one = target && { symbol: target.symbol, side: target.side };
      if (target === undefined) expect(opened).toBe('opaque');
      else if (target.reduce_only) expect(opened).toEqual([]);
      else if (!isOrder) expect(opened).toEqual([{ ...one, size: 0 }]);
      else if (change.size !== undefined && target.size === undefined)
        expect(opened).toBe('opaque');
      else {
        const more = change.size === undefined ? 0 : Math.max(0, change.size - target.size!);
        const moved = change.price === undefined ? {} : { price: change.price };
        const whole = more === 0 ? {} : { orderSize: change.size };
        const isNothing = more === 0 && change.price === undefined;
        expect(opened).toEqual(isNothing ? [] : [{ ...one, size: more, ...whole, ...moved }]);
      }
    });
  });
});
