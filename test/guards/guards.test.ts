import { describe, expect, test } from 'vitest';
import {
  createGuards,
  type GuardedIntent,
  type GuardLimits,
  type GuardSnapshot,
} from '../../src/guards/index.ts';

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
  exposedSymbols: [],
  runningExecutions: 0,
  uncovered: () => [],
  refusedScopes: new Set(),
  maintainedRows: 0,
  recentIntents: 0,
  recentEntries: 0,
  throttled: undefined,
  equity: 10_000,
  dayLoss: 0,
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
const exit = entry(0, { kind: 'close_position', entries: [], isExit: true, scopes: ['trade'] });

const judge = (limits: GuardLimits, intent: GuardedIntent, over: Partial<GuardSnapshot> = {}) => {
  const verdict = createGuards(limits)(intent, snapshot(over));
  return verdict.passed ? 'passed' : verdict.guard;
};

describe('each guard denies just beyond its limit and passes at it', () => {
  const cases: Array<[string, GuardLimits, GuardedIntent, GuardedIntent, Partial<GuardSnapshot>?]> =
    [
      ['max_order_size', { max_order_size: { BTC: 2 } }, entry(2), entry(2.1)],
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
    expect(judge(limits, denied)).toBe(guard);
  });
});

test('max_order_notional counts an own price above the market', () => {
  const high = entry(2, { entries: [{ symbol: 'BTC', side: 'buy', size: 2, price: 120 }] });
  expect(judge({ max_order_notional: 200 }, high)).toBe('max_order_notional');
});

test('exposure counts what is pending at full size, and sides do not offset each other', () => {
  const limits = { max_position_notional: 500 };
  const pending = (_symbol: string, side: string) => (side === 'buy' ? 4 : 0);
  expect(judge(limits, entry(1), { pending })).toBe('passed');
  expect(judge(limits, entry(1.1), { pending })).toBe('max_position_notional');
  const short = entry(1.1, { entries: [{ symbol: 'BTC', side: 'sell', size: 1.1 }] });
  expect(judge(limits, short, { pending })).toBe('passed');
  expect(judge(limits, entry(6), { position: () => -2 })).toBe('passed');
});

test('a symbol without a price passes no notional limit', () => {
  const limits = { max_order_notional: 1e12 };
  const blind = { market: () => undefined };
  expect(judge(limits, entry(0.001), blind)).toBe('data_age');
});

test('entries on stale data are denied, exits on it are not', () => {
  const stale = {
    market: () => ({ price: 100, time: NOW - 70_001, intervalMs: 60_000 }),
  };
  expect(judge({}, entry(1), stale)).toBe('data_age');
  expect(judge({}, exit, stale)).toBe('passed');
  const fresh = { market: () => ({ price: 100, time: NOW - 70_000, intervalMs: 60_000 }) };
  expect(judge({}, entry(1), fresh)).toBe('passed');
  expect(judge({ max_data_age_seconds: 5 }, entry(1), fresh)).toBe('data_age');
});

test('a flood is cut off for entries, never for exits', () => {
  const limits = { max_intents_per_minute: 3 };
  expect(judge(limits, entry(1), { recentIntents: 2 })).toBe('passed');
  expect(judge(limits, entry(1), { recentIntents: 3 })).toBe('max_intents_per_minute');
  expect(judge(limits, exit, { recentIntents: 99 })).toBe('passed');
});

test('concurrent executions bound launches only', () => {
  const limits = { max_concurrent_executions: 1 };
  expect(judge(limits, entry(1), { runningExecutions: 1 })).toBe('max_concurrent_executions');
  expect(judge(limits, entry(1, { kind: 'place_order' }), { runningExecutions: 1 })).toBe('passed');
});

test('the daily loss ends entries and leaves exits', () => {
  const limits = { daily_loss_limit: 100 };
  expect(judge(limits, entry(1), { dayLoss: 99 })).toBe('passed');
  expect(judge(limits, entry(1), { dayLoss: 100 })).toBe('daily_loss');
  expect(judge(limits, exit, { dayLoss: 500 })).toBe('passed');
});

test('a position that stood uncovered for too long ends entries, and nothing else', () => {
  const limits = { max_uncovered_seconds: 60 };
  const since = (seconds: number) => ({
    uncovered: () => [
      { symbol: 'SOL', since: NOW },
      { symbol: 'ETH', since: NOW - seconds * 1_000 },
    ],
  });
  expect(judge(limits, entry(1), since(60))).toBe('passed');
  expect(judge(limits, entry(1), since(60.001))).toBe('max_uncovered_seconds');
  expect(judge({}, entry(1), since(9_999))).toBe('passed');
  const without = (kind: string) => entry(0, { kind, entries: [], isExit: kind !== 'attach_tpsl' });
  for (const kind of ['close_position', 'cancel_order', 'attach_tpsl']) {
    expect(judge(limits, without(kind), since(9_999)), kind).toBe('passed');
  }
  expect(createGuards(limits)(entry(1), snapshot(since(90.5)))).toMatchObject({
    reason: 'ETH has been uncovered for 90 s, the limit is 60',
    limit: 60,
    value: 90.5,
  });
});

test('AUTH-4: a scope that the key lacks is denied before it costs weight', () => {
  expect(judge({}, entry(1), { keyScopes: ['read', 'trade'] })).toBe('has_scopes');
  expect(judge({}, entry(1), { keyScopes: null })).toBe('passed');
});

test('AUTH-4: a scope that the service refused is not asked for again, but for an exit', () => {
  const refusedScopes = new Set(['algo', 'trade'] as const);
  expect(judge({}, entry(1), { refusedScopes })).toBe('has_scopes');
  expect(judge({}, exit, { refusedScopes })).toBe('passed');
});

test('one entry too many, or a latch, ends entries and leaves exits', () => {
  const limits = { max_entries_per_hour: 3 };
  expect(judge(limits, entry(1), { recentEntries: 2 })).toBe('passed');
  expect(judge(limits, entry(1), { recentEntries: 3 })).toBe('max_entries_per_hour');
  expect(judge(limits, entry(1), { throttled: '3 entries' })).toBe('max_entries_per_hour');
  expect(judge(limits, exit, { recentEntries: 9, throttled: '3 entries' })).toBe('passed');
  expect(judge({}, entry(1), { throttled: '3 entries' })).toBe('passed');
});

test('a symbol that the service does not list is denied', () => {
  expect(judge({}, entry(1), { instrument: () => undefined })).toBe('knows_instrument');
});

test('exposure that cannot be told is not sent', () => {
  expect(judge({}, entry(1, { opaque: true }))).toBe('shows_exposure');
  expect(judge({}, entry(1, { opaque: false }))).toBe('passed');
});

test('a basket of a template is denied for what can’t be known of it, and says what can be', () => {
  const basket = entry(0, { kind: 'launch_basket', symbols: [], entries: [], opaque: true });
  expect(createGuards({})(basket, snapshot())).toMatchObject({
    guard: 'shows_exposure',
    reason: expect.stringMatching(/legs are in a template.*maintained rows.*launch it with `legs`/),
  });
});

test('no entry passes a closed gate, and every exit does', () => {
  const closed = { gate: ['starting', 'stream lost'] };
  expect(judge({}, entry(1), closed)).toBe('entry_gate');
  expect(judge({}, exit, closed)).toBe('passed');
});

test('a closed symbol denies its own entries and what may open anywhere, and no exit', () => {
  const closed = (symbol: string) => ({ closedSymbols: new Map([[symbol, 'in doubt']]) });
  const anywhere = entry(0, { entries: [], opaque: true });
  expect(judge({}, entry(1), closed('BTC'))).toBe('entry_gate');
  expect(judge({}, entry(1), closed('ETH'))).not.toBe('entry_gate');
  expect(judge({}, anywhere, closed('BTC'))).toBe('entry_gate');
  expect(judge({}, anywhere, closed('ETH'))).not.toBe('entry_gate');
  expect(judge({}, { ...anywhere, symbols: [] }, closed('ETH'))).toBe('entry_gate');
  expect(judge({}, exit, closed('BTC'))).toBe('passed');
});

test('LEG-11, TRK-6: the 21st trailing or tracked row is denied, the 20th is not', () => {
  const trail = entry(1, { maintainedRows: 1 });
  expect(judge({}, trail, { maintainedRows: 19 })).toBe('passed');
  expect(judge({}, trail, { maintainedRows: 20 })).toBe('maintained_rows');
  expect(judge({}, entry(1, { maintainedRows: 2 }), { maintainedRows: 19 })).toBe(
    'maintained_rows',
  );
  expect(judge({}, entry(1), { maintainedRows: 20 })).toBe('passed');
});

test('a verdict names what passed, and only what was checked', () => {
  const limits: GuardLimits = { max_order_size: { BTC: 2 }, daily_loss_limit: 100 };
  const late = ['catch_up', 'max_decision_age_seconds'];
  const known = ['owns_symbols', 'knows_instrument', 'has_scopes'];
  const always = [...known, ...late, 'entry_gate', 'shows_exposure'];
  const judgeAll = createGuards(limits);
  expect(judgeAll(entry(2), snapshot())).toEqual({
    passed: true,
    passedGuards: [...always, 'data_age', 'max_order_size', 'maintained_rows', 'daily_loss'],
  });
  expect(judgeAll(entry(3), snapshot())).toMatchObject({
    passed: false,
    guard: 'max_order_size',
    limit: 2,
    value: 3,
    passedGuards: [...always, 'data_age'],
  });
});

describe('what adds nothing, a new price or a resume', () => {
  const limits: GuardLimits = {
    max_order_size: { BTC: 2 },
    max_order_notional: 200,
    max_position_notional: 200,
    max_gross_notional: 200,
    max_leverage: 0.02,
    max_entries_per_hour: 2,
  };
  const repriced = entry(0, { entries: [{ symbol: 'BTC', side: 'buy', size: 0, price: 100 }] });

  test('passes limits on sizes and on entries that are reached already', () => {
    const reached = { position: () => 3, recentEntries: 2, throttled: 'too many' };
    expect(judge(limits, repriced, reached)).toBe('passed');
    expect(judge(limits, entry(1), reached)).toBe('max_position_notional');
  });

  test('is held up as an entry by gate, age of data and collar', () => {
    const old = { price: 100, time: NOW - 71_000, intervalMs: 60_000 };
    expect(judge(limits, repriced, { gate: ['kill level L1'] })).toBe('entry_gate');
    expect(judge(limits, repriced, { market: () => old })).toBe('data_age');
    const far = { price: 90, time: NOW, intervalMs: 60_000 };
    expect(judge({ price_collar_bps: 100 }, repriced, { market: () => far })).toBe('price_collar');
    expect(judge({ daily_loss_limit: 100 }, repriced, { dayLoss: 100 })).toBe('daily_loss');
  });
});

describe('what was decided too late', () => {
  const aged = (ageMs: number, over: object = {}, more: Partial<GuardedIntent> = {}) =>
    entry(1, { cause: { time: NOW - ageMs, intervalMs: 60_000, ...over }, ...more });

  test('an entry is good for its bar’s interval, at most 300 s, and for what is set', () => {
    expect(judge({}, aged(60_000))).toBe('passed');
    expect(judge({}, aged(60_001))).toBe('max_decision_age_seconds');
    expect(judge({}, aged(300_000, { intervalMs: 3_600_000 }))).toBe('passed');
    expect(judge({}, aged(300_001, { intervalMs: 3_600_000 }))).toBe('max_decision_age_seconds');
    expect(judge({}, aged(300_001, { intervalMs: undefined }))).toBe('max_decision_age_seconds');
    expect(judge({ max_decision_age_seconds: 5 }, aged(5_001))).toBe('max_decision_age_seconds');
    expect(judge({ max_decision_age_seconds: 900 }, aged(900_000))).toBe('passed');
  });

  test('it is the time as far as is known that counts, not that of a late frame', () => {
    const late = { present: NOW + 61_000 };
    expect(judge({}, aged(0), late)).toBe('max_decision_age_seconds');
  });

  test('what can’t be told counts as an entry; exits and an operator’s commands pass', () => {
    const old = aged(3_600_000);
    expect(judge({}, { ...old, entries: [], opaque: true })).toBe('max_decision_age_seconds');
    expect(judge({}, { ...old, entries: [], isExit: true })).toBe('passed');
    expect(judge({}, { ...old, cause: undefined })).toBe('passed');
  });

  test('of a catch-up an entry is denied however young, and of what reduces all but the newest', () => {
    const caught = { isCatchUp: true };
    expect(judge({}, aged(0, caught))).toBe('catch_up');
    expect(judge({}, aged(0, caught, { entries: [], opaque: true }))).toBe('catch_up');
    expect(judge({}, aged(0, caught, { entries: [], kind: 'set_leverage' }))).toBe('catch_up');
    const exit = { entries: [], isExit: true, kind: 'close_position' };
    expect(judge({}, aged(0, caught, exit))).toBe('passed');
    expect(judge({}, aged(0, { ...caught, isOvertaken: true }, exit))).toBe('catch_up');
  });
});
