import type { PipeEvent } from '../PipeEvent.ts';
import type { CutOrders } from './RunRecord.ts';

/** Counts market orders of which the service cancelled a rest at once. */
export function createCutOrders() {
  let count = 0;
  let shares = 0;
  return {
    follow({ state, emission: { intent }, record }: PipeEvent): void {
      if (state !== 'accepted' || record === undefined || record === null) return;
      if (intent.kind !== 'place_order' && intent.kind !== 'close_position') return;
      if (!('order_type' in intent.request) || intent.request.order_type !== 'market') return;
      const { status, size, filled_size: filled } = record as Record<string, unknown>;
      if (status !== 'cancelled' || typeof size !== 'number' || typeof filled !== 'number') return;
      if (!(filled < size)) return;
      count++;
      shares += filled / size;
    },
    get cut(): CutOrders {
      return { count, filledShare: count === 0 ? 0 : shares / count };
    },
  };
}
