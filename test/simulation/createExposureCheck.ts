import { effectOf } from '../../src/intents/effectOf.ts';
import type { SimService } from './createSimService.ts';
import type { View } from './createView.ts';
import { MAKES, WAITING, type KnownIntent } from './KnownIntent.ts';
import type { Simulation } from './Simulation.ts';

/** Rounding, and a mark that is a bar older than the guard's. */
const TOLERANCE = 1.02;

export interface ExposureCheck {
  /** An intent's state has changed, or it is gone. */
  follow(one: KnownIntent): void;
  /** Position, working orders and executions, and pending intents at the time of approval. */
  check(one: KnownIntent): void;
}

export function createExposureCheck(
  sim: Simulation,
  view: View,
  service: () => SimService | null,
): ExposureCheck {
  const waiting = new Map<string, KnownIntent>();

  function worstSize(symbol: string, side: string, { truth }: SimService): number {
    const sign = side === 'buy' ? 1 : -1;
    const held = sign * (truth.positions.get(symbol) ?? 0);
    let size = 0;
    // What only reduces may fill first: a position offsets what is left of it then.
    let closing = 0;
    const count = (
      record: { symbol: string; side: string; reduce_only: boolean },
      rest: number,
    ) => {
      if (record.symbol !== symbol || record.side !== side) return;
      if (record.reduce_only) closing += rest;
      else size += rest;
    };
    for (const order of truth.openOrders.values()) {
      if (order.execution_id == null) count(order, order.size - order.filled_size);
    }
    for (const execution of truth.liveExecutions.values()) {
      count(execution, execution.remaining_size);
    }
    size += held > 0 ? held : Math.min(0, held + closing);
    for (const { key, intent } of waiting.values()) {
      if ((truth.made.get(key)?.size ?? 0) > 0) continue;
      for (const one of effectOf(intent).entries) {
        if (one.symbol === symbol && one.side === side) size += one.size;
      }
    }
    return size;
  }

  return {
    follow(one) {
      if (one.state !== undefined && WAITING.has(one.state) && MAKES.has(one.intent.kind)) {
        waiting.set(one.key, one);
      } else waiting.delete(one.key);
    },
    check({ intent, decisionKey }) {
      const known = service();
      const [entry] = MAKES.has(intent.kind) ? effectOf(intent).entries : [];
      if (known === null || entry === undefined) return;
      if (view.isGated) {
        sim.violate('entry_while_gated', `${decisionKey}: ${view.degraded.join(' ')}`);
      }
      // The bot can't count frames that it did not receive; it is checked against those it did.
      if (!view.isComplete) return;
      const { symbol, side } = entry;
      const value = worstSize(symbol, side, known) * known.core.engine.market.quote(symbol).mark;
      if (value > sim.scenario.bot.maxPositionNotional * TOLERANCE) {
        sim.violate('exposure', `${decisionKey}: ${symbol} ${value.toFixed(0)}`);
      }
    },
  };
}
