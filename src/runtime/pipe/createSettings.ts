import type { EndpointId, ServiceRequest } from '../../contract/index.ts';
import { toBodyText } from '../../intents/toBodyText.ts';
import { keyOfRemainder } from '../../journal/index.ts';
import type { SendItem } from './PipeItem.ts';

/**
 * Tracks requests that overwrite a setting, in the order in which they left. The result of two of them depends
 * on which comes last, so an earlier one must neither overtake a later one nor be sent again after it: a stop
 * would be back at its old price, or legs that were just attached would be removed.
 */
export interface Settings {
  /** It leaves now. */
  leaves(item: SendItem): void;
  /** The service refused it, or no attempt of it was executed: it has set nothing. */
  unset(item: SendItem): void;
  /**
   * Its request, without the fields that a later one which has left sets: a stop must not be lost because a later
   * request moved the target that came with it. Undefined if nothing of it is left.
   */
  remaining(item: SendItem): ServiceRequest | undefined;
}

/** What each of them sets, which it sets whole or not at all; undefined if that is its body's fields, one by one. */
const SETS: Partial<Record<EndpointId, readonly string[] | undefined>> = {
  'positions.attachLegs': undefined,
  'positions.retireLegs': ['take_profit', 'stop_loss'],
  'orders.modify': undefined,
  // A margin mode alone is no request.
  'leverage.set': ['leverage'],
  'executions.pause': ['course'],
  'executions.resume': ['course'],
};
/** What several endpoints set together; each of the others sets what no other sets. */
const SHARED: Partial<Record<EndpointId, string>> = {
  'positions.attachLegs': 'legs',
  'positions.retireLegs': 'legs',
  'executions.pause': 'executions',
  'executions.resume': 'executions',
};
/** Beyond this many the oldest settings are forgotten: nothing as old is sent again. */
const MOST_RETAINED = 10_000;
const NONE: readonly number[] = [];

/** What a request sets, by the wallet and the target; undefined for one that sets nothing. */
export function targetOf({ request, emission, target }: SendItem): string | undefined {
  const { endpoint, pathParams } = request;
  if (!(endpoint in SETS)) return undefined;
  const { symbol, id } = pathParams;
  return `${SHARED[endpoint] ?? endpoint}/${emission.wallet}/${target ?? symbol ?? id}`;
}

export function createSettings(): Settings {
  /** Places of those that left, by what they set. */
  const left = new Map<string, readonly number[]>();

  function slotsOf(item: SendItem, request = item.request): Array<{ field: string; slot: string }> {
    const target = targetOf(item);
    if (target === undefined) return [];
    const { endpoint, body, content } = request;
    const fields = SETS[endpoint] ?? Object.keys(content ?? (JSON.parse(body || '{}') as object));
    return fields.map((field) => ({ field, slot: `${target}/${field}` }));
  }

  function put(slot: string, places: readonly number[]): void {
    left.delete(slot);
    if (places.length > 0) left.set(slot, places);
    if (left.size > MOST_RETAINED) left.delete(left.keys().next().value!);
  }

  return {
    leaves(item) {
      for (const { slot } of slotsOf(item)) {
        const others = (left.get(slot) ?? NONE).filter((place) => place !== item.order);
        // Two are enough to fall back on when the last one is refused.
        put(slot, [...others, item.order].toSorted((a, b) => a - b).slice(-2));
      }
    },
    unset(item) {
      for (const { slot } of slotsOf(item)) {
        put(
          slot,
          (left.get(slot) ?? NONE).filter((place) => place !== item.order),
        );
      }
    },
    remaining(item) {
      const isLater = (place: number): boolean => place > item.order;
      const request = item.whole ?? item.request;
      const slots = slotsOf(item, request);
      const overtaken = slots.filter(({ slot }) => left.get(slot)?.some(isLater) === true);
      if (overtaken.length === 0) return request;
      if (SETS[request.endpoint] !== undefined) return undefined;
      return withoutFields(
        request,
        overtaken.map(({ field }) => field),
      );
    },
  };
}

/** The request without these fields of its body, under a key of its own; undefined if none is left. */
export function withoutFields(
  request: ServiceRequest,
  fields: readonly string[],
): ServiceRequest | undefined {
  const left = omitFrom(JSON.parse(request.body) as object, fields);
  if (left === undefined) return undefined;
  const { content: _content, isShaped: _isShaped, ...rest } = request;
  const body = toBodyText(left);
  // They were taken out before.
  if (body === request.body) return request;
  const { idempotencyKey: key } = request;
  const named = key === undefined ? {} : { idempotencyKey: keyOfRemainder(key, body) };
  return { ...rest, body, ...named };
}

/** All but these fields; undefined if that is none. */
export function omitFrom<T extends object>(set: T, fields: readonly string[]): T | undefined {
  const left = Object.entries(set).filter(([field]) => !fields.includes(field));
  return left.length === 0 ? undefined : (Object.fromEntries(left) as T);
}
