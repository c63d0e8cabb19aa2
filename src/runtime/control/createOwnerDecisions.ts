import type { BotPlan } from '../BotPlan.ts';
import type { HeldPositions, Place } from './createHeldPositions.ts';
import type { Ownership } from './createOwnership.ts';

/** An operator's decision, at a start, about a wallet's position in a symbol. */
export type OwnerDecision =
  | { kind: 'adopt'; symbol: string; strategy: string }
  /** Without a wallet, of the one that it can mean. A flatten means positions that no strategy owns. */
  | { kind: 'ignore' | 'flatten'; symbol: string; wallet?: string };

/** An operator's decisions, and what becomes of them. */
export interface OwnerDecisions {
  /** Carries them out on what the wallets hold now; a flatten is noted for {@link takeFlattens}. */
  carryOut(): void;
  /** The positions that are to be flat, once. */
  takeFlattens(): Place[];
  /** Whether one of them ignores a position. */
  asksToIgnore(wallet: string, symbol: string): boolean;
  /** Whether one of them gives a strategy the position on a symbol. */
  givesTo(strategy: string | undefined, symbol: string): boolean;
  /** Those that did nothing, and why, one line each. */
  unheeded(): string[];
}

export interface OwnerDecisionsOptions {
  decisions: readonly OwnerDecision[];
  plan: Pick<BotPlan, 'strategies'>;
  wallets: readonly string[];
  ownership: Ownership;
  held: Pick<HeldPositions, 'symbolsOf'>;
}

/** Why a decision did nothing: none holds the symbol, several do, or strategies own what these wallets hold. */
interface Unheeded {
  why: 'gone' | 'several' | 'owned';
  wallets: readonly string[];
}

export function createOwnerDecisions(options: OwnerDecisionsOptions): OwnerDecisions {
  const { decisions, plan, wallets, ownership, held } = options;
  const { ownerOf, isIgnored } = ownership;
  const toFlatten: Place[] = [];
  /** Decisions that did nothing. */
  const left = new Map<OwnerDecision, Unheeded>();
  const heldAtStart: string[] = [];

  const holdersOf = (decision: { symbol: string; wallet?: string }): readonly string[] =>
    wallets.filter(
      (wallet) =>
        (decision.wallet ?? wallet) === wallet && held.symbolsOf(wallet).includes(decision.symbol),
    );

  /** Where a decision about a position takes effect: nowhere, if it may mean several. */
  function ignoreOrFlatten(decision: OwnerDecision & { kind: 'ignore' | 'flatten' }): void {
    const { kind, symbol } = decision;
    const holders = holdersOf(decision);
    const isUnowned = (wallet: string): boolean =>
      isIgnored(wallet, symbol) ||
      (ownership.rightfulOwnerOf(wallet, symbol) === undefined &&
        !ownership.isOthers(wallet, symbol));
    const meant = kind === 'ignore' ? holders : holders.filter(isUnowned);
    if (meant.length > 1) return void left.set(decision, { why: 'several', wallets: meant });
    const [wallet] = meant;
    if (wallet === undefined)
      return void left.set(decision, {
        why: holders.length > 0 ? 'owned' : 'gone',
        wallets: holders,
      });
    if (kind === 'ignore') ownership.ignore(wallet, symbol);
    else if (!toFlatten.some((one) => one.wallet === wallet && one.symbol === symbol))
      toFlatten.push({ wallet, symbol });
  }

  function adopt(decision: OwnerDecision & { kind: 'adopt' }): void {
    const { symbol, strategy } = decision;
    const wallet = holdersOf({ symbol }).find((one) => ownerOf(one, symbol) === strategy);
    if (wallet === undefined) return void left.set(decision, { why: 'gone', wallets: [] });
    if (isIgnored(wallet, symbol)) ownership.stopIgnoring(wallet, symbol, `adopted by ${strategy}`);
    ownership.own(wallet, symbol, strategy);
  }

  return {
    carryOut() {
      for (const wallet of wallets)
        heldAtStart.push(...held.symbolsOf(wallet).map((symbol) => `${symbol} on ${wallet}`));
      for (const decision of decisions) {
        if (decision.kind === 'adopt') adopt(decision);
        else ignoreOrFlatten(decision);
      }
    },
    takeFlattens: () => toFlatten.splice(0),
    asksToIgnore: (wallet, symbol) =>
      decisions.some(
        (one) =>
          one.kind === 'ignore' && one.symbol === symbol && (one.wallet ?? wallet) === wallet,
      ),
    givesTo: (strategy, symbol) =>
      decisions.some(
        (one) => one.kind === 'adopt' && one.symbol === symbol && one.strategy === strategy,
      ),
    unheeded: () =>
      [...left].map(([decision, why]) => {
        const what = heldAtStart.length === 0 ? 'nothing' : heldAtStart.join(', ');
        return `${explainUnheeded(decision, why, plan)}; held is ${what}`;
      }),
  };
}

function explainUnheeded(
  decision: OwnerDecision,
  { why, wallets }: Unheeded,
  { strategies }: Pick<BotPlan, 'strategies'>,
): string {
  const { symbol } = decision;
  const ofSymbol = (name: string) => strategies.find((one) => one.name === name)?.wallet;
  if (decision.kind === 'adopt') {
    const { strategy } = decision;
    return `--adopt ${symbol}=${strategy} did nothing: ${ofSymbol(strategy) ?? 'no wallet'} holds no ${symbol}`;
  }
  const { kind, wallet } = decision;
  const said = `--${kind} ${wallet === undefined ? '' : `${wallet}:`}${symbol} did nothing`;
  const [first = ''] = wallets;
  if (why === 'several')
    return `${said}: ${wallets.join(' and ')} hold ${symbol}; name one, such as --${kind} ${first}:${symbol}`;
  if (why === 'gone')
    return `${said}: ${wallet ?? 'no wallet of this bot'} holds ${wallet === undefined ? '' : 'no '}${symbol}`;
  const owner = strategies.find((one) => one.wallet === first && one.symbols.includes(symbol));
  if (owner === undefined) return `${said}: what ${first} holds, this bot did not buy`;
  return `${said}: the position on ${first} is ${owner.name}'s, and only what no strategy owns is closed`;
}
