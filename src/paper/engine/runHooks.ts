import { joinMonitors } from '../monitors/LevelGroup.ts';
import { joinTrails } from '../legs/TrailGroup.ts';
import type { BarStream } from './BarHooks.ts';
import type { EngineState } from './EngineState.ts';
import type { FindGroup } from './HookSlots.ts';
import { dispatchBar } from './reactions.ts';

/**
 * Calls the hooks of a stream whose bar has closed, in their order. Trails and monitors that read the same
 * value by the same rule are decided together, so that only those are called that move, fire or are new.
 */
export function runHooks(engine: EngineState, { hooks }: BarStream): void {
  const { market } = engine;
  const { called, order, end } = hooks.take(market.nextOrder, finderOf(engine));
  for (const slot of called) {
    if (!hooks.has(slot.hook)) continue;
    if (order !== null) market.nextOrder = Math.max(market.nextOrder, order.of(slot));
    dispatchBar(engine, slot.hook);
  }
  market.nextOrder = Math.max(market.nextOrder, end);
}

function finderOf(engine: EngineState): FindGroup {
  return (slot, groups) => {
    const { topic, wallet, id } = slot.hook;
    const account = engine.accounts.get(wallet);
    if (account === undefined) return null;
    if (topic === 'leg') return joinTrails(engine, groups, slot, account.liveLegs.get(id));
    if (topic === 'monitor') return joinMonitors(engine, groups, slot, account.monitors.get(id));
    return null;
  };
}
