import { Subject } from 'rxjs';
import { expect, test } from 'vitest';
import { followAssets } from '../../../src/runtime/members/followAssets.ts';

const INTERVALS: Readonly<Record<string, string>> = { 'HYPE/USDC': '5m', 'PURR/USDC': '1h' };

/** Two wallets; the bot trades SOL/USDC, and the service lists that, HYPE/USDC and PURR/USDC. */
function open() {
  const wallets = ['main', 'side'];
  const accounts = new Map(wallets.map((wallet) => [wallet, new Subject<object>()]));
  const bars = new Map<string, Subject<object>>();
  const asked: unknown[][] = [];
  const marked: unknown[][] = [];
  const held = new Map<string, readonly string[]>();
  let barCount = 0;
  const subscription = followAssets({
    wallets,
    symbols: ['SOL/USDC'],
    plan: {
      instruments: ['SOL/USDC', 'HYPE/USDC', 'PURR/USDC'].map((symbol) => ({ symbol })),
      markInterval: (symbol: string) => INTERVALS[symbol],
    },
    bookOf: (wallet: string) => ({
      spotHoldings: () => (held.get(wallet) ?? []).map((symbol) => ({ symbol })),
    }),
    streams: {
      wallet: (wallet: string) => ({ account$: accounts.get(wallet)! }),
      candles(symbol: string, interval: string, how: object) {
        asked.push([symbol, interval, how]);
        const of = new Subject<object>();
        bars.set(symbol, of);
        return of;
      },
    },
    marks: {
      followAsset: (symbol: string, interval: string) => (bar: unknown) =>
        void marked.push([symbol, interval, bar]),
    },
    onBar: () => void barCount++,
  } as never);
  return {
    subscription,
    asked,
    marked,
    bars,
    barCount: () => barCount,
    /** The wallet's balances change, to cash and these holdings. */
    show(wallet: string, symbols: readonly string[]) {
      held.set(wallet, symbols);
      const balances = new Map(['USDC', ...symbols].map((asset) => [asset, {}]));
      accounts.get(wallet)!.next({ balances });
    },
  };
}

const PASSIVE = { history: 1, passive: true };

test('an asset is followed once, from when a wallet holds it, by the bars of its own interval', () => {
  const run = open();
  run.show('main', []);
  expect(run.asked).toEqual([]);
  // A token without an instrument has no bars, and what is traded is followed anyway.
  run.show('main', ['SPAM/USDC', 'SOL/USDC', 'HYPE/USDC']);
  expect(run.asked).toEqual([['HYPE/USDC', '5m', PASSIVE]]);
  run.show('side', ['HYPE/USDC', 'PURR/USDC']);
  run.show('main', ['PURR/USDC']);
  expect(run.asked.slice(1)).toEqual([['PURR/USDC', '1h', PASSIVE]]);
});

test('each bar that closes is the price of its asset, and no other event is', () => {
  const run = open();
  run.show('main', ['HYPE/USDC', 'PURR/USDC']);
  run.bars.get('HYPE/USDC')!.next({ kind: 'gap', bar: 1 });
  expect([run.marked, run.barCount()]).toEqual([[], 0]);
  run.bars.get('PURR/USDC')!.next({ kind: 'closed', bar: 2 });
  run.bars.get('HYPE/USDC')!.next({ kind: 'closed', bar: 3 });
  expect(run.marked).toEqual([
    ['PURR/USDC', '1h', 2],
    ['HYPE/USDC', '5m', 3],
  ]);
  expect(run.barCount()).toBe(2);
});

test('in the end no bars are followed', () => {
  const run = open();
  run.show('main', ['HYPE/USDC']);
  run.show('side', ['PURR/USDC']);
  run.subscription.unsubscribe();
  expect([...run.bars.values()].map(({ observed }) => observed)).toEqual([false, false]);
});
