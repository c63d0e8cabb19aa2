import { maxDrawdown, trade } from 'trade';

const MINUTE_MS = 60_000;
const SYMBOL = 'BTC';

/** trade as in its README: orders from the bars until now, filled at the next open. */
function createOrders({ data, positions }) {
  if (data.length < 30) return [];
  const target = meanOf(data, 10) > meanOf(data, 30) ? 0.1 : -0.1;
  const held = positions[0]?.size ?? 0;
  return Math.sign(held) === Math.sign(target) ? [] : [{ symbol: SYMBOL, size: target - held }];
}

const meanOf = (data, length) =>
  data.slice(0, length).reduce((sum, [bar]) => sum + bar.close, 0) / length;

/** @param {Float64Array} closes */
export default (closes) => {
  const bars = Array.from(closes, (close, at) => {
    const open = closes[Math.max(0, at - 1)];
    return [{ symbol: SYMBOL, date: new Date(at * MINUTE_MS), open, close }];
  });
  return async () => {
    function* getData() {
      yield* bars;
    }
    const result = await trade({ getData, createOrders, cash: 1e8, historyLength: 30 });
    maxDrawdown(result.map(({ cash, positionsOnClose: [held] }) => cash + (held?.value ?? 0)));
    return result.filter(({ closedPositions }) => closedPositions.length > 0).length;
  };
};
