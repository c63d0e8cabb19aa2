import { Delay } from './Delay.ts';
import type { Indicator } from './Indicator.ts';
import { IndicatorKernel, type KernelParams } from './IndicatorKernel.ts';
import { RollingRange } from './RollingRange.ts';

/**
 * Ichimoku cloud. The spans are those drawn at the bar, that is, computed `displacement` bars before it:
 * a strategy can't be shown the cloud ahead of the price it is compared with.
 */
export function ichimoku(params: KernelParams<'ichimoku'>): Indicator {
  return new Ichimoku(params);
}

function firstBars(params: KernelParams<'ichimoku'>): number[] {
  const { conversion_period, base_period, span_period, displacement } = params;
  const spanA = displacement + Math.max(conversion_period, base_period);
  return [conversion_period, base_period, spanA, displacement + span_period];
}

class Ichimoku extends IndicatorKernel {
  readonly #conversion: RollingRange;
  readonly #base: RollingRange;
  readonly #span: RollingRange;
  readonly #spanA: Delay;
  readonly #spanB: Delay;

  constructor(params: KernelParams<'ichimoku'>) {
    super('ichimoku', params, firstBars(params));
    this.#conversion = new RollingRange(params.conversion_period);
    this.#base = new RollingRange(params.base_period);
    this.#span = new RollingRange(params.span_period);
    this.#spanA = new Delay(params.displacement);
    this.#spanB = new Delay(params.displacement);
  }

  next(_time: number, _open: number, high: number, low: number): boolean {
    this.#conversion.next(high, low);
    this.#base.next(high, low);
    this.#span.next(high, low);
    const conversion = this.#conversion.middle;
    const base = this.#base.middle;
    this.values[0] = conversion;
    this.values[1] = base;
    this.values[2] = this.#spanA.next((conversion + base) / 2);
    this.values[3] = this.#spanB.next(this.#span.middle);
    return this.warm();
  }
}
