import { effectOf } from '../../intents/effectOf.ts';
import type { Intent } from '../../intents/index.ts';
import type { Emission } from '../../strategy/index.ts';

/**
 * Whether new exposure may be added at all, on a symbol of a wallet, or by a strategy. Each station that has a reason against
 * it closes the gate under its own name; the gate is open when no reason is left. Exits never query it.
 */
export interface EntryGate {
  /** @param wallet the only one whose entries it closes; default: those of all */
  close(reason: string, wallet?: string): void;
  open(reason: string): void;
  /** Closes one symbol of a wallet; only one station uses it, so that a symbol has one reason. */
  closeSymbol(wallet: string, symbol: string, reason: string): void;
  openSymbol(wallet: string, symbol: string): void;
  /** Closes the gate for one strategy that an operator pauses; only one station uses it. */
  closeStrategy(instance: string, reason: string): void;
  openStrategy(instance: string): void;
  /** Why a strategy may not enter; undefined if it may. */
  closedStrategy(instance: string): string | undefined;
  /** Why symbols of a wallet are closed, by symbol; empty when all are open. */
  closedSymbols(wallet: string): ReadonlyMap<string, string>;
  /**
   * Why it is closed beyond single symbols and strategies; empty when it is open.
   *
   * @param wallet of its entries; default: of any wallet's
   */
  reasons(wallet?: string): readonly string[];
  /**
   * Why an entry may not be sent, as one text; undefined when it may.
   *
   * @param enters symbols on which it may open, if more is known of them than the intent names: those of the guards
   */
  reasonFor(
    emission: Pick<Emission, 'wallet' | 'intent'> & Partial<Pick<Emission, 'instance'>>,
    enters?: readonly string[],
  ): string | undefined;
  /** Listeners receive the reasons after each change, oldest first. */
  listen(listener: (reasons: readonly string[]) => void): void;
}

const NONE: ReadonlyMap<string, string> = new Map();

export function createEntryGate(): EntryGate {
  /** Reasons, with the wallet that each is of; undefined for all. */
  const closed = new Map<string, string | undefined>();
  const listeners: Array<(reasons: readonly string[]) => void> = [];
  const changed = (): void => {
    for (const listener of listeners) listener([...closed.keys()]);
  };
  const symbols = new Map<string, Map<string, string>>();
  const strategies = new Map<string, string>();
  const reasonsOf = (wallet?: string): string[] =>
    [...closed].flatMap(([reason, one]) =>
      wallet === undefined || one === undefined || one === wallet ? [reason] : [],
    );
  return {
    close(reason, wallet) {
      if (closed.has(reason)) return;
      closed.set(reason, wallet);
      changed();
    },
    open(reason) {
      if (closed.delete(reason)) changed();
    },
    closeSymbol(wallet, symbol, reason) {
      symbols.set(wallet, new Map([...(symbols.get(wallet) ?? []), [symbol, reason]]));
    },
    openSymbol(wallet, symbol) {
      symbols.get(wallet)?.delete(symbol);
    },
    closeStrategy: (instance, reason) => void strategies.set(instance, reason),
    openStrategy: (instance) => void strategies.delete(instance),
    closedStrategy: (instance) => strategies.get(instance),
    closedSymbols: (wallet) => symbols.get(wallet) ?? NONE,
    reasons: reasonsOf,
    listen: (listener) => void listeners.push(listener),
    reasonFor({ wallet, intent, instance }, enters) {
      const inWallet = symbols.get(wallet) ?? NONE;
      const own = instance === undefined ? undefined : strategies.get(instance);
      if (closed.size === 0 && inWallet.size === 0 && own === undefined) return undefined;
      const reasons = [
        ...reasonsOf(wallet),
        ...(own === undefined ? [] : [own]),
        ...(inWallet.size === 0 ? [] : reasonsFor(enters ?? enteredBy(intent), inWallet)),
      ];
      return reasons.length === 0 ? undefined : `entry gate: ${reasons.join(', ')}`;
    },
  };
}

/** What opens on no symbol that is known may do so on any. */
function reasonsFor(enters: readonly string[], closed: ReadonlyMap<string, string>): string[] {
  if (enters.length === 0) return [...closed.values()];
  return [...new Set(enters)].flatMap((symbol) => closed.get(symbol) ?? []);
}

/** A trigger's symbol is not entered; an entry that the intent does not show may be on each that it names. */
function enteredBy(intent: Intent): readonly string[] {
  const { entries, opaque, symbols } = effectOf(intent);
  return opaque || entries.length === 0 ? symbols : entries.map(({ symbol }) => symbol);
}
