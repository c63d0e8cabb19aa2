/**
 * The operators of a plugin: bars and positions → indicator values → signals.
 *
 * Each is pure, has its state per subscription, needs no clock and gives the same in a replay.
 */
export { adx } from './adx.ts';
export { atr } from './atr.ts';
export { bollinger } from './bollinger.ts';
export { cci } from './cci.ts';
export { closes } from './closes.ts';
export { cooldown } from './cooldown.ts';
export { crossesOver } from './crossesOver.ts';
export { crossesUnder } from './crossesUnder.ts';
export {
  defineIndicator,
  type DefinedIndicator,
  type DefinedOutput,
  type IndicatorDefinition,
  type IndicatorFactory,
  type KernelInput,
  type KernelValue,
  type SeriesNames,
  type StreamingKernel,
} from './defineIndicator.ts';
export { distinctBar } from './distinctBar.ts';
export { ema } from './ema.ts';
export { highest } from './highest.ts';
export { highs } from './highs.ts';
export { opens } from './opens.ts';
export { ichimoku } from './ichimoku.ts';
export type { IndicatorOperator, IndicatorOutput } from './indicatorOperator.ts';
export { keltner } from './keltner.ts';
export { lowest } from './lowest.ts';
export { lows } from './lows.ts';
export { macd } from './macd.ts';
export { psar } from './psar.ts';
export { resample } from './resample.ts';
export { rsi } from './rsi.ts';
export { shareRows } from './shareRows.ts';
export { sma } from './sma.ts';
export { stochastic } from './stochastic.ts';
export { volumes } from './volumes.ts';
export { vwap } from './vwap.ts';
export { whenFlat } from './whenFlat.ts';
export { whenOpen } from './whenOpen.ts';
export { withIndicators, type WithIndicators } from './withIndicators.ts';
export { withPosition } from './withPosition.ts';
export { withPrevious, type WithPrevious } from './withPrevious.ts';
export { wma } from './wma.ts';
