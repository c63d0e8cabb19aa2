import { fieldFault } from '../engine/fieldFault.ts';

/** Legs protect what an order opens; one that only closes has nothing to protect. */
export function checkEntry(request: {
  reduce_only?: boolean;
  take_profit?: unknown;
  stop_loss?: unknown;
}): void {
  if (request.reduce_only !== true) return;
  for (const field of ['take_profit', 'stop_loss'] as const) {
    if (request[field] === undefined) continue;
    throw fieldFault(field, 'needs_entry', 'A reduce-only request takes no legs.');
  }
}
