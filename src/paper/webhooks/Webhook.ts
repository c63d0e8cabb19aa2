import type { WebhookAction } from '../../contract/index.ts';
import { DAY_MS } from '../../contract/durations.ts';

export interface Webhook {
  readonly webhookId: string;
  name: string;
  action: WebhookAction;
  cooldownSeconds: number;
  /** Deliveries per UTC day; null: no limit. */
  dailyCap: number | null;
  dryRun: boolean;
  token: string;
  readonly createdTime: number;
  lastDeliveryTime: number | null;
  /** Only accepted deliveries count for cooldown and cap. */
  lastAcceptedTime: number | null;
  acceptedToday: { day: number; count: number };
}

export type DeliveryOutcome =
  'accepted' | 'dry_run' | 'cooldown' | 'daily_cap' | 'invalid' | 'failed';

export interface Delivery {
  delivery_id: string;
  webhook_id: string;
  outcome: DeliveryOutcome;
  request_body: unknown;
  /** The resulting order or execution, what a dry run would have sent, or the error. */
  result: unknown;
  time: number;
}

export const dayOf = (time: number): number => Math.floor(time / DAY_MS);

export function acceptedToday(webhook: Webhook, now: number): number {
  return webhook.acceptedToday.day === dayOf(now) ? webhook.acceptedToday.count : 0;
}

/** The token is whole only on creation and rotation, else its last four characters (WHK-1). */
export function webhookRecord(webhook: Webhook, now: number, { whole = false } = {}) {
  const token = whole ? webhook.token : `…${webhook.token.slice(-4)}`;
  return {
    webhook_id: webhook.webhookId,
    name: webhook.name,
    action: webhook.action,
    cooldown_seconds: webhook.cooldownSeconds,
    daily_cap: webhook.dailyCap,
    dry_run: webhook.dryRun,
    token,
    url_path: `/v1/hooks/${token}`,
    deliveries_today: acceptedToday(webhook, now),
    last_delivery_time: webhook.lastDeliveryTime,
  };
}
