import { z } from 'zod';
import { intervalSchema, type Interval } from './intervals.ts';
import {
  indicatorEntry,
  indicatorParamsSchema,
  isIndicatorId,
  INDICATOR_IDS,
  type IndicatorId,
  type IndicatorParams,
  type PriceIndicatorId,
  type SeriesOf,
} from './indicatorCatalogue.ts';
import { knownFields, meantField } from './knownFields.ts';
import { issueText } from './showValue.ts';
import { addFault } from './validation.ts';

/** `series` is required if the indicator has several lines (LEG-6), and optional if it has one. */
type SeriesField<I extends IndicatorId> =
  SeriesOf<I> extends 'value' ? { series?: 'value' } : { series: SeriesOf<I> };

/** One value of one indicator on one interval: what `offset`, `at`, trails and tracked entries read. */
export type IndicatorRead<I extends IndicatorId = IndicatorId> = {
  [K in I]: {
    indicator: K;
    params?: IndicatorParams<K>;
    interval: Interval;
  } & SeriesField<K>;
}[I];

/** A read whose value is a price and so can be a level (LEG-3). */
export type LevelRead = IndicatorRead<PriceIndicatorId>;

/** The fields of an {@link IndicatorRead}, to be spread into the request that holds it. */
export const indicatorReadFields = {
  indicator: z.enum(INDICATOR_IDS as [IndicatorId, ...IndicatorId[]]),
  series: z.string().optional(),
  params: z.looseObject({}).optional(),
  interval: intervalSchema,
};

interface LooseRead {
  indicator?: string | undefined;
  series?: string | undefined;
  params?: Record<string, unknown> | undefined;
}

type Ctx = Pick<z.RefinementCtx, 'addIssue'>;
type Path = ReadonlyArray<string | number>;

/** Params within the catalogue's bounds; an existing series, named if there are several. */
export function checkRead(ctx: Ctx, read: LooseRead, path: Path = []): void {
  const { indicator } = read;
  if (indicator === undefined || !isIndicatorId(indicator)) return;
  checkParams(ctx, indicator, read.params, [...path, 'params']);
  checkSeries(ctx, indicator, read.series, [...path, 'series']);
}

/** {@link checkRead}, and the value must be a price: an oscillator is `oscillator_level` (LEG-3). */
export function checkLevelRead(ctx: Ctx, read: LooseRead, path: Path = []): void {
  const { indicator } = read;
  if (indicator === undefined || !isIndicatorId(indicator)) return;
  const { priceSeries, name } = indicatorEntry(indicator);
  if (priceSeries.length === 0) {
    const message = `${name} is not price-dimensioned and cannot be a level.`;
    addFault(ctx, [...path, 'indicator'], 'oscillator_level', message);
    return;
  }
  checkRead(ctx, read, path);
}

/** An offset's distance: `atr` or a price-dimensioned line; oscillators have no distance (conventions §3). */
export function checkDistanceRead(ctx: Ctx, read: LooseRead): void {
  if (read.indicator === 'atr') checkRead(ctx, read);
  else checkLevelRead(ctx, read);
}

function checkParams(
  ctx: Ctx,
  indicator: IndicatorId,
  params: Record<string, unknown> | undefined,
  path: Path,
): void {
  const schema = indicatorParamsSchema(indicator);
  const parsed = schema.safeParse(params ?? {});
  for (const issue of parsed.error?.issues ?? []) {
    const keys = issue.code === 'unrecognized_keys' ? issue.keys : [];
    const at = issue.path.map(String);
    if (keys.length === 0) {
      addFault(ctx, [...path, ...at], issue.code, issueText(issue, params));
    }
    for (const key of keys) {
      const meant = meantField(key, knownFields(schema, issue.path));
      const message = `${indicator} has no parameter \`${key}\`.${meant}`;
      addFault(ctx, [...path, key], 'unknown_field', message);
    }
  }
}

function checkSeries(
  ctx: Ctx,
  indicator: IndicatorId,
  series: string | undefined,
  path: Path,
): void {
  const known = indicatorEntry(indicator).series;
  if (series === undefined && known.length > 1) {
    addFault(ctx, path, 'series_required', `Name a series of ${indicator}: ${known.join(', ')}.`);
  }
  if (series !== undefined && !known.includes(series)) {
    const message = `${indicator} has no series \`${series}\`; it has ${known.join(', ')}.`;
    addFault(ctx, path, 'unknown_series', message);
  }
}
