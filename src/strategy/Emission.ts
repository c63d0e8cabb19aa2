import type { Intent } from '../intents/index.ts';

/**
 * What an intent was decided on: a small plain object for the journal, never a live record. Beside the
 * causing event, such as `bar`, it has `indicators` of that bar, and `seen`, those of other bars.
 */
export type Trigger = Readonly<Record<string, unknown>>;

/** An intent on its way: what was proposed, by which instance, and what it was decided on. */
export interface Emission {
  intent: Intent;
  /** Name of the strategy instance. */
  instance: string;
  /** Connection id. */
  wallet: string;
  /** `account/instance/cause#ordinal`: the same decision has the same key after every restart. */
  decisionKey: string;
  cause: string;
  /** Index among the intents of one cause, from 0. */
  ordinal: number;
  /** Market time of the decision, epoch milliseconds. */
  marketTime: number;
  /**
   * Market time of the event that caused it: the close of its bar, the time of its fill. Undefined if no market
   * event did.
   */
  causeTime?: number;
  /** It was decided on what happened while the connection was lost. */
  isCatchUp?: true;
  /** During the same catch-up a newer intent of its kind was decided. */
  isOvertaken?: true;
  trigger: Trigger;
}
