import { z } from 'zod';
import { symbolName } from './identifiers.ts';
import { INDICATOR_IDS, isIndicatorId, type IndicatorId } from './indicatorCatalogue.ts';
import { checkRead, type IndicatorRead } from './indicatorRead.ts';
import { intervalSchema, type Interval } from './intervals.ts';
import { addFault } from './validation.ts';

/** One evaluation of a batch; without `series` a multi-series indicator returns all its lines. */
export type EvaluateItem = {
  [I in IndicatorId]: Omit<IndicatorRead<I>, 'interval' | 'series'> & {
    id: string;
    series?: string;
  };
}[IndicatorId];

/** `POST /v1/indicators/evaluate` (MKT-2, MKT-4). */
export interface EvaluateRequest {
  symbol: string;
  interval: Interval;
  indicators: EvaluateItem[];
}

const evaluateItem = z
  .strictObject({
    id: z.string().min(1).max(64),
    indicator: z.enum(INDICATOR_IDS as [IndicatorId, ...IndicatorId[]]),
    params: z.looseObject({}).optional(),
    series: z.string().optional(),
  })
  .superRefine((item, ctx) => {
    // All lines are a valid result here, so a missing series is not a fault, unlike for a level.
    const anySeries = item.series ?? firstSeries(item.indicator);
    checkRead(ctx, { ...item, series: anySeries });
  });

function firstSeries(indicator: string): string | undefined {
  return isIndicatorId(indicator) ? FIRST_SERIES[indicator] : undefined;
}

const FIRST_SERIES: Partial<Record<IndicatorId, string>> = {
  bollinger: 'mid',
  keltner: 'mid',
  ichimoku: 'base',
  macd: 'macd',
  stochastic: 'k',
  adx: 'adx',
};

/** Values are told apart by their ids. */
function checkIds(
  items: ReadonlyArray<{ id: string }>,
  ctx: Pick<z.RefinementCtx, 'addIssue'>,
): void {
  const ids = new Set<string>();
  for (const [index, { id }] of items.entries()) {
    if (ids.has(id))
      addFault(ctx, [index, 'id'], 'duplicate', `${id} is the id of another of them.`);
    ids.add(id);
  }
}

export const evaluateRequest = z.strictObject({
  symbol: symbolName,
  interval: intervalSchema,
  indicators: z.array(evaluateItem).min(1).max(100).superRefine(checkIds),
}) as unknown as z.ZodType<EvaluateRequest>;

// ── Queries. Values arrive as text, so numbers and booleans are read from it. ────────────────────

const integerText = z.union([z.number(), z.string().regex(/^-?\d+$/, 'an integer')]);
const integer = (min: number, max: number) =>
  integerText.transform(Number).pipe(z.int().min(min).max(max));
const time = integer(0, Number.MAX_SAFE_INTEGER);
const flag = z
  .union([z.boolean(), z.enum(['true', 'false'])])
  .transform((value) => value === true || value === 'true');

/**
 * Paging and filters of every list (conventions §1).
 *
 * @param pageMax largest `limit`, `limits.pageMax` of the dialect
 */
export const createListQuery = (pageMax: number) =>
  z.strictObject({
    limit: integer(1, pageMax).optional(),
    cursor: z.string().min(1).optional(),
    symbol: symbolName.optional(),
    status: z.string().min(1).optional(),
    start_time: time.optional(),
    end_time: time.optional(),
  });
/** By the default dialect: `limit` 1 to 500, default 100. */
export const listQuery = createListQuery(500);
export type ListQuery = z.infer<typeof listQuery>;

export const candlesQuery = z.strictObject({
  interval: intervalSchema,
  limit: integer(1, 5_000).optional(),
  start_time: time.optional(),
  end_time: time.optional(),
  include_forming: flag.optional(),
});
export type CandlesQuery = z.infer<typeof candlesQuery>;

export const orderbookQuery = z.strictObject({ depth: integer(1, 100).optional() });
export type OrderbookQuery = z.infer<typeof orderbookQuery>;

/** `DELETE /v1/orders?symbol=`: without a symbol it cancels all. */
export const bulkCancelQuery = z.strictObject({ symbol: symbolName.optional() });
export type BulkCancelQuery = z.infer<typeof bulkCancelQuery>;

export const sseQuery = z.strictObject({ channels: z.string().min(1) });
export type SseQuery = z.infer<typeof sseQuery>;

export const noQuery = z.strictObject({});
