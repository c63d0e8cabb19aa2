import type { Outcome, OutcomeState } from '../strategy/index.ts';
import type { PipeEvent } from './PipeEvent.ts';

/** A step of the pipe as the strategy hears it; `time` is market time. */
export function toOutcome(event: PipeEvent, time: number): Outcome {
  const { emission, state, record, fault, guard, reason } = event;
  return {
    state: state as OutcomeState,
    intent: emission.intent,
    decisionKey: emission.decisionKey,
    time,
    ...(record === undefined ? {} : { record }),
    ...(fault === undefined ? {} : { fault }),
    ...(guard === undefined ? {} : { guard }),
    ...(reason === undefined ? {} : { reason }),
  };
}
