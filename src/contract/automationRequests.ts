import { z } from 'zod';
import { executeRequest, type ExecuteRequest } from './executeRequest.ts';
import { farthestSweep } from './farthestSweep.ts';
import { positive, symbolName } from './identifiers.ts';
import { checkLevelRead, indicatorReadFields, type LevelRead } from './indicatorRead.ts';
import { LIMITS } from './limits.ts';
import { orderRequest, type OrderRequest } from './orderRequest.ts';
import { closePositionRequest, type ClosePositionRequest } from './positionRequests.ts';
import { addFault } from './validation.ts';
import { GROUP_MODES, MONITOR_DIRECTIONS } from './vocabulary.ts';

// ── Monitors (MON-1) ─────────────────────────────────────────────────────────────────────────────

export type PriceLevelTrigger = {
  type: 'price_level';
  symbol: string;
  price: number;
  direction: 'above' | 'below';
};
export type IndicatorLevelTrigger = {
  type: 'indicator_level';
  symbol: string;
  direction: 'above' | 'below';
} & LevelRead;
export type MonitorTrigger = PriceLevelTrigger | IndicatorLevelTrigger;

export type MonitorAction =
  { type: 'order'; request: OrderRequest } | { type: 'execute'; request: ExecuteRequest };

/** `POST /v1/monitors`. */
export interface MonitorRequest {
  name?: string;
  trigger: MonitorTrigger;
  action: MonitorAction;
  rearm?: boolean;
}

const priceTrigger = z.strictObject({
  type: z.literal('price_level'),
  symbol: symbolName,
  price: positive,
  direction: z.enum(MONITOR_DIRECTIONS),
});
const indicatorTrigger = z
  .strictObject({
    type: z.literal('indicator_level'),
    symbol: symbolName,
    direction: z.enum(MONITOR_DIRECTIONS),
    ...indicatorReadFields,
  })
  .superRefine((trigger, ctx) => checkLevelRead(ctx, trigger));

const orderAction = z.strictObject({ type: z.literal('order'), request: orderRequest });
const executeAction = z.strictObject({ type: z.literal('execute'), request: executeRequest });

export const monitorRequest = z.strictObject({
  name: z.string().max(200).optional(),
  trigger: z.discriminatedUnion('type', [priceTrigger, indicatorTrigger]),
  action: z.discriminatedUnion('type', [orderAction, executeAction]),
  rearm: z.boolean().optional(),
}) as unknown as z.ZodType<MonitorRequest>;

function checkMonitors(ids: readonly string[], ctx: Pick<z.RefinementCtx, 'addIssue'>): void {
  for (const [index, id] of ids.entries()) {
    if (ids.indexOf(id) < index) addFault(ctx, [index], 'duplicate', `${id} stands there twice.`);
  }
}

/** `POST /v1/monitors/groups`. */
export const monitorGroupRequest = z.strictObject({
  mode: z.enum(GROUP_MODES),
  monitor_ids: z.array(z.string().min(1)).min(1).max(100).superRefine(checkMonitors),
});
export type MonitorGroupRequest = z.infer<typeof monitorGroupRequest>;

// ── Webhooks (WHK-1) ─────────────────────────────────────────────────────────────────────────────

/**
 * What an alert does. A string that is `{{side}}`, `{{size}}`, `{{total_size}}` or `{{price}}` as a whole
 * takes the alert's value and type: the shape of what it makes is checked at delivery.
 */
export interface WebhookAction {
  type: 'order' | 'execute' | 'close';
  request: Record<string, unknown>;
}

export const webhookAction = z.strictObject({
  type: z.enum(['order', 'execute', 'close']),
  request: z.record(z.string(), z.unknown()),
});

/** `POST /v1/webhooks`. */
export const webhookRequest = z.strictObject({
  name: z.string().min(1).max(200),
  action: webhookAction,
  cooldown_seconds: z.int().min(0).max(86_400).optional(),
  daily_cap: z.int().min(1).max(100_000).optional(),
  dry_run: z.boolean().optional(),
});
export type WebhookRequest = z.infer<typeof webhookRequest>;

/** `PATCH /v1/webhooks/{id}`: any part of a webhook. */
export const webhookPatch = webhookRequest.partial().superRefine((patch, ctx) => {
  if (Object.keys(patch).length === 0) addFault(ctx, [], 'required', 'Send a field to change.');
});
export type WebhookPatch = z.infer<typeof webhookPatch>;

/** The close body plus its symbol, as a webhook's `close` action carries it. */
export type WebhookCloseRequest = ClosePositionRequest & { symbol: string };
export { closePositionRequest };

// ── Baskets (BSK-1) ──────────────────────────────────────────────────────────────────────────────

export const priceRange = z
  .strictObject({ low: positive, high: positive })
  .superRefine((range, ctx) => {
    if (range.low >= range.high) addFault(ctx, ['high'], 'range', 'high must be above low.');
  });
export type PriceRange = z.infer<typeof priceRange>;

function checkLegCount(legs: readonly unknown[], ctx: Pick<z.RefinementCtx, 'addIssue'>): void {
  if (legs.length <= LIMITS.basketLegs) return;
  const message = `A basket takes at most ${LIMITS.basketLegs} legs; this one has ${legs.length}.`;
  addFault(ctx, [], 'too_many_legs', message);
}

const basketLegs = z.array(executeRequest).min(1).superRefine(checkLegCount);

/** Limits of a launch that are prices; each must lie inside the basket's range. */
function limitPricesOf(leg: ExecuteRequest): Array<[path: string[], price: number]> {
  const params = (leg.params ?? {}) as Record<string, unknown>;
  const named = ['limit_price', 'band_low', 'band_high', 'trigger_price'].flatMap((field) => {
    const price = params[field];
    return typeof price === 'number' ? [[['params', field], price] as [string[], number]] : [];
  });
  if (leg.sweep_limit !== undefined) return [...named, [['sweep_limit'], leg.sweep_limit]];
  const trigger = params['trigger_price'];
  const farthest = typeof trigger === 'number' ? farthestSweep(leg, trigger) : null;
  return farthest === null ? named : [...named, [['sweep_limit_bps'], farthest]];
}

/** `POST /v1/baskets`: `legs` or `template_id`, not both. */
export type BasketRequest = { name?: string; price_range?: PriceRange } & (
  { legs: ExecuteRequest[]; template_id?: never } | { template_id: string; legs?: never }
);

export const basketRequest = z
  .strictObject({
    name: z.string().max(200).optional(),
    template_id: z.string().min(1).optional(),
    price_range: priceRange.optional(),
    legs: basketLegs.optional(),
  })
  .superRefine((basket, ctx) => {
    if ((basket.legs === undefined) === (basket.template_id === undefined)) {
      addFault(ctx, ['legs'], 'conflicting_field', 'Send legs or template_id, one of the two.');
    }
    checkRange(basket.legs ?? [], basket.price_range, ctx);
  }) as unknown as z.ZodType<BasketRequest>;

function checkRange(
  legs: readonly ExecuteRequest[],
  range: PriceRange | undefined,
  ctx: Pick<z.RefinementCtx, 'addIssue'>,
): void {
  if (range === undefined) return;
  for (const [index, leg] of legs.entries()) {
    for (const [path, price] of limitPricesOf(leg)) {
      if (price >= range.low && price <= range.high) continue;
      const message = `${price} is outside the basket's range ${range.low} to ${range.high}.`;
      addFault(ctx, ['legs', index, ...path], 'outside_range', message);
    }
  }
}

/** `POST /v1/baskets/templates`. */
export const basketTemplateRequest = z
  .strictObject({
    name: z.string().min(1).max(200),
    legs: basketLegs,
    price_range: priceRange.optional(),
  })
  .superRefine((template, ctx) => checkRange(template.legs, template.price_range, ctx));
export type BasketTemplateRequest = z.infer<typeof basketTemplateRequest>;
