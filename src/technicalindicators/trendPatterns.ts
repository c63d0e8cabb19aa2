import type { Candles, Library } from './loadLibrary.ts';
import { ofLastBars } from './ofLastBars.ts';

/*
 * The patterns that follow a trend. The library compares gain and loss as arrays, and so as texts: a mean gain of 9.5
 * is more to it than a loss of 10.2. Gain less loss is the change of the close, which is compared here as a number.
 * The sticks within the patterns are the library's.
 */

type Test = (candles: Candles, library: Library) => boolean;

/** Bars of each of these patterns: a trend of three, the stick, and its confirmation. */
const BARS = 5;

const change = ({ close }: Candles, count: number): number => close[count - 1]! - close[0]!;

/** Whether one of the library's sticks is the candle at this place. */
const isStick =
  (at: number, ...names: Array<Lowercase<string>>): Test =>
  ({ open, high, low, close }, library) => {
    const candle = { open: [open[at]!], high: [high[at]!], low: [low[at]!], close: [close[at]!] };
    return names.some((name) => library[name]!(candle) === true);
  };

const HAMMERS = ['bearishhammerstick', 'bullishhammerstick'] as const;
const INVERTED = ['bearishinvertedhammerstick', 'bullishinvertedhammerstick'] as const;

const confirmsRise: Test = ({ open, close }) => open[4]! < close[4]! && close[3]! < close[4]!;
const confirmsFall: Test = ({ open, close }) => open[4]! > close[4]! && close[3]! > close[4]!;

const all =
  (...tests: Test[]): Test =>
  (candles, library) =>
    tests.every((test) => test(candles, library));

const rose =
  (bars: number): Test =>
  (candles) =>
    change(candles, bars) > 0;
const fell =
  (bars: number): Test =>
  (candles) =>
    change(candles, bars) < 0;

const isHammer = all(fell(3), isStick(3, ...HAMMERS, ...INVERTED), confirmsRise);
const isHammerUnconfirmed = all(fell(4), isStick(4, ...HAMMERS, ...INVERTED));
const isHangingMan = all(rose(3), isStick(3, ...HAMMERS), confirmsFall);
const isHangingManUnconfirmed = all(rose(4), isStick(4, ...HAMMERS));
const isShootingStar = all(rose(3), isStick(3, ...INVERTED), confirmsFall);
const isShootingStarUnconfirmed = all(rose(4), isStick(4, ...INVERTED));
const isTweezerTop = all(rose(3), ({ high }) => high[3] === high[4]);
const isTweezerBottom = all(fell(3), ({ low }) => low[3] === low[4]);

/** 1 at a bar that completes the library's hammer, confirmed by a rise, else 0. */
export const hammerpattern = ofLastBars('hammerpattern', BARS, isHammer);

/** 1 at a bar that is the library's hammer after a fall, else 0. */
export const hammerpatternunconfirmed = ofLastBars(
  'hammerpatternunconfirmed',
  BARS,
  isHammerUnconfirmed,
);

/** 1 at a bar that completes the library's hanging man, confirmed by a fall, else 0. */
export const hangingman = ofLastBars('hangingman', BARS, isHangingMan);

/** 1 at a bar that is the library's hanging man after a rise, else 0. */
export const hangingmanunconfirmed = ofLastBars(
  'hangingmanunconfirmed',
  BARS,
  isHangingManUnconfirmed,
);

/** 1 at a bar that completes the library's shooting star, confirmed by a fall, else 0. */
export const shootingstar = ofLastBars('shootingstar', BARS, isShootingStar);

/** 1 at a bar that is the library's shooting star after a rise, else 0. */
export const shootingstarunconfirmed = ofLastBars(
  'shootingstarunconfirmed',
  BARS,
  isShootingStarUnconfirmed,
);

/** 1 at a bar whose high equals the one before, after a rise, else 0. */
export const tweezertop = ofLastBars('tweezertop', BARS, isTweezerTop);

/** 1 at a bar whose low equals the one before, after a fall, else 0. */
export const tweezerbottom = ofLastBars('tweezerbottom', BARS, isTweezerBottom);

const BULLISH = [
  'bullishengulfingpattern',
  'downsidetasukigap',
  'bullishharami',
  'bullishharamicross',
  'morningdojistar',
  'morningstar',
  'bullishmarubozu',
  'piercingline',
  'threewhitesoldiers',
  'bullishhammerstick',
  'bullishinvertedhammerstick',
] as const;
const BEARISH = [
  'bearishengulfingpattern',
  'bearishharami',
  'bearishharamicross',
  'eveningdojistar',
  'eveningstar',
  'bearishmarubozu',
  'threeblackcrows',
  'bearishhammerstick',
  'bearishinvertedhammerstick',
] as const;

/** A function of the library gets the candles that it reads, the last ones: given more, it takes those. */
const isOneOf =
  (names: ReadonlyArray<Lowercase<string>>, ...tests: Test[]): Test =>
  (candles, library) =>
    names.some((name) => library[name]!(candles) === true) ||
    tests.some((test) => test(candles, library));

/** 1 at a bar that completes one of the library's bullish patterns, else 0. */
export const bullish = ofLastBars(
  'bullish',
  BARS,
  isOneOf(BULLISH, isHammer, isHammerUnconfirmed, isTweezerBottom),
);

/** 1 at a bar that completes one of the library's bearish patterns, else 0. */
export const bearish = ofLastBars(
  'bearish',
  BARS,
  isOneOf(
    BEARISH,
    isHangingMan,
    isHangingManUnconfirmed,
    isShootingStar,
    isShootingStarUnconfirmed,
    isTweezerTop,
  ),
);
