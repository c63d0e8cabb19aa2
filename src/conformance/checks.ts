import type { Check } from './Check.ts';
import { accountChecks } from './account.ts';
import { algorithmChecks } from './algorithms.ts';
import { authChecks } from './auth.ts';
import { basketChecks } from './baskets.ts';
import { commandChecks } from './commands.ts';
import { connectionChecks } from './connections.ts';
import { executionChecks } from './executions.ts';
import { legChecks } from './legs.ts';
import { limitChecks } from './limits.ts';
import { marketChecks } from './market.ts';
import { monitorChecks } from './monitors.ts';
import { orderChecks } from './orders.ts';
import { streamChecks } from './streams.ts';
import { versioningChecks } from './versioning.ts';
import { staleDataChecks } from './staleData.ts';
import { webhookChecks } from './webhooks.ts';
import { trackingChecks } from './tracking.ts';
import { trailChecks } from './trails.ts';
import { positionChecks } from './positions.ts';
import { requestChecks } from './requests.ts';
import { ruleChecks } from './rule.ts';

/** Every check, family by family, in the order in which they run. */
export const CHECKS: readonly Check[] = [
  ...authChecks,
  ...requestChecks,
  ...ruleChecks,
  ...orderChecks,
  ...marketChecks,
  ...trackingChecks,
  ...legChecks,
  ...trailChecks,
  ...algorithmChecks,
  ...executionChecks,
  ...staleDataChecks,
  ...positionChecks,
  ...monitorChecks,
  ...webhookChecks,
  ...basketChecks,
  ...accountChecks,
  ...connectionChecks,
  ...streamChecks,
  ...commandChecks,
  ...limitChecks,
  ...versioningChecks,
];
