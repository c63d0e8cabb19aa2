import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createGuards, type GuardLimits, type GuardSnapshot } from '../../src/guards/index.ts';
import { holdLaw, Tried } from '../holdLaw.ts';
import { few, intent, limits, NOW, snapshot, symbol, SYMBOLS } from './guardCases.ts';
import { NAIVE_GUARDS } from './naiveGuards.ts';

const NAMES = Object.keys(NAIVE_GUARDS);
/** These are asked in every bot; the others where their limit is set. */
const ALWAYS = new Set([
  'owns_symbols',
  'knows_instrument',
  'has_scopes',
  'catch_up',
  'max_decision_age_seconds',
  'entry_gate',
  'shows_exposure',
  'data_age',
  'maintained_rows',
]);
const LIMIT_OF: Readonly<Record<string, keyof GuardLimits>> = {
  price_collar: 'price_collar_bps',
  daily_loss: 'daily_loss_limit',
};

test('the first guard to deny is the one that a second reading of the limits names', async () => {
  const tried = new Tried();
  await holdLaw(15_000, fc.tuple(limits, intent, snapshot), ([set, one, view]) => {
    const asked = NAMES.filter(
      (name) =>
        ALWAYS.has(name) || set[LIMIT_OF[name] ?? (name as keyof GuardLimits)] !== undefined,
    );
    const denying = asked.find((name) => NAIVE_GUARDS[name]!(one, view, set));
    const verdict = createGuards(set)(one, view);
    expect(verdict.passed ? undefined : verdict.guard).toBe(denying);
    const passed = denying === undefined ? asked : asked.slice(0, asked.indexOf(denying));
    expect(verdict.passedGuards).toEqual(passed);
    tried.take(...passed.map((name) => `${name} passed`), `${denying} denied`);
  });
  const both = NAMES.flatMap((name) => [`${name} passed`, `${name} denied`]);
  expect(tried.rare(both, 20)).toEqual([]);
});

test('a gate names each of its reasons once, and those of a symbol where it is entered', async () => {
  const cases = fc.tuple(
    fc.subarray(['starting', 'killed']),
    fc.array(symbol, { maxLength: 3 }),
    fc.subarray([...SYMBOLS]),
    fc.array(symbol, { maxLength: 2 }),
    fc.boolean(),
  );
  await holdLaw(500, cases, ([gate, entered, closed, named, opaque]) => {
    const entries = entered.map((one) => ({ symbol: one, side: 'buy' as const, size: 1 }));
    const closedSymbols = new Map(closed.map((one) => [one as string, `${one} is in doubt`]));
    const opened = new Set(opaque ? [...entered, ...named] : entered);
    // What names no symbol may open on any.
    const own = opened.size === 0 ? closed : [...opened].filter((one) => closed.includes(one));
    const reasons = [...gate, ...own.map((one) => `${one} is in doubt`)];
    const view = {
      gate,
      closedSymbols,
      ownedSymbols: SYMBOLS,
      keyScopes: null,
      refusedScopes: new Set(),
      now: NOW,
      present: NOW,
      maintainedRows: 0,
      position: () => 0,
      instrument: () => ({}),
      market: () => ({ price: 100, time: NOW, intervalMs: 60_000 }),
    } as never as GuardSnapshot;
    const one = { kind: 'launch', symbols: named, entries, isExit: false, scopes: [], opaque };
    const verdict = createGuards({})({ ...one, maintainedRows: 0 }, view);
    return verdict.passed || verdict.guard !== 'entry_gate'
      ? reasons.length === 0 || (!opaque && entered.length === 0)
      : verdict.reason === reasons.join(', ');
  });
});

test('of what is on symbols that the bot does not follow a denial names three, and counts the others', async () => {
  const foreign = fc.array(fc.tuple(few(2), fc.constantFrom(10, undefined)), { maxLength: 6 });
  await holdLaw(300, foreign, (drawn) => {
    const exposed = drawn.map((_one, at) => `X${at}`);
    const of = (name: string): (typeof drawn)[number] | undefined => drawn[exposed.indexOf(name)];
    const entries = [{ symbol: 'BTC', side: 'buy' as const, size: 1 }];
    const view = {
      now: NOW,
      present: NOW,
      gate: [],
      ownedSymbols: ['BTC'],
      keyScopes: null,
      refusedScopes: new Set(),
      equity: 1_000,
      dayLoss: 0,
      dayLimitReached: undefined,
      maintainedRows: 0,
      market: (name: string) =>
        name === 'BTC' ? { price: 100, time: NOW, intervalMs: 60_000 } : undefined,
      reference: (name: string) => ({ price: of(name)?.[1], what: `order of ${name}` }),
      position: (name: string) => of(name)?.[0] ?? 0,
      pending: () => 0,
      highestTrigger: () => 0,
      closing: () => 0,
      armed: () => 0,
      instrument: () => ({}),
      exposedSymbols: exposed,
    } as never as GuardSnapshot;
    const one = {
      kind: 'place_order',
      symbols: ['BTC'],
      entries,
      isExit: false,
      scopes: [],
      maintainedRows: 0,
    };
    const verdict = createGuards({ max_gross_notional: 1 })(one, view);
    const named = exposed.flatMap((name) => {
      const [size, price] = of(name)!;
      if (size === 0) return [];
      const worth = price === undefined ? 'of no known price' : (size * price).toFixed(2);
      return [`${name} (order of ${name}) ${worth}`];
    });
    const isKnown = drawn.every(([size, price]) => size === 0 || price !== undefined);
    const gross = 100 + drawn.reduce((sum, [size, price]) => sum + size * (price ?? 0), 0);
    const reached = isKnown ? gross.toFixed(2) : 'what has no known price';
    const more = named.length > 3 ? `, and ${named.length - 3} more` : '';
    const listed = `; of it on symbols that the bot does not follow: ${named.slice(0, 3).join(', ')}${more}`;
    expect(verdict).toMatchObject({
      guard: 'max_gross_notional',
      reason: `the wallet would reach ${reached} gross, above 1${named.length === 0 ? '' : listed}`,
    });
  });
});
