import { z } from 'zod';

/** One parameter of an indicator: its default and its bounds, both inclusive. */
export interface IndicatorParam {
  default: number;
  min: number;
  max: number;
  integer: boolean;
}

interface IndicatorEntry {
  name: string;
  params: Readonly<Record<string, IndicatorParam>>;
  /** Names of the lines; a single-series indicator has one, `value`. */
  series: readonly [string, ...string[]];
  /** The series that are prices and so can be a level (LEG-3). */
  priceSeries: readonly string[];
}

const period = (value: number, min = 1) =>
  ({ default: value, min, max: 500, integer: true }) as const satisfies IndicatorParam;
const factor = (value: number, max = 100) =>
  ({ default: value, min: 0.001, max, integer: false }) as const satisfies IndicatorParam;

/**
 * The fourteen indicators (MKT-4, conventions §3): the one catalogue from which types, refusals,
 * `GET /indicators` and the documentation come.
 *
 * ```ts
 * INDICATORS.bollinger.series; // => ['upper', 'mid', 'lower']
 * ```
 */
export const INDICATORS = {
  sma: {
    name: 'Simple moving average',
    params: { period: period(20) },
    series: ['value'],
    priceSeries: ['value'],
  },
  ema: {
    name: 'Exponential moving average',
    params: { period: period(20) },
    series: ['value'],
    priceSeries: ['value'],
  },
  wma: {
    name: 'Weighted moving average',
    params: { period: period(20) },
    series: ['value'],
    priceSeries: ['value'],
  },
  vwap: {
    name: 'Volume-weighted average price of the UTC day',
    params: {},
    series: ['value'],
    priceSeries: ['value'],
  },
  bollinger: {
    name: 'Bollinger bands',
    params: { period: period(20, 2), std_dev: factor(2) },
    series: ['upper', 'mid', 'lower'],
    priceSeries: ['upper', 'mid', 'lower'],
  },
  keltner: {
    name: 'Keltner channel',
    params: { period: period(20), atr_period: period(10, 2), mult: factor(2) },
    series: ['upper', 'mid', 'lower'],
    priceSeries: ['upper', 'mid', 'lower'],
  },
  ichimoku: {
    name: 'Ichimoku cloud',
    params: {
      conversion_period: period(9),
      base_period: period(26),
      span_period: period(52),
      displacement: period(26),
    },
    series: ['conversion', 'base', 'span_a', 'span_b'],
    priceSeries: ['conversion', 'base', 'span_a', 'span_b'],
  },
  psar: {
    name: 'Parabolic SAR',
    params: { step: factor(0.02, 1), max: factor(0.2, 1) },
    series: ['value'],
    priceSeries: ['value'],
  },
  atr: {
    name: 'Average true range (Wilder)',
    params: { period: period(14, 2) },
    series: ['value'],
    priceSeries: [],
  },
  rsi: {
    name: 'Relative strength index (Wilder)',
    params: { period: period(14, 2) },
    series: ['value'],
    priceSeries: [],
  },
  macd: {
    name: 'Moving average convergence divergence',
    params: { fast_period: period(12), slow_period: period(26), signal_period: period(9) },
    series: ['macd', 'signal', 'histogram'],
    priceSeries: [],
  },
  stochastic: {
    name: 'Stochastic oscillator',
    params: { k_period: period(14), d_period: period(3) },
    series: ['k', 'd'],
    priceSeries: [],
  },
  adx: {
    name: 'Average directional index',
    params: { period: period(14, 2) },
    series: ['adx', 'plus_di', 'minus_di'],
    priceSeries: [],
  },
  cci: {
    name: 'Commodity channel index',
    params: { period: period(20) },
    series: ['value'],
    priceSeries: [],
  },
} as const satisfies Record<string, IndicatorEntry>;

export type IndicatorId = keyof typeof INDICATORS;

/** Names of an indicator's lines. */
export type SeriesOf<I extends IndicatorId> = (typeof INDICATORS)[I]['series'][number];

/** An indicator's parameters as a user writes them: each is optional. */
export type IndicatorParams<I extends IndicatorId> = {
  [P in keyof (typeof INDICATORS)[I]['params']]?: number;
};

/** Indicators with at least one line that is a price (LEG-3). */
export type PriceIndicatorId = {
  [I in IndicatorId]: (typeof INDICATORS)[I]['priceSeries'] extends readonly [] ? never : I;
}[IndicatorId];

/**
 * Names of the fourteen indicators, as requests have them (MKT-4).
 *
 * ```ts
 * INDICATOR_IDS.length; // => 14
 * ```
 */
export const INDICATOR_IDS = Object.keys(INDICATORS) as IndicatorId[];

/** The catalogue's row without its literal types, for code that treats all indicators alike. */
export function indicatorEntry(id: IndicatorId): IndicatorEntry {
  return INDICATORS[id];
}

export function isIndicatorId(id: string): id is IndicatorId {
  return Object.hasOwn(INDICATORS, id);
}

/** Parameters with the catalogue's defaults filled in; the request itself keeps what was sent (RULE-1). */
export function withDefaults(
  id: IndicatorId,
  params: Readonly<Record<string, number | undefined>> = {},
): Record<string, number> {
  const rows = Object.entries(indicatorEntry(id).params);
  return Object.fromEntries(rows.map(([name, row]) => [name, params[name] ?? row.default]));
}

const paramsSchemas = new Map<IndicatorId, z.ZodType<Record<string, number>>>();

/** Strict schema of an indicator's `params` object, from the catalogue's bounds; made when it is first asked for. */
export function indicatorParamsSchema(id: IndicatorId): z.ZodType<Record<string, number>> {
  const known = paramsSchemas.get(id);
  if (known !== undefined) return known;
  const schema = createParamsSchema(id);
  paramsSchemas.set(id, schema);
  return schema;
}

function createParamsSchema(id: IndicatorId): z.ZodType<Record<string, number>> {
  const rows = Object.entries(indicatorEntry(id).params).map(([name, row]) => {
    const number = z.number().min(row.min).max(row.max);
    return [name, (row.integer ? number.int() : number).optional()] as const;
  });
  return z.strictObject(Object.fromEntries(rows)) as unknown as z.ZodType<Record<string, number>>;
}

/** One row of `GET /indicators`. */
export const indicatorRecord = z.looseObject({
  id: z.string(),
  name: z.string(),
  params: z.array(
    z.looseObject({
      name: z.string(),
      default: z.number(),
      min: z.number(),
      max: z.number(),
      integer: z.boolean(),
    }),
  ),
  series: z.array(z.string()),
  price_series: z.array(z.string()),
});
export type IndicatorRecord = z.infer<typeof indicatorRecord>;

/** The catalogue as `GET /indicators` shows it. */
export function indicatorRecords(): IndicatorRecord[] {
  return INDICATOR_IDS.map((id) => {
    const entry = indicatorEntry(id);
    return {
      id,
      name: entry.name,
      params: Object.entries(entry.params).map(([name, row]) => ({ name, ...row })),
      series: [...entry.series],
      price_series: [...entry.priceSeries],
    };
  });
}
