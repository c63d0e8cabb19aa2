import { z } from 'zod';
import type { EndpointId } from '../contract/endpoints.ts';
import { EXECUTION_ACTIONS, type ExecutionAction } from '../contract/vocabulary.ts';
import { callOn, executionTarget } from './callOn.ts';
import type { IntentMeta } from './IntentMeta.ts';
import { effect } from './IntentEffect.ts';
import type { IntentRule } from './IntentRule.ts';
import type { ExecutionTarget } from './IntentTarget.ts';

/** Control a running execution (EXE-7): `POST /v1/executions/{id}/{action}`. */
export interface ControlExecutionIntent extends IntentMeta {
  kind: 'control_execution';
  execution: ExecutionTarget;
  action: ExecutionAction;
}

const controlling =
  (action: ExecutionAction) =>
  (execution: ExecutionTarget, meta: IntentMeta = {}): ControlExecutionIntent => ({
    kind: 'control_execution',
    execution,
    action,
    ...meta,
  });

/**
 * Stops, pauses, resumes or completes an execution (EXE-7).
 *
 * ```ts
 * ctx.candles(ctx.symbol, '1h').pipe(
 *   map(() => controlExecution.stop({ ref: 'entry' })),
 * );
 * ```
 */
export const controlExecution = {
  stop: controlling('stop'),
  pause: controlling('pause'),
  resume: controlling('resume'),
  /** Sweeps a running execution to fully filled. */
  completeAtMarket: controlling('complete-at-market'),
  /**
   * Declares a paused or interrupted execution complete with what it has filled. A running one is refused with
   * `invalid_transition`: pause it first.
   */
  markComplete: controlling('mark-complete'),
} as const;

const ENDPOINT: Readonly<Record<ExecutionAction, EndpointId>> = {
  stop: 'executions.stop',
  pause: 'executions.pause',
  resume: 'executions.resume',
  'complete-at-market': 'executions.completeAtMarket',
  'mark-complete': 'executions.markComplete',
};

/** After these the execution fills nothing more on its own. */
const ENDING: readonly ExecutionAction[] = ['stop', 'pause', 'mark-complete'];

export const controlExecutionRule: IntentRule<ControlExecutionIntent> = {
  fields: { execution: executionTarget, action: z.enum(EXECUTION_ACTIONS) },
  effect: ({ action }) => {
    const isExit = ENDING.includes(action);
    return effect({ isExit, isControl: true, opaque: !isExit });
  },
  toCall: ({ execution, action }, context) =>
    callOn('execution', execution, context, (id) => ({
      endpoint: ENDPOINT[action],
      pathParams: { id },
    })),
};
