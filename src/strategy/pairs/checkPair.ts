import { isSpot, withCode } from '../../contract/index.ts';
import type { PairLegs, PairSettings, PairTarget } from './Pair.ts';

const refuse = (reason: string): Error =>
  withCode('TRIMTAB_INDICATOR_PARAMETER', new RangeError(`keepPair: ${reason}`));

/** @throws RangeError with the field, its value and what it may be */
export function checkPair({ long, short }: PairLegs, options: PairSettings): void {
  if (long === short) throw refuse(`both legs are ${long}; name two symbols.`);
  for (const symbol of [long, short])
    if (isSpot(symbol))
      throw refuse(`${symbol} is spot, which can't be sold short; name two perpetuals.`);
  for (const field of ['max_naked', 'unwind_after_ms', 'retry_ms'] as const)
    if (!(options[field] > 0 && Number.isFinite(options[field])))
      throw refuse(`${field} must be above 0, and it is ${options[field]}.`);
  if (!(options.tolerance >= 0 && options.tolerance < 1))
    throw refuse(`tolerance must be from 0 to below 1, and it is ${options.tolerance}.`);
  if (typeof options.name !== 'string' || !/^[\w.-]{1,40}$/.test(options.name))
    throw refuse(`name ${JSON.stringify(options.name)}: use 1 to 40 of A-Z a-z 0-9 _ . -`);
}

/** @throws RangeError */
export function checkTarget({ value, hedge_ratio = 1 }: PairTarget): Required<PairTarget> {
  if (!Number.isFinite(value)) throw refuse(`value must be a number, and it is ${value}.`);
  if (!(hedge_ratio > 0 && Number.isFinite(hedge_ratio)))
    throw refuse(`hedge_ratio must be above 0, and it is ${hedge_ratio}.`);
  return { value, hedge_ratio };
}

/** A step must be larger than what is too small to order. @throws RangeError */
export function checkStep(max_naked: number, least: number): void {
  if (max_naked >= least) return;
  const needed = `at least ${least.toFixed(2)}, what the smallest orders of both legs are worth`;
  throw refuse(`max_naked must be ${needed}, and it is ${max_naked}.`);
}
