import type { CandleRecord, IndicatorId } from '../../contract/index.ts';
import { DAY_MS } from '../../contract/durations.ts';

/** One line: a value for each bar, NaN if it has none yet. */
export type Line = number[];
type Bars = readonly CandleRecord[];
type Params = Readonly<Record<string, number>>;

const each = (bars: Bars, of: (bar: CandleRecord, at: number) => number): Line => bars.map(of);
const both = (a: Line, b: Line, of: (x: number, y: number) => number): Line =>
  a.map((x, at) => of(x, b[at] ?? NaN));
const mean = (row: readonly number[]): number => row.reduce((a, b) => a + b, 0) / row.length;
const scaled = (line: Line, factor: number): Line => line.map((x) => x * factor);
const plus = (a: Line, b: Line): Line => both(a, b, (x, y) => x + y);
const minus = (a: Line, b: Line): Line => both(a, b, (x, y) => x - y);
const shifted = (line: Line, by: number): Line => line.map((_, at) => line[at - by] ?? NaN);

/** `of` applied to the last `size` values, if there are enough. */
function over(line: Line, size: number, of: (row: number[]) => number): Line {
  return line.map((_, at) => {
    const row = line.slice(Math.max(0, at + 1 - size), at + 1);
    return row.length < size || row.some(Number.isNaN) ? NaN : of(row);
  });
}

/** A moving average that takes `share` of each new value, seeded with the plain mean of `size` values. */
function smoothed(line: Line, size: number, share: number): Line {
  let average = NaN;
  let begun = 0;
  let total = 0;
  return line.map((x) => {
    if (Number.isNaN(x)) return NaN;
    begun += 1;
    if (begun > size) average += share * (x - average);
    else total += x;
    if (begun === size) average = total / size;
    return average;
  });
}

const ema = (line: Line, size: number): Line => smoothed(line, size, 2 / (size + 1));
const wilder = (line: Line, size: number): Line => smoothed(line, size, 1 / size);
const closes = (bars: Bars): Line => each(bars, ({ close }) => close);
const typical = (bars: Bars): Line =>
  each(bars, ({ high, low, close }) => (high + low + close) / 3);

const ranges = (bars: Bars): Line =>
  each(bars, ({ high, low }, at) => {
    const before = bars[at - 1]?.close ?? NaN;
    return Math.max(high, before) - Math.min(low, before);
  });

function midpoints(bars: Bars, size: number): Line {
  const top = over(
    each(bars, ({ high }) => high),
    size,
    (row) => Math.max(...row),
  );
  const bottom = over(
    each(bars, ({ low }) => low),
    size,
    (row) => Math.min(...row),
  );
  return both(top, bottom, (x, y) => (x + y) / 2);
}

const spread = (row: number[]): number => {
  const centre = mean(row);
  return Math.sqrt(mean(row.map((x) => (x - centre) ** 2)));
};

function sessionAverage(bars: Bars): Line {
  let [day, value, volume] = [NaN, 0, 0];
  return each(bars, (bar) => {
    const today = Math.floor(bar.time / DAY_MS);
    if (today !== day) [day, value, volume] = [today, 0, 0];
    const price = (bar.high + bar.low + bar.close) / 3;
    value += price * bar.volume;
    volume += bar.volume;
    return volume === 0 ? price : value / volume;
  });
}

/** Wilder's stop and reverse: `up` is its side, `far` the best price since. */
function parabolic(bars: Bars, step: number, max: number): Line {
  const [first, second] = bars;
  if (first === undefined || second === undefined) return [NaN];
  const drop = first.low - second.low;
  let up = !(drop > 0 && drop > second.high - first.high);
  let stop = up ? first.low : first.high;
  let far = up ? second.high : second.low;
  let pace = Math.min(step, max);
  return each(bars, (bar, at) => {
    if (at === 0) return NaN;
    const last = at === 1 ? bar : bars[at - 1]!;
    const shown = stop;
    if (up ? bar.low <= stop : bar.high >= stop) {
      up = !up;
      pace = Math.min(step, max);
      const own = up ? Math.min(far, bar.low) : Math.max(far, bar.high);
      far = up ? bar.high : bar.low;
      stop = bounded(own + pace * (far - own), bar, last);
      return own;
    }
    const best = up ? bar.high : bar.low;
    if (up ? best > far : best < far) {
      far = best;
      pace = Math.min(pace + step, max);
    }
    stop = bounded(stop + pace * (far - stop), bar, last);
    return shown;
  });

  function bounded(price: number, bar: CandleRecord, last: CandleRecord): number {
    return up ? Math.min(price, bar.low, last.low) : Math.max(price, bar.high, last.high);
  }
}

function directional(bars: Bars, period: number): Record<string, Line> {
  const moves = (way: 1 | -1): Line =>
    each(bars, (bar, at) => {
      const before = bars[at - 1];
      if (before === undefined) return NaN;
      const rise = bar.high - before.high;
      const fall = before.low - bar.low;
      const [own, other] = way === 1 ? [rise, fall] : [fall, rise];
      return own > other && own > 0 ? own : 0;
    });
  const range = wilder(ranges(bars), period);
  const share = (line: Line): Line =>
    both(wilder(line, period), range, (x, r) => (r === 0 ? 0 : (100 * x) / r));
  const [plus_di, minus_di] = [share(moves(1)), share(moves(-1))];
  const apart = both(plus_di, minus_di, (p, m) =>
    p + m === 0 ? 0 : (100 * Math.abs(p - m)) / (p + m),
  );
  return { adx: wilder(apart, period), plus_di, minus_di };
}

function strength(bars: Bars, period: number): Line {
  const change = minus(closes(bars), shifted(closes(bars), 1));
  const gain = wilder(
    change.map((x) => (x < 0 ? 0 : x)),
    period,
  );
  const loss = wilder(
    change.map((x) => (x > 0 ? 0 : -x)),
    period,
  );
  return both(gain, loss, (g, l) => (l === 0 ? 100 : 100 - 100 / (1 + g / l)));
}

const band = (mid: Line, width: Line): Record<string, Line> => ({
  upper: plus(mid, width),
  mid,
  lower: minus(mid, width),
});

/**
 * The published definitions, written as they are published: whole columns, each window computed afresh. A
 * service's values are compared with these (MKT-4), over the bars that it serves.
 */
export const REFERENCE: Readonly<
  Record<IndicatorId, (bars: Bars, params: Params) => Record<string, Line>>
> = {
  sma: (bars, { period = 0 }) => ({ value: over(closes(bars), period, mean) }),
  ema: (bars, { period = 0 }) => ({ value: ema(closes(bars), period) }),
  wma: (bars, { period = 0 }) => {
    const weigh = (row: number[]): number =>
      row.reduce((total, x, at) => total + x * (at + 1), 0) / ((period * (period + 1)) / 2);
    return { value: over(closes(bars), period, weigh) };
  },
  vwap: (bars) => ({ value: sessionAverage(bars) }),
  bollinger: (bars, { period = 0, std_dev = 0 }) =>
    band(over(closes(bars), period, mean), scaled(over(closes(bars), period, spread), std_dev)),
  keltner: (bars, { period = 0, atr_period = 0, mult = 0 }) =>
    band(ema(closes(bars), period), scaled(wilder(ranges(bars), atr_period), mult)),
  ichimoku: (bars, params) => {
    const { conversion_period = 0, base_period = 0, span_period = 0, displacement = 0 } = params;
    const [conversion, base] = [midpoints(bars, conversion_period), midpoints(bars, base_period)];
    const span_a = shifted(
      both(conversion, base, (x, y) => (x + y) / 2),
      displacement,
    );
    return {
      conversion,
      base,
      span_a,
      span_b: shifted(midpoints(bars, span_period), displacement),
    };
  },
  psar: (bars, { step = 0, max = 0 }) => ({ value: parabolic(bars, step, max) }),
  atr: (bars, { period = 0 }) => ({ value: wilder(ranges(bars), period) }),
  rsi: (bars, { period = 0 }) => ({ value: strength(bars, period) }),
  macd: (bars, { fast_period = 0, slow_period = 0, signal_period = 0 }) => {
    const macd = minus(ema(closes(bars), fast_period), ema(closes(bars), slow_period));
    const signal = ema(macd, signal_period);
    return { macd, signal, histogram: minus(macd, signal) };
  },
  stochastic: (bars, { k_period = 0, d_period = 0 }) => {
    const top = over(
      each(bars, ({ high }) => high),
      k_period,
      (row) => Math.max(...row),
    );
    const bottom = over(
      each(bars, ({ low }) => low),
      k_period,
      (row) => Math.min(...row),
    );
    const k = closes(bars).map((x, at) => {
      const height = top[at]! - bottom[at]!;
      return height === 0 ? 0 : (100 * (x - bottom[at]!)) / height;
    });
    return { k, d: over(k, d_period, mean) };
  },
  adx: (bars, { period = 0 }) => directional(bars, period),
  cci: (bars, { period = 0 }) => {
    const distance = (row: number[]): number => {
      const centre = mean(row);
      const apart = mean(row.map((x) => Math.abs(x - centre)));
      return apart === 0 ? 0 : (row.at(-1)! - centre) / (0.015 * apart);
    };
    return { value: over(typical(bars), period, distance) };
  },
};

/** The last value of one line. */
export function lastOf(
  bars: Bars,
  read: { indicator: IndicatorId; params: Params; series?: string },
): number {
  const line = REFERENCE[read.indicator](bars, read.params)[read.series ?? 'value'];
  return line?.at(-1) ?? NaN;
}
