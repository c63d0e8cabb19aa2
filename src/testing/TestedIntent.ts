import type { Intent, IntentKind, IntentOf } from '../intents/index.ts';
import type { DecisionLiveness, Trigger } from '../strategy/index.ts';

/** What is known of a decision beside the intent itself. */
export interface DecisionDetails {
  /** The event that it was decided on, such as `bar:BTC:5m:1767571200000` or `fill:fil_1`. */
  readonly cause: string;
  /** `live`, `catch_up`, or `warm_up` for those that are counted and not sent. */
  readonly liveness: DecisionLiveness;
  /** Market time, epoch milliseconds. */
  readonly time: number;
  /** `wallet/instance/cause#ordinal`, the same after every restart; empty in warm-up. */
  readonly decisionKey: string;
  /** Fields of the event and the latest indicator values, as the journal has them; empty in warm-up. */
  readonly trigger: Trigger;
}

/** An intent as the strategy emitted it, and what it was decided on; `kind` narrows its type. */
export type TestedIntent<K extends IntentKind = IntentKind> = {
  [Each in K]: Readonly<IntentOf<Each>> & DecisionDetails;
}[K];

/** The intents so far, oldest first. */
export interface TestedIntents extends ReadonlyArray<TestedIntent> {
  /** Those of one kind: `intents.of('place_order')[0]?.request.size`. */
  of<K extends IntentKind>(kind: K): ReadonlyArray<TestedIntent<K>>;
}

export function toTestedIntent(intent: Intent, details: DecisionDetails): TestedIntent {
  return Object.freeze({ ...intent, ...details }) as TestedIntent;
}

export function toTestedIntents(intents: readonly TestedIntent[]): TestedIntents {
  const of = (kind: IntentKind) => intents.filter((intent) => intent.kind === kind);
  // Not enumerable, so that a comparison with a plain array sees the intents alone.
  return Object.defineProperty([...intents], 'of', { value: of }) as unknown as TestedIntents;
}

const DETAILS: Readonly<Record<keyof DecisionDetails, true>> = {
  cause: true,
  liveness: true,
  time: true,
  decisionKey: true,
  trigger: true,
};

/** An intent without what it was decided on, for a reader. */
export function decidedOf(intent: TestedIntent): object {
  return Object.fromEntries(Object.entries(intent).filter(([name]) => !(name in DETAILS)));
}
