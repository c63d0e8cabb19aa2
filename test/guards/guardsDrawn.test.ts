import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  createGuards,
  type GuardedIntent,
  type GuardLimits,
  type GuardSnapshot,
} from '../../src/guards/index.ts';
import { holdLaw, Tried } from '../holdLaw.ts';
import { NAIVE_GUARDS } from './naiveGuards.ts';

const NOW = 1_700_000_000_000;
/** The name of one begins with that of another, as a spot market's does. */
const SYMBOLS = ['BTC', 'HYPE', 'HYPE/USDC'] as const;
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

const mostly = <T, R>(usual: T, rare: fc.Arbitrary<R>, weight = 12): fc.Arbitrary<T | R> =>
  fc.oneof({ weight, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: rare });
const maybe = <T>(of: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.option(of, { nil: undefined });
const few = (max: number): fc.Arbitrary<number> => fc.integer({ min: 0, max });
const symbol = fc.constantFrom(...SYMBOLS);
const side = fc.constantFrom('buy' as const, 'sell' as const);

const entry = fc
  .record({
    symbol,
    side,
    size: few(4),
    orderSize: mostly(undefined, few(4), 4),
    price: maybe(
      fc.oneof({ weight: 9, arbitrary: fc.integer({ min: 96, max: 104 }) }, fc.constant(0)),
    ),
    triggeredAt: mostly<undefined, number | null>(
      undefined,
      fc.constantFrom(null, 90, 100, 120),
      3,
    ),
    reachBps: mostly(
      undefined,
      few(4).map((percent) => percent * 100),
      4,
    ),
    isAtOnce: fc.boolean(),
    isRepeated: mostly(false, fc.constant(true), 8),
  })
  .map(({ orderSize, price, triggeredAt, reachBps, isAtOnce, isRepeated, ...rest }) => ({
    ...rest,
    ...(orderSize === undefined ? {} : { orderSize: rest.size + orderSize }),
    ...(isAtOnce ? { isAtOnce } : {}),
    ...(isRepeated ? { isRepeated } : {}),
    ...(price === undefined ? {} : { price }),
    ...(triggeredAt === undefined ? {} : { triggeredAt }),
    ...(reachBps === undefined ? {} : { reachBps }),
  }));

const cause = fc.record({
  // A clock that was set back makes it of later.
  time: fc
    .oneof(
      { weight: 9, arbitrary: fc.integer({ min: 0, max: 310 }) },
      { weight: 1, arbitrary: fc.constant(-310) },
    )
    .map((seconds) => NOW - seconds * 1_000),
  intervalMs: fc.constantFrom(undefined, 60_000, 300_000, 3_600_000),
  isCatchUp: mostly<boolean | undefined, boolean>(undefined, fc.boolean(), 4),
  isOvertaken: fc.constantFrom(undefined, false, true),
});

const intent: fc.Arbitrary<GuardedIntent> = fc
  .record({
    kind: fc.constantFrom(
      'launch',
      'launch_basket',
      'place_order',
      'set_leverage',
      'close_position',
    ),
    entries: fc.array(entry, { maxLength: 3 }),
    named: fc.array(symbol, { maxLength: 2 }),
    isExit: mostly(false, fc.constant(true), 3),
    scopes: fc.subarray(['trade', 'algo'] as const),
    leverage: maybe(few(6)),
    maintainedRows: few(3),
    executions: maybe(few(4)),
    opaque: mostly<boolean | undefined, boolean>(undefined, fc.boolean()),
    cause: mostly(undefined, cause, 2),
  })
  .map(({ named, leverage, opaque, executions, cause: by, ...rest }) => ({
    ...rest,
    symbols: [...new Set([...named, ...rest.entries.map((one) => one.symbol)])],
    ...(leverage === undefined ? {} : { leverage }),
    ...(opaque === undefined ? {} : { opaque }),
    ...(executions === undefined ? {} : { executions }),
    ...(by === undefined ? {} : { cause: by }),
  }));

const bySymbol = <T>(of: fc.Arbitrary<T>): fc.Arbitrary<(symbol: string) => T> =>
  fc.tuple(of, of, of).map((all) => (name: string) => all[SYMBOLS.indexOf(name as 'BTC')]!);

const seen = fc.record({
  price: fc.integer({ min: 96, max: 104 }),
  time: mostly(
    NOW - 1_000,
    fc
      .oneof(fc.integer({ min: 55, max: 75 }), fc.constant(-500))
      .map((seconds) => NOW - seconds * 1_000),
    8,
  ),
  intervalMs: fc.constant(60_000),
});

const snapshot: fc.Arbitrary<GuardSnapshot> = fc
  .record({
    present: mostly(
      NOW,
      fc.integer({ min: 0, max: 5 }).map((late) => NOW + late * 1_000),
      2,
    ),
    gate: mostly<string[], string[]>([], fc.constant(['starting'])),
    closedSymbols: mostly(
      undefined,
      fc.subarray([...SYMBOLS]).map((all) => new Map(all.map((one) => [one, 'in doubt']))),
      4,
    ),
    ownedSymbols: mostly<string[], string[]>([...SYMBOLS], fc.subarray([...SYMBOLS])),
    ignored: mostly<string[], string[]>([], fc.subarray([...SYMBOLS])),
    keyScopes: mostly<('trade' | 'algo')[] | null, ('trade' | 'algo')[]>(
      null,
      fc.subarray(['trade', 'algo'] as const),
      4,
    ),
    refusedScopes: mostly(
      new Set<'trade' | 'algo'>(),
      fc.subarray(['trade', 'algo'] as const).map((all) => new Set(all)),
      8,
    ),
    market: bySymbol(fc.option(seen, { nil: undefined, freq: 8 })),
    reference: maybe(
      bySymbol(maybe(fc.record({ price: maybe(few(120)), what: fc.constant('x') }))),
    ),
    position: bySymbol(mostly(0, fc.integer({ min: -4, max: 4 }), 1)),
    pendingBuy: bySymbol(mostly(0, few(3), 1)),
    pendingSell: bySymbol(mostly(0, few(3), 1)),
    highestBuy: bySymbol(mostly(0, fc.constantFrom(90, 110, 130), 3)),
    highestSell: bySymbol(mostly(0, fc.constantFrom(90, 110, 130), 3)),
    closing: bySymbol(mostly(0, fc.constantFrom(1, 3, Infinity), 3)),
    armed: bySymbol(mostly(0, fc.constantFrom(1, 3, Infinity), 3)),
    exposedSymbols: fc.subarray([...SYMBOLS]),
    runningExecutions: few(3),
    startingExecutions: mostly(0, few(3), 1),
    uncovered: fc.array(
      fc.record({ symbol, since: few(4).map((seconds) => NOW - seconds * 1_000) }),
      { maxLength: 3 },
    ),
    maintainedRows: mostly(3, fc.integer({ min: 17, max: 20 }), 2),
    recentIntents: few(4),
    recentEntries: few(4),
    throttled: mostly(undefined, fc.constant('too many'), 6),
    equity: mostly<number | undefined, number | undefined>(
      1_000,
      fc.constantFrom(undefined, -500, -1, 0, 1, 50),
      2,
    ),
    dayLoss: fc.integer({ min: -3, max: 3 }),
    dayLimitReached: mostly<number | undefined, number>(
      undefined,
      fc.integer({ min: 0, max: 3 }),
      3,
    ),
    instrument: bySymbol(mostly({} as never, fc.constant(undefined), 40)),
  })
  .map(({ pendingBuy, pendingSell, highestBuy, highestSell, ...drawnSnapshot }) => ({
    ...drawnSnapshot,
    pending: (name: string, on: string) => (on === 'buy' ? pendingBuy : pendingSell)(name),
    highestTrigger: (name: string, on: string) => (on === 'buy' ? highestBuy : highestSell)(name),
  }))
  .map(({ uncovered, closedSymbols, reference, ignored, ...rest }) => ({
    ...rest,
    now: NOW,
    uncovered: () => uncovered,
    leverage: () => undefined,
    ...(ignored.length === 0 ? {} : { ignores: (name: string) => ignored.includes(name) }),
    ...(closedSymbols === undefined ? {} : { closedSymbols }),
    ...(reference === undefined ? {} : { reference }),
  }));

/** Small whole numbers: values meet limits often, below, at and above. */
const LIMITS = {
  allowed_symbols: mostly<string[], string[]>([...SYMBOLS], fc.subarray([...SYMBOLS]), 2),
  max_order_size: fc.dictionary(symbol, few(4), { noNullPrototype: true }),
  max_order_notional: few(4).map((size) => size * 100),
  max_position_notional: few(10).map((size) => size * 100),
  max_gross_notional: few(30).map((size) => size * 100),
  max_leverage: few(5),
  max_intents_per_minute: few(4),
  max_entries_per_hour: few(4),
  max_concurrent_executions: few(3),
  daily_loss_limit: few(3),
  max_uncovered_seconds: few(4),
  price_collar_bps: few(4).map((percent) => percent * 100),
  max_data_age_seconds: few(12),
  max_decision_age_seconds: mostly(0, few(310), 1),
};

/** One to three limits at a time, so that the first to deny does not hide the others. */
const limits: fc.Arbitrary<GuardLimits> = fc
  .subarray(Object.keys(LIMITS) as Array<keyof typeof LIMITS>, { maxLength: 3 })
  .chain((names) => {
    const drawn = Object.fromEntries(names.map((name) => [name, LIMITS[name]]));
    return fc.record(drawn as Record<string, fc.Arbitrary<unknown>>);
  })
  .map((drawn) => drawn as GuardLimits);

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
