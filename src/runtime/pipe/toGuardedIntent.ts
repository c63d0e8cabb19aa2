import type { Dialect, ServiceRequest } from '../../contract/index.ts';
import type { GuardedIntent } from '../../guards/index.ts';
import { effectOf } from '../../intents/effectOf.ts';
import type { Intent } from '../../intents/index.ts';
import { needsOf } from '../../intents/needsOf.ts';

/** What the guards evaluate of an intent. */
export function toGuardedIntent(intent: Intent, effect = effectOf(intent)): GuardedIntent {
  const needs = needsOf(intent);
  const guarded: GuardedIntent = {
    kind: intent.kind,
    symbols: effect.symbols,
    entries: effect.entries,
    isExit: effect.isExit,
    scopes: needs.scopes,
    maintainedRows: needs.maintainedRows,
    executions: needs.executions,
  };
  if (intent.kind === 'set_leverage') guarded.leverage = intent.request.leverage;
  return guarded;
}

/** Weight of a request by the dialect's table; a basket pays for each leg (conventions §2). */
export function weightOf(intent: Intent, request: ServiceRequest, dialect: Dialect): number {
  const { weight } = dialect.endpoints[request.endpoint];
  if (intent.kind === 'launch_basket') return weight * (intent.request.legs?.length ?? 1);
  const closesByAlgo = intent.kind === 'close_position' && intent.request.algo !== undefined;
  return closesByAlgo ? dialect.endpoints['executions.launch'].weight : weight;
}
