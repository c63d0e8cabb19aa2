import fc from 'fast-check';
import type { GuardedIntent, GuardLimits, GuardSnapshot } from '../../src/guards/index.ts';

/** Whom the guards are asked about, what they see, and their limits, as fast-check draws them. */

export const NOW = 1_700_000_000_000;
/** The name of one begins with that of another, as a spot market's does. */
export const SYMBOLS = ['BTC', 'HYPE', 'HYPE/USDC'] as const;

const mostly = <T, R>(usual: T, rare: fc.Arbitrary<R>, weight = 12): fc.Arbitrary<T | R> =>
  fc.oneof({ weight, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: rare });
const maybe = <T>(of: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.option(of, { nil: undefined });
export const few = (max: number): fc.Arbitrary<number> => fc.integer({ min: 0, max });
export const symbol = fc.constantFrom(...SYMBOLS);
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

export const intent: fc.Arbitrary<GuardedIntent> = fc
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

export const snapshot: fc.Arbitrary<GuardSnapshot> = fc
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
export const limits: fc.Arbitrary<GuardLimits> = fc
  .subarray(Object.keys(LIMITS) as Array<keyof typeof LIMITS>, { maxLength: 3 })
  .chain((names) => {
    const drawn = Object.fromEntries(names.map((name) => [name, LIMITS[name]]));
    return fc.record(drawn as Record<string, fc.Arbitrary<unknown>>);
  })
  .map((drawn) => drawn as GuardLimits);
