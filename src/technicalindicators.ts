/**
 * `trimtab/technicalindicators`: the streaming indicators and the candlestick patterns of the library of that name, as
 * operators. It needs the package `technicalindicators`, version 3. Names, parameters and series are the library's:
 * `bars$.pipe(withIndicators({ strength: rsi({ period: 14 }), cloud: ichimokucloud() }))`. What it computes wrongly is
 * mended here; `docs/reference/technicalindicators.md` lists what, and which of its functions have no operator.
 */
export { ema, macd, sma, wema, wma } from './technicalindicators/averages.ts';
export {
  awesomeoscillator,
  cci,
  kst,
  roc,
  rsi,
  stochastic,
  stochasticrsi,
  trix,
  williamsr,
} from './technicalindicators/momentum.ts';
export {
  adx,
  atr,
  heikinashi,
  ichimokucloud,
  psar,
  truerange,
} from './technicalindicators/directions.ts';
export {
  averagegain,
  averageloss,
  bollingerbands,
  chandelierexit,
  highest,
  keltnerchannels,
  lowest,
  sd,
  sum,
} from './technicalindicators/volatility.ts';
export { adl, forceindex, mfi, obv, vwap } from './technicalindicators/volume.ts';
export {
  abandonedbaby,
  bearishengulfingpattern,
  bearishhammerstick,
  bearishharami,
  bearishharamicross,
  bearishinvertedhammerstick,
  bearishmarubozu,
  bearishspinningtop,
  bullishengulfingpattern,
  bullishhammerstick,
  bullishharami,
  bullishharamicross,
  bullishinvertedhammerstick,
  bullishmarubozu,
  bullishspinningtop,
  darkcloudcover,
  doji,
  downsidetasukigap,
  dragonflydoji,
  eveningdojistar,
  eveningstar,
  gravestonedoji,
  morningdojistar,
  morningstar,
  piercingline,
  threeblackcrows,
  threewhitesoldiers,
} from './technicalindicators/candlesticks.ts';
export {
  bearish,
  bullish,
  hammerpattern,
  hammerpatternunconfirmed,
  hangingman,
  hangingmanunconfirmed,
  shootingstar,
  shootingstarunconfirmed,
  tweezerbottom,
  tweezertop,
} from './technicalindicators/trendPatterns.ts';
export type { CandlestickPattern } from './technicalindicators/ofLastBars.ts';
export type { Bar, ClosedBar } from './strategy/index.ts';
export type {
  DefinedIndicator,
  DefinedOutput,
  IndicatorFactory,
  KernelInput,
  SeriesNames,
} from './strategy/operators/index.ts';
