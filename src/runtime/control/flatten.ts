import {
  cancelOrder,
  closePosition,
  controlExecution,
  placeOrder,
  type Intent,
} from '../../intents/index.ts';
import { isSpot, ownExitOrders, ownExits, type AtWork } from '../wallet/index.ts';

/**
 * Every position of the symbols that the bot's strategies own, as intents that close it. Of spot only what the
 * bot bought, since a close would also sell what others have in the wallet. The bot's own exits end as well, once
 * nothing is left that they protect: they would act on a later position. Resting sales of spot end at once, since
 * they hold back what is to be sold.
 */
export function flatten(work: AtWork, symbols: readonly string[]): Intent[] {
  const isOne = ({ symbol }: { symbol: string }): boolean => symbols.includes(symbol);
  const held = work.positions.filter((one) => one.size > 0 && isOne(one));
  const holdings = (work.holdings ?? []).filter(isOne);
  const open = new Set([...held, ...holdings].map(({ symbol }) => symbol));
  const isDone = (one: { symbol: string }): boolean => isOne(one) && !open.has(one.symbol);
  const orders = ownExitOrders(work).filter(
    (one) => isDone(one) || (isSpot(one.symbol) && isOne(one)),
  );
  const executions = ownExits(work).filter(isDone);
  return [
    ...executions.map(({ execution_id }) => controlExecution.stop({ execution_id })),
    ...orders.map(({ order_id }) => cancelOrder({ order_id })),
    ...held.map(({ symbol }) => closePosition.atMarket(symbol)),
    ...holdings.map(sellHolding),
  ];
}

export const sellHolding = ({ symbol, size }: { symbol: string; size: number }): Intent =>
  placeOrder.market({ symbol, side: 'sell', size, reduce_only: true });
