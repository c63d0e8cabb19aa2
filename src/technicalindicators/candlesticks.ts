import { ofLastBars } from './ofLastBars.ts';

/** 1 at a bar that completes the library's abandoned baby, else 0. */
export const abandonedbaby = ofLastBars('abandonedbaby', 3, (candles, library) =>
  library.abandonedbaby!(candles),
);

/** 1 at a bar that completes the library's bearish engulfing pattern, else 0. */
export const bearishengulfingpattern = ofLastBars(
  'bearishengulfingpattern',
  2,
  (candles, library) => library.bearishengulfingpattern!(candles),
);

/** 1 at a bar that completes the library's bullish engulfing pattern, else 0. */
export const bullishengulfingpattern = ofLastBars(
  'bullishengulfingpattern',
  2,
  (candles, library) => library.bullishengulfingpattern!(candles),
);

/** 1 at a bar that completes the library's dark cloud cover, else 0. */
export const darkcloudcover = ofLastBars('darkcloudcover', 2, (candles, library) =>
  library.darkcloudcover!(candles),
);

/** 1 at a bar that completes the library's downside Tasuki gap, else 0. */
export const downsidetasukigap = ofLastBars('downsidetasukigap', 3, (candles, library) =>
  library.downsidetasukigap!(candles),
);

/** 1 at a bar that completes the library's doji, else 0. */
export const doji = ofLastBars('doji', 1, (candles, library) => library.doji!(candles));

/** 1 at a bar that completes the library's dragonfly doji, else 0. */
export const dragonflydoji = ofLastBars('dragonflydoji', 1, (candles, library) =>
  library.dragonflydoji!(candles),
);

/** 1 at a bar that completes the library's gravestone doji, else 0. */
export const gravestonedoji = ofLastBars('gravestonedoji', 1, (candles, library) =>
  library.gravestonedoji!(candles),
);

/** 1 at a bar that completes the library's bullish harami, else 0. */
export const bullishharami = ofLastBars('bullishharami', 2, (candles, library) =>
  library.bullishharami!(candles),
);

/** 1 at a bar that completes the library's bearish harami, else 0. */
export const bearishharami = ofLastBars('bearishharami', 2, (candles, library) =>
  library.bearishharami!(candles),
);

/** 1 at a bar that completes the library's bullish harami cross, else 0. */
export const bullishharamicross = ofLastBars('bullishharamicross', 2, (candles, library) =>
  library.bullishharamicross!(candles),
);

/** 1 at a bar that completes the library's bearish harami cross, else 0. */
export const bearishharamicross = ofLastBars('bearishharamicross', 2, (candles, library) =>
  library.bearishharamicross!(candles),
);

/** 1 at a bar that completes the library's evening doji star, else 0. */
export const eveningdojistar = ofLastBars('eveningdojistar', 3, (candles, library) =>
  library.eveningdojistar!(candles),
);

/** 1 at a bar that completes the library's evening star, else 0. */
export const eveningstar = ofLastBars('eveningstar', 3, (candles, library) =>
  library.eveningstar!(candles),
);

/** 1 at a bar that completes the library's morning doji star, else 0. */
export const morningdojistar = ofLastBars('morningdojistar', 3, (candles, library) =>
  library.morningdojistar!(candles),
);

/** 1 at a bar that completes the library's morning star, else 0. */
export const morningstar = ofLastBars('morningstar', 3, (candles, library) =>
  library.morningstar!(candles),
);

/** 1 at a bar that completes the library's bullish marubozu, else 0. */
export const bullishmarubozu = ofLastBars('bullishmarubozu', 1, (candles, library) =>
  library.bullishmarubozu!(candles),
);

/** 1 at a bar that completes the library's bearish marubozu, else 0. */
export const bearishmarubozu = ofLastBars('bearishmarubozu', 1, (candles, library) =>
  library.bearishmarubozu!(candles),
);

/** 1 at a bar that completes the library's piercing line, else 0. */
export const piercingline = ofLastBars('piercingline', 2, (candles, library) =>
  library.piercingline!(candles),
);

/** 1 at a bar that completes the library's bullish spinning top, else 0. */
export const bullishspinningtop = ofLastBars('bullishspinningtop', 1, (candles, library) =>
  library.bullishspinningtop!(candles),
);

/** 1 at a bar that completes the library's bearish spinning top, else 0. */
export const bearishspinningtop = ofLastBars('bearishspinningtop', 1, (candles, library) =>
  library.bearishspinningtop!(candles),
);

/** 1 at a bar that completes the library's three black crows, else 0. */
export const threeblackcrows = ofLastBars('threeblackcrows', 3, (candles, library) =>
  library.threeblackcrows!(candles),
);

/** 1 at a bar that completes the library's three white soldiers, else 0. */
export const threewhitesoldiers = ofLastBars('threewhitesoldiers', 3, (candles, library) =>
  library.threewhitesoldiers!(candles),
);

/** 1 at a bar that completes the library's bullish hammer stick, else 0. */
export const bullishhammerstick = ofLastBars('bullishhammerstick', 1, (candles, library) =>
  library.bullishhammerstick!(candles),
);

/** 1 at a bar that completes the library's bearish hammer stick, else 0. */
export const bearishhammerstick = ofLastBars('bearishhammerstick', 1, (candles, library) =>
  library.bearishhammerstick!(candles),
);

/** 1 at a bar that completes the library's bullish inverted hammer stick, else 0. */
export const bullishinvertedhammerstick = ofLastBars(
  'bullishinvertedhammerstick',
  1,
  (candles, library) => library.bullishinvertedhammerstick!(candles),
);

/** 1 at a bar that completes the library's bearish inverted hammer stick, else 0. */
export const bearishinvertedhammerstick = ofLastBars(
  'bearishinvertedhammerstick',
  1,
  (candles, library) => library.bearishinvertedhammerstick!(candles),
);
