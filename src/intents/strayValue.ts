import { types } from 'node:util';
import { showValue } from '../contract/index.ts';
import { isMap } from '../contract/isMap.ts';

const ONE_BY_ONE = 'emit each intent by itself, with concatMap in place of map.';

/**
 * Why a value can't be an intent of any kind, with the remedy; undefined where its fields may tell more. Mostly it is
 * what an operator should have taken apart: types refuse it, and a plugin in plain JavaScript or with a cast emits it.
 */
export function strayValue(value: unknown): string | undefined {
  if (Array.isArray(value)) {
    return `A list of ${value.length} was emitted where an intent is expected: ${ONE_BY_ONE}`;
  }
  if (value === undefined || value === null) {
    return `${String(value)} was emitted where an intent is expected: for no decision emit nothing, with concatMap and an empty list, or filter.`;
  }
  if (types.isPromise(value)) {
    return 'A promise was emitted where an intent is expected: decide in the event itself, without async functions.';
  }
  if (!isMap(value)) {
    const what = typeof value === 'function' ? 'A function' : (showValue([], value) ?? 'A text');
    return `${what} was emitted where an intent is expected: make it with a builder, such as placeOrder.market({ … }).`;
  }
  if (typeof value['subscribe'] === 'function') {
    return `An Observable was emitted where an intent is expected: ${ONE_BY_ONE}`;
  }
  return undefined;
}
