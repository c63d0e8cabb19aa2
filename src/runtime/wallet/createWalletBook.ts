import { baseOf, isSpot, signedSize } from '../../contract/index.ts';
import type { AccountModel } from '../../streams/index.ts';
import { createDayLoss, type DayLossOptions } from './createDayLoss.ts';
import { createOpenWork } from './createOpenWork.ts';
import { createTransfers } from './createTransfers.ts';
import { createWalletValue, type WalletValueOptions } from './createWalletValue.ts';
import type { WalletBook } from './WalletBook.ts';

export type WalletBookOptions = DayLossOptions & WalletValueOptions;

/** A wallet's value, its day, and what is open on it. */
export function createWalletBook(options: WalletBookOptions): WalletBook {
  let model: AccountModel | undefined;
  const value = createWalletValue(options);
  const transfers = createTransfers(value.priceOf, options.dayStart?.funds);
  const day = createDayLoss(value, transfers, options);
  const work = createOpenWork();
  /** What fills and funding changed since the last account record. */
  let since = { fees: 0, realized: 0, funding: 0 };
  let startEquity: number | undefined;
  /** Of what is known now; null if it must be recomputed. */
  let exposed: readonly string[] | null = null;

  function findExposed(): string[] {
    const symbols = value.positions().map(({ symbol }) => symbol);
    symbols.push(...value.heldSpots(), ...work.symbols());
    return [...new Set(symbols)];
  }

  return {
    ...work,
    model(next) {
      // A new account record is a snapshot: it holds what was counted since the one before.
      const isRecord = next.account !== model?.account;
      if (isRecord) since = { fees: 0, realized: 0, funding: 0 };
      model = next;
      value.model(next);
      const moved = transfers.model(next);
      if (isRecord) day.recorded(moved);
      work.model(next);
      day.renew();
      startEquity ??= next.account.equity;
      exposed = null;
    },
    sample(time) {
      if (model !== undefined) day.sample(time);
    },
    dayHeadroom: day.headroom,
    priced: value.priced,
    fill(fill) {
      since.fees += fill.fee;
      since.realized += fill.closed_pnl ?? 0;
      transfers.fill(fill);
      day.renew();
    },
    fillInTurn(fill) {
      work.fillInTurn(fill);
      exposed = null;
    },
    funding(amount) {
      since.funding += amount;
      transfers.funding(amount);
      day.renew();
    },
    positionShown(symbol) {
      work.positionShown(symbol);
      exposed = null;
    },
    executions(next) {
      work.executions(next);
      exposed = null;
    },
    monitors(next) {
      work.monitors(next);
      exposed = null;
    },
    account() {
      if (model === undefined) return undefined;
      const { account } = model;
      const { used, available } = value.margin();
      return {
        ...account,
        equity: value.equity(),
        used_margin: used,
        available_margin: available,
        unrealized_pnl: value.unrealized(),
        realized_pnl: account.realized_pnl + since.realized,
        fees_paid: account.fees_paid + since.fees,
        funding_paid: account.funding_paid + since.funding,
        time: options.now(),
      };
    },
    equity: () => (model === undefined ? undefined : value.equity()),
    startEquity: () => startEquity ?? 0,
    dayLoss: day.loss,
    dayLimitReached: day.reached,
    dayResult: day.result,
    position(symbol) {
      // The holding of a spot symbol's base is its position, as far as limits are concerned.
      if (isSpot(symbol)) return model?.balances.get(baseOf(symbol))?.total ?? 0;
      return signedSize(model?.positions.get(symbol));
    },
    positionRecord: (symbol) => model?.positions.get(symbol),
    openPositions: value.positions,
    spotHoldings: value.spotHoldings,
    exposedSymbols: () => (exposed ??= findExposed()),
  };
}
