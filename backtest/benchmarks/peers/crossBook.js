/**
 * The part of a loop beside its averages, as in `rawCross.ts`: the crossing, fills at the best price with
 * their fee, equity and drawdown of each bar.
 */
export function createCrossBook() {
  let isKnown = false;
  let wasAbove = false;
  let position = 0;
  let cash = 1e8;
  let crossings = 0;
  let peak = 0;
  let drawdown = 0;

  /** @param {number} price @param {number} fast @param {number} slow */
  function follow(price, fast, slow) {
    const isAbove = fast > slow;
    if (isKnown && isAbove !== wasAbove) {
      const target = isAbove ? 0.1 : -0.1;
      const size = target - position;
      const touch = price * (size > 0 ? 1.0001 : 0.9999);
      cash -= size * touch + Math.abs(size) * touch * 0.00045;
      position = target;
      crossings++;
    }
    isKnown = true;
    wasAbove = isAbove;
    const equity = cash + position * price;
    if (equity > peak) peak = equity;
    if (peak - equity > drawdown) drawdown = peak - equity;
  }

  return { follow, finish: () => ({ crossings, drawdown }) };
}
