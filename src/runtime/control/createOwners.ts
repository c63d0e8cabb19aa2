import { closePosition, type Intent } from '../../intents/index.ts';
import { type AtWork, type Holdings, isSpot, type WalletBook } from '../wallet/index.ts';
import type { Clock, Log, MarketClock } from '../../env/index.ts';
import type { Emission } from '../../strategy/index.ts';
import type { BotPlan } from '../BotPlan.ts';
import { toEmissions } from '../operator.ts';
import { createHeldPositions } from './createHeldPositions.ts';
import { createOwnerDecisions, type OwnerDecision } from './createOwnerDecisions.ts';
import type { Ownership } from './createOwnership.ts';
import { createUnowned, explainUnowned } from './createUnowned.ts';
import { sellHolding } from './flatten.ts';

/** Who owns the positions of the bot's wallets, by its configuration and its journal. */
export interface Owners {
  /** Called with the first snapshot of every wallet, before anything is decided. */
  look(): void;
  /** Closes what is to be flat, once the journal of the previous process has been read. */
  flatten(): void;
  /**
   * Why a wallet may not add exposure: positions without an owner, one reason each. One that an order of a strategy
   * that is gone brings later counts from then on.
   */
  holdsOn(wallet: string): readonly string[];
  /** The bot's positions that no strategy of it owns any more; flattening the bot closes them, too. */
  orphans(wallet: string): readonly string[];
  /**
   * Decisions that did nothing, and why, one line each: no wallet holds the symbol, several do, or a strategy owns the
   * position.
   */
  unheeded(): readonly string[];
  /**
   * Whether an operator keeps the position on a symbol for himself: the bot neither closes nor changes it. Over once
   * nothing of it is left.
   */
  ignores(wallet: string, symbol: string): boolean;
  /**
   * Whether the strategy that trades a symbol has its position for its own, by the journal and the operator's decisions at
   * this start; asked with a wallet's first snapshot, before the decisions are carried out.
   */
  manages(wallet: string, symbol: string): boolean;
  /** A wallet's work without the positions that are ignored. */
  withoutIgnored(work: AtWork): AtWork;
  /** The wallet is being flattened: logs what is left of it, since it is ignored. */
  reportLeft(wallet: string): void;
  /** Who owns what the wallet has on a symbol. */
  standingOf(wallet: string, symbol: string): OwnerStanding;
  /** The same as text, for an operator. */
  describe(wallet: string, symbol: string): string;
}

/** Who owns a position: a strategy, or none, by an operator's decision or because none was found. */
export type OwnerStanding =
  | { kind: 'owned'; strategy: string }
  | { kind: 'ignored' }
  /** A spot asset that this bot never traded, or too little of one to be sold: no position of it, and nothing waits. */
  | { kind: 'unmanaged' }
  /** `former`: the strategy that owned it last; undefined if it was never this bot's. */
  | { kind: 'orphan'; former: string | undefined };

export interface OwnersOptions {
  plan: BotPlan;
  wallets: readonly string[];
  bookOf(wallet: string): WalletBook;
  ownership: Ownership;
  clock: Clock;
  log: Pick<Log, 'warn'>;
  market: MarketClock;
  /** Whether the books show what is on a symbol now: no outage, no doubt. */
  isKnown(wallet: string, symbol: string): boolean;
  decisions: readonly OwnerDecision[];
  holdings: Pick<Holdings, 'bought' | 'sellable' | 'reportLeft'>;
  /** The bot's; nothing is searched when it is over. */
  lifetime: { readonly closed: boolean };
  submit(emission: Emission): void;
}

const NO_OWNER = 'no owner in this bot';

export function createOwners(options: OwnersOptions): Owners {
  const { plan, wallets, bookOf, ownership, clock, market, holdings, lifetime } = options;
  const { ownerOf, isIgnored } = ownership;
  const held = createHeldPositions({ plan, bookOf, holdings });
  const unowned = createUnowned({ ownership, held, lifetime });
  const decisions = createOwnerDecisions({
    decisions: options.decisions,
    plan,
    wallets,
    ownership,
    held,
  });
  let hasLooked = false;

  /** What a strategy traded and nothing is held of: the configuration alone decides who owns it. */
  function releaseClosed(wallet: string): void {
    const symbols = held.symbolsOf(wallet);
    const own = plan.strategies.filter((one) => one.wallet === wallet);
    for (const symbol of own.flatMap((one) => one.symbols)) {
      if (!symbols.includes(symbol)) ownership.release(wallet, symbol);
    }
  }

  function resolveOwner(wallet: string, symbol: string): void {
    const former = ownership.formerOf(wallet, symbol);
    const owner = ownership.rightfulOwnerOf(wallet, symbol);
    if (owner !== undefined) return ownership.own(wallet, symbol, owner);
    if (isIgnored(wallet, symbol) || !held.isHeld(wallet, symbol)) return;
    if (ownership.isOthers(wallet, symbol)) return;
    unowned.add({ wallet, symbol, former });
  }

  function intentsFor(wallet: string, symbol: string): Intent[] {
    if (!isSpot(symbol)) return [closePosition.atMarket(symbol)];
    holdings.reportLeft(wallet);
    return holdings
      .sellable(wallet)
      .filter((one) => one.symbol === symbol)
      .map(sellHolding);
  }

  /** A kill level, or a stop, may close positions before the first snapshots let the decisions be carried out. */
  const isToBeIgnored = (wallet: string, symbol: string): boolean =>
    !hasLooked && decisions.asksToIgnore(wallet, symbol);

  function ignores(wallet: string, symbol: string): boolean {
    if (isToBeIgnored(wallet, symbol)) return true;
    if (!isIgnored(wallet, symbol)) return false;
    if (!hasLooked || lifetime.closed || !options.isKnown(wallet, symbol)) return true;
    if (held.isLeft(wallet, symbol)) return true;
    ownership.release(wallet, symbol);
    return false;
  }

  function standingOf(wallet: string, symbol: string): OwnerStanding {
    const waiting = unowned.of(wallet).find((one) => one.symbol === symbol);
    if (waiting !== undefined) return { kind: 'orphan', former: waiting.former };
    if (ignores(wallet, symbol)) return { kind: 'ignored' };
    const strategy = ownerOf(wallet, symbol);
    if (strategy !== undefined) return { kind: 'owned', strategy };
    return isSpot(symbol) ? { kind: 'unmanaged' } : { kind: 'orphan', former: undefined };
  }

  return {
    look() {
      for (const wallet of wallets) releaseClosed(wallet);
      decisions.carryOut();
      for (const wallet of wallets) {
        for (const symbol of held.symbolsOf(wallet)) resolveOwner(wallet, symbol);
      }
      hasLooked = true;
      unowned.search();
    },
    flatten() {
      for (const { wallet, symbol } of decisions.takeFlattens()) {
        const origin = { wallet, cause: `flatten:${symbol}:${clock.wallNow()}`, market };
        for (const emission of toEmissions(intentsFor(wallet, symbol), origin)) {
          options.submit(emission);
        }
      }
    },
    holdsOn: (wallet) => unowned.of(wallet).map((one) => explainUnowned(one, wallets)),
    orphans: (wallet) =>
      unowned.of(wallet).flatMap(({ symbol, former }) => (former === undefined ? [] : [symbol])),
    unheeded: decisions.unheeded,
    ignores,
    manages(wallet, symbol) {
      if (isToBeIgnored(wallet, symbol)) return false;
      if (decisions.givesTo(ownerOf(wallet, symbol), symbol)) return true;
      return !isIgnored(wallet, symbol) && ownership.rightfulOwnerOf(wallet, symbol) !== undefined;
    },
    withoutIgnored(work) {
      const isOther = ({ symbol }: { symbol: string }): boolean => !ignores(work.wallet, symbol);
      const positions = work.positions.filter(isOther);
      return { ...work, positions, holdings: (work.holdings ?? []).filter(isOther) };
    },
    reportLeft(wallet) {
      for (const symbol of held.symbolsOf(wallet).filter((one) => ignores(wallet, one))) {
        const size = bookOf(wallet).position(symbol);
        options.log.warn('What is ignored is left', { wallet, symbol, size });
      }
    },
    standingOf,
    describe: (wallet, symbol) => describeStanding(standingOf(wallet, symbol)),
  };
}

function describeStanding(standing: OwnerStanding): string {
  if (standing.kind === 'owned') return standing.strategy;
  if (standing.kind === 'ignored') return 'no owner, ignored';
  if (standing.kind === 'unmanaged') return NO_OWNER;
  return standing.former === undefined ? NO_OWNER : `no owner, it was ${standing.former}'s`;
}
