import { LEG_KINDS, type InstrumentRecord, type LegKind, type Side } from '../../contract/index.ts';
import { fieldFault } from '../engine/fieldFault.ts';
import { checkPrice } from '../venue/checkGrid.ts';

type Legs = { [K in LegKind]?: unknown };

/**
 * Checks the legs of a request as they were sent, before anything that is live (RULE-3). They protect what it opens: one that
 * only closes has nothing to protect (RULE-2). Nor has a sale of spot: a holding is never short.
 *
 * @param place of the request, before the names of its fields
 */
export function checkSentLegs(
  request: { side?: Side; reduce_only?: boolean } & Legs,
  instrument: InstrumentRecord,
  place = '',
): void {
  checkLegPrices(request, instrument, place);
  const sellsSpot = instrument.kind === 'spot' && request.side === 'sell';
  if (request.reduce_only !== true && !sellsSpot) return;
  const what = request.reduce_only === true ? 'A reduce-only request' : 'A sale of spot';
  for (const field of LEG_KINDS) {
    if (request[field] === undefined) continue;
    throw fieldFault(place + field, 'needs_entry', `${what} takes no legs.`);
  }
}

/** Prices of legs as they were sent: what is off the grid is refused, never rounded (RULE-1). */
export function checkLegPrices(legs: Legs, instrument: InstrumentRecord, place = ''): void {
  for (const kind of LEG_KINDS) {
    const price = (legs[kind] as { price?: unknown } | undefined)?.price;
    // What an alert fills in is a text until then.
    if (typeof price === 'number') checkPrice(`${place}${kind}.price`, price, instrument);
  }
}
