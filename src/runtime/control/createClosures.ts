import type { Scope } from '../../contract/index.ts';
import type { MarketClock } from '../../env/index.ts';
import {
  explainRefused,
  symbolAge,
  walletCover,
  walletLoss,
  type GuardVerdict,
} from '../../guards/index.ts';
import type { BotPlan } from '../BotPlan.ts';
import type { Coverage, Marks, WalletBook } from '../wallet/index.ts';
import type { EntryGate } from './createEntryGate.ts';
import type { Owners } from './createOwners.ts';

/** What denies entries now beside the bot's gate, for an operator who reads why nothing is entered. */
export interface Closures {
  /** Why a wallet takes no entry at all, one reason each; empty when it may. */
  ofWallet(wallet: string): readonly string[];
  /** Why a wallet adds no exposure on some symbols, by symbol; empty when all are open. */
  ofSymbols(wallet: string): ReadonlyMap<string, string>;
}

export interface ClosuresOptions {
  plan: BotPlan;
  market: MarketClock;
  marks: Pick<Marks, 'of'>;
  coverage: Pick<Coverage, 'uncovered'>;
  gate: Pick<EntryGate, 'closedSymbols'>;
  owners: Pick<Owners, 'holdsOn'>;
  refusedScopes: ReadonlySet<Scope>;
  bookOf(wallet: string): Pick<WalletBook, 'dayLoss' | 'dayLimitReached'>;
}

/** By the rules of the guards themselves: what is shown is what denies. */
export function createClosures(options: ClosuresOptions): Closures {
  const { plan, market, marks, coverage, gate, owners, refusedScopes, bookOf } = options;
  const lossOf = walletLoss(plan.guards);
  const coverOf = walletCover(plan.guards);
  const ageOf = symbolAge(plan.guards);
  const onWallet = (wallet: string) => plan.strategies.filter((one) => one.wallet === wallet);

  function refusedOf(wallet: string): string[] {
    if (refusedScopes.size === 0) return [];
    const needed = new Set(onWallet(wallet).flatMap(({ strategy }) => strategy.scopes));
    return [...needed].filter((scope) => refusedScopes.has(scope)).map(explainRefused);
  }

  return {
    ofWallet(wallet) {
      const book = bookOf(wallet);
      const loss = { dayLoss: book.dayLoss(), dayLimitReached: book.dayLimitReached() };
      const uncovered = () => coverage.uncovered().filter((one) => one.wallet === wallet);
      return [
        ...owners.holdsOn(wallet),
        ...refusedOf(wallet),
        ...reasonOf(coverOf({ now: market.now(), uncovered })),
        ...reasonOf(lossOf(loss)),
      ];
    },
    ofSymbols(wallet) {
      const view = { now: market.now(), market: marks.of };
      // Before the first bar the bot is still starting, and the gate says so.
      const symbols = onWallet(wallet)
        .flatMap((one) => one.symbols)
        .filter((symbol) => marks.of(symbol) !== undefined);
      const aged = symbols.flatMap((symbol) =>
        reasonOf(ageOf(symbol, view)).map((reason) => [symbol, reason] as const),
      );
      return aged.length === 0
        ? gate.closedSymbols(wallet)
        : new Map([...aged, ...gate.closedSymbols(wallet)]);
    },
  };
}

const reasonOf = (verdict: GuardVerdict): string[] => (verdict.passed ? [] : [verdict.reason]);
