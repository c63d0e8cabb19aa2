import type { FailureCode, FieldIssue } from '../contract/index.ts';
import { withoutSecrets } from '../env/index.ts';

/** What a strategy did wrong; a value, so that a fault affects only its own instance. */
export interface StrategyFault {
  instance: string;
  /**
   * `malformed_intent` costs the intent and the strategy goes on; the others end the instance.
   */
  kind:
    | 'malformed_intent'
    | 'outside_turn'
    | 'setup_failed'
    | 'threw'
    | 'completed'
    | 'not_observable'
    | 'flooded'
    | 'source_failed'
    /** In its own thread: a turn exceeded its deadline, or the strategy fell too far behind. */
    | 'overran'
    /** In its own thread: the thread ended, as by `process.exit` or out of memory. */
    | 'thread_ended';
  reason: string;
  /** Fields of a malformed intent, with dotted paths. */
  fields?: readonly FieldIssue[];
  /** Of a malformed intent: it was to end, reduce or protect something, or may have been, as far as it can be read. */
  isExit?: boolean;
  /** The row of FAILURES of the error, if Trimtab refused what the strategy called. */
  code?: FailureCode;
  /** The plugin's stack, if it threw. */
  stack?: string;
}

/** A fault without what must not be shown: a plugin's error may hold its environment, or a configuration. */
export function showableFault(fault: StrategyFault): StrategyFault {
  const { reason, fields, stack } = fault;
  const show = (field: FieldIssue): FieldIssue => ({
    ...field,
    message: withoutSecrets(field.message),
  });
  return {
    ...fault,
    reason: withoutSecrets(reason),
    ...(fields === undefined ? {} : { fields: fields.map(show) }),
    ...(stack === undefined ? {} : { stack: withoutSecrets(stack) }),
  };
}

/** The row of FAILURES that a fault belongs to; a kind without a row does not compile. */
export function strategyFailureCode({ kind }: Pick<StrategyFault, 'kind'>): FailureCode {
  return `TRIMTAB_STRATEGY_${kind.toUpperCase() as Uppercase<StrategyFault['kind']>}`;
}
