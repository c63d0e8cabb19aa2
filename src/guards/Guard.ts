import type { InstrumentRecord, Scope, Side } from '../contract/index.ts';
import type { Entry } from '../intents/index.ts';

export type { Entry };

/** What a guard may use: plain figures, taken at one instant of market time. */
export interface GuardSnapshot {
  /** Market time, epoch milliseconds. */
  now: number;
  /** Market time as far as it is known: later than `now` if frames arrive late. */
  present: number;
  /** Why no new exposure may be added at all; empty when it may. */
  gate: readonly string[];
  /** Why no new exposure may be added on a symbol of the wallet, by symbol; absent or empty when it may on all. */
  closedSymbols?: ReadonlyMap<string, string>;
  /** The instance's symbols, and what it may do. */
  ownedSymbols: readonly string[];
  /** Whether an operator keeps the wallet's position on a symbol for himself; absent if he keeps none. */
  ignores?(symbol: string): boolean;
  keyScopes: readonly Scope[] | null;
  /** What the plugin declares, all of which the key may have; absent for who declares nothing. */
  declaredScopes?: readonly Scope[] | undefined;
  /** Scopes whose absence the service has already reported with a refusal. */
  refusedScopes: ReadonlySet<Scope>;
  /** Last known price of a symbol and when its bar closed; undefined before the first. */
  market(symbol: string): { price: number; time: number; intervalMs: number } | undefined;
  /**
   * The value of a symbol without a last price, and what of the wallet is on it: for example another's order.
   * Undefined if nothing is.
   */
  reference?(symbol: string): Reference | undefined;
  /** Signed position of the wallet in base units: positive long. */
  position(symbol: string): number;
  /**
   * Signed exposure in base units that may still come: resting entries, running executions, and every intent
   * that is in flight or unknown, at full size.
   */
  pending(symbol: string, side: Side): number;
  /** Highest price for which something pending on one side waits; 0 if nothing does. */
  highestTrigger(symbol: string, side: Side): number;
  /**
   * Base units by which what only reduces may still make a position smaller that this side closes: resting
   * orders, running executions, and what is in flight or unknown. Infinite if it closes whatever there is.
   */
  closing(symbol: string, side: Side): number;
  /** The same of what waits for a price: legs, stops, monitors. */
  armed(symbol: string, side: Side): number;
  /** Symbols with a position or pending exposure in the wallet, each once. */
  exposedSymbols: readonly string[];
  runningExecutions: number;
  /** Executions that may start without another decision: launches and resumes in flight or unknown, armed monitors. */
  startingExecutions: number;
  /** Positions of the wallet without an acknowledged exit of their size, with the market time at which that began. */
  uncovered(): ReadonlyArray<{ symbol: string; since: number }>;
  /** Trails and tracked entries of the wallet, armed, queued or in flight. */
  maintainedRows: number;
  /** Intents that this instance emitted within the last minute. */
  recentIntents: number;
  /** Entries of this instance that passed within the last hour. */
  recentEntries: number;
  /** Why it may not enter until an operator re-arms it; undefined if it may. */
  throttled: string | undefined;
  /** Equity of the wallet and what it lost since the UTC day began, quote units. */
  equity: number | undefined;
  dayLoss: number;
  /** The loss with which the day's limit was reached, quote units; undefined as long as it was not. */
  dayLimitReached: number | undefined;
  instrument(symbol: string): InstrumentRecord | undefined;
  leverage(symbol: string): number | undefined;
}

/** What a wallet has on a symbol that the bot does not follow. */
export interface Reference {
  /** Quote units: the orders' prices, or one that was read; undefined if none is known. */
  price: number | undefined;
  /** For display: `order ord_1, a position of 2`. */
  what: string;
}

/** What an intent was decided on. */
export interface DecisionCause {
  /** Market time of the event: the close of its bar, the time of its fill; epoch milliseconds. */
  time: number;
  /** Interval of the bar, if a bar caused it. */
  intervalMs?: number | undefined;
  /** It happened while the connection was lost. */
  isCatchUp?: boolean | undefined;
  /** A newer one of its kind was decided in the same catch-up. */
  isOvertaken?: boolean | undefined;
}

/** The view of an intent that guards evaluate. */
export interface GuardedIntent {
  kind: string;
  symbols: readonly string[];
  /** Empty for exits and controls: they reduce, and are never held up by limits on exposure. */
  entries: readonly Entry[];
  isExit: boolean;
  scopes: readonly Scope[];
  leverage?: number;
  /** Rows of the wallet's twenty that it may take. */
  maintainedRows: number;
  /** Executions that it may start; absent if none. */
  executions?: number;
  /** What it may open can't be determined: a template's legs, an order or execution that isn't known. */
  opaque?: boolean;
  /** Absent if no market event caused it: an operator's command. */
  cause?: DecisionCause | undefined;
}

export type GuardVerdict =
  | { passed: true }
  | { passed: false; guard: string; reason: string; limit?: number; value?: number };

/** A pure rule over one intent and one snapshot. */
export type Guard = (intent: GuardedIntent, snapshot: GuardSnapshot) => GuardVerdict;

/** A verdict of all guards, with the names of those that passed, in order of evaluation. */
export type GuardEvaluation = GuardVerdict & { passedGuards: readonly string[] };

export type EvaluateGuards = (intent: GuardedIntent, snapshot: GuardSnapshot) => GuardEvaluation;

export const PASSED: GuardVerdict = { passed: true };
