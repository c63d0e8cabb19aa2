import { closePosition, type Intent } from '../../intents/index.ts';
import { type AtWork, type Holdings, isSpot, type WalletBook } from '../wallet/index.ts';
import type { Clock, Log, MarketClock } from '../../env/index.ts';
import type { Emission } from '../../strategy/index.ts';
import type { BotPlan } from '../BotPlan.ts';
import { toEmissions } from '../operator.ts';
import type { Ownership } from './createOwnership.ts';
import { sellHolding } from './flatten.ts';

/** An operator's decision, at a start, about a wallet's position in a symbol. */
export type OwnerDecision =
  | { kind: 'adopt'; symbol: string; strategy: string }
  /** Without a wallet, of the one that it can mean. A flatten means positions that no strategy owns. */
  | { kind: 'ignore' | 'flatten'; symbol: string; wallet?: string };

/** How an operator names a position: by its symbol, and by its wallet where there are several. */
export const placeName = (wallet: string, symbol: string, wallets: readonly string[]): string =>
  wallets.length > 1 ? `${wallet}:${symbol}` : symbol;

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

/** A position that waits for an operator. */
interface Unowned {
  wallet: string;
  symbol: string;
  /** Who owned it according to the journal; undefined if it was never this bot's. */
  former: string | undefined;
}

/** Why a decision did nothing: none holds the symbol, several do, or strategies own what these wallets hold. */
interface Unheeded {
  why: 'gone' | 'several' | 'owned';
  wallets: readonly string[];
}

const NONE: readonly Unowned[] = [];
const NO_OWNER = 'no owner in this bot';

export function createOwners(options: OwnersOptions): Owners {
  const { plan, wallets, bookOf, ownership, clock, market, decisions, holdings, lifetime } =
    options;
  const unowned: Unowned[] = [];
  const toFlatten: Array<Omit<Unowned, 'former'>> = [];
  /** Decisions that did nothing. */
  const left = new Map<OwnerDecision, Unheeded>();
  const heldAtStart: string[] = [];
  const { ownerOf, formerOf, isIgnored, own } = ownership;
  const limitsOf = createLimitsOf(plan.instruments);
  /** Former owners of symbols that no strategy trades: none of this process changes them. */
  const formers = new Map<string, string | undefined>();
  let hasLooked = false;
  /** The last result by wallet, for a view that asks when the journal is closed. */
  const known = new Map<string, readonly Unowned[]>();

  /** Where a decision about a position takes effect: nowhere, if it may mean several. */
  function carryOut(decision: OwnerDecision & { kind: 'ignore' | 'flatten' }): void {
    const { kind, symbol } = decision;
    const held = holdersOf(decision);
    const isUnowned = (wallet: string): boolean =>
      isIgnored(wallet, symbol) ||
      (ownerIn(wallet, symbol) === undefined && !isOthers(wallet, symbol));
    const meant = kind === 'ignore' ? held : held.filter(isUnowned);
    if (meant.length > 1) return void left.set(decision, { why: 'several', wallets: meant });
    const [wallet] = meant;
    if (wallet === undefined)
      return void left.set(decision, { why: held.length > 0 ? 'owned' : 'gone', wallets: held });
    if (kind === 'ignore') ownership.ignore(wallet, symbol);
    else if (!toFlatten.some((one) => one.wallet === wallet && one.symbol === symbol))
      toFlatten.push({ wallet, symbol });
  }

  const holdersOf = (decision: { symbol: string; wallet?: string }): readonly string[] =>
    wallets.filter(
      (wallet) =>
        (decision.wallet ?? wallet) === wallet && heldOf(wallet).includes(decision.symbol),
    );

  /** An asset in the wallet that this bot never traded is not one of its positions. */
  const isOthers = (wallet: string, symbol: string): boolean =>
    isSpot(symbol) && formerOf(wallet, symbol) === undefined;

  /** The strategy that trades the symbol, if none or itself owned it last. */
  function ownerIn(wallet: string, symbol: string): string | undefined {
    const owner = ownerOf(wallet, symbol);
    const former = formerOf(wallet, symbol);
    return former === undefined || former === owner ? owner : undefined;
  }

  function adopt(decision: OwnerDecision & { kind: 'adopt' }): void {
    const { symbol, strategy } = decision;
    const wallet = holdersOf({ symbol }).find((one) => ownerOf(one, symbol) === strategy);
    if (wallet === undefined) return void left.set(decision, { why: 'gone', wallets: [] });
    if (isIgnored(wallet, symbol)) ownership.stopIgnoring(wallet, symbol, `adopted by ${strategy}`);
    own(wallet, symbol, strategy);
  }

  function heldOf(wallet: string): string[] {
    const book = bookOf(wallet);
    const perps = book.openPositions().map(({ symbol }) => symbol);
    const spots = book.spotHoldings().map(({ symbol }) => symbol);
    return [...perps, ...spots].filter((symbol) => book.position(symbol) !== 0);
  }

  /** Of spot, what the bot bought is its position; while that is unknown, the whole holding may be. */
  function sizeHeld(wallet: string, symbol: string): number {
    const bought = isSpot(symbol) ? holdings.bought(wallet, symbol) : undefined;
    return bought ?? bookOf(wallet).position(symbol);
  }

  /** Less than a step of the instrument is the rest of a sale, which no order can take. */
  function isHeld(wallet: string, symbol: string): boolean {
    const size = sizeHeld(wallet, symbol);
    return isSpot(symbol) ? size >= limitsOf(symbol).step : size !== 0;
  }

  /** Worth less than the least order: no decision about it could be carried out. */
  function isDust({ wallet, symbol }: Omit<Unowned, 'former'>): boolean {
    if (!isSpot(symbol)) return false;
    const holding = bookOf(wallet)
      .spotHoldings()
      .find((one) => one.symbol === symbol);
    if (holding?.price === undefined) return false;
    return sizeHeld(wallet, symbol) * holding.price < limitsOf(symbol).least;
  }

  /**
   * Positions that came after the start on a symbol that no strategy trades and one did: of an order that a strategy
   * left behind. What others open on a symbol that this bot never traded is theirs.
   */
  function search(wallet: string): void {
    for (const symbol of heldOf(wallet)) {
      if (ownerOf(wallet, symbol) !== undefined || isIgnored(wallet, symbol)) continue;
      if (unowned.some((one) => one.wallet === wallet && one.symbol === symbol)) continue;
      if (!isHeld(wallet, symbol)) continue;
      const place = `${wallet} ${symbol}`;
      if (!formers.has(place)) formers.set(place, formerOf(wallet, symbol));
      const former = formers.get(place);
      if (former !== undefined) unowned.push({ wallet, symbol, former });
    }
  }

  function intentsFor(wallet: string, symbol: string): Intent[] {
    if (!isSpot(symbol)) return [closePosition.atMarket(symbol)];
    holdings.reportLeft(wallet);
    return holdings
      .sellable(wallet)
      .filter((one) => one.symbol === symbol)
      .map(sellHolding);
  }

  function resolveOwner(wallet: string, symbol: string): void {
    const former = formerOf(wallet, symbol);
    const owner = ownerIn(wallet, symbol);
    if (owner !== undefined) return own(wallet, symbol, owner);
    if (isIgnored(wallet, symbol) || !isHeld(wallet, symbol)) return;
    if (isOthers(wallet, symbol)) return;
    unowned.push({ wallet, symbol, former });
  }

  /** Nothing is held any more: the configuration alone decides who owns the symbol. */
  function release(wallet: string, symbol: string): void {
    const owner = ownerOf(wallet, symbol);
    if (owner !== undefined) own(wallet, symbol, owner);
    if (isIgnored(wallet, symbol)) ownership.stopIgnoring(wallet, symbol, 'over');
  }

  /** Those that are still open; one that was closed, by anyone, no longer waits. */
  function standing(wallet: string): readonly Unowned[] {
    if (lifetime.closed) return known.get(wallet) ?? NONE;
    if (hasLooked) search(wallet);
    if (unowned.length === 0) {
      if (known.size > 0) known.clear();
      return NONE;
    }
    const over = unowned.filter((one) => !isHeld(one.wallet, one.symbol));
    for (const one of over) {
      unowned.splice(unowned.indexOf(one), 1);
      release(one.wallet, one.symbol);
    }
    const left = unowned.filter((one) => one.wallet === wallet && !isDust(one));
    known.set(wallet, left);
    return left;
  }

  /** A kill level, or a stop, may close positions before the first snapshots let the decisions be carried out. */
  const isToBeIgnored = (wallet: string, symbol: string): boolean =>
    !hasLooked &&
    decisions.some(
      (one) => one.kind === 'ignore' && one.symbol === symbol && (one.wallet ?? wallet) === wallet,
    );

  /** The wallet's whole size counts: of a spot asset, what others hold is kept, too. */
  function ignores(wallet: string, symbol: string): boolean {
    if (isToBeIgnored(wallet, symbol)) return true;
    if (!isIgnored(wallet, symbol)) return false;
    if (!hasLooked || lifetime.closed || !options.isKnown(wallet, symbol)) return true;
    const size = bookOf(wallet).position(symbol);
    if (isSpot(symbol) ? size >= limitsOf(symbol).step : size !== 0) return true;
    release(wallet, symbol);
    return false;
  }

  function standingOf(wallet: string, symbol: string): OwnerStanding {
    const waiting = standing(wallet).find((one) => one.symbol === symbol);
    if (waiting !== undefined) return { kind: 'orphan', former: waiting.former };
    if (ignores(wallet, symbol)) return { kind: 'ignored' };
    const strategy = ownerOf(wallet, symbol);
    if (strategy !== undefined) return { kind: 'owned', strategy };
    return isSpot(symbol) ? { kind: 'unmanaged' } : { kind: 'orphan', former: undefined };
  }

  return {
    look() {
      for (const wallet of wallets) {
        const held = heldOf(wallet);
        heldAtStart.push(...held.map((symbol) => `${symbol} on ${wallet}`));
        const own = plan.strategies.filter((one) => one.wallet === wallet);
        for (const symbol of own.flatMap(({ symbols }) => symbols)) {
          if (!held.includes(symbol)) release(wallet, symbol);
        }
      }
      for (const decision of decisions) {
        if (decision.kind === 'adopt') adopt(decision);
        else carryOut(decision);
      }
      for (const wallet of wallets) {
        for (const symbol of heldOf(wallet)) resolveOwner(wallet, symbol);
      }
      hasLooked = true;
    },
    flatten() {
      for (const { wallet, symbol } of toFlatten.splice(0)) {
        const origin = { wallet, cause: `flatten:${symbol}:${clock.wallNow()}`, market };
        for (const emission of toEmissions(intentsFor(wallet, symbol), origin)) {
          options.submit(emission);
        }
      }
    },
    holdsOn: (wallet) => standing(wallet).map((one) => explainUnowned(one, wallets)),
    orphans: (wallet) =>
      standing(wallet).flatMap(({ symbol, former }) => (former === undefined ? [] : [symbol])),
    unheeded: () =>
      [...left].map(([decision, why]) => {
        const held = heldAtStart.length === 0 ? 'nothing' : heldAtStart.join(', ');
        return `${explainUnheeded(decision, why, plan)}; held is ${held}`;
      }),
    ignores,
    manages(wallet, symbol) {
      if (isToBeIgnored(wallet, symbol)) return false;
      const owner = ownerOf(wallet, symbol);
      const isAdopted = decisions.some(
        (one) => one.kind === 'adopt' && one.symbol === symbol && one.strategy === owner,
      );
      if (isAdopted) return true;
      return !isIgnored(wallet, symbol) && ownerIn(wallet, symbol) !== undefined;
    },
    withoutIgnored(work) {
      const isOther = ({ symbol }: { symbol: string }): boolean => !ignores(work.wallet, symbol);
      const positions = work.positions.filter(isOther);
      return { ...work, positions, holdings: (work.holdings ?? []).filter(isOther) };
    },
    reportLeft(wallet) {
      for (const symbol of heldOf(wallet).filter((one) => ignores(wallet, one))) {
        const size = bookOf(wallet).position(symbol);
        options.log.warn('What is ignored is left', { wallet, symbol, size });
      }
    },
    standingOf,
    describe(wallet, symbol) {
      const standing = standingOf(wallet, symbol);
      if (standing.kind === 'owned') return standing.strategy;
      if (standing.kind === 'ignored') return 'no owner, ignored';
      if (standing.kind === 'unmanaged') return NO_OWNER;
      return standing.former === undefined ? NO_OWNER : `no owner, it was ${standing.former}'s`;
    },
  };
}

/** What an instrument's orders can take, as sizes and quote units; of one that is not listed, as good as nothing. */
function createLimitsOf(instruments: BotPlan['instruments']) {
  const limits = new Map(
    instruments.map(({ symbol, size_decimals: decimals, min_order_value: least }) => [
      symbol,
      { step: Number(`1e${-decimals}`), least },
    ]),
  );
  return (symbol: string) => limits.get(symbol) ?? { step: 1e-9, least: 0 };
}

function explainUnheeded(
  decision: OwnerDecision,
  { why, wallets }: Unheeded,
  { strategies }: BotPlan,
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

function explainUnowned({ wallet, symbol, former }: Unowned, wallets: readonly string[]): string {
  const whose = former === undefined ? 'was never this bot’s' : `was ${former}'s`;
  const place = placeName(wallet, symbol, wallets);
  return (
    `the position in ${symbol} on ${wallet} ${whose} and no strategy owns it; decide at ` +
    `the next start: trimtab run with --adopt ${symbol}=STRATEGY, --ignore ${place} or --flatten ${place}`
  );
}
