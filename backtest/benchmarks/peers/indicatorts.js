import { Action, backtest, sma } from 'indicatorts';

/** indicatorts' vectorised backtest: in at a crossing, out at the next. @param {Float64Array} closes */
export default (closes) => {
  const asset = { closings: [...closes] };
  return () => {
    let crossings = 0;
    const strategy = ({ closings }) => {
      const fast = sma(closings, { period: 10 });
      const slow = sma(closings, { period: 30 });
      return closings.map((_close, at) => {
        if (at < 30) return Action.HOLD;
        const isAbove = fast[at] > slow[at];
        if (isAbove === fast[at - 1] > slow[at - 1]) return Action.HOLD;
        crossings++;
        return isAbove ? Action.BUY : Action.SELL;
      });
    };
    backtest(asset, [{ name: 'cross', strategy }]);
    return crossings;
  };
};
