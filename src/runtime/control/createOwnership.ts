import type { Clock } from '../../env/index.ts';
import { effectOf } from '../../intents/effectOf.ts';
import { findNewest, writeOrFail, type JournalStore } from '../../journal/index.ts';
import { isSpot } from '../wallet/index.ts';
import type { BotPlan } from '../BotPlan.ts';
import { intentOf } from '../intentOf.ts';
import { OPERATOR } from '../operator.ts';

/** Which strategy owns a symbol of a wallet: by the configuration, and by the journal. */
export interface Ownership {
  /** The strategy that trades it by the configuration. */
  ownerOf(wallet: string, symbol: string): string | undefined;
  /** Who owned the symbol last; in journals from before this was recorded, it follows from their intents. */
  formerOf(wallet: string, symbol: string): string | undefined;
  /** The strategy that trades the symbol, if none or itself owned it last. */
  rightfulOwnerOf(wallet: string, symbol: string): string | undefined;
  /** An asset in the wallet that this bot never traded is not one of its positions. */
  isOthers(wallet: string, symbol: string): boolean;
  isIgnored(wallet: string, symbol: string): boolean;
  own(wallet: string, symbol: string, strategy: string): void;
  ignore(wallet: string, symbol: string): void;
  /** It is ignored no longer. */
  stopIgnoring(wallet: string, symbol: string, why: string): void;
  /** Nothing is held any more: the configuration alone decides who owns the symbol. */
  release(wallet: string, symbol: string): void;
}

export interface OwnershipOptions {
  plan: Pick<BotPlan, 'strategies'>;
  store: JournalStore;
  clock: Clock;
  /** Something that must be durable could not be written. */
  onFatal(error: unknown): void;
}

const IGNORED = 'ignored';

/** The journal's fact that names who owned a symbol of a wallet last. */
export const ownerFactOf = (wallet: string, symbol: string): string => `owner:${wallet}:${symbol}`;

export function createOwnership({ plan, store, clock, onFatal }: OwnershipOptions): Ownership {
  /** What was written by this process: a remote store may still be writing it. */
  const written = new Map<string, string>();
  /** Read once, before the start: a view may ask after the journal is closed. */
  let latches: ReadonlyMap<string, string> | undefined;
  const persisted = (): ReadonlyMap<string, string> =>
    (latches ??= new Map(store.latches().map(({ name, value }) => [name, value])));
  const durably = (write: () => void | Promise<void>): void => writeOrFail(write, onFatal);
  const latchOf = (wallet: string, symbol: string): string => `position ${wallet} ${symbol}`;

  function lastTrader(wallet: string, symbol: string): string | undefined {
    const named = `"symbol":${JSON.stringify(symbol)}`;
    return findNewest(
      store,
      (row) =>
        row.wallet === wallet &&
        row.instance !== OPERATOR &&
        row.state === 'accepted' &&
        row.intent.includes(named) &&
        mayTrade(row.intent, symbol),
    )?.instance;
  }

  function note(wallet: string, symbol: string, value: string): void {
    const reason = value === IGNORED ? 'run --ignore' : 'no holding of it is left';
    const latch = { value, reason, time: clock.wallNow() };
    written.set(latchOf(wallet, symbol), value);
    durably(() => store.setLatch(latchOf(wallet, symbol), latch));
  }

  const ownerOf: Ownership['ownerOf'] = (wallet, symbol) =>
    plan.strategies.find((one) => one.wallet === wallet && one.symbols.includes(symbol))?.name;

  const formerOf: Ownership['formerOf'] = (wallet, symbol) =>
    written.get(ownerFactOf(wallet, symbol)) ??
    store.meta(ownerFactOf(wallet, symbol)) ??
    lastTrader(wallet, symbol);

  function isIgnored(wallet: string, symbol: string): boolean {
    const latch = latchOf(wallet, symbol);
    return (written.get(latch) ?? persisted().get(latch)) === IGNORED;
  }

  function own(wallet: string, symbol: string, strategy: string): void {
    if (store.meta(ownerFactOf(wallet, symbol)) === strategy) return;
    written.set(ownerFactOf(wallet, symbol), strategy);
    durably(() => store.setMeta(ownerFactOf(wallet, symbol), strategy));
  }

  return {
    ownerOf,
    formerOf,
    rightfulOwnerOf(wallet, symbol) {
      const owner = ownerOf(wallet, symbol);
      const former = formerOf(wallet, symbol);
      return former === undefined || former === owner ? owner : undefined;
    },
    isOthers: (wallet, symbol) => isSpot(symbol) && formerOf(wallet, symbol) === undefined,
    isIgnored,
    own,
    ignore: (wallet, symbol) => note(wallet, symbol, IGNORED),
    stopIgnoring: note,
    release(wallet, symbol) {
      const owner = ownerOf(wallet, symbol);
      if (owner !== undefined) own(wallet, symbol, owner);
      if (isIgnored(wallet, symbol)) note(wallet, symbol, 'over');
    },
  };
}

/** By what it proposes: the bar that it was decided on, or what a monitor watches, may be another symbol's. */
function mayTrade(text: string, symbol: string): boolean {
  const { entries, reductions } = effectOf(intentOf(text));
  return [...entries, ...reductions].some((one) => one.symbol === symbol);
}
