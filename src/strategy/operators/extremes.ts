import type { OperatorFunction } from 'rxjs';
import { withCode } from '../../contract/index.ts';
import { RollingRange } from '../../indicators/index.ts';
import type { ClosedBar } from '../Bar.ts';
import { barOfTurn, keepReading } from '../createReadings.ts';
import { framesOf } from './DefinedKernel.ts';
import { labelOf } from './labelOf.ts';
import { requireFinite } from './requireFinite.ts';
import { step } from './step.ts';

/**
 * @throws RangeError unless `count` is a whole number of at least 1; a number that is not finite ends the stream with
 * an error (`TRIMTAB_INDICATOR_VALUE`)
 */
export function extremes(
  which: 'highest' | 'lowest',
  count: number,
): OperatorFunction<ClosedBar | number, number> {
  requireCount(count);
  const made = framesOf(new Error().stack);
  return step((subscription) => {
    const range = new RollingRange(count);
    const shown = { id: which, params: { count }, series: ['value'], values: new Float64Array(1) };
    const reading = keepReading(subscription, [[labelOf(shown), shown]]);
    let seen = 0;
    return (value, out) => {
      if (typeof value === 'number') {
        requireFinite(value, shown, made);
        range.next(value, value);
      } else range.next(value.high, value.low);
      if (seen < count) seen += 1;
      if (seen < count) return;
      shown.values[0] = range[which];
      reading.at(typeof value === 'number' ? barOfTurn() : value);
      out.next(shown.values[0]);
    };
  });
}

/** @throws RangeError unless `count` is a whole number of at least 1 */
export function requireCount(count: number): void {
  if (Number.isInteger(count) && count >= 1) return;
  throw withCode(
    'TRIMTAB_INDICATOR_PARAMETER',
    new RangeError(`A number of bars is a whole number of at least 1, not ${count}.`),
  );
}
