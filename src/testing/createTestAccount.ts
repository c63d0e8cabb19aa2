import { averageAfter } from '../contract/averageAfter.ts';
import type {
  AccountRecord,
  BalanceRecord,
  FillRecord,
  InstrumentRecord,
  PositionRecord,
} from '../contract/index.ts';
import { spotPosition } from '../strategy/spotPosition.ts';

/**
 * A position as a test sets it: base units and quote units. A spot holding is long, and is shown with its mark in the
 * place of the entry, as a bot shows it; `entry_price` is what was paid for it.
 */
export interface PositionInput {
  side: 'long' | 'short';
  size: number;
  entry_price: number;
}

export interface TestAccount {
  readonly account: AccountRecord;
  position(symbol: string): PositionRecord | null;
  /** Replaces a symbol's position. */
  set(symbol: string, position: PositionInput | null): PositionRecord | null;
  /** Books a fill; returns the profit of what it closed, quote units. */
  fill(fill: Pick<FillRecord, 'symbol' | 'side' | 'price' | 'size' | 'fee'>): number;
  /** Pays funding out of the cash. */
  payFunding(amount: number): void;
  /** The last price known of a symbol. */
  mark(symbol: string, price: number): void;
  markOf(symbol: string): number | undefined;
  /** Cash, and what is held on spot; a test may replace the list. */
  balances(): readonly BalanceRecord[];
  setBalances(balances: readonly BalanceRecord[]): void;
  /** From now on the account has these values; the equity follows fills from there. */
  update(change: Partial<AccountRecord>): void;
}

interface Held {
  /** Signed, base units. */
  size: number;
  entry: number;
  realized: number;
  opened: number;
  updated: number;
  /** The mark at its last change, which a spot holding is shown with. */
  shown: number;
}

/**
 * A wallet without a venue: cash, positions and their marks. Entry prices are weighted by size, a reduction
 * keeps them, and what passes through zero opens anew, as on the paper service. A spot holding has an entry in its
 * profit alone: it is shown as the runtime shows one, from a balance that has none.
 */
export function createTestAccount(options: {
  wallet: string;
  /** Equity at the start, quote units. */
  capital: number;
  instrumentOf(symbol: string): InstrumentRecord;
  now(): number;
}): TestAccount {
  const { wallet, instrumentOf, now } = options;
  const held = new Map<string, Held>();
  const marks = new Map<string, number>();
  const sums = { cash: options.capital, realized: 0, fees: 0, funding: 0 };
  let changed: Partial<AccountRecord> = {};
  let balances: readonly BalanceRecord[] | undefined;

  const isSpot = (symbol: string): boolean => instrumentOf(symbol).kind === 'spot';
  const unrealizedOf = (symbol: string, { size, entry }: Held): number =>
    size * ((marks.get(symbol) ?? entry) - entry);

  function toRecord(symbol: string, one: Held): PositionRecord {
    const size = Math.abs(one.size);
    if (isSpot(symbol)) return spotPosition(symbol, { size, price: one.shown, time: one.updated });
    const mark = marks.get(symbol) ?? one.entry;
    return {
      symbol,
      side: one.size >= 0 ? 'long' : 'short',
      size,
      entry_price: one.entry,
      mark_price: mark,
      notional: size * mark,
      unrealized_pnl: unrealizedOf(symbol, one),
      realized_pnl: one.realized,
      opened_time: one.opened,
      updated_time: one.updated,
    };
  }

  const position = (symbol: string): PositionRecord | null => {
    const one = held.get(symbol);
    return one === undefined ? null : toRecord(symbol, one);
  };

  /** On the grid, so that opposite fills leave nothing behind. */
  function onGrid(symbol: string, size: number): number {
    const power = 10 ** instrumentOf(symbol).size_decimals;
    return Math.round(size * power) / power;
  }

  function move(symbol: string, one: Held, { delta, price }: { delta: number; price: number }) {
    const closing = one.size * delta < 0 ? Math.min(Math.abs(one.size), Math.abs(delta)) : 0;
    const profit = closing === 0 ? 0 : closing * (price - one.entry) * Math.sign(one.size);
    const after = onGrid(symbol, one.size + delta);
    const isFlip = one.size * after < 0;
    const opened = Math.abs(delta) - closing;
    const rest = isFlip ? 0 : Math.abs(one.size) - closing;
    const before = rest === 0 ? null : one.entry;
    const paid = rest * one.entry + opened * price;
    const entry = opened > 0 ? averageAfter(before, price, paid, rest + opened) : one.entry;
    const realized = isFlip ? 0 : one.realized + profit;
    const openedAt = isFlip ? now() : one.opened;
    const shown = marks.get(symbol) ?? price;
    const next = { size: after, entry, realized, opened: openedAt, updated: now(), shown };
    if (after === 0) held.delete(symbol);
    else held.set(symbol, next);
    return profit;
  }

  /** A spot position is a holding of its base, which was paid for. */
  function holdings(): BalanceRecord[] {
    return [...held].flatMap(([symbol, { size }]) => {
      const { base } = instrumentOf(symbol);
      return isSpot(symbol) ? [{ asset: base, total: size, available: size, held: 0 }] : [];
    });
  }

  function cash(total: number): BalanceRecord {
    const paid = [...held].reduce(
      (sum, [symbol, { size, entry }]) => (isSpot(symbol) ? sum + size * entry : sum),
      0,
    );
    return { asset: 'USDC', total: total - paid, available: total - paid, held: 0 };
  }

  const sumOf = (of: (symbol: string, one: Held) => number): number =>
    [...held].reduce((sum, [symbol, one]) => sum + of(symbol, one), 0);

  return {
    get account() {
      const equity = sums.cash + sumOf(unrealizedOf);
      const unrealized = sumOf((symbol, one) => (isSpot(symbol) ? 0 : unrealizedOf(symbol, one)));
      return {
        wallet,
        equity,
        available_margin: equity,
        used_margin: 0,
        unrealized_pnl: unrealized,
        realized_pnl: sums.realized,
        fees_paid: sums.fees,
        funding_paid: sums.funding,
        time: now(),
        ...changed,
      };
    },
    position,
    set(symbol, given) {
      if (given === null) held.delete(symbol);
      else {
        const size = given.side === 'long' ? given.size : -given.size;
        const time = now();
        const entry = given.entry_price;
        const shown = marks.get(symbol) ?? entry;
        held.set(symbol, { size, entry, realized: 0, opened: time, updated: time, shown });
      }
      return position(symbol);
    },
    fill({ symbol, side, price, size, fee }) {
      const none = { size: 0, entry: 0, realized: 0, opened: now(), updated: now(), shown: 0 };
      const delta = side === 'buy' ? size : -size;
      const profit = move(symbol, held.get(symbol) ?? none, { delta, price });
      sums.cash += profit - fee;
      sums.realized += profit;
      sums.fees += fee;
      return profit;
    },
    payFunding(amount) {
      sums.cash -= amount;
      sums.funding += amount;
    },
    balances: () => balances ?? [cash(sums.cash), ...holdings()],
    setBalances: (given) => {
      balances = given;
    },
    mark: (symbol, price) => void marks.set(symbol, price),
    markOf: (symbol) => marks.get(symbol),
    update({ equity, ...others }) {
      changed = { ...changed, ...others };
      if (equity === undefined) return;
      sums.cash = equity - sumOf(unrealizedOf);
    },
  };
}
