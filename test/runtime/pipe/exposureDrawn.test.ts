import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Side } from '../../../src/contract/index.ts';
import type { Guard } from '../../../src/guards/index.ts';
import { maxGrossNotional } from '../../../src/guards/maxGrossNotional.ts';
import { maxLeverage } from '../../../src/guards/maxLeverage.ts';
import { maxPositionNotional } from '../../../src/guards/maxPositionNotional.ts';
import { effectOf } from '../../../src/intents/effectOf.ts';
import type { Intent } from '../../../src/intents/index.ts';
import { GuardView } from '../../../src/runtime/pipe/GuardView.ts';
import { toGuardedIntent } from '../../../src/runtime/pipe/toGuardedIntent.ts';
import { createExposure } from '../../../src/runtime/wallet/createExposure.ts';
import { createWalletBook } from '../../../src/runtime/wallet/createWalletBook.ts';
import { holdLaw, Tried } from '../../holdLaw.ts';
import { account } from '../../streams/records.ts';

/** Limits on exposure against all orders in which what is on a wallet can fill, unit by unit. */

const PRICES: Readonly<Record<string, number>> = { BTC: 100, ETH: 10 };
const SYMBOLS = Object.keys(PRICES);
const WALLET = 'main';
const EQUITY = 1_000;

/** Something that may trade: `place` says where the bot has it. */
interface Work {
  place: 'order' | 'execution' | 'monitor' | 'leg' | 'asked' | 'launched' | 'closing' | 'watched';
  symbol: string;
  side: Side;
  size: number;
  reduce_only: boolean | undefined;
  /** Another wallet's, or a child of an execution: it counts nowhere. */
  isOther: boolean;
  /** It waits for twice the last price: a monitor, or a sweep where it is a launch. */
  isHigh: boolean;
}

interface Asked {
  symbol: string;
  side: Side;
  size: number;
  way: 'market' | 'limit' | 'launch' | 'monitor' | 'sweep';
  isHigh: boolean;
}

const symbol = fc.constantFrom(...SYMBOLS);
const side = fc.constantFrom<Side[]>('buy', 'sell');
const size = fc.integer({ min: 1, max: 3 });
const work: fc.Arbitrary<Work> = fc.record({
  place: fc.constantFrom<Array<Work['place']>>(
    ...(['order', 'order', 'order', 'execution', 'monitor', 'leg'] as const),
    ...(['asked', 'launched', 'closing', 'watched'] as const),
  ),
  symbol,
  side,
  size,
  reduce_only: fc.constantFrom(undefined, false, true, true),
  isOther: fc.constantFrom(false, false, false, false, true),
  isHigh: fc.constantFrom(false, false, true),
});
const asked: fc.Arbitrary<Asked> = fc.record({
  symbol,
  side,
  size: fc.integer({ min: 1, max: 6 }),
  way: fc.constantFrom<Array<Asked['way']>>(
    ...(['market', 'limit', 'launch', 'launch', 'monitor', 'sweep'] as const),
  ),
  isHigh: fc.boolean(),
});
const drawn = fc.record({
  held: fc.record({
    BTC: fc.integer({ min: -4, max: 4 }),
    ETH: fc.integer({ min: -4, max: 4 }),
  }),
  work: fc.array(work, { maxLength: 4 }),
  entries: fc.array(asked, { minLength: 1, maxLength: 2 }),
  limit: fc.integer({ min: 1, max: 9 }),
});

const PACE = { algo: 'pacemaker', params: { duration_seconds: 60 } } as const;
const sweepAt = (trigger_price: number) => ({ algo: 'ghostsweep', params: { trigger_price } });
/** Far below the last price, where it changes nothing, or twice as high. */
const levelOf = ({ symbol: of, isHigh }: { symbol: string; isHigh: boolean }): number =>
  isHigh ? 2 * PRICES[of]! : 1;
const orderOf = ({ symbol, side, size, reduce_only }: Omit<Work, 'place' | 'isOther' | 'isHigh'>) =>
  ({ symbol, side, size, ...(reduce_only === undefined ? {} : { reduce_only }) }) as const;
const launchOf = ({ size, ...rest }: ReturnType<typeof orderOf>) =>
  ({ ...PACE, ...rest, total_size: size }) as const;

const triggerOf = (one: { symbol: string; isHigh: boolean }) =>
  ({ type: 'price_level', symbol: one.symbol, price: levelOf(one), direction: 'above' }) as const;

function intentOf(one: Omit<Asked, 'way'> & { reduce_only?: boolean | undefined; way: string }) {
  const order = orderOf({ reduce_only: undefined, ...one });
  switch (one.way) {
    case 'market':
      return { kind: 'place_order', request: { order_type: 'market', ...order } };
    case 'limit':
    case 'asked':
      return { kind: 'place_order', request: { order_type: 'limit', price: 1, ...order } };
    case 'launch':
      return { kind: 'launch', request: launchOf(order) };
    case 'launched':
    case 'sweep': {
      const isSweep = one.way === 'sweep' || one.isHigh;
      const by = isSweep ? sweepAt(levelOf(one)) : {};
      return { kind: 'launch', request: { ...launchOf(order), ...by } };
    }
    case 'closing':
      return { kind: 'close_position', symbol: one.symbol, request: { order_type: 'market' } };
    default:
      return {
        kind: 'create_monitor',
        request: {
          trigger: triggerOf(one),
          action: { type: 'order', request: { order_type: 'market', ...order } },
        },
      };
  }
}

/** A basket if there are two that can be one, else the first alone. */
function intentOfAll(entries: readonly Asked[]): { intent: Intent; used: readonly Asked[] } {
  if (entries.length > 1 && entries.every(({ way }) => way === 'launch')) {
    const legs = entries.map((one) => launchOf(orderOf({ ...one, reduce_only: undefined })));
    return { intent: { kind: 'launch_basket', request: { legs } } as Intent, used: entries };
  }
  return { intent: intentOf(entries[0]!) as Intent, used: entries.slice(0, 1) };
}

/** What can fill, in the oracle's words. */
interface Fill {
  sign: number;
  units: number;
  reduces: boolean;
  /** It waits for a price; and what fills at once is there before that price is. */
  armed: boolean;
  atOnce: boolean;
  /** The price has reached it before, in last prices. */
  level: number;
}

const signOf = (of: Side): number => (of === 'buy' ? 1 : -1);

/**
 * What the largest position of either side is worth that any order of fills can reach, one unit after another, in last
 * prices: with what waits for a higher price on its side at that price.
 */
function worstOf(held: number, fills: readonly Fill[]): number {
  const largest = new Map([
    [1, 0],
    [-1, 0],
  ]);
  const seen = new Set<string>();
  const walk = (net: number, left: readonly number[], isArmedUsed: boolean): void => {
    const name = `${net} ${left.join(',')} ${isArmedUsed}`;
    if (seen.has(name)) return;
    seen.add(name);
    const on = Math.sign(net);
    largest.set(on, Math.max(largest.get(on) ?? 0, Math.abs(net)));
    for (const [at, fill] of fills.entries()) {
      if (left[at] === 0 || (fill.atOnce && isArmedUsed)) continue;
      if (fill.reduces && net * fill.sign >= 0) continue;
      const next = left.map((units, index) => (index === at ? units - 1 : units));
      walk(net + fill.sign, next, isArmedUsed || fill.armed);
    }
  };
  walk(
    held,
    fills.map(({ units }) => units),
    false,
  );
  const worths = [...largest].map(([sign, units]) => {
    const levels = fills.filter((fill) => fill.sign === sign).map(({ level }) => level);
    return units * Math.max(1, ...levels);
  });
  return Math.max(...worths);
}

const ALL = 4;

function fillsOf(of: string, held: number, all: readonly Work[], entries: readonly Asked[]) {
  const closes = held > 0 ? -1 : 1;
  const there = all
    .filter((one) => one.symbol === of && !one.isOther)
    .map(({ place, size: units, side: on, reduce_only, isHigh }): Fill => {
      const waits = isHigh && ['monitor', 'watched', 'execution', 'launched'].includes(place);
      const level = waits && reduce_only !== true ? 2 : 1;
      const plain = { sign: signOf(on), units, reduces: reduce_only === true, level };
      if (place === 'closing' || place === 'leg') {
        const whole = { sign: closes, units: ALL, reduces: true, level: 1 };
        return { ...whole, armed: place === 'leg', atOnce: false };
      }
      // A monitor that opens counts as if it had fired.
      const isMonitor = place === 'monitor' || place === 'watched';
      return { ...plain, armed: isMonitor && plain.reduces, atOnce: false };
    });
  const added = entries
    .filter((one) => one.symbol === of)
    .map((one): Fill => ({
      sign: signOf(one.side),
      units: one.size,
      reduces: false,
      armed: false,
      atOnce: one.way === 'market',
      level: one.isHigh && (one.way === 'monitor' || one.way === 'sweep') ? 2 : 1,
    }));
  return [...there, ...added];
}

const price = (of: string): { price: number; time: number; intervalMs: number } => ({
  price: PRICES[of]!,
  time: 0,
  intervalMs: 60_000,
});

/** The books as the streams and the pipe would have filled them. */
function viewOf(held: Readonly<Record<string, number>>, all: readonly Work[]): GuardView {
  const book = createWalletBook({
    priceOf: (of) => PRICES[of],
    isListed: () => false,
    isAwaited: () => false,
    now: () => 0,
  });
  const of = (place: Work['place']) => all.filter((one) => one.place === place);
  const orders = of('order').map((one, at) => {
    const record = { ...orderOf(one), order_id: `o${at}`, size: one.size + 2, filled_size: 2 };
    return { ...record, ...(one.isOther ? { execution_id: 'e' } : {}) };
  });
  const positions = Object.entries(held)
    .filter(([, net]) => net !== 0)
    .map(([name, net]) => ({
      symbol: name,
      side: net > 0 ? 'long' : 'short',
      size: Math.abs(net),
      entry_price: PRICES[name],
    }));
  book.model({
    wallet: WALLET,
    complete: true,
    account: { ...account, equity: EQUITY },
    positions: new Map(positions.map((one) => [one.symbol, one])),
    openOrders: new Map(orders.map((one) => [one.order_id, one])),
    balances: new Map([['USDC', { asset: 'USDC', total: EQUITY }]]),
  } as never);
  const executions = of('execution').map((one, at) => ({
    ...orderOf(one),
    execution_id: `e${at}`,
    remaining_size: one.size,
    status: one.isOther ? 'completed' : 'running',
    request: { ...launchOf(orderOf(one)), ...(one.isHigh ? sweepAt(levelOf(one)) : {}) },
  }));
  book.executions(executions.values() as never);
  const monitors = of('monitor').map((one, at) => ({
    monitor_id: `m${at}`,
    status: one.isOther ? 'stopped' : 'armed',
    trigger: triggerOf(one),
    action: { type: 'order', request: orderOf(one) },
  }));
  // Once readable, as the streams give them.
  book.monitors(monitors.values() as never);
  const rows = of('leg').map((one) => ({
    watch_kind: 'leg',
    symbol: one.symbol,
    status: one.isOther ? 'retired' : 'armed',
  }));
  book.watches(rows.values() as never);
  const exposure = createExposure();
  for (const [at, one] of all.entries()) {
    if (!['asked', 'launched', 'closing', 'watched'].includes(one.place)) continue;
    const added = effectOf(intentOf({ ...one, way: one.place }) as Intent);
    exposure.add(`k${at}`, one.isOther ? 'side' : WALLET, added);
  }
  const sources = {
    exposure,
    marks: { of: price },
    references: { of: () => undefined },
  };
  const subject = { now: 0, present: 0, wallet: WALLET, instance: 'one', book };
  return new GuardView(
    sources as never,
    { ...subject, ownedSymbols: SYMBOLS, keyScopes: null, recentIntents: 0 } as never,
  );
}

test('limits on exposure deny exactly what some order of fills takes beyond them', async () => {
  const tried = new Tried();
  const denies = (guard: Guard, intent: Intent, view: GuardView): boolean =>
    !guard(toGuardedIntent(intent), view).passed;
  await holdLaw(2_500, drawn, ({ held, work: all, entries, limit }) => {
    const { intent, used } = intentOfAll(entries);
    const view = viewOf(held, all);
    const worth = (of: string): number =>
      PRICES[of]! * worstOf(held[of as 'BTC'], fillsOf(of, held[of as 'BTC'], all, used));
    const position = limit * 100;
    const isPositionBeyond = used.some((one) => worth(one.symbol) > position);
    const byPosition = maxPositionNotional({ max_position_notional: position });
    expect(denies(byPosition, intent, view)).toBe(isPositionBeyond);
    const gross = SYMBOLS.reduce((sum, of) => sum + worth(of), 0);
    const byGross = maxGrossNotional({ max_gross_notional: position });
    expect(denies(byGross, intent, view)).toBe(gross > position);
    // Equity moves with nothing here: positions are worth what they cost.
    const byLeverage = maxLeverage({ max_leverage: limit / 10 });
    expect(denies(byLeverage, intent, view)).toBe(gross / EQUITY > limit / 10);
    const isTurning = all.some((one) => one.reduce_only === true && !one.isOther);
    tried.take(`${intent.kind} ${isPositionBeyond ? 'denied' : 'passed'}`);
    if (isTurning) tried.take(isPositionBeyond ? 'turn denied' : 'turn passed');
    const isHigh = used.some((one) => one.isHigh && ['monitor', 'sweep'].includes(one.way));
    if (isHigh) tried.take(isPositionBeyond ? 'trigger denied' : 'trigger passed');
  });
  const kinds = ['place_order', 'launch', 'launch_basket', 'create_monitor', 'turn', 'trigger'];
  const both = kinds.flatMap((kind) => [`${kind} passed`, `${kind} denied`]);
  expect(tried.rare(both, 10)).toEqual([]);
});
