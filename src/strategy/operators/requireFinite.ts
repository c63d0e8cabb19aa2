import { withCode } from '../../contract/index.ts';
import type { Bar } from '../Bar.ts';
import { barOfTurn } from '../createReadings.ts';
import { labelOf } from './labelOf.ts';
import type { RunningIndicator } from './RunningIndicator.ts';

/**
 * A kernel never forgets a NaN: each of its values would be one from then on, and no comparison with it ever true.
 *
 * @param made frames of the stack at which the operator was made: no line of the plugin is in that of its values
 * @throws Error `TRIMTAB_INDICATOR_VALUE`, which ends the strategy, with indicator, parameters and bar
 */
export function requireFinite(
  value: number,
  indicator: Pick<RunningIndicator, 'id' | 'params'>,
  made: string,
): void {
  if (Number.isFinite(value)) return;
  const text =
    `The indicator ${labelOf(indicator)} was given ${value}${showBar(barOfTurn())}. Each number must be finite: ` +
    'correct what computes it, or filter it out.';
  const error = new Error(text);
  error.stack = `Error: ${text}\n${made}`;
  throw withCode('TRIMTAB_INDICATOR_VALUE', error);
}

function showBar(bar: Bar | null): string {
  if (bar === null) return '';
  return ` upon the ${bar.symbol} ${bar.interval} bar of ${new Date(bar.time).toISOString()}`;
}
