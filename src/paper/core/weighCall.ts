import { LIMITS, type EndpointId, type EndpointSpec } from '../../contract/index.ts';
import { asRecord } from './bodyScopes.ts';

/** What the weight of a call may depend on; its shape has not been validated yet. */
export interface WeighedCall {
  endpoint: EndpointId;
  spec: EndpointSpec;
  pathParams: Readonly<Record<string, string>>;
  query: Readonly<Record<string, unknown>>;
  body: unknown;
}

/** State of the service on which a weight depends. */
export interface WeighingFacts {
  /** Whether this read of candles would be served from the cache. */
  isCached(call: WeighedCall): boolean;
  /** Number of legs of a basket's template. */
  templateLegs(templateId: string): number;
}

export interface Weight {
  key: number;
  venue: number;
}

/** Rate-budget and venue weight of a call (conventions §2). */
export function weighCall(call: WeighedCall, facts: WeighingFacts): Weight {
  const { spec } = call;
  if (spec.weightCached !== undefined && facts.isCached(call)) {
    return { key: spec.weightCached, venue: 0 };
  }
  const key = keyWeight(call, facts);
  return { key, venue: spec.venueWeight === true ? key : 0 };
}

function keyWeight({ endpoint, spec, query, body }: WeighedCall, facts: WeighingFacts): number {
  if (spec.weightWithRange !== undefined && hasRange(query)) return spec.weightWithRange;
  if (endpoint === 'baskets.launch') return spec.weight * basketLegs(body, facts);
  if (endpoint === 'positions.close' && asRecord(body)['algo'] !== undefined) {
    return CLOSE_BY_ALGORITHM;
  }
  return spec.weight;
}

/** A close by algorithm is a launch. */
const CLOSE_BY_ALGORITHM = 20;

const hasRange = (query: Readonly<Record<string, unknown>>): boolean =>
  query['start_time'] !== undefined || query['end_time'] !== undefined;

/**
 * A basket beyond the limit is refused for its legs; its weight must not turn that into a permanent 429.
 */
function basketLegs(body: unknown, facts: WeighingFacts): number {
  const { legs, template_id: templateId } = asRecord(body);
  const sent = Array.isArray(legs)
    ? legs.length
    : typeof templateId === 'string'
      ? facts.templateLegs(templateId)
      : 1;
  return Math.min(Math.max(sent, 1), LIMITS.basketLegs);
}
