import type { CutOrders } from '../../runtime/index.ts';

/** That the rest of market orders was cancelled, which nothing else in the closing table shows; undefined for none. */
export function explainCutOrders({ count, filledShare }: CutOrders): string | undefined {
  if (count === 0) return undefined;
  const percent = Math.floor(filledShare * 1_000) / 10;
  const [which, of] =
    count === 1
      ? ['One market order was', 'of its size']
      : [`${count.toLocaleString('en')} market orders were`, 'on average'];
  return (
    `${which} cut to ${percent} % ${of} by paper.volume_share or slippage_bps: ` +
    'work larger sizes by an algorithm'
  );
}
