import type { KillLevel } from '../../src/runtime/control/killLevels.ts';
import type { ExecutionRecord, OrderRecord } from '../../src/contract/index.ts';
import { isRenamed, type SimService } from './createSimService.ts';
import type { Simulation } from './Simulation.ts';

export interface StopOptions {
  sim: Simulation;
  service: SimService;
  /** Sets a level, without faults. */
  raise(level: KillLevel): void;
  /** Runs this long, or until a violation. */
  pass(ms: number): Promise<void>;
}

/** How long a level may take, without faults and with the budget of the slowest service. */
const TAKES_MS = 5 * 60_000;

/** What kill levels promise, from the service's true state: at L2 no entry is live, at L3 nothing is held. */
export async function checkStops({ sim, service, raise, pass }: StopOptions): Promise<void> {
  const { truth, alerted } = service;
  // What others made is not the bot's to end.
  const isOwn = (one: OrderRecord | ExecutionRecord): boolean =>
    !alerted.has(String(one.execution_id ?? one['order_id']));
  const held = (): Map<string, number> =>
    new Map(
      [...truth.positions]
        .map(([symbol, size]) => [symbol, Math.abs(size)] as const)
        .filter(([, size]) => size > 0),
    );
  raise('L2');
  await pass(TAKES_MS);
  const live = [...truth.openOrders.values(), ...truth.liveExecutions.values()];
  const entries = live.filter((one) => !one.reduce_only && isKnown(one) && isOwn(one));
  for (const { symbol, side, status } of entries)
    sim.violate('entry_after_l2', `${side} ${symbol} is ${status}`);
  raise('L3');
  for (let before = held(); before.size > 0; before = held()) {
    await pass(TAKES_MS);
    // A market without volume takes a large position in parts.
    for (const [symbol, size] of held())
      if (size >= before.get(symbol)!) sim.violate('held_after_l3', `${size} ${symbol}`);
    if (sim.violations.length > 0) return;
  }
}

/** A leg that a service made twice under one key carries no id of the bot's. */
function isKnown(one: OrderRecord | ExecutionRecord): boolean {
  const clientId = 'client_order_id' in one ? one.client_order_id : one['client_execution_id'];
  return clientId != null || !isRenamed(one.idempotency_key);
}
