import { closePosition, placeOrder, type Intent } from '../../intents/index.ts';
import type { AtWork } from '../wallet/index.ts';

/**
 * Every position of the symbols that the bot's strategies own, as intents that close it. Of spot only what the
 * bot bought, since a close would also sell what others have in the wallet.
 */
export function flatten(work: AtWork, symbols: readonly string[]): Intent[] {
  const positions = work.positions
    .filter(({ symbol, size }) => size > 0 && symbols.includes(symbol))
    .map(({ symbol }) => closePosition.atMarket(symbol));
  const holdings = (work.holdings ?? []).filter(({ symbol }) => symbols.includes(symbol));
  return [...positions, ...holdings.map(sellHolding)];
}

export const sellHolding = ({ symbol, size }: { symbol: string; size: number }): Intent =>
  placeOrder.market({ symbol, side: 'sell', size, reduce_only: true });
