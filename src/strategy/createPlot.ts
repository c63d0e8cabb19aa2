import { withCode } from '../contract/index.ts';
import { barOfTurn, Reading } from './createReadings.ts';
import type { StrategyContext } from './StrategyContext.ts';

/** Lines of one instance; a name that changes at each bar would make a line of each value. */
const MOST_LINES = 64;

/**
 * `ctx.plot`: a value of the plugin's own is read by journal and report as an indicator's is.
 *
 * @param keep registers a reading for as long as the instance lives
 */
export function createPlot(
  symbols: readonly string[],
  keep: (reading: Reading) => void,
): StrategyContext['plot'] {
  const known = new Map<string, { reading: Reading; values: Float64Array }>();

  function begin(name: string, symbol: string, pane: string) {
    if (typeof name !== 'string' || name === '') throw refuse('its name must be a text');
    if (typeof pane !== 'string' || pane === '')
      throw refuse(`the pane of ${name} must be 'price' or another text`);
    if (!symbols.includes(symbol))
      throw refuse(`${name} is for ${symbol}; this instance has ${symbols.join(', ')}`);
    if (known.size >= MOST_LINES)
      throw refuse(`${name} would be line ${MOST_LINES + 1} of at most ${MOST_LINES}`);
    const values = new Float64Array(1);
    const reading = new Reading([[name, { id: name, params: {}, series: ['value'], values }]]);
    reading.lines = [{ name, group: name, symbol, pane }];
    const line = { reading, values };
    known.set(`${symbol} ${name}`, line);
    keep(reading);
    return line;
  }

  return (name, value, { pane = 'price', symbol = symbols[0]! } = {}) => {
    const line = known.get(`${symbol} ${name}`) ?? begin(name, symbol, pane);
    if (!Number.isFinite(value)) return;
    line.values[0] = value;
    line.reading.at(barOfTurn());
  };
}

const refuse = (reason: string): RangeError =>
  withCode('TRIMTAB_PLOT', new RangeError(`ctx.plot: ${reason}.`));
