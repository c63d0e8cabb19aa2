import { DataFrame } from 'data-forge';
import 'data-forge-indicators';
import grademark from 'grademark';

const MINUTE_MS = 60_000;

/** grademark as in its README: averages joined to the bars, rules for entry and exit. */
const strategy = {
  prepIndicators: ({ inputSeries }) => {
    const closes = inputSeries.deflate((bar) => bar.close).bake();
    return inputSeries
      .withSeries({ fast: closes.sma(10), slow: closes.sma(30) })
      .skip(29)
      .bake();
  },
  entryRule: (enter, { bar }) => enter({ direction: sideOf(bar) }),
  exitRule: (exit, { bar, position }) => {
    if (position.direction !== sideOf(bar)) exit();
  },
};
const sideOf = ({ fast, slow }) => (fast > slow ? 'long' : 'short');

/** @param {Float64Array} closes */
export default (closes) => {
  const values = Array.from(closes, (close, at) => {
    const open = closes[Math.max(0, at - 1)];
    const [low, high] = [Math.min(open, close), Math.max(open, close)];
    return { time: new Date(at * MINUTE_MS), open, high, low, close };
  });
  const bars = new DataFrame(values).bake();
  // The first trade is not a crossing: it begins where the averages do.
  return () => grademark.backtest(strategy, bars).length - 1;
};
