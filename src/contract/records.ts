import { z } from 'zod';
import { openEnum } from './openEnum.ts';
import {
  ALGOS,
  CONNECTION_STATUSES,
  DELIVERY_OUTCOMES,
  EXECUTION_PHASES,
  EXECUTION_REASONS,
  EXECUTION_STATUSES,
  EXIT_STYLES,
  GROUP_MODES,
  INSTRUMENT_KINDS,
  LAYER_STATUSES,
  LEG_FORMS,
  LEG_KINDS,
  LEG_STATUSES,
  LIQUIDITIES,
  MARGIN_MODES,
  MONITOR_STATUSES,
  ORDER_STATUSES,
  ORDER_TYPES,
  POSITION_SIDES,
  SIDES,
  TIERS,
  TIMES_IN_FORCE,
  WATCH_KINDS,
} from './vocabulary.ts';

/**
 * Every record that the service answers (conventions §3). All are loose: unknown fields and unknown
 * enum values of a newer service are kept (ERR-2). Prices and sizes are in quote and base units,
 * times in epoch milliseconds; a field without a value is null or absent.
 */
const time = z.number();
const maybeNumber = z.number().nullish();
const maybeText = z.string().nullish();
/** Any value, and optional: zod treats a bare `unknown` key as required. */
const anything = z.unknown().optional();
const sent = anything;

// ── Utility and connections ──────────────────────────────────────────────────────────────────────

export const healthRecord = z.looseObject({ status: z.string() });
export type HealthRecord = z.infer<typeof healthRecord>;

export const layerStatuses = z.record(z.string(), openEnum(LAYER_STATUSES));

export const statusRecord = z.looseObject({
  status: z.string(),
  server_time: time,
  version: z.string(),
  layers: layerStatuses,
});
export type StatusRecord = z.infer<typeof statusRecord>;

export const rateLimitsRecord = z.looseObject({
  tier: openEnum(TIERS),
  window: openEnum(['sliding', 'fixed']),
  budget: z.number(),
  used: z.number(),
  remaining: z.number(),
  resets_at: time,
  venue: z.looseObject({ budget: z.number(), used: z.number(), gate: z.number() }).nullish(),
});
export type RateLimitsRecord = z.infer<typeof rateLimitsRecord>;

export const weightRecord = z.looseObject({
  method: z.string(),
  path: z.string(),
  weight: z.number(),
  scope: maybeText,
});
export type WeightRecord = z.infer<typeof weightRecord>;

/** CON-1. */
export const connectionRecord = z.looseObject({
  id: z.string(),
  venue: z.string(),
  label: z.string(),
  status: openEnum(CONNECTION_STATUSES),
  address: maybeText,
});
export type ConnectionRecord = z.infer<typeof connectionRecord>;

// ── Account (ACC-1) ──────────────────────────────────────────────────────────────────────────────

export const accountRecord = z.looseObject({
  wallet: z.string(),
  equity: z.number(),
  available_margin: z.number(),
  used_margin: z.number(),
  unrealized_pnl: z.number(),
  realized_pnl: z.number(),
  fees_paid: z.number(),
  funding_paid: z.number(),
  time,
});
export type AccountRecord = z.infer<typeof accountRecord>;

export const balanceRecord = z.looseObject({
  asset: z.string(),
  total: z.number(),
  available: z.number(),
  held: z.number(),
});
export type BalanceRecord = z.infer<typeof balanceRecord>;

export const pnlRecord = z.looseObject({
  day: z.string(),
  symbol: z.string(),
  realized_pnl: z.number(),
  unrealized_pnl: z.number(),
  fees: z.number(),
  funding: z.number(),
  volume: z.number(),
});
export type PnlRecord = z.infer<typeof pnlRecord>;

/** ACC-2. */
export const feeTierRecord = z.looseObject({
  tier: openEnum(TIERS),
  bps: z.number(),
  volume_14d: z.number(),
  next_tier: anything,
});
export type FeeTierRecord = z.infer<typeof feeTierRecord>;

export const referralsRecord = z.looseObject({
  code: maybeText,
  referred_count: z.number(),
  rewards: z.number(),
});
export type ReferralsRecord = z.infer<typeof referralsRecord>;

export const settingsRecord = z.looseObject({
  default_slippage_bps: z.number(),
  default_leverage: z.number(),
});
export type SettingsRecord = z.infer<typeof settingsRecord>;

// ── Market data (MKT-1 to MKT-6) ─────────────────────────────────────────────────────────────────

export const instrumentRecord = z.looseObject({
  symbol: z.string(),
  kind: openEnum(INSTRUMENT_KINDS),
  base: z.string(),
  quote: z.string(),
  size_decimals: z.number(),
  price_decimals: z.number(),
  price_significant_figures: z.number(),
  min_order_value: z.number(),
  algo_min_value: z.number(),
  max_leverage: z.number(),
  deployer: maybeText,
});
export type InstrumentRecord = z.infer<typeof instrumentRecord>;

export const marketRecord = z.looseObject({
  symbol: z.string(),
  mark: z.number(),
  index: z.number(),
  funding_rate: maybeNumber,
  next_funding_time: maybeNumber,
  volume_24h: z.number(),
  open_interest: maybeNumber,
});
export type MarketRecord = z.infer<typeof marketRecord>;

const level = z.tuple([z.number(), z.number()]);
export const orderbookRecord = z.looseObject({
  symbol: z.string(),
  bids: z.array(level),
  asks: z.array(level),
  time,
});
export type OrderbookRecord = z.infer<typeof orderbookRecord>;

/** Data of the `orderbook` channel, whose params and frame name the symbol and the time. */
export const bookRecord = z.looseObject({ bids: z.array(level), asks: z.array(level) });
export type BookRecord = z.infer<typeof bookRecord>;

export const priceRecord = z.looseObject({
  symbol: z.string().optional(),
  mark: z.number(),
  bid: z.number(),
  ask: z.number(),
  last: z.number(),
  time: time.optional(),
});
export type PriceRecord = z.infer<typeof priceRecord>;

/** One OHLCV bar; `time` is its open time. */
export const candleRecord = z.looseObject({
  time,
  open: z.number(),
  high: z.number(),
  low: z.number(),
  close: z.number(),
  volume: z.number(),
  closed: z.boolean(),
});
export type CandleRecord = z.infer<typeof candleRecord>;

/** MKT-1, MKT-3. */
export const candlesRecord = z.looseObject({
  symbol: z.string().optional(),
  interval: z.string().optional(),
  candles: z.array(candleRecord),
  cached: z.boolean(),
  age_seconds: z.number(),
});
export type CandlesRecord = z.infer<typeof candlesRecord>;

export const indicatorValue = z.looseObject({
  id: z.string(),
  indicator: z.string(),
  bar_time: time,
  value: maybeNumber,
  series: z.record(z.string(), z.number()).nullish(),
});
export type IndicatorValue = z.infer<typeof indicatorValue>;

export const evaluateRecord = z.looseObject({
  symbol: z.string(),
  interval: z.string(),
  bar_time: time,
  values: z.array(indicatorValue),
});
export type EvaluateRecord = z.infer<typeof evaluateRecord>;

// ── Legs and watches (LEG-7, STR-3) ──────────────────────────────────────────────────────────────

/** For an absolute price only `trigger_price` and `anchor*` are present. */
export const resolution = z.looseObject({
  indicator: maybeText,
  interval: maybeText,
  series: maybeText,
  indicator_value: maybeNumber,
  bar_time: maybeNumber,
  anchor: maybeText,
  anchor_price: maybeNumber,
  trigger_price: maybeNumber,
});
export type Resolution = z.infer<typeof resolution>;

const faultRecord = z.looseObject({
  code: z.string(),
  message: z.string(),
  details: z.looseObject({}).nullish(),
});

export const legRecord = z.looseObject({
  leg_id: maybeText,
  kind: openEnum(LEG_KINDS),
  symbol: maybeText,
  form: openEnum(LEG_FORMS),
  exit_style: openEnum(EXIT_STYLES).nullish(),
  status: openEnum(LEG_STATUSES).nullish(),
  size: maybeNumber,
  coupled: z.boolean().nullish(),
  resolution: resolution.nullish(),
  monitor_id: maybeText,
  error: faultRecord.nullish(),
  request: sent,
});
export type LegRecord = z.infer<typeof legRecord>;

/** Answer of `POST /positions/{symbol}/tpsl`. */
export const tpslRecord = z.looseObject({
  legs: z.looseObject({ take_profit: legRecord.nullish(), stop_loss: legRecord.nullish() }),
  group_id: maybeText,
});
export type TpslRecord = z.infer<typeof tpslRecord>;

/** Row of `tpsl.watch`: a leg, or a tracked entry. */
export const watchRow = z.looseObject({
  watch_kind: openEnum(WATCH_KINDS),
  watch_id: maybeText,
  leg_id: maybeText,
  kind: openEnum(LEG_KINDS).nullish(),
  symbol: z.string(),
  order_id: maybeText,
  execution_id: maybeText,
  trigger_price: maybeNumber,
  status: maybeText,
});
/**
 * A service may show a leg's `size` and `form` too, as its record has them (conventions *Records*). The size of a leg of
 * an order or a launch is what that has filled: it grows with each fill, and no event says so.
 */
export type WatchRow = z.infer<typeof watchRow> & Partial<Pick<LegRecord, 'size' | 'form'>>;

// ── Orders and fills (ORD-2, ORD-4) ──────────────────────────────────────────────────────────────

export const entryTrack = z.looseObject({
  watch_id: z.string(),
  min_move_bps: z.number(),
  max_drift_bps: z.number(),
});

export const priceFromResolution = z.looseObject({
  indicator: z.string(),
  interval: z.string(),
  series: maybeText,
  indicator_value: z.number(),
  bar_time: time,
  price: z.number(),
});

export const orderRecord = z.looseObject({
  order_id: z.string(),
  client_order_id: maybeText,
  idempotency_key: maybeText,
  execution_id: maybeText,
  symbol: z.string(),
  side: openEnum(SIDES),
  size: z.number(),
  filled_size: z.number(),
  average_price: maybeNumber,
  price: maybeNumber,
  order_type: openEnum(ORDER_TYPES),
  time_in_force: openEnum(TIMES_IN_FORCE).nullish(),
  reduce_only: z.boolean(),
  status: openEnum(ORDER_STATUSES),
  created_time: time,
  updated_time: time,
  reject_reason: maybeText,
  request: sent,
});
export type OrderRecord = z.infer<typeof orderRecord>;

/** Answer of `POST /order`: the record and what ORD-2 adds. */
export const orderResult = orderRecord.extend({
  queued: z.boolean(),
  price_from_resolution: priceFromResolution.nullish(),
  entry_track: entryTrack.nullish(),
  take_profit: legRecord.nullish(),
  stop_loss: legRecord.nullish(),
});
export type OrderResult = z.infer<typeof orderResult>;

export const fillRecord = z.looseObject({
  fill_id: z.string(),
  order_id: z.string(),
  client_order_id: maybeText,
  execution_id: maybeText,
  symbol: z.string(),
  side: openEnum(SIDES),
  price: z.number(),
  size: z.number(),
  notional: z.number(),
  fee: z.number(),
  venue_fee: maybeNumber,
  service_fee: maybeNumber,
  liquidity: openEnum(LIQUIDITIES),
  reduce_only: z.boolean(),
  closed_pnl: maybeNumber,
  time,
});
export type FillRecord = z.infer<typeof fillRecord>;

// ── Positions and leverage (POS-1) ───────────────────────────────────────────────────────────────

/** `size` is unsigned; `side` gives the direction. */
export const positionRecord = z.looseObject({
  symbol: z.string(),
  side: openEnum(POSITION_SIDES),
  size: z.number(),
  entry_price: z.number(),
  mark_price: z.number(),
  notional: z.number(),
  unrealized_pnl: z.number(),
  realized_pnl: z.number(),
  leverage: maybeNumber,
  mode: openEnum(MARGIN_MODES).nullish(),
  liquidation_price: maybeNumber,
  opened_time: time,
  updated_time: time,
});
export type PositionRecord = z.infer<typeof positionRecord>;

export const entryFeesRecord = z.looseObject({
  symbol: z.string(),
  entry_fees: z.number(),
  entry_notional: z.number(),
  fee_bps: z.number(),
  maker_share: z.number(),
  break_even_price: z.number(),
});
export type EntryFeesRecord = z.infer<typeof entryFeesRecord>;

export const leverageRecord = z.looseObject({
  symbol: z.string(),
  leverage: z.number(),
  mode: openEnum(MARGIN_MODES),
  max_leverage: z.number(),
});
export type LeverageRecord = z.infer<typeof leverageRecord>;

// ── Executions (EXE-6, EXE-8) ────────────────────────────────────────────────────────────────────

export const executionRecord = z.looseObject({
  execution_id: z.string(),
  client_execution_id: maybeText,
  idempotency_key: maybeText,
  algo: openEnum(ALGOS),
  symbol: z.string(),
  side: openEnum(SIDES),
  total_size: z.number(),
  filled_size: z.number(),
  remaining_size: z.number(),
  average_price: maybeNumber,
  arrival_price: maybeNumber,
  status: openEnum(EXECUTION_STATUSES),
  phase: openEnum(EXECUTION_PHASES),
  reason: openEnum(EXECUTION_REASONS).nullish(),
  progress: z.number(),
  fees: z.number(),
  reduce_only: z.boolean(),
  wallet: z.string(),
  created_time: time,
  updated_time: time,
  ended_time: maybeNumber,
  take_profit: legRecord.nullish(),
  stop_loss: legRecord.nullish(),
  request: sent,
});
export type ExecutionRecord = z.infer<typeof executionRecord>;

export const executionEventRecord = z.looseObject({
  execution_id: z.string(),
  event: z.string(),
  reason: maybeText,
  detail: anything,
  time,
});
export type ExecutionEventRecord = z.infer<typeof executionEventRecord>;

/** Answer of batches, bulk cancel and the `-all` controls. */
export const resultsRecord = z.looseObject({
  results: z.array(
    z.looseObject({ id: z.string(), ok: z.boolean(), error: faultRecord.nullish() }),
  ),
});
export type ResultsRecord = z.infer<typeof resultsRecord>;

// ── Monitors, webhooks, baskets ──────────────────────────────────────────────────────────────────

export const monitorRecord = z.looseObject({
  monitor_id: z.string(),
  group_id: maybeText,
  name: maybeText,
  trigger: z.looseObject({ type: z.string() }),
  action: z.looseObject({ type: z.string() }),
  status: openEnum(MONITOR_STATUSES),
  rearm: z.boolean(),
  fired_count: z.number(),
  last_fired_time: maybeNumber,
  last_error: faultRecord.nullish(),
  created_time: time,
  request: sent,
});
export type MonitorRecord = z.infer<typeof monitorRecord>;

export const monitorGroupRecord = z.looseObject({
  group_id: z.string(),
  mode: openEnum(GROUP_MODES),
  monitor_ids: z.array(z.string()),
  status: z.string(),
});
export type MonitorGroupRecord = z.infer<typeof monitorGroupRecord>;

export const webhookRecord = z.looseObject({
  webhook_id: z.string(),
  name: z.string(),
  action: z.looseObject({ type: z.string() }),
  cooldown_seconds: maybeNumber,
  daily_cap: maybeNumber,
  dry_run: z.boolean(),
  token: z.string(),
  url_path: z.string(),
  deliveries_today: z.number(),
  last_delivery_time: maybeNumber,
});
export type WebhookRecord = z.infer<typeof webhookRecord>;

export const deliveryRecord = z.looseObject({
  delivery_id: z.string(),
  webhook_id: z.string(),
  outcome: openEnum(DELIVERY_OUTCOMES),
  request_body: anything,
  result: anything,
  time,
});
export type DeliveryRecord = z.infer<typeof deliveryRecord>;

const range = z.looseObject({ low: z.number(), high: z.number() });
const basketLegRecord = z.looseObject({ execution_id: maybeText, status: maybeText });

export const basketRecord = z.looseObject({
  basket_id: z.string(),
  name: maybeText,
  template_id: maybeText,
  price_range: range.nullish(),
  legs: z.array(basketLegRecord),
  status: openEnum(EXECUTION_STATUSES),
  created_time: time,
  request: sent,
});
export type BasketRecord = z.infer<typeof basketRecord>;

export const basketTemplateRecord = z.looseObject({
  template_id: z.string(),
  name: z.string(),
  legs: z.array(z.looseObject({})),
  price_range: range.nullish(),
});
export type BasketTemplateRecord = z.infer<typeof basketTemplateRecord>;

/** A list: `next_cursor` is null on the last page. */
export function page<T extends z.ZodType>(item: T) {
  return z.looseObject({ items: z.array(item), next_cursor: z.string().nullable() });
}
export interface Page<T> {
  items: T[];
  next_cursor: string | null;
}
