import type {
  AccountRecord,
  BalanceRecord,
  FillRecord,
  InstrumentRecord,
  PositionRecord,
} from '../contract/index.ts';

/** A position as a test sets it: base units and quote units. */
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
}

/**
 * A wallet without a venue: cash, positions and their marks. Entry prices are weighted by size, a reduction
 * keeps them, and what passes through zero opens anew, as on the paper service.
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

  const unrealizedOf = (symbol: string, { size, entry }: Held): number =>
    size * ((marks.get(symbol) ?? entry) - entry);

  function toRecord(symbol: string, one: Held): PositionRecord {
    const mark = marks.get(symbol) ?? one.entry;
    const size = Math.abs(one.size);
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
    const entry = opened > 0 ? (rest * one.entry + opened * price) / (rest + opened) : one.entry;
    const realized = isFlip ? 0 : one.realized + profit;
    const openedAt = isFlip ? now() : one.opened;
    const next = { size: after, entry, realized, opened: openedAt, updated: now() };
    if (after === 0) held.delete(symbol);
    else held.set(symbol, next);
    return profit;
  }

  /** A spot position is a holding of its base, which was paid for. */
  function holdings(): BalanceRecord[] {
    return [...held].flatMap(([symbol, { size }]) => {
      const { kind, base } = instrumentOf(symbol);
      return kind === 'spot' ? [{ asset: base, total: size, available: size, held: 0 }] : [];
    });
  }

  function cash(total: number): BalanceRecord {
    const paid = [...held].reduce(
      (sum, [symbol, { size, entry }]) =>
        instrumentOf(symbol).kind === 'spot' ? sum + size * entry : sum,
      0,
    );
    return { asset: 'USDC', total: total - paid, available: total - paid, held: 0 };
  }

  return {
    get account() {
      const unrealized = [...held].reduce(
        (sum, [symbol, one]) => sum + unrealizedOf(symbol, one),
        0,
      );
      const equity = sums.cash + unrealized;
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
        held.set(symbol, { size, entry, realized: 0, opened: time, updated: time });
      }
      return position(symbol);
    },
    fill({ symbol, side, price, size, fee }) {
      const none = { size: 0, entry: 0, realized: 0, opened: now(), updated: now() };
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
      const unrealized = [...held].reduce(
        (sum, [symbol, one]) => sum + unrealizedOf(symbol, one),
        0,
      );
      sums.cash = equity - unrealized;
    },
  };
}
