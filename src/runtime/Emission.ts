import type { Intent } from '../intents/index.ts';

/** An intent on its way: what was proposed, by whom, and what it was decided upon. */
export interface Emission {
  intent: Intent;
  /** Name of the strategy instance. */
  instance: string;
  /** Connection id. */
  wallet: string;
  /** Identity of the decision (reliability: *Identity*): the same after every restart. */
  decisionKey: string;
  cause: string;
  ordinal: number;
  /** Market time of the decision, epoch milliseconds. */
  marketTime: number;
  /** What it was decided upon, small and plain, for the journal. */
  trigger: Readonly<Record<string, unknown>>;
}
