import { barOpenTime, INTERVAL_MS, type Interval } from '../../contract/index.ts';
import { createRandom, type Random } from '../../env/index.ts';
import type { Feed } from './Feed.ts';

export interface TapeOptions {
  symbol: string;
  interval: Interval;
  bars: number;
  seed: string | number;
  /** Epoch milliseconds; aligned down to the interval. */
  startTime: number;
  /** Quote units. */
  startPrice: number;
  /** Typical move of a bar, basis points; default 8. */
  volatilityBps?: number;
  /** Typical volume of a bar, base units; default 40. */
  volume?: number;
  /** Share of missing bars, as in an outage; default none. */
  missingShare?: number;
  /** Number of bars between outages that are long enough to make data stale (EXE-9); default none. */
  outageEveryBars?: number;
}

/** Steps of the price inside a bar, from which its extremes come. */
const STEPS = 12;
/** GARCH(1,1): the weights of the last move and of the last variance in the variance. */
const FROM_MOVE = 0.08;
const FROM_VARIANCE = 0.9;
const BASE_VARIANCE = 1 - FROM_MOVE - FROM_VARIANCE;
const MEAN_REGIME_BARS = 240;
const JUMP_CHANCE = 0.0008;
const GAP_CHANCE = 0.004;
const PULL = 0.0004;
/** Longer than the five minutes of one-minute bars after which algorithms pause. */
const OUTAGE_BARS = 8;

interface Regime {
  kind: 'up' | 'down' | 'range';
  barsLeft: number;
  /** Middle of a range, quote units. */
  centre: number;
}

/**
 * A synthetic tape with the features of a real one: trends and ranges, clustered volatility with matching
 * volume, gaps at the open, jumps, and wicks from a path inside each bar. It uses only the four
 * operations and square roots, which every machine rounds alike: the same options give the same bytes
 * everywhere.
 */
export function generateFeed(options: TapeOptions): Feed {
  const { symbol, interval, bars } = options;
  const feed = allocate(symbol, interval, bars);
  const tape = new Tape(options);
  const length = INTERVAL_MS[interval];
  let time = barOpenTime(options.startTime, interval);
  for (let row = 0; row < bars; row++) {
    feed.time[row] = time;
    tape.writeBar(feed, row);
    time += length * (1 + tape.missing());
  }
  return feed;
}

class Tape {
  readonly #random: Random;
  readonly #options: TapeOptions;
  readonly #units: number;
  readonly #sigma: number;
  #price: number;
  /** Relative to the typical one: 1 is normal. */
  #variance = 1;
  #regime: Regime;

  constructor(options: TapeOptions) {
    this.#options = options;
    this.#random = createRandom(`tape ${options.seed} ${options.symbol} ${options.interval}`);
    this.#units = unitsOf(options.startPrice);
    this.#sigma = (options.volatilityBps ?? 8) / 10_000;
    this.#price = this.#toTick(options.startPrice);
    this.#regime = this.#nextRegime();
  }

  writeBar(feed: Feed, row: number): void {
    if (--this.#regime.barsLeft <= 0) this.#regime = this.#nextRegime();
    const deviation = this.#sigma * Math.sqrt(this.#variance);
    const before = this.#price;
    const open = this.#open(deviation);
    const drift = this.#drift(open, deviation);
    let price = open;
    let high = open;
    let low = open;
    for (let step = 0; step < STEPS; step++) {
      price *= 1 + drift / STEPS + (deviation * this.#normal()) / Math.sqrt(STEPS);
      if (price > high) high = price;
      if (price < low) low = price;
    }
    const move = (price - before) / before / this.#sigma;
    // Bounded, so that one jump doesn't shake the tape for a day.
    const square = Math.min(move * move, 36);
    this.#variance = BASE_VARIANCE + FROM_MOVE * square + FROM_VARIANCE * this.#variance;
    this.#price = this.#toTick(price);
    feed.open[row] = open;
    feed.close[row] = this.#price;
    feed.high[row] = Math.max(this.#toTick(high), open, this.#price);
    feed.low[row] = Math.min(this.#toTick(low), open, this.#price);
    feed.volume[row] = this.#volume(move);
  }

  #bars = 0;

  /** Bars that are missing after this one. */
  missing(): number {
    this.#bars += 1;
    const every = this.#options.outageEveryBars ?? 0;
    if (every > 0 && this.#bars % every === 0) return OUTAGE_BARS;
    const share = this.#options.missingShare ?? 0;
    if (share === 0 || this.#random.next() >= share) return 0;
    return 1 + Math.floor(this.#random.next() * 3);
  }

  /** Mostly the close of the last bar; sometimes slightly off it, rarely far. */
  #open(deviation: number): number {
    const luck = this.#random.next();
    if (luck < JUMP_CHANCE) return this.#toTick(this.#price * (1 + 8 * deviation * this.#normal()));
    if (luck < GAP_CHANCE)
      return this.#toTick(this.#price * (1 + 1.5 * deviation * this.#normal()));
    return this.#price;
  }

  #drift(price: number, deviation: number): number {
    const { kind, centre } = this.#regime;
    // Weak mean reversion, so that a long tape neither decays nor diverges.
    const pull = (PULL * (this.#options.startPrice - price)) / price;
    if (kind === 'range') return pull + (0.02 * (centre - price)) / price;
    return pull + (kind === 'up' ? 0.16 : -0.16) * deviation;
  }

  #nextRegime(): Regime {
    const luck = this.#random.next();
    const kind = luck < 0.3 ? 'up' : luck < 0.6 ? 'down' : 'range';
    const barsLeft = Math.floor(MEAN_REGIME_BARS * (0.3 + 1.4 * this.#random.next()));
    return { kind, barsLeft, centre: this.#price };
  }

  /** Volume grows with the bar's move and with the volatility around it. */
  #volume(move: number): number {
    const typical = this.#options.volume ?? 40;
    const luck = this.#random.next();
    const activity = 0.25 + 0.35 * Math.abs(move) + 0.3 * Math.sqrt(this.#variance);
    return Math.round(typical * activity * (0.5 + luck * luck * 1.5) * 1_000) / 1_000;
  }

  /** Approximately normal: twelve uniforms minus their mean; an exact one would need a logarithm. */
  #normal(): number {
    let sum = -6;
    for (let draw = 0; draw < 12; draw++) sum += this.#random.next();
    return sum;
  }

  #toTick(price: number): number {
    return Math.max(1, Math.round(price * this.#units)) / this.#units;
  }
}

/** Ticks in one quote unit, so that prices have about five significant figures. */
function unitsOf(price: number): number {
  let units = 1;
  while (price * units < 10_000 && units < 1e8) units *= 10;
  return units;
}

function allocate(symbol: string, interval: Interval, bars: number): Feed {
  const column = (): Float64Array => new Float64Array(bars);
  return {
    symbol,
    interval,
    time: column(),
    open: column(),
    high: column(),
    low: column(),
    close: column(),
    volume: column(),
  };
}
