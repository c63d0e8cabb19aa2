import type { OperatorFunction } from 'rxjs';
import type { IndicatorId, IndicatorParams, SeriesOf } from '../../contract/index.ts';
import { createIndicator, type Indicator } from '../../indicators/index.ts';
import type { ClosedBar } from '../Bar.ts';
import { compileValue } from './compileRow.ts';
import { barOfTurn, keepReading } from '../createReadings.ts';
import { framesOf } from './DefinedKernel.ts';
import { labelOf } from './labelOf.ts';
import { requireFinite } from './requireFinite.ts';
import { step } from './step.ts';

/** An indicator's value at a bar: a number, or its series by name if it has several. */
export type IndicatorOutput<I extends IndicatorId> =
  SeriesOf<I> extends 'value' ? number : { readonly [S in SeriesOf<I>]: number };

/** Indicators that need only a bar's close, and so can follow any stream of numbers. */
type NumberIndicatorId = 'sma' | 'ema' | 'wma' | 'bollinger' | 'rsi' | 'macd';

type InputOf<I extends IndicatorId> = I extends NumberIndicatorId ? ClosedBar | number : ClosedBar;

/** An indicator as an operator. `withIndicators` reads its id and params, and runs the kernel itself. */
export interface IndicatorOperator<I extends IndicatorId> extends OperatorFunction<
  InputOf<I>,
  IndicatorOutput<I>
> {
  readonly indicator: I;
  readonly params: IndicatorParams<I>;
}

/**
 * An indicator of the catalogue (MKT-4) as an operator over closed bars, or over numbers if it needs no more:
 * silent while it warms up, then one value a bar. A number that is not finite ends the stream with an error
 * (`TRIMTAB_INDICATOR_VALUE`).
 *
 * @throws RangeError for parameters outside of the catalogue's bounds
 */
export function indicatorOperator<I extends IndicatorId>(
  id: I,
  params: IndicatorParams<I>,
): IndicatorOperator<I> {
  // Created once and discarded, so that a wrong parameter fails at the line where it is written.
  createIndicator(id, params);
  const made = framesOf(new Error().stack);
  const operator = step<ClosedBar | number, IndicatorOutput<I>>((subscription) => {
    const kernel = createIndicator(id, params);
    const reading = keepReading(subscription, [[labelOf(kernel), kernel]]);
    const read = compileValue(kernel) as () => IndicatorOutput<I>;
    return (value, out) => {
      if (typeof value === 'number') requireFinite(value, kernel, made);
      if (!feed(kernel, value)) return;
      reading.at(typeof value === 'number' ? barOfTurn() : value);
      out.next(read());
    };
  });
  return Object.assign(operator as OperatorFunction<InputOf<I>, IndicatorOutput<I>>, {
    indicator: id,
    params,
  });
}

/** Gives a kernel its next bar; a bare number acts as a bar with all prices equal to it. */
export function feed(kernel: Indicator, value: ClosedBar | number): boolean {
  if (typeof value === 'number') return kernel.next(0, value, value, value, value, 0);
  return kernel.next(value.time, value.open, value.high, value.low, value.close, value.volume);
}
