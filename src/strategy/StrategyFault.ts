import type { FieldIssue } from '../contract/index.ts';

/** What a strategy did wrong; a value, so that one instance's fault stays its own. */
export interface StrategyFault {
  instance: string;
  /**
   * `malformed_intent` and `outside_turn` cost the intent and the strategy goes on; the others end
   * the instance.
   */
  kind:
    | 'malformed_intent'
    | 'outside_turn'
    | 'setup_failed'
    | 'threw'
    | 'completed'
    | 'not_observable'
    | 'flooded'
    | 'source_failed';
  reason: string;
  /** Fields of a malformed intent, with dotted paths. */
  fields?: readonly FieldIssue[];
  /** The plugin's stack, where it threw. */
  stack?: string;
}

/** An error's message, whatever was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
