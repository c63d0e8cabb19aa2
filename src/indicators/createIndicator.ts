import {
  INDICATORS,
  indicatorEntry,
  withCode,
  withDefaults,
  type IndicatorId,
} from '../contract/index.ts';
import { adx } from './adx.ts';
import { atr } from './atr.ts';
import { bollinger } from './bollinger.ts';
import { cci } from './cci.ts';
import { ema } from './ema.ts';
import { ichimoku } from './ichimoku.ts';
import type { Indicator } from './Indicator.ts';
import type { KernelParams } from './IndicatorKernel.ts';
import { keltner } from './keltner.ts';
import { macd } from './macd.ts';
import { psar } from './psar.ts';
import { rsi } from './rsi.ts';
import { sma } from './sma.ts';
import { stochastic } from './stochastic.ts';
import { vwap } from './vwap.ts';
import { wma } from './wma.ts';

const KERNELS: { readonly [I in IndicatorId]: (params: KernelParams<I>) => Indicator } = {
  sma,
  ema,
  wma,
  vwap,
  bollinger,
  keltner,
  ichimoku,
  psar,
  atr,
  rsi,
  macd,
  stochastic,
  adx,
  cci,
};

/**
 * A new indicator of the catalogue (MKT-4).
 *
 * @param params omitted ones take the catalogue's default
 * @throws RangeError for a parameter that the catalogue doesn't know or allow; requests are checked
 *   before
 */
export function createIndicator(
  id: IndicatorId,
  params: Readonly<Record<string, number | undefined>> = {},
): Indicator {
  checkParams(id, params);
  const kernel = KERNELS[id] as (params: Readonly<Record<string, number>>) => Indicator;
  return kernel(withDefaults(id, params));
}

function checkParams(id: IndicatorId, params: Readonly<Record<string, number | undefined>>): void {
  if (!Object.hasOwn(INDICATORS, id))
    throw withCode('TRIMTAB_INDICATOR_UNKNOWN', new RangeError(`There is no indicator ${id}.`));
  const rows = indicatorEntry(id).params;
  const refuse = (reason: string): never => {
    throw withCode('TRIMTAB_INDICATOR_PARAMETER', new RangeError(`${id} ${reason}.`));
  };
  if (typeof params !== 'object' || params === null)
    return refuse(
      `takes an object with ${Object.keys(rows).join(', ') || 'nothing'}, not ${String(params)}`,
    );
  // A pipe calls an operator with a stream.
  if ([params, ...Object.values(params)].some(isStream))
    return refuse(`was not called: write pipe(${id}(…)) with its parameters`);
  for (const [name, value] of Object.entries(params)) {
    const row = Object.hasOwn(rows, name) ? rows[name] : undefined;
    if (row === undefined)
      throw withCode(
        'TRIMTAB_INDICATOR_PARAMETER',
        new RangeError(`${id} has no parameter ${name}.`),
      );
    if (value === undefined) continue;
    const allowed =
      value >= row.min && value <= row.max && (!row.integer || Number.isInteger(value));
    if (allowed) continue;
    const kind = row.integer ? 'an integer' : 'a number';
    throw withCode(
      'TRIMTAB_INDICATOR_PARAMETER',
      new RangeError(
        `${name} of ${id} is ${kind} from ${row.min} to ${row.max}, not ${shown(value)}.`,
      ),
    );
  }
}

const isStream = (value: unknown): boolean =>
  typeof (value as { subscribe?: unknown } | null | undefined)?.subscribe === 'function';

const shown = (value: unknown): string =>
  ['function', 'object'].includes(typeof value) && value !== null
    ? `a ${typeof value}`
    : String(value);
