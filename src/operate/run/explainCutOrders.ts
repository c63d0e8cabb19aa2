import type { CutOrders } from '../../runtime/index.ts';

/** That the rest of market orders was cancelled, which nothing else in the closing table shows; undefined for none. */
export function explainCutOrders({ count, filledShare }: CutOrders): string | undefined {
  if (count === 0) return undefined;
  const which =
    count === 1 ? 'One market order was' : `${count.toLocaleString('en')} market orders were`;
  const percent = Math.floor(filledShare * 1_000) / 10;
  const share = count === 1 ? `${percent} % of its size` : `${percent} % of their size on average`;
  return (
    `${which} filled in part (${share}), and the rest was cancelled: it was more than its share of the last bar's ` +
    'volume (paper.volume_share), or beyond its slippage_bps.\n' +
    '  Work a larger size by an algorithm (launch, closePosition.byAlgo), or order what is left again.'
  );
}
