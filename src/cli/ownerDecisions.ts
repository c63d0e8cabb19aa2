import { InvalidArgumentError } from 'commander';
import type { OwnerDecision } from '../runtime/createOwners.ts';

export interface OwnerFlags {
  adopt?: OwnerDecision[];
  ignore?: OwnerDecision[];
  flatten?: OwnerDecision[];
}

/** `SYMBOL=STRATEGY`; repeatable. */
export function collectAdoption(text: string, before: OwnerDecision[] = []): OwnerDecision[] {
  const [symbol = '', strategy = '', ...more] = text.split('=');
  if (symbol === '' || strategy === '' || more.length > 0) {
    throw new InvalidArgumentError('It takes SYMBOL=STRATEGY, such as BTC=trend.');
  }
  return [...before, { kind: 'adopt', symbol, strategy }];
}

/** A symbol; repeatable. */
export const collectSymbol =
  (kind: 'ignore' | 'flatten') =>
  (symbol: string, before: OwnerDecision[] = []): OwnerDecision[] => {
    if (symbol.trim() === '') throw new InvalidArgumentError('It takes a symbol, such as BTC.');
    return [...before, { kind, symbol }];
  };

/** What was said of all symbols. */
export function decisionsOf({
  adopt = [],
  ignore = [],
  flatten = [],
}: OwnerFlags): OwnerDecision[] {
  return [...adopt, ...ignore, ...flatten];
}
