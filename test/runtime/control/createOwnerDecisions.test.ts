/** What becomes of an operator's decisions about positions: each once, on the wallet that it can mean. */
import { expect, test } from 'vitest';
import { createVirtualEnv } from '../../../src/env/index.ts';
import { createMemoryStore } from '../../../src/journal/index.ts';
import {
  createOwnerDecisions,
  type OwnerDecision,
} from '../../../src/runtime/control/createOwnerDecisions.ts';
import { createOwnership } from '../../../src/runtime/control/createOwnership.ts';

const plan = {
  strategies: [
    { name: 'trend', wallet: 'main', symbols: ['BTC', 'ETH'] },
    { name: 'carry', wallet: 'hedge', symbols: ['BTC'] },
  ],
} as never;
const wallets = ['main', 'hedge'];

/** Who owned each symbol last was a strategy that is gone, but for what is named. */
function open(
  decisions: readonly OwnerDecision[],
  held: Readonly<Record<string, readonly string[]>>,
  ownedBy: Readonly<Record<string, string>> = {},
) {
  const store = createMemoryStore();
  const clock = createVirtualEnv().clock;
  const ownership = createOwnership({ plan, store, clock, onFatal: expect.fail });
  for (const wallet of wallets)
    for (const symbol of held[wallet] ?? [])
      ownership.own(wallet, symbol, ownedBy[`${wallet} ${symbol}`] ?? 'gone');
  const symbolsOf = (wallet: string) => [...(held[wallet] ?? [])];
  const made = createOwnerDecisions({
    decisions,
    plan,
    wallets,
    ownership,
    held: { symbolsOf },
  });
  return { ...made, ownership };
}

test('a position is closed once, however often that is asked for, and each of several', () => {
  const flatten = { kind: 'flatten', symbol: 'BTC' } as const;
  const { carryOut, takeFlattens, unheeded } = open(
    [
      { ...flatten, wallet: 'main' },
      { ...flatten, wallet: 'hedge' },
      { ...flatten, wallet: 'main' },
      { ...flatten, symbol: 'ETH' },
      { ...flatten, symbol: 'ETH', wallet: 'main' },
    ],
    { main: ['BTC', 'ETH'], hedge: ['BTC'] },
  );
  expect(takeFlattens()).toEqual([]);
  carryOut();
  expect(takeFlattens()).toEqual([
    { wallet: 'main', symbol: 'BTC' },
    { wallet: 'hedge', symbol: 'BTC' },
    { wallet: 'main', symbol: 'ETH' },
  ]);
  expect([takeFlattens(), unheeded()]).toEqual([[], []]);
});

test('what is adopted is its strategy’s, on that wallet alone, and ignored no longer', () => {
  const { carryOut, ownership, unheeded } = open(
    [{ kind: 'adopt', symbol: 'BTC', strategy: 'carry' }],
    { main: ['BTC'], hedge: ['BTC'] },
  );
  for (const wallet of wallets) ownership.ignore(wallet, 'BTC');
  carryOut();
  expect(wallets.map((wallet) => ownership.isIgnored(wallet, 'BTC'))).toEqual([true, false]);
  expect(wallets.map((wallet) => ownership.formerOf(wallet, 'BTC'))).toEqual(['gone', 'carry']);
  expect(unheeded()).toEqual([]);
});

test('an ignore or a flatten without a wallet is of the one that holds the symbol and no strategy owns', () => {
  const { carryOut, takeFlattens, ownership, unheeded } = open(
    [
      { kind: 'ignore', symbol: 'ETH' },
      { kind: 'flatten', symbol: 'BTC' },
    ],
    { main: ['BTC', 'ETH'], hedge: ['BTC'] },
    { 'hedge BTC': 'carry' },
  );
  carryOut();
  expect(ownership.isIgnored('main', 'ETH')).toBe(true);
  expect(takeFlattens()).toEqual([{ wallet: 'main', symbol: 'BTC' }]);
  expect(unheeded()).toEqual([]);
});
