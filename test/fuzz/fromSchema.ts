import type { z } from 'zod';
import {
  ALGO_PARAMS,
  indicatorEntry,
  indicatorParamsSchema,
  INDICATOR_IDS,
  isIndicatorId,
  toValidPrice,
  UNWIND_ALGOS,
  type AlgoId,
  type IndicatorId,
} from '../../src/contract/index.ts';
import { chooseFields } from './chooseFields.ts';
import type { Draw } from './Draw.ts';
import type { Known } from './Known.ts';

/** Context of a value being generated. */
export interface Setting {
  draw: Draw;
  known: Known;
  /** The request's endpoint. */
  surface: string;
  symbol: string;
  side: 'buy' | 'sell';
  /** Path of field names to the value. */
  path: readonly string[];
}

interface Def {
  type: string;
  shape?: Record<string, z.ZodType>;
  entries?: Record<string, string>;
  values?: unknown[];
  element?: z.ZodType;
  innerType?: z.ZodType;
  options?: z.ZodType[];
  in?: z.ZodType;
  out?: z.ZodType;
}

interface Bag {
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  exclusiveMaximum?: number;
  format?: string;
  minLength?: number;
  maxLength?: number;
}

type Made = Record<string, unknown>;

const defOf = (schema: z.ZodType): Def => schema.def as unknown as Def;
const bagOf = (schema: z.ZodType): Bag =>
  ((schema as unknown as { _zod?: { bag?: Bag } })._zod?.bag ?? {}) as Bag;

/** A valid value, plausible by its field's name. */
export function fromSchema(schema: z.ZodType, setting: Setting): unknown {
  const def = defOf(schema);
  switch (def.type) {
    case 'object':
      return objectOf(def.shape ?? {}, setting);
    case 'optional':
    case 'nullable':
    case 'default':
      return fromSchema(def.innerType!, setting);
    case 'union':
      return fromSchema(setting.draw.pick(def.options!), setting);
    case 'pipe':
      return fromSchema(defOf(def.out!).type === 'transform' ? def.in! : def.out!, setting);
    case 'array':
      return listOf(def.element!, setting);
    case 'literal':
      return setting.draw.pick(def.values!);
    default:
      return leafOf(schema, def, setting);
  }
}

function objectOf(shape: Record<string, z.ZodType>, outer: Setting): Made {
  const setting = settle(shape, outer);
  const names = Object.keys(shape);
  const isOptional = (name: string): boolean => defOf(shape[name]!).type === 'optional';
  const choice = {
    required: names.filter((name) => !isOptional(name)),
    optional: names.filter(isOptional),
  };
  const chosen = chooseFields(choice, setting.surface, setting.draw);
  const made: Made = {};
  for (const name of names) {
    if (!chosen.includes(name)) continue;
    const value = fieldOf(name, shape[name]!, made, setting);
    if (value !== undefined) made[name] = value;
  }
  return finish(made, setting);
}

/** Symbol and side are drawn before the fields that depend on them. */
function settle(shape: Record<string, z.ZodType>, outer: Setting): Setting {
  const { draw, known } = outer;
  return {
    ...outer,
    symbol: 'symbol' in shape ? draw.pick(known.symbols) : outer.symbol,
    side: 'side' in shape ? draw.pick(['buy', 'sell'] as const) : outer.side,
  };
}

/** Constraints between fields. */
function finish(made: Made, { draw, symbol, side, known, path }: Setting): Made {
  if (made['order_type'] === 'market') {
    for (const name of ['price', 'price_from', 'time_in_force']) delete made[name];
  } else if (made['order_type'] === 'limit') delete made['slippage_bps'];
  if (made['price_from'] !== undefined) delete made['time_in_force'];
  if (made['algo'] === 'smartexit' && 'total_size' in made) made['reduce_only'] = true;
  if (made['algo'] === 'ghostsweep' && 'total_size' in made) {
    if (draw.chance(0.3)) made['sweep_limit_bps'] = draw.int(5, 300);
    const params = made['params'] as Made;
    params['trigger_price'] ??= priceAt(known, symbol, side === 'buy' ? 1.002 : 0.998);
  }
  if ('low' in made && 'high' in made && path.includes('price_range')) {
    made['low'] = priceAt(known, symbol, 0.0001);
    made['high'] = priceAt(known, symbol, 10_000);
  }
  return made;
}

function fieldOf(name: string, schema: z.ZodType, made: Made, setting: Setting): unknown {
  const inside = { ...setting, path: [...setting.path, name] };
  const { draw } = setting;
  if (name === 'indicator') return indicatorFor(made, setting);
  if (name === 'series') return seriesFor(made['indicator'], draw);
  if (name === 'unwind_algo') return draw.pick(UNWIND_ALGOS);
  if (name === 'exit_style') return 'algo_unwind';
  if (name === 'unwind_params') return unwindParams(made['unwind_algo'], draw);
  if (name === 'params' && isIndicator(made['indicator'])) {
    return draw.chance(0.6) ? indicatorParams(made['indicator'], inside) : undefined;
  }
  if (name === 'params' && typeof made['algo'] === 'string') {
    return fromSchema(ALGO_PARAMS[made['algo'] as AlgoId], inside);
  }
  return fromSchema(schema, inside);
}

const isIndicator = (value: unknown): value is IndicatorId =>
  typeof value === 'string' && isIndicatorId(value);

function indicatorFor(made: Made, { draw, path, surface }: Setting): IndicatorId {
  if (made['mult'] !== undefined && path.at(-1) === 'trail') return 'atr';
  const levels = INDICATOR_IDS.filter((id) => indicatorEntry(id).priceSeries.length > 0);
  if (path.at(-1) === 'offset') return draw.pick([...levels, 'atr' as const]);
  return surface === 'market.evaluate' ? draw.pick(INDICATOR_IDS) : draw.pick(levels);
}

function seriesFor(indicator: unknown, draw: Draw): string | undefined {
  if (!isIndicator(indicator)) return undefined;
  const { series } = indicatorEntry(indicator);
  return series.length > 1 || draw.chance(0.3) ? draw.pick(series) : undefined;
}

function indicatorParams(indicator: IndicatorId, setting: Setting): unknown {
  return fromSchema(indicatorParamsSchema(indicator), setting);
}

function unwindParams(algo: unknown, draw: Draw): Made | undefined {
  if (algo === 'pacemaker') return { duration_seconds: draw.int(60, 600) };
  if (algo === 'smartexit') return { patience_seconds: draw.int(0, 60) };
  if (algo === 'ghostsweep') return { sweep_limit_bps: draw.int(5, 300) };
  return { strategy: draw.pick(['passive', 'balanced', 'aggressive']) };
}

function listOf(element: z.ZodType, setting: Setting): unknown[] {
  const { draw, known, path } = setting;
  const name = path.at(-1) ?? '';
  const length = draw.int(1, 3);
  const make = (): unknown => {
    if (name === 'monitor_ids') return known.id('monitor_id', draw);
    if (name === 'ids') return known.id('execution_id', draw);
    return fromSchema(element, setting);
  };
  return Array.from({ length }, make);
}

function leafOf(schema: z.ZodType, def: Def, setting: Setting): unknown {
  const { draw, path } = setting;
  const named = byName(path.at(-1) ?? '', setting);
  if (named !== undefined) return named;
  if (def.type === 'enum') return draw.pick(Object.values(def.entries ?? {}));
  if (def.type === 'boolean') return draw.chance(0.5);
  if (def.type === 'number') return numberOf(bagOf(schema), draw);
  if (def.type === 'string') return draw.pick(['fuzz', 'a b', 'ünï', 'x'.repeat(20)]);
  if (def.type === 'record') return {};
  return null;
}

function numberOf(bag: Bag, draw: Draw): number {
  const low = bag.minimum ?? bag.exclusiveMinimum ?? 0;
  // Real requests have short ranges and small numbers, not the middle of a wide range.
  const high = Math.min(bag.maximum ?? bag.exclusiveMaximum ?? low + 100, low + 60);
  if (bag.format === 'safeint') return draw.int(Math.ceil(low), Math.floor(high));
  return Math.round(draw.number(low, high) * 1_000) / 1_000 || (high + low) / 2;
}

const PRICES: ReadonlySet<string> = new Set([
  'price',
  'limit_price',
  'trigger_price',
  'stop_price',
  'take_price',
  'sweep_limit',
  'band_low',
  'band_high',
]);

function byName(name: string, setting: Setting): unknown {
  const { draw, known, symbol } = setting;
  if (PRICES.has(name)) return priceFor(name, setting);
  switch (name) {
    case 'symbol':
      return symbol;
    case 'side':
      return setting.side;
    case 'size':
    case 'total_size':
      return sizeFor(known, symbol, draw.number(20, 4_000));
    case 'interval':
      return draw.pick(['1m', '1m', '5m', '15m', '1h']);
    case 'client_order_id':
    case 'client_execution_id':
      return `c-${draw.int(1, 400)}`;
    case 'template_id':
      return known.id('template_id', draw);
    case 'cursor':
      return draw.chance(0.5) ? known.id('next_cursor', draw) : String(draw.int(0, 200));
    case 'status':
      return draw.pick(['open', 'filled', 'running', 'armed', 'retired', 'active']);
    case 'start_time':
      return known.now - draw.int(0, 200) * 60_000;
    case 'end_time':
      return known.now - draw.int(-10, 100) * 60_000;
    case 'leverage':
      return draw.int(1, 20);
    case 'channels':
      return draw.pick([`price:${encodeURIComponent(symbol)}`, 'account.state', 'executions']);
    case 'duration_seconds':
      return draw.int(60, 900);
    case 'slippage_bps':
    case 'default_slippage_bps':
      return draw.int(20, 200);
    default:
      return undefined;
  }
}

/** Where a price must be, relative to the mark, for its name and the side. */
function priceFor(name: string, { draw, known, symbol, side, path }: Setting): number {
  const off = draw.number(0.0005, 0.02);
  const up = side === 'buy';
  const isLoss = path.includes('stop_loss') || name === 'stop_price';
  const isProfit = path.includes('take_profit') || name === 'take_price';
  if (name === 'band_low') return priceAt(known, symbol, 1 - off);
  if (name === 'band_high') return priceAt(known, symbol, 1 + off);
  if (name === 'sweep_limit' || name === 'trigger_price') {
    return priceAt(known, symbol, up ? 1 + off : 1 - off);
  }
  if (isLoss || isProfit) return priceAt(known, symbol, isLoss === up ? 0.95 - off : 1.05 + off);
  return priceAt(known, symbol, draw.chance(0.8) === up ? 1 - off : 1 + off);
}

/** The mark times a factor, rounded to the instrument's tick. */
export function priceAt(known: Known, symbol: string, factor: number): number {
  return toValidPrice(known.mark(symbol) * factor, known.instrument(symbol));
}

function sizeFor(known: Known, symbol: string, notional: number): number {
  const unit = 10 ** known.instrument(symbol).size_decimals;
  return Math.max(1, Math.round((notional / known.mark(symbol)) * unit)) / unit;
}
