import { isSellable } from '../../contract/isSellable.ts';
import type { BotPlan } from '../BotPlan.ts';
import type { Ledger } from '../record/index.ts';
import type { WalletBook } from '../wallet/index.ts';
import type { Owners, OwnerStanding } from './createOwners.ts';

/** A spot holding as an operator sees it: a position that is always long. */
export interface SpotPosition {
  symbol: string;
  /** Base units, whoever bought them: what the guards count. */
  size: number;
  /** Quote units a base unit; undefined if nothing says what it is worth. */
  price: number | undefined;
  /** Average price of what its owner bought; undefined if that is not known, since a balance has none. */
  entryPrice: number | undefined;
  /** Open profit of what its owner bought; undefined where the entry price is. */
  unrealizedPnl: number | undefined;
  standing: OwnerStanding;
}

export interface SpotPositionsOptions {
  plan: Pick<BotPlan, 'instruments'>;
  bookOf(wallet: string): WalletBook;
  owners: Pick<Owners, 'standingOf'>;
  ledgerOf(instance: string): Pick<Ledger, 'position' | 'entryPrice'> | undefined;
}

/** Makes the function that lists a wallet's spot holdings; less than a step of the instrument counts as nothing. */
export function createSpotPositions({ plan, bookOf, owners, ledgerOf }: SpotPositionsOptions) {
  const grids = new Map(plan.instruments.map((one) => [one.symbol, one]));

  return (wallet: string): SpotPosition[] =>
    bookOf(wallet)
      .spotHoldings()
      .filter(({ symbol, size }) => isSellable(size, grids.get(symbol)))
      .map(({ symbol, size, price }) => {
        const standing = owners.standingOf(wallet, symbol);
        const ledger = standing.kind === 'owned' ? ledgerOf(standing.strategy) : undefined;
        const entryPrice = ledger?.entryPrice(symbol);
        const isKnown = entryPrice !== undefined && price !== undefined;
        const unrealizedPnl = isKnown ? ledger!.position(symbol) * (price - entryPrice) : undefined;
        return { symbol, size, price, entryPrice, unrealizedPnl, standing };
      });
}
