import type { InstrumentRecord, Side } from '../../contract/index.ts';
import { fieldFault } from '../engine/fieldFault.ts';

/**
 * Legs protect what an order opens; one that only closes has nothing to protect (RULE-2). So does a sale of spot: a holding
 * is never short.
 *
 * @param place of the request, before the names of its fields
 */
export function checkEntry(
  request: { side?: Side; reduce_only?: boolean; take_profit?: unknown; stop_loss?: unknown },
  { kind }: InstrumentRecord,
  place = '',
): void {
  const sellsSpot = kind === 'spot' && request.side === 'sell';
  if (request.reduce_only !== true && !sellsSpot) return;
  const what = request.reduce_only === true ? 'A reduce-only request' : 'A sale of spot';
  for (const field of ['take_profit', 'stop_loss'] as const) {
    if (request[field] === undefined) continue;
    throw fieldFault(place + field, 'needs_entry', `${what} takes no legs.`);
  }
}
