import type { IndicatorId } from '../../src/contract/index.ts';
import type { Columns, Params } from './series.ts';

/** A line by its definition: the value at each bar, NaN where it has none. */
type Line = number[];
type Textbook = (bars: Columns, params: Params) => Line[];

const sum = (numbers: number[]) => numbers.reduce((a, b) => a + b, 0);
const mean = (numbers: number[]) => sum(numbers) / numbers.length;

/** A function of the last `size` values, where all of them exist. */
function windowed(line: Line, size: number, of: (window: number[]) => number): Line {
  return line.map((_, at) => {
    const window = line.slice(Math.max(0, at - size + 1), at + 1);
    return window.length < size || window.some(Number.isNaN) ? NaN : of(window);
  });
}

const average = (line: Line, size: number) => windowed(line, size, mean);

/** Recursive average with the mean of the first `size` existing values as its seed. */
function recursive(line: Line, size: number, weight: number): Line {
  const first = line.findIndex((x) => !Number.isNaN(x));
  const out: Line = line.map(() => NaN);
  const seedAt = first + size - 1;
  if (first < 0 || seedAt >= line.length) return out;
  out[seedAt] = mean(line.slice(first, seedAt + 1));
  for (let at = seedAt + 1; at < line.length; at += 1) {
    out[at] = (1 - weight) * out[at - 1]! + weight * line[at]!;
  }
  return out;
}

const exponential = (line: Line, size: number) => recursive(line, size, 2 / (size + 1));
const wilder = (line: Line, size: number) => recursive(line, size, 1 / size);
const zip = (a: Line, b: Line, of: (x: number, y: number) => number) =>
  a.map((x, at) => of(x, b[at]!));
const changes = (line: Line) => line.map((x, at) => x - (line[at - 1] ?? NaN));
const typical = ({ high, low, close }: Columns) =>
  close.map((x, at) => (high[at]! + low[at]! + x) / 3);
const middle = ({ high, low }: Columns, size: number) =>
  zip(
    windowed(high, size, (w) => Math.max(...w)),
    windowed(low, size, (w) => Math.min(...w)),
    (top, bottom) => (top + bottom) / 2,
  );
const delayed = (line: Line, bars: number) => line.map((_, at) => line[at - bars] ?? NaN);

function trueRange({ high, low, close }: Columns): Line {
  return close.map((_, at) => {
    const before = close[at - 1] ?? NaN;
    return Math.max(high[at]!, before) - Math.min(low[at]!, before);
  });
}

function deviation(window: number[]): number {
  const centre = mean(window);
  return Math.sqrt(mean(window.map((x) => (x - centre) ** 2)));
}

function commodityIndex(window: number[]): number {
  const flat = window.every((x) => x === window[0]);
  const centre = mean(window);
  const spread = mean(window.map((x) => Math.abs(x - centre)));
  return flat ? 0 : (window.at(-1)! - centre) / (0.015 * spread);
}

function strength({ close }: Columns, period: number): Line {
  const gains = wilder(
    changes(close).map((x) => (x < 0 ? 0 : x)),
    period,
  );
  const losses = wilder(
    changes(close).map((x) => (x > 0 ? 0 : -x)),
    period,
  );
  return zip(gains, losses, (gain, loss) => (loss === 0 ? 100 : 100 - 100 / (1 + gain / loss)));
}

function directional(bars: Columns, period: number): Line[] {
  const up = changes(bars.high);
  const down = changes(bars.low).map((x) => -x);
  const plusMoves = zip(up, down, (u, d) => (Number.isNaN(u) ? NaN : u > d && u > 0 ? u : 0));
  const minusMoves = zip(up, down, (u, d) => (Number.isNaN(u) ? NaN : d > u && d > 0 ? d : 0));
  const range = wilder(trueRange(bars), period);
  const index = (moves: Line) =>
    zip(wilder(moves, period), range, (move, r) => (r === 0 ? 0 : (100 * move) / r));
  const plus = index(plusMoves);
  const minus = index(minusMoves);
  const dx = zip(plus, minus, (p, m) => (p + m === 0 ? 0 : (100 * Math.abs(p - m)) / (p + m)));
  return [wilder(dx, period), plus, minus];
}

function sessionAverage(bars: Columns): Line {
  const price = typical(bars);
  const day = (at: number) => new Date(bars.time[at]!).toISOString().slice(0, 10);
  return price.map((x, at) => {
    const session = price.map((_, i) => i).filter((i) => i <= at && day(i) === day(at));
    const volume = sum(session.map((i) => bars.volume[i]!));
    return volume === 0 ? x : sum(session.map((i) => price[i]! * bars.volume[i]!)) / volume;
  });
}

/** Wilder's rules computed from the list of bars since the last reversal, without a running state. */
function parabolic({ high, low }: Columns, step: number, max: number): Line {
  const out: Line = [NaN];
  if (high.length < 2) return out;
  const fall = low[0]! - low[1]!;
  let side = fall > 0 && fall > high[1]! - high[0]! ? -1 : 1;
  let stop = side === 1 ? low[0]! : high[0]!;
  let extreme = side === 1 ? high[1]! : low[1]!;
  let factor = Math.min(step, max);
  for (let at = 1; at < high.length; at += 1) {
    const before = Math.max(1, at - 1);
    const bound =
      side === 1 ? Math.min(low[at]!, low[before]!) : Math.max(high[at]!, high[before]!);
    const otherBound =
      side === 1 ? Math.max(high[at]!, high[before]!) : Math.min(low[at]!, low[before]!);
    const reached = side === 1 ? low[at]! <= stop : high[at]! >= stop;
    const best = side === 1 ? high[at]! : low[at]!;
    const worst = side === 1 ? low[at]! : high[at]!;
    const within = (x: number, limit: number) =>
      side === 1 ? Math.min(x, limit) : Math.max(x, limit);
    if (reached) {
      side = -side;
      stop = within(extreme, otherBound);
      [extreme, factor] = [worst, Math.min(step, max)];
      out.push(stop);
      stop = within(stop + factor * (extreme - stop), otherBound);
      continue;
    }
    out.push(stop);
    if ((best - extreme) * side > 0) [extreme, factor] = [best, Math.min(factor + step, max)];
    stop = within(stop + factor * (extreme - stop), bound);
  }
  return out;
}

/** The fourteen as a textbook writes them: whole columns, every window summed again. */
export const TEXTBOOK: Readonly<Record<IndicatorId, Textbook>> = {
  sma: ({ close }, { period }) => [average(close, period!)],
  ema: ({ close }, { period }) => [exponential(close, period!)],
  wma: ({ close }, { period }) => {
    const weights = (period! * (period! + 1)) / 2;
    return [windowed(close, period!, (w) => sum(w.map((x, i) => x * (i + 1))) / weights)];
  },
  vwap: (bars) => [sessionAverage(bars)],
  bollinger: ({ close }, { period, std_dev }) => {
    const mid = average(close, period!);
    const width = windowed(close, period!, deviation).map((x) => x * std_dev!);
    return [zip(mid, width, (a, b) => a + b), mid, zip(mid, width, (a, b) => a - b)];
  },
  keltner: (bars, { period, atr_period, mult }) => {
    const mid = exponential(bars.close, period!);
    const width = wilder(trueRange(bars), atr_period!).map((x) => x * mult!);
    return [zip(mid, width, (a, b) => a + b), mid, zip(mid, width, (a, b) => a - b)];
  },
  ichimoku: (bars, params) => {
    const conversion = middle(bars, params['conversion_period']!);
    const base = middle(bars, params['base_period']!);
    const spanA = zip(conversion, base, (a, b) => (a + b) / 2);
    const spanB = middle(bars, params['span_period']!);
    const shift = params['displacement']!;
    return [conversion, base, delayed(spanA, shift), delayed(spanB, shift)];
  },
  psar: (bars, { step, max }) => [parabolic(bars, step!, max!)],
  atr: (bars, { period }) => [wilder(trueRange(bars), period!)],
  rsi: (bars, { period }) => [strength(bars, period!)],
  macd: ({ close }, { fast_period, slow_period, signal_period }) => {
    const fast = exponential(close, fast_period!);
    const line = zip(fast, exponential(close, slow_period!), (a, b) => a - b);
    const signal = exponential(line, signal_period!);
    return [line, signal, zip(line, signal, (a, b) => a - b)];
  },
  stochastic: ({ high, low, close }, { k_period, d_period }) => {
    const top = windowed(high, k_period!, (w) => Math.max(...w));
    const bottom = windowed(low, k_period!, (w) => Math.min(...w));
    const k = close.map((x, at) => {
      const range = top[at]! - bottom[at]!;
      return range === 0 ? 0 : (100 * (x - bottom[at]!)) / range;
    });
    return [k, average(k, d_period!)];
  },
  adx: (bars, { period }) => directional(bars, period!),
  cci: (bars, { period }) => [windowed(typical(bars), period!, commodityIndex)],
};
