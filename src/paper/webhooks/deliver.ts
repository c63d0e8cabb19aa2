import type { ClosePositionRequest, ExecuteRequest, OrderRequest } from '../../contract/index.ts';
import { launchExecution } from '../algos/launch.ts';
import { executionRecord } from '../algos/publishExecution.ts';
import { ServiceError } from '../core/ServiceError.ts';
import { actionFault, type StartedRecord } from '../engine/actionFault.ts';
import { closePosition } from '../engine/closePosition.ts';
import { submitOrder } from '../engine/submitOrder.ts';
import type { EngineState } from '../engine/EngineState.ts';
import type { Account } from '../venue/Account.ts';
import { orderRecord } from '../venue/publish.ts';
import { actionShape } from './checkAction.ts';
import { renderTemplate } from './renderTemplate.ts';
import {
  acceptedToday,
  dayOf,
  type Delivery,
  type DeliveryOutcome,
  type Webhook,
} from './Webhook.ts';

interface Evaluation {
  outcome: DeliveryOutcome;
  result: unknown;
}

/**
 * One alert: rendered and validated, then cooldown, daily cap and dry run, then acted on (WHK-1). Every
 * delivery is recorded with its outcome.
 */
export function deliver(
  engine: EngineState,
  account: Account,
  webhook: Webhook,
  alert: unknown,
): Delivery {
  const { now } = engine.market;
  const { outcome, result } = evaluate(engine, account, webhook, alert);
  if (outcome === 'accepted') countAccepted(webhook, now);
  webhook.lastDeliveryTime = now;
  const delivery: Delivery = {
    delivery_id: engine.nextId('dlv'),
    webhook_id: webhook.webhookId,
    outcome,
    request_body: alert,
    result,
    time: now,
  };
  account.deliveries.add(delivery.delivery_id, delivery);
  return delivery;
}

function evaluate(
  engine: EngineState,
  account: Account,
  webhook: Webhook,
  alert: unknown,
): Evaluation {
  const { now } = engine.market;
  const rendered = renderTemplate(webhook.action.request, alert);
  if (!rendered.ok) {
    const message = `The alert has no ${rendered.missing}.`;
    return { outcome: 'invalid', result: { error: { code: 'validation_failed', message } } };
  }
  const shape = actionShape(engine, webhook.action.type, rendered.value as Record<string, unknown>);
  if (!shape.ok) return { outcome: 'invalid', result: { error: shape.fault } };
  if (isCooling(webhook, now)) return { outcome: 'cooldown', result: null };
  if (acceptedToday(webhook, now) >= (webhook.dailyCap ?? Infinity)) {
    return { outcome: 'daily_cap', result: null };
  }
  if (webhook.dryRun) return { outcome: 'dry_run', result: { request: rendered.value } };
  return perform(engine, account, webhook, rendered.value);
}

function isCooling({ lastAcceptedTime, cooldownSeconds }: Webhook, now: number): boolean {
  return lastAcceptedTime !== null && now - lastAcceptedTime < cooldownSeconds * 1_000;
}

function perform(
  engine: EngineState,
  account: Account,
  webhook: Webhook,
  request: unknown,
): Evaluation {
  try {
    const result = act(engine, account, webhook.action.type, request);
    const error = actionFault(result);
    return error === null
      ? { outcome: 'accepted', result }
      : { outcome: 'failed', result: { error } };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const { code, message, details } = error;
    return { outcome: 'failed', result: { error: { code, message, details } } };
  }
}

function act(
  engine: EngineState,
  account: Account,
  type: Webhook['action']['type'],
  request: unknown,
): StartedRecord {
  const idempotencyKey = null;
  if (type === 'order') {
    const order = submitOrder(engine, account, {
      request: request as OrderRequest,
      idempotencyKey,
    });
    return orderRecord(account, order);
  }
  if (type === 'execute') {
    const launch = { request: request as ExecuteRequest, idempotencyKey };
    return executionRecord(account, launchExecution(engine, account, launch));
  }
  const { symbol, ...body } = request as ClosePositionRequest & { symbol: string };
  return closePosition(engine, account, { symbol, body, idempotencyKey });
}

function countAccepted(webhook: Webhook, now: number): void {
  const count = acceptedToday(webhook, now) + 1;
  webhook.acceptedToday = { day: dayOf(now), count };
  webhook.lastAcceptedTime = now;
}
