import { priorityOf } from '../../budget/index.ts';
import type { EndpointId } from '../../contract/index.ts';
import type { SendItem } from './PipeItem.ts';

/** Requests that overwrite what they name, so that only the later of two counts (ORD-3, POS-1, POS-2). */
const SETTING: readonly EndpointId[] = ['orders.modify', 'positions.attachLegs', 'leverage.set'];

/**
 * Whether a later request replaces an earlier one that is still queued: same instance, same target, and every
 * field that the earlier one sets is set again. What may have been sent is never superseded, and nothing urgent
 * by something less urgent.
 */
export function supersedes(later: SendItem, earlier: SendItem): boolean {
  if (earlier.isSent || earlier.unknownSince !== undefined) return false;
  const { request } = later;
  if (!SETTING.includes(request.endpoint) || request.endpoint !== earlier.request.endpoint) {
    return false;
  }
  if (priorityOf(later.lane) > priorityOf(earlier.lane)) return false;
  return isSameTarget(later, earlier) && coversBody(request.body, earlier.request.body);
}

function isSameTarget(later: SendItem, earlier: SendItem): boolean {
  const targetOf = ({ emission, request, target }: SendItem): string =>
    JSON.stringify([emission.instance, emission.wallet, target ?? request.pathParams]);
  return targetOf(later) === targetOf(earlier);
}

function coversBody(later: string, earlier: string): boolean {
  const set = JSON.parse(later) as object;
  return Object.keys(JSON.parse(earlier) as object).every((field) => Object.hasOwn(set, field));
}
