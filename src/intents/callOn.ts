import { z } from 'zod';
import type { Call, CallContext, CallResult } from './IntentRule.ts';
import type { ExecutionTarget, MonitorTarget, OrderTarget, TargetKind } from './IntentTarget.ts';

const id = z.string().min(1).max(200);
const byRef = z.strictObject({ ref: id });

/** A target has one name; two could contradict each other. */
const oneOf = (names: string[]) => ({
  error: `Name it by one of ${[...names, 'ref'].join(', ')}.`,
});
const named = (...names: string[]): z.ZodType =>
  z.union([...names.map((name) => z.strictObject({ [name]: id })), byRef], oneOf(names));

export const orderTarget = named('order_id', 'client_order_id');
export const executionTarget = named('execution_id');
export const monitorTarget = named('monitor_id');

type Target = OrderTarget | ExecutionTarget | MonitorTarget;

/** The id that a path takes: `client:<id>` names an order by its client id (conventions §3). */
function pathIdOf(kind: TargetKind, target: Target, context: CallContext): string | undefined {
  if ('client_order_id' in target && target.client_order_id !== undefined) {
    return `client:${target.client_order_id}`;
  }
  if (target.ref !== undefined) return context.resolve(kind, target.ref);
  return Object.values(target).find((value) => typeof value === 'string');
}

/** Builds the call on a target, or the reason why its ref names nothing. */
export function callOn(
  kind: TargetKind,
  target: Target,
  context: CallContext,
  make: (id: string) => Call,
): CallResult {
  const found = pathIdOf(kind, target, context);
  if (found !== undefined) return { ok: true, call: make(found) };
  return { ok: false, reason: `No ${kind} of this instance is known by the ref "${target.ref}".` };
}
