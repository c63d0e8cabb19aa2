import type { Outcome, OutcomeRecord, OutcomeState } from '../../strategy/index.ts';
import type { PipeEvent } from '../PipeEvent.ts';

/** A step of the pipe as the strategy receives it; `time` is market time. */
export function toOutcome(event: PipeEvent, time: number): Outcome {
  const { emission, state, record, fault, guard, reason } = event;
  const { intent, decisionKey } = emission;
  const outcome: Outcome = { state: state as OutcomeState, intent, decisionKey, time };
  if (record !== undefined) outcome.record = record as OutcomeRecord;
  if (fault !== undefined) outcome.fault = fault;
  if (guard !== undefined) outcome.guard = guard;
  if (reason !== undefined) outcome.reason = reason;
  return outcome;
}
