import { describe, expect, test } from 'vitest';
import {
  createGuards,
  type GuardedIntent,
  type GuardLimits,
  type GuardSnapshot,
} from '../../src/guards/index.ts';
import { maxEntriesPerHour } from '../../src/guards/maxEntriesPerHour.ts';

const NOW = 1_700_000_000_000;

const snapshot = (over: Partial<GuardSnapshot> = {}): GuardSnapshot => ({
  now: NOW,
  present: NOW,
  gate: [],
  ownedSymbols: ['BTC', 'ETH'],
  keyScopes: ['read', 'trade', 'algo'],
  market: () => ({ price: 100, time: NOW - 1_000, intervalMs: 60_000 }),
  position: () => 0,
  pending: () => 0,
  highestTrigger: () => 0,
  closing: () => 0,
  armed: () => 0,
  exposedSymbols: [],
  runningExecutions: 0,
  startingExecutions: 0,
  uncovered: () => [],
  refusedScopes: new Set(),
  maintainedRows: 0,
  recentIntents: 0,
  recentEntries: 0,
  throttled: undefined,
  equity: 10_000,
  dayLoss: 0,
  dayLimitReached: undefined,
  instrument: (symbol) => ({ symbol }) as never,
  leverage: () => 10,
  ...over,
});

const entry = (size: number, over: Partial<GuardedIntent> = {}): GuardedIntent => ({
  kind: 'launch',
  symbols: ['BTC'],
  entries: [{ symbol: 'BTC', side: 'buy', size }],
  isExit: false,
  maintainedRows: 0,
  scopes: ['algo'],
  ...over,
});
const at = (price: number): GuardedIntent =>
  entry(1, { entries: [{ symbol: 'BTC', side: 'buy', size: 1, price }] });
const exit = entry(0, { kind: 'close_position', entries: [], isExit: true, scopes: ['trade'] });

const evaluate = (
  limits: GuardLimits,
  intent: GuardedIntent,
  over: Partial<GuardSnapshot> = {},
) => {
  const verdict = createGuards(limits)(intent, snapshot(over));
  return verdict.passed ? 'passed' : verdict.guard;
};

describe('each guard denies just beyond its limit and passes at it', () => {
  const cases: Array<[string, GuardLimits, GuardedIntent, GuardedIntent, Partial<GuardSnapshot>?]> =
    [
      ['max_order_size', { max_order_size: { BTC: 2 } }, entry(2), entry(2.1)],
      // Products and ratios whose doubles are beyond the decimal limit: 1.1 × 100 is 110.
      ['max_order_notional', { max_order_notional: 110 }, entry(1.1), entry(1.1001)],
      ['max_position_notional', { max_position_notional: 110 }, entry(1.1), entry(1.1001)],
      ['max_gross_notional', { max_gross_notional: 110 }, entry(1.1), entry(1.1001)],
      ['max_leverage', { max_leverage: 0.011 }, entry(1.1), entry(1.1001)],
      ['price_collar', { price_collar_bps: 7 }, at(100.07), at(100.071)],
      ['price_collar', { price_collar_bps: 7 }, at(99.93), at(99.929)],
      ['max_order_notional', { max_order_notional: 200 }, entry(2), entry(2.1)],
      ['max_position_notional', { max_position_notional: 200 }, entry(2), entry(2.1)],
      ['max_gross_notional', { max_gross_notional: 200 }, entry(2), entry(2.1)],
      ['max_leverage', { max_leverage: 0.02 }, entry(2), entry(2.1)],
      ['max_leverage', { max_leverage: 5 }, entry(1, { leverage: 5 }), entry(1, { leverage: 6 })],
      [
        'price_collar',
        { price_collar_bps: 100 },
        entry(1, { entries: [{ symbol: 'BTC', side: 'buy', size: 1, price: 99 }] }),
        entry(1, { entries: [{ symbol: 'BTC', side: 'buy', size: 1, price: 98.9 }] }),
      ],
      ['allowed_symbols', { allowed_symbols: ['ETH'] }, exit, entry(1)],
      ['owns_symbols', {}, entry(1), entry(1, { symbols: ['SOL'] })],
    ];
  test.each(cases)('%s', (guard, limits, passes, denied) => {
    // By the same name in both lists.
    expect(createGuards(limits)(passes, snapshot())).toMatchObject({
      passed: true,
      passedGuards: expect.arrayContaining([guard]),
    });
    expect(evaluate(limits, denied)).toBe(guard);
  });
});

test('max_order_notional counts the order’s own price if above the market', () => {
  const high = entry(2, { entries: [{ symbol: 'BTC', side: 'buy', size: 2, price: 120 }] });
  expect(evaluate({ max_order_notional: 200 }, high)).toBe('max_order_notional');
});

test.each([
  ['max_order_size', { max_order_size: { BTC: 2 } }],
  ['max_order_notional', { max_order_notional: 200 }],
] as const)('%s counts an enlarged order whole, and exposure what it grows by', (guard, limits) => {
  const grown = (orderSize: number) =>
    entry(1, { entries: [{ symbol: 'BTC', side: 'buy', size: 0.5, orderSize }] });
  expect(evaluate(limits, grown(2))).toBe('passed');
  expect(evaluate(limits, grown(2.1))).toBe(guard);
  expect(evaluate({ max_position_notional: 50 }, grown(2.1))).toBe('passed');
});

test('exposure counts pending intents at full size, and sides do not offset each other', () => {
  const limits = { max_position_notional: 500 };
  const pending = (_symbol: string, side: string) => (side === 'buy' ? 4 : 0);
  expect(evaluate(limits, entry(1), { pending })).toBe('passed');
  expect(evaluate(limits, entry(1.1), { pending })).toBe('max_position_notional');
  const short = entry(1.1, { entries: [{ symbol: 'BTC', side: 'sell', size: 1.1 }] });
  expect(evaluate(limits, short, { pending })).toBe('passed');
  expect(evaluate(limits, entry(6), { position: () => -2 })).toBe('passed');
});

test('a symbol without a price passes no notional limit', () => {
  const limits = { max_order_notional: 1e12 };
  const blind = { market: () => undefined };
  expect(evaluate(limits, entry(0.001), blind)).toBe('data_age');
});

test('entries on stale data are denied, exits on it are not', () => {
  const stale = {
    market: () => ({ price: 100, time: NOW - 70_001, intervalMs: 60_000 }),
  };
  expect(evaluate({}, entry(1), stale)).toBe('data_age');
  expect(evaluate({}, exit, stale)).toBe('passed');
  const fresh = { market: () => ({ price: 100, time: NOW - 70_000, intervalMs: 60_000 }) };
  expect(evaluate({}, entry(1), fresh)).toBe('passed');
  expect(evaluate({ max_data_age_seconds: 5 }, entry(1), fresh)).toBe('data_age');
});

test('a flood is limited for entries, never for exits', () => {
  const limits = { max_intents_per_minute: 3 };
  expect(evaluate(limits, entry(1), { recentIntents: 2 })).toBe('passed');
  expect(evaluate(limits, entry(1), { recentIntents: 3 })).toBe('max_intents_per_minute');
  expect(evaluate(limits, exit, { recentIntents: 99 })).toBe('passed');
});

describe('concurrent executions', () => {
  const limits = { max_concurrent_executions: 3 };
  const legs = (count: number, executions = count): GuardedIntent =>
    entry(1, {
      kind: 'launch_basket',
      executions,
      entries: Array.from({ length: count }, () => ({ symbol: 'BTC', side: 'buy', size: 1 })),
    });
  const at = (runningExecutions: number, startingExecutions: number) => ({
    runningExecutions,
    startingExecutions,
  });

  test.each([
    ['a launch beside three that run', legs(1), at(3, 0), 'max_concurrent_executions'],
    ['a launch beside three on their way', legs(1), at(0, 3), 'max_concurrent_executions'],
    ['a launch beside two', legs(1), at(1, 1), 'passed'],
    ['a basket of three', legs(3), at(0, 0), 'passed'],
    ['a basket of four', legs(4), at(0, 0), 'max_concurrent_executions'],
    ['a basket of which two legs only reduce', legs(1, 3), at(1, 1), 'passed'],
    ['an order', entry(1, { kind: 'place_order' }), at(9, 9), 'passed'],
    ['an exit by algorithm', { ...exit, executions: 1 }, at(9, 9), 'passed'],
  ] as const)('%s', (_name, intent, over, expected) => {
    expect(evaluate(limits, intent, over)).toBe(expected);
  });

  test('a denial counts what runs, what may start and its own', () => {
    const verdict = createGuards(limits)(legs(2), snapshot(at(1, 1)));
    expect(verdict).toMatchObject({
      value: 4,
      limit: 3,
      reason:
        '4 executions might run at once (2 of its own, 1 running and 1 that may start), the limit is 3',
    });
  });
});

describe('what waits for a price above the last one, of 100,', () => {
  const waiting = (over: object): GuardedIntent =>
    entry(10, { entries: [{ symbol: 'BTC', side: 'buy', size: 10, triggeredAt: 150, ...over }] });

  test.each(['max_order_notional', 'max_position_notional', 'max_gross_notional'] as const)(
    'opens as much as it costs then: %s',
    (limit) => {
      expect(evaluate({ [limit]: 1_499 }, waiting({}))).toBe(limit);
      expect(evaluate({ [limit]: 1_500 }, waiting({}))).toBe('passed');
      expect(evaluate({ [limit]: 1_000 }, waiting({ triggeredAt: 50 }))).toBe('passed');
    },
  );

  test('is worth that also while it is pending, beside what enters on its side', () => {
    const limits = { max_position_notional: 1_649 };
    const pending = (_symbol: string, side: string) => (side === 'buy' ? 10 : 0);
    const highestTrigger = (_symbol: string, side: string) => (side === 'buy' ? 150 : 0);
    expect(evaluate(limits, entry(1), { pending, highestTrigger })).toBe('max_position_notional');
    expect(evaluate(limits, entry(1), { pending })).toBe('passed');
    const sold = entry(16, { entries: [{ symbol: 'BTC', side: 'sell', size: 16 }] });
    expect(evaluate(limits, sold, { pending, highestTrigger })).toBe('passed');
  });

  test('is measured from there by the collar, and a bound that follows it by itself', () => {
    const limits = { price_collar_bps: 500 };
    expect(evaluate(limits, waiting({ price: 157.5 }))).toBe('passed');
    expect(evaluate(limits, waiting({ price: 157.6 }))).toBe('price_collar');
    expect(createGuards(limits)(waiting({ price: 120 }), snapshot())).toMatchObject({
      value: 2_000,
      reason: 'price 120 is 2000 bps from 150, the limit is 500',
    });
    const following = { triggeredAt: null, reachBps: 500 };
    expect(evaluate(limits, waiting(following))).toBe('passed');
    expect(evaluate(limits, waiting({ ...following, reachBps: 501 }))).toBe('price_collar');
  });
});

test('what would only close the position is told how it passes as an exit', () => {
  const evaluateWith = createGuards({ daily_loss_limit: 100, max_order_size: { BTC: 1 } });
  const reasonOf = (size: number, held: number, dayLoss = 100): string => {
    const verdict = evaluateWith(entry(size), snapshot({ dayLoss, position: () => held }));
    return verdict.passed ? 'passed' : verdict.reason;
  };
  const remedy = /; to close what is held, set reduce_only: true, on spot too$/;
  for (const [size, held] of [
    [1, -1],
    [1, -2],
  ] as const)
    expect(reasonOf(size, held)).toMatch(remedy);
  for (const [size, held] of [
    [1, -0.5],
    [1, 0],
    [1, 1],
  ] as const)
    expect(reasonOf(size, held)).not.toMatch(remedy);
  // An exit of that size is denied, too.
  expect(reasonOf(2, -2, 0)).not.toMatch(remedy);
  const selling = entry(1, { entries: [{ symbol: 'BTC', side: 'sell', size: 1 }] });
  const verdict = evaluateWith(selling, snapshot({ dayLoss: 100, position: () => 1 }));
  expect(verdict).toMatchObject({ reason: expect.stringMatching(remedy) });
});

test.each<[string, boolean, ...Array<[symbol: string, side: 'buy' | 'sell', size: number]>]>([
  ['each leg closes', true, ['BTC', 'buy', 1], ['ETH', 'sell', 2]],
  ['one leg opens', false, ['BTC', 'buy', 1], ['ETH', 'buy', 1]],
  ['one leg is larger than what is held', false, ['BTC', 'buy', 1], ['ETH', 'sell', 2.1]],
  ['one leg is a new price', false, ['BTC', 'buy', 1], ['ETH', 'sell', 0]],
])('a basket of which %s is told that it could be an exit: %s', (_what, isExit, ...legs) => {
  const entries = legs.map(([symbol, side, size]) => ({ symbol, side, size }));
  const held = (symbol: string): number => (symbol === 'BTC' ? -1 : 2);
  const verdict = createGuards({ daily_loss_limit: 1 })(
    entry(1, { symbols: ['BTC', 'ETH'], entries }),
    snapshot({ dayLoss: 1, position: held }),
  );
  expect(!verdict.passed && verdict.reason.includes('reduce_only')).toBe(isExit);
});

test('a denial says that what closes the position may fill first, if it is on the other side', () => {
  for (const side of ['buy', 'sell'] as const) {
    for (const held of [-1, 0, 1]) {
      for (const closing of [0, 1]) {
        for (const armed of [0, 1]) {
          const verdict = createGuards({ max_position_notional: 100 })(
            entry(1, { entries: [{ symbol: 'BTC', side, size: 3 }] }),
            snapshot({ position: () => held, closing: () => closing, armed: () => armed }),
          );
          const isOpposite = held === (side === 'buy' ? -1 : 1);
          expect(!verdict.passed && verdict.reason.includes('fills first')).toBe(
            isOpposite && closing + armed > 0,
          );
        }
      }
    }
  }
});

test.each<[string, GuardLimits, Partial<GuardSnapshot>, Partial<GuardedIntent>?]>([
  ['catch_up', {}, {}, { cause: { time: NOW, isCatchUp: true } }],
  ['max_decision_age_seconds', {}, { present: NOW + 3_600_000 }, { cause: { time: NOW } }],
  ['entry_gate', {}, { gate: ['starting'] }],
  ['data_age', {}, { market: () => undefined }],
  ['max_position_notional', { max_position_notional: 1 }, { pending: () => 9 }],
  ['max_gross_notional', { max_gross_notional: 1 }, { pending: () => 9 }],
  ['max_leverage', { max_leverage: 0.001 }, { pending: () => 9 }],
  ['max_entries_per_hour', { max_entries_per_hour: 1 }, { recentEntries: 1 }],
  [
    'max_uncovered_seconds',
    { max_uncovered_seconds: 1 },
    { uncovered: () => [{ symbol: 'BTC', since: NOW - 60_000 }] },
  ],
  ['daily_loss', { daily_loss_limit: 1 }, { dayLoss: 1 }],
])('%s says how a close passes it', (guard, limits, over, intent = {}) => {
  const closing = { ...snapshot(over), position: () => -1 };
  expect(createGuards(limits)(entry(1, intent), closing)).toMatchObject({
    guard,
    reason: expect.stringContaining('to close what is held, set reduce_only: true'),
  });
});

test('a missing scope names who lacks it', () => {
  const reasonOf = (over: Partial<GuardSnapshot>): string => {
    const verdict = createGuards({})(entry(1), snapshot({ keyScopes: ['trade'], ...over }));
    return verdict.passed ? 'passed' : verdict.reason;
  };
  expect(reasonOf({ declaredScopes: ['trade'] })).toMatch(/^the plugin does not declare .* algo/);
  expect(reasonOf({ declaredScopes: ['trade', 'algo'] })).toMatch(/^the key lacks .* algo/);
  expect(reasonOf({})).toMatch(/^the key lacks .* algo/);
});

test('the daily loss limit denies entries and passes exits', () => {
  const limits = { daily_loss_limit: 100 };
  expect(evaluate(limits, entry(1), { dayLoss: 99 })).toBe('passed');
  expect(evaluate(limits, entry(1), { dayLoss: 100 })).toBe('daily_loss');
  expect(evaluate(limits, exit, { dayLoss: 500 })).toBe('passed');
  expect(evaluate(limits, entry(1), { dayLoss: 20, dayLimitReached: 100 })).toBe('daily_loss');
  // Under a limit that was raised since.
  expect(evaluate(limits, entry(1), { dayLoss: 20, dayLimitReached: 99 })).toBe('passed');
  expect(evaluate(limits, exit, { dayLoss: 20, dayLimitReached: 100 })).toBe('passed');
});

test('a position uncovered for too long denies entries only', () => {
  const limits = { max_uncovered_seconds: 60 };
  const since = (seconds: number) => ({
    uncovered: () => [
      { symbol: 'SOL', since: NOW },
      { symbol: 'ETH', since: NOW - seconds * 1_000 },
    ],
  });
  expect(evaluate(limits, entry(1), since(60))).toBe('passed');
  expect(evaluate(limits, entry(1), since(60.001))).toBe('max_uncovered_seconds');
  expect(evaluate({}, entry(1), since(9_999))).toBe('passed');
  const without = (kind: string) => entry(0, { kind, entries: [], isExit: kind !== 'attach_tpsl' });
  for (const kind of ['close_position', 'cancel_order', 'attach_tpsl']) {
    expect(evaluate(limits, without(kind), since(9_999)), kind).toBe('passed');
  }
  expect(createGuards(limits)(entry(1), snapshot(since(90.5)))).toMatchObject({
    reason: 'ETH has been uncovered for 90 s, the limit is 60',
    limit: 60,
    value: 90.5,
  });
});

test('AUTH-4: a scope that the key lacks is denied before it costs weight', () => {
  expect(evaluate({}, entry(1), { keyScopes: ['read', 'trade'] })).toBe('has_scopes');
  expect(evaluate({}, entry(1), { keyScopes: null })).toBe('passed');
});

test('AUTH-4: a scope that the service refused is not requested again, except for an exit', () => {
  const refusedScopes = new Set(['algo', 'trade'] as const);
  expect(evaluate({}, entry(1), { refusedScopes })).toBe('has_scopes');
  expect(evaluate({}, exit, { refusedScopes })).toBe('passed');
});

test('one entry too many, or a latch, denies entries and passes exits', () => {
  const limits = { max_entries_per_hour: 3 };
  expect(evaluate(limits, entry(1), { recentEntries: 2 })).toBe('passed');
  expect(evaluate(limits, entry(1), { recentEntries: 3 })).toBe('max_entries_per_hour');
  expect(evaluate(limits, entry(1), { throttled: '3 entries' })).toBe('max_entries_per_hour');
  expect(evaluate(limits, exit, { recentEntries: 9, throttled: '3 entries' })).toBe('passed');
  expect(evaluate({}, entry(1), { throttled: '3 entries' })).toBe('passed');
});

test('a latched instance is refused for the reason of its latch, another for what was counted', () => {
  const guard = maxEntriesPerHour({ max_entries_per_hour: 3 });
  const verdictOf = (over: Partial<GuardSnapshot>) => guard(entry(1), snapshot(over));
  const denied = { passed: false, guard: 'max_entries_per_hour', limit: 3 };
  expect(verdictOf({ recentEntries: 4 })).toEqual({
    ...denied,
    reason: '4 entries within an hour, the limit is 3; trimtab rearm lets it enter again',
    value: 4,
  });
  expect(verdictOf({ recentEntries: 1, throttled: '5 entries before noon' })).toEqual({
    ...denied,
    reason: '5 entries before noon',
    value: 1,
  });
});

test('a symbol that the service does not list is denied', () => {
  expect(evaluate({}, entry(1), { instrument: () => undefined })).toBe('knows_instrument');
});

test('intents of unknown exposure are denied', () => {
  expect(evaluate({}, entry(1, { opaque: true }))).toBe('shows_exposure');
  expect(evaluate({}, entry(1, { opaque: false }))).toBe('passed');
});

test('a basket from a template is denied for its unknown exposure, with the known part', () => {
  const basket = entry(0, { kind: 'launch_basket', symbols: [], entries: [], opaque: true });
  expect(createGuards({})(basket, snapshot())).toMatchObject({
    guard: 'shows_exposure',
    reason: expect.stringMatching(/legs are in a template.*maintained rows.*launch it with `legs`/),
  });
});

test('no entry passes a closed gate, and every exit does', () => {
  const closed = { gate: ['starting', 'stream lost'] };
  expect(evaluate({}, entry(1), closed)).toBe('entry_gate');
  expect(evaluate({}, exit, closed)).toBe('passed');
});

test('a closed symbol denies its the bot’s entries and what may open anywhere, and no exit', () => {
  const closed = (symbol: string) => ({ closedSymbols: new Map([[symbol, 'in doubt']]) });
  const anywhere = entry(0, { entries: [], opaque: true });
  expect(evaluate({}, entry(1), closed('BTC'))).toBe('entry_gate');
  expect(evaluate({}, entry(1), closed('ETH'))).not.toBe('entry_gate');
  expect(evaluate({}, anywhere, closed('BTC'))).toBe('entry_gate');
  expect(evaluate({}, anywhere, closed('ETH'))).not.toBe('entry_gate');
  expect(evaluate({}, { ...anywhere, symbols: [] }, closed('ETH'))).toBe('entry_gate');
  expect(evaluate({}, exit, closed('BTC'))).toBe('passed');
});

test('LEG-11, TRK-6: the 21st trailing or tracked row is denied, the 20th is not', () => {
  const trail = entry(1, { maintainedRows: 1 });
  expect(evaluate({}, trail, { maintainedRows: 19 })).toBe('passed');
  expect(evaluate({}, trail, { maintainedRows: 20 })).toBe('maintained_rows');
  expect(evaluate({}, entry(1, { maintainedRows: 2 }), { maintainedRows: 19 })).toBe(
    'maintained_rows',
  );
  expect(evaluate({}, entry(1), { maintainedRows: 20 })).toBe('passed');
});

test('a verdict names what passed, and only what was checked', () => {
  const limits: GuardLimits = { max_order_size: { BTC: 2 }, daily_loss_limit: 100 };
  const late = ['catch_up', 'max_decision_age_seconds'];
  const known = ['owns_symbols', 'knows_instrument', 'has_scopes'];
  const always = [...known, ...late, 'entry_gate', 'shows_exposure'];
  const evaluateAll = createGuards(limits);
  expect(evaluateAll(entry(2), snapshot())).toEqual({
    passed: true,
    passedGuards: [...always, 'data_age', 'max_order_size', 'maintained_rows', 'daily_loss'],
  });
  expect(evaluateAll(entry(3), snapshot())).toMatchObject({
    passed: false,
    guard: 'max_order_size',
    limit: 2,
    value: 3,
    passedGuards: [...always, 'data_age'],
  });
});

describe('intents without new exposure: a new price or a resume', () => {
  const limits: GuardLimits = {
    max_order_size: { BTC: 2 },
    max_order_notional: 200,
    max_position_notional: 200,
    max_gross_notional: 200,
    max_leverage: 0.02,
    max_entries_per_hour: 2,
  };
  const repriced = entry(0, { entries: [{ symbol: 'BTC', side: 'buy', size: 0, price: 100 }] });

  test('pass size and entry limits that are already reached', () => {
    const reached = { position: () => 3, recentEntries: 2, throttled: 'too many' };
    expect(evaluate(limits, repriced, reached)).toBe('passed');
    expect(evaluate(limits, entry(1), reached)).toBe('max_position_notional');
  });

  test('are denied like entries by gate, data age and collar', () => {
    const old = { price: 100, time: NOW - 71_000, intervalMs: 60_000 };
    expect(evaluate(limits, repriced, { gate: ['kill level L1'] })).toBe('entry_gate');
    expect(evaluate(limits, repriced, { market: () => old })).toBe('data_age');
    const far = { price: 90, time: NOW, intervalMs: 60_000 };
    expect(evaluate({ price_collar_bps: 100 }, repriced, { market: () => far })).toBe(
      'price_collar',
    );
    expect(evaluate({ daily_loss_limit: 100 }, repriced, { dayLoss: 100 })).toBe('daily_loss');
  });
});

describe('late decisions', () => {
  const aged = (ageMs: number, over: object = {}, more: Partial<GuardedIntent> = {}) =>
    entry(1, { cause: { time: NOW - ageMs, intervalMs: 60_000, ...over }, ...more });

  test('an entry is valid for its bar’s interval, at most 300 s, or as configured', () => {
    expect(evaluate({}, aged(60_000))).toBe('passed');
    expect(evaluate({}, aged(60_001))).toBe('max_decision_age_seconds');
    expect(evaluate({}, aged(300_000, { intervalMs: 3_600_000 }))).toBe('passed');
    expect(evaluate({}, aged(300_001, { intervalMs: 3_600_000 }))).toBe('max_decision_age_seconds');
    expect(evaluate({}, aged(300_001, { intervalMs: undefined }))).toBe('max_decision_age_seconds');
    expect(evaluate({ max_decision_age_seconds: 5 }, aged(5_001))).toBe('max_decision_age_seconds');
    expect(evaluate({ max_decision_age_seconds: 900 }, aged(900_000))).toBe('passed');
  });

  test('age is measured against the best known time, not that of a late frame', () => {
    const late = { present: NOW + 61_000 };
    expect(evaluate({}, aged(0), late)).toBe('max_decision_age_seconds');
  });

  test('unclassified intents count as entries; exits and operator commands pass', () => {
    const old = aged(3_600_000);
    expect(evaluate({}, { ...old, entries: [], opaque: true })).toBe('max_decision_age_seconds');
    expect(evaluate({}, { ...old, entries: [], isExit: true })).toBe('passed');
    expect(evaluate({}, { ...old, cause: undefined })).toBe('passed');
  });

  test('in a catch-up every entry is denied, and every exit but the newest', () => {
    const caught = { isCatchUp: true };
    expect(evaluate({}, aged(0, caught))).toBe('catch_up');
    expect(evaluate({}, aged(0, caught, { entries: [], opaque: true }))).toBe('catch_up');
    expect(evaluate({}, aged(0, caught, { entries: [], kind: 'set_leverage' }))).toBe('catch_up');
    const exit = { entries: [], isExit: true, kind: 'close_position' };
    expect(evaluate({}, aged(0, caught, exit))).toBe('passed');
    expect(evaluate({}, aged(0, { ...caught, isOvertaken: true }, exit))).toBe('catch_up');
  });
});

describe('limits on exposure', () => {
  const exposing = ['max_position_notional', 'max_gross_notional'] as const;

  test.each(exposing)('only a monitor that re-arms is without end: %s', (limit) => {
    for (const isRepeated of [undefined, false, true]) {
      const second = { symbol: 'ETH', side: 'sell', size: 1, isRepeated };
      const entries = [{ symbol: 'BTC', side: 'buy', size: 1 }, second] as never;
      const verdict = evaluate({ [limit]: 1_000 }, entry(1, { entries }));
      expect(verdict).toBe(isRepeated === true ? limit : 'passed');
    }
  });

  test('the gross exposure is that of the intent and of the instant', () => {
    const evaluateGross = createGuards({ max_gross_notional: 300 });
    const one = entry(1);
    const three = entry(3.5);
    const empty = snapshot();
    const full = snapshot({ exposedSymbols: ['BTC'], position: () => 2.5 });
    const isPassed = (intent: GuardedIntent, seen: GuardSnapshot): boolean =>
      evaluateGross(intent, seen).passed;
    // The same entries later, and other entries at the same instant.
    expect([isPassed(one, empty), isPassed(one, full)]).toEqual([true, false]);
    expect([isPassed(one, empty), isPassed(three, empty)]).toEqual([true, false]);
    expect([isPassed(three, empty), isPassed(one, empty)]).toEqual([false, true]);
  });

  test.each([
    [0.5, 0.2, 'passed'],
    [0.5, 0.25, 'passed'],
    [0.5, 0.26, 'max_leverage'],
    [0, 0.01, 'max_leverage'],
    [-1, 0.01, 'max_leverage'],
  ])('of an equity of %d at 50 times, an entry of %d × 100: %s', (equity, size, verdict) => {
    expect(evaluate({ max_leverage: 50 }, entry(size), { equity })).toBe(verdict);
  });

  test.each([
    [-50, 'the wallet has no equity (-50.00)'],
    [0, 'the wallet has no equity (0.00)'],
    [50, 'gross notional would be 2.00 × equity, above 1'],
  ])('with an equity of %d an entry of 100 is denied since %s', (equity, reason) => {
    const verdict = createGuards({ max_leverage: 1 })(entry(1), snapshot({ equity }));
    expect(verdict).toMatchObject({
      guard: 'max_leverage',
      reason: expect.stringContaining(reason),
    });
    expect(verdict).not.toMatchObject({ reason: expect.stringContaining('price') });
  });

  test('a new price adds nothing, whether or not a last price is known', () => {
    const limits = { max_order_notional: 10, max_position_notional: 10, max_gross_notional: 10 };
    for (const price of [100, undefined]) {
      const entries = [{ symbol: 'BTC', side: 'buy', size: 0, price: 100 } as const];
      const seen = { time: NOW - 1_000, intervalMs: 60_000, price } as never;
      expect(evaluate(limits, entry(0, { entries }), { market: () => seen })).toBe('passed');
    }
  });

  test('only symbols that the bot does not follow are named as another’s', () => {
    const seen = snapshot({
      exposedSymbols: ['BTC', 'SOL'],
      position: () => 2,
      market: (symbol) =>
        symbol === 'BTC' ? { price: 100, time: NOW - 1_000, intervalMs: 60_000 } : undefined,
      reference: () => ({ price: 50, what: 'an order' }),
    });
    for (const limits of [{ max_gross_notional: 300 }, { max_leverage: 0.01 }]) {
      const verdict = createGuards(limits)(entry(1), seen);
      expect(verdict).toMatchObject({
        reason: expect.stringMatching(/the bot does not follow: SOL \(an order\) 100\.00$/),
      });
    }
  });
});
