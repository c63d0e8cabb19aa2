import { createHmac } from 'node:crypto';
import type { WebhookPatch, WebhookRequest } from '../../../contract/index.ts';
import { requireActionScopes } from '../../core/bodyScopes.ts';
import type { Call, HandlerTable } from '../../core/Engine.ts';
import { ServiceError } from '../../core/ServiceError.ts';
import type { Account } from '../../venue/Account.ts';
import { checkAction } from '../../webhooks/checkAction.ts';
import { deliver } from '../../webhooks/deliver.ts';
import { webhookRecord, type Webhook } from '../../webhooks/Webhook.ts';
import { accountOf } from '../snapshotOf.ts';
import type { EngineState } from '../EngineState.ts';
import { pageOfLedger } from './pageOf.ts';

/** Webhooks and their deliveries (WHK-1). */
export function webhookRoutes(engine: EngineState): HandlerTable {
  const of = (call: Call): Account => accountOf(engine, call.wallet);
  const named = (call: Call): Webhook => findWebhook(of(call), call.pathParams['id']!);
  const shown = (webhook: Webhook, options?: { whole: boolean }) =>
    webhookRecord(webhook, engine.market.now, options);
  return {
    'webhooks.list': (call) => ({
      body: pageOfLedger(engine, call, {
        ledger: of(call).webhooks,
        filterable: ({ action, createdTime }) => ({
          symbol: action.request['symbol'] as string,
          time: createdTime,
        }),
        show: (webhook) => shown(webhook),
      }),
    }),
    'webhooks.create': (call) => ({
      body: shown(createWebhook(engine, of(call), call.body as WebhookRequest), { whole: true }),
    }),
    'webhooks.update': (call) => {
      requireActionScopes(call, named(call).action);
      updateWebhook(engine, named(call), call.body as WebhookPatch);
      return { body: shown(named(call)) };
    },
    'webhooks.remove': (call) => {
      const webhook = named(call);
      of(call).webhooks.remove(webhook.webhookId);
      engine.webhookTokens.delete(webhook.token);
      return { body: shown(webhook) };
    },
    'webhooks.rotate': (call) => {
      const webhook = named(call);
      requireActionScopes(call, webhook.action);
      engine.webhookTokens.delete(webhook.token);
      giveToken(engine, of(call), webhook);
      return { body: shown(webhook, { whole: true }) };
    },
    'webhooks.deliveries': (call) => {
      const { webhookId } = named(call);
      return {
        body: pageOfLedger(engine, call, {
          ledger: of(call).deliveries,
          filterable: ({ outcome, time }) => ({ status: outcome, time }),
          isListed: (delivery) => delivery.webhook_id === webhookId,
          show: (delivery) => ({ ...delivery }),
        }),
      };
    },
    'webhooks.inbound': (call) => ({ body: receive(engine, call) }),
  };
}

function findWebhook(account: Account, id: string): Webhook {
  const webhook = account.webhooks.get(id);
  if (webhook === undefined) throw new ServiceError('not_found', { details: { id } });
  return webhook;
}

function createWebhook(engine: EngineState, account: Account, request: WebhookRequest): Webhook {
  checkAction(engine, request.action);
  const webhook: Webhook = {
    webhookId: engine.nextId('whk'),
    name: request.name,
    action: request.action,
    cooldownSeconds: request.cooldown_seconds ?? 0,
    dailyCap: request.daily_cap ?? null,
    dryRun: request.dry_run ?? false,
    token: '',
    createdTime: engine.market.now,
    lastDeliveryTime: null,
    lastAcceptedTime: null,
    acceptedToday: { day: 0, count: 0 },
  };
  account.webhooks.add(webhook.webhookId, webhook);
  giveToken(engine, account, webhook);
  return webhook;
}

/** It can't be guessed without the secret, yet a repeated request returns the same token. */
function newToken({ tokenSecret, nextId }: EngineState): string {
  const digest = createHmac('sha256', tokenSecret).update(nextId('token')).digest('hex');
  return `wh_${digest.slice(0, 32)}`;
}

function giveToken(engine: EngineState, account: Account, webhook: Webhook): void {
  webhook.token = newToken(engine);
  const { webhookId: id } = webhook;
  engine.webhookTokens.set(webhook.token, { wallet: account.wallet, id });
}

function updateWebhook(engine: EngineState, webhook: Webhook, patch: WebhookPatch): void {
  if (patch.action !== undefined) checkAction(engine, patch.action);
  webhook.name = patch.name ?? webhook.name;
  webhook.action = patch.action ?? webhook.action;
  webhook.cooldownSeconds = patch.cooldown_seconds ?? webhook.cooldownSeconds;
  webhook.dailyCap = patch.daily_cap ?? webhook.dailyCap;
  webhook.dryRun = patch.dry_run ?? webhook.dryRun;
}

/** The token is the credential (AUTH-9): it names the webhook and its wallet, or nothing. */
function receive(engine: EngineState, call: Call) {
  const owner = engine.webhookTokens.get(call.pathParams['token']!);
  if (owner === undefined) throw new ServiceError('not_found');
  const account = accountOf(engine, owner.wallet);
  const {
    outcome,
    delivery_id: id,
    result,
  } = deliver(engine, account, findWebhook(account, owner.id), call.body);
  return { outcome, delivery_id: id, result };
}
