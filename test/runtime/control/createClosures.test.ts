import { expect, test } from 'vitest';
import type { Scope } from '../../../src/contract/index.ts';
import { createGuards, type GuardSnapshot } from '../../../src/guards/index.ts';
import { createClosures } from '../../../src/runtime/control/createClosures.ts';

const NOW = 1_000_000;
const LIMITS = { daily_loss_limit: 100, max_uncovered_seconds: 60, max_data_age_seconds: 10 };

interface Situation {
  holds?: string[];
  closed?: Array<[string, string]>;
  scopes?: Scope[];
  /** What each strategy of the wallet declares; default: one that trades. */
  needs?: Scope[][];
  uncoveredSince?: number;
  lost?: number;
  reached?: number;
  barTime?: number;
}

/** A bot in a situation: what it shows of it, and what its guards deny an entry with. */
function see(situation: Situation) {
  const { holds = [], closed = [], scopes = [], lost = 0, barTime = NOW - 60_000 } = situation;
  const { uncoveredSince: since, needs = [['trade']] } = situation;
  const cover = { wallet: 'main', symbol: 'BTC', size: 1, covered: 0 };
  const uncovered = since === undefined ? [] : [{ ...cover, since }];
  const mark = { price: 1, time: barTime, intervalMs: 60_000 };
  const refusedScopes = new Set(scopes);
  const strategies = needs.map((declared, at) => ({
    name: `own ${at}`,
    wallet: 'main',
    symbols: ['BTC'],
    strategy: { scopes: declared },
  }));
  const closures = createClosures({
    plan: { guards: LIMITS, strategies } as never,
    market: { now: () => NOW } as never,
    marks: { of: (symbol) => (symbol === 'BTC' ? mark : undefined) },
    coverage: { uncovered: () => uncovered },
    gate: { closedSymbols: () => new Map(closed) },
    owners: { holdsOn: (wallet) => (wallet === 'main' ? holds : []) },
    refusedScopes,
    bookOf: (wallet) => ({
      dayLoss: () => (wallet === 'main' ? lost : 0),
      dayLimitReached: () => (wallet === 'main' ? situation.reached : undefined),
    }),
  });
  const snapshot = {
    now: NOW,
    present: NOW,
    gate: holds,
    closedSymbols: new Map(closed),
    ownedSymbols: ['BTC'],
    keyScopes: null,
    refusedScopes,
    market: () => mark,
    position: () => 0,
    pending: () => 0,
    closing: () => 0,
    armed: () => 0,
    exposedSymbols: [],
    uncovered: () => uncovered,
    dayLoss: lost,
    dayLimitReached: situation.reached,
    instrument: () => ({}),
  } as unknown as GuardSnapshot;
  const entry = { symbol: 'BTC', side: 'buy', size: 1 } as const;
  const verdict = createGuards(LIMITS)(
    {
      kind: 'place_order',
      symbols: ['BTC'],
      entries: [entry],
      isExit: false,
      scopes: ['trade'],
      maintainedRows: 0,
    },
    snapshot,
  );
  const denied = verdict.passed ? undefined : verdict.reason;
  const shown = [...closures.ofWallet('main'), ...closures.ofSymbols('main').values()];
  const other = [...closures.ofWallet('side'), ...closures.ofSymbols('side').values()];
  return { shown, denied, other };
}

test('where entries pass, nothing is shown as closed', () => {
  const near = { lost: 99, uncoveredSince: NOW - 60_000, barTime: NOW - 70_000 };
  expect(see(near)).toEqual({ shown: [], denied: undefined, other: [] });
});

test.each<[string, Situation, RegExp]>([
  ['a day’s loss', { lost: 120 }, /lost 120\.00 today, the limit is 100/],
  ['a loss that was regained', { lost: 20, reached: 120 }, /lost 120\.00 today \(20\.00 by now\)/],
  ['a position without a stop', { uncoveredSince: NOW - 61_000 }, /BTC has been uncovered for 61/],
  ['a position without an owner', { holds: ['nobody owns ETH'] }, /^nobody owns ETH$/],
  ['a refused scope', { scopes: ['trade'] }, /refused the scope trade/],
  ['old data', { barTime: NOW - 71_000 }, /data on BTC is 71 s old/],
  ['a doubted position', { closed: [['BTC', 'it is doubted']] }, /^it is doubted$/],
])('%s is shown with the very reason with which entries are denied', (_what, situation, words) => {
  const { shown, denied, other } = see(situation);
  expect(shown).toEqual([expect.stringMatching(words)]);
  expect(denied).toBe(shown[0]);
  // What closes one wallet closes no other; the closed symbol of this gate is of every wallet.
  if (situation.closed === undefined) expect(other).toEqual([]);
});

test('a scope that no strategy of the wallet needs closes nothing', () => {
  expect(see({ scopes: ['algo'] })).toMatchObject({ shown: [], denied: undefined });
});

test('each refused scope that a strategy of the wallet needs closes it, be it the second of the second', () => {
  const needs: Scope[][] = [['trade'], ['trade', 'algo']];
  expect(see({ needs, scopes: ['algo'] }).shown).toEqual([
    expect.stringMatching(/refused the scope algo/),
  ]);
  expect(see({ needs, scopes: ['trade', 'algo'] }).shown).toHaveLength(2);
});
