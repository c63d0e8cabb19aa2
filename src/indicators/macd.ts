import { createEma, type ExponentialAverage } from './ExponentialAverage.ts';
import type { Indicator } from './Indicator.ts';
import { IndicatorKernel, type KernelParams } from './IndicatorKernel.ts';

/**
 * Appel's MACD: the fast less the slow EMA of closes, the EMA of that line as signal, and their
 * difference. Each EMA is the one that `ema` draws; TA-Lib starts its fast one later, which shows for
 * about a hundred bars.
 */
export function macd(params: KernelParams<'macd'>): Indicator {
  return new Macd(params);
}

function firstBars(params: KernelParams<'macd'>): number[] {
  const line = Math.max(params.fast_period, params.slow_period);
  const signal = line + params.signal_period - 1;
  return [line, signal, signal];
}

class Macd extends IndicatorKernel {
  readonly #fast: ExponentialAverage;
  readonly #slow: ExponentialAverage;
  readonly #signal: ExponentialAverage;

  constructor(params: KernelParams<'macd'>) {
    super('macd', params, firstBars(params));
    this.#fast = createEma(params.fast_period);
    this.#slow = createEma(params.slow_period);
    this.#signal = createEma(params.signal_period);
  }

  next(_time: number, _open: number, _high: number, _low: number, close: number): boolean {
    const line = this.#fast.next(close) - this.#slow.next(close);
    const signal = Number.isNaN(line) ? NaN : this.#signal.next(line);
    this.values[0] = line;
    this.values[1] = signal;
    this.values[2] = line - signal;
    return this.warm();
  }
}
