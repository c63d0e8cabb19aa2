import { withCode } from '../../contract/index.ts';
import { withoutUndefined } from '../../contract/withoutUndefined.ts';
import { requireName } from './requireName.ts';
import type { RestingOptions } from './RestingOrder.ts';

const DEFAULTS = { tolerance_bps: 0, top_up_below: 0.5, post_only: true, retry_ms: 5_000 } as const;

const isAmount = (value: number): boolean => value >= 0 && Number.isFinite(value);

/**
 * Options with their defaults. One that is no number would not show: orders would never be moved, or never tried again.
 *
 * @param call the operator, whose name is also the default of the set's
 * @throws RangeError with the option, its value and what it may be
 */
export function restingSettings(
  call: string,
  options: RestingOptions,
  name = call,
): Required<RestingOptions> {
  const settings = { ...DEFAULTS, name, ...withoutUndefined(options) };
  const { tolerance_bps, top_up_below, post_only, retry_ms } = settings;
  const require = (isMet: boolean, option: keyof RestingOptions, what: string): void => {
    if (isMet) return;
    const text = `${call}: ${option} must be ${what}, and it is ${settings[option]}.`;
    throw withCode('TRIMTAB_INDICATOR_PARAMETER', new RangeError(text));
  };
  requireName('name', settings.name);
  require(isAmount(tolerance_bps), 'tolerance_bps', '0 or above');
  require(isAmount(top_up_below) && top_up_below <= 1, 'top_up_below', 'from 0 to 1');
  require(isAmount(retry_ms) && retry_ms > 0, 'retry_ms', 'above 0');
  require(typeof post_only === 'boolean', 'post_only', 'true or false');
  return settings;
}
