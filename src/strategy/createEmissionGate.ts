import { isSpot, type ShapeFault } from '../contract/index.ts';
import { checkIntent, effectOf, type Intent } from '../intents/index.ts';
import { createOrdinals } from './createOrdinals.ts';
import { withDecision } from './describeDecision.ts';
import type { Origin, Turns } from './createTurns.ts';
import type { Emission } from './Emission.ts';
import type { Outcome } from './Outcome.ts';
import { smallPercent } from './smallPercent.ts';
import type { StrategyFault } from './StrategyFault.ts';
import type { StrategyNotice } from './StrategyNotice.ts';
import { deepError } from './deepError.ts';

export interface EmissionGateOptions {
  instance: string;
  wallet: string;
  /** What decisions are identified under beside the instance; the wallet if left out. */
  account?: string;
  /** Limit of the service; see {@link checkIntent}. */
  pacemakerMinSeconds?: number | undefined;
  turns: Turns;
  now(): number;
  /** Market time of the frame that is being delivered; undefined between frames. */
  frameTime?(): number | undefined;
  onIntent(emission: Emission): void;
  /** The intent is lost and the strategy goes on. */
  onRefused(fault: Omit<StrategyFault, 'instance'>): void;
  /** Outcome of an intent that goes no further, for the strategy, which may wait for its ref. */
  onDenied(outcome: Outcome): void;
  onNotice?(notice: StrategyNotice): void;
  /** What was decided in warm-up, with its cause; its shape is not checked. */
  onSuppressed?(intent: Intent, cause: string): void;
  /** A decision without an event has no identity and is refused; a strategy that keeps making them is ended. */
  onOutsideTurn(reason: string): void;
  /** No sound strategy emits this much at once, or is refused this often. */
  onFlood(reason: string): void;
}

export interface EmissionGate {
  take(proposed: Intent): void;
  readonly emitted: number;
  readonly suppressed: number;
}

/** The guard that denies what was decided on history. */
export const WARM_UP = 'warm_up';
/** The guard that denies entries decided on what happened while the connection was lost. */
export const CATCH_UP = 'catch_up';

const MAX_EMISSIONS_A_RUN = 1_000;
const MAX_REFUSALS = 1_000;

const OUTSIDE_TURN =
  'It decided outside of a turn, as in a promise, an async function or a timer of the machine: such a ' +
  'decision belongs to no event, and on a replay it comes too late. Decide in the event itself with ' +
  'synchronous operators (map instead of concatMap(async …)); take time from ctx.every, or give RxJS ' +
  'its scheduler: delay(5_000, ctx.scheduler).';

/** Between a plugin's stream and the runtime: gives each intent its identity, or refuses it. */
export function createEmissionGate(options: EmissionGateOptions): EmissionGate {
  const { instance, wallet, turns } = options;
  const ordinals = createOrdinals();
  let emitted = 0;
  let suppressed = 0;
  let refused = 0;
  let hasSmallPercent = false;
  const inRun = { run: -1, count: 0 };

  function isFlooding(origin: Origin | undefined): boolean {
    // Outside of turns there is no run to count by; a millisecond is used instead.
    const run = origin === undefined ? -options.now() : turns.runs();
    inRun.count = inRun.run === run ? inRun.count + 1 : 1;
    inRun.run = run;
    return inRun.count > MAX_EMISSIONS_A_RUN;
  }

  function identify(origin: Origin | undefined, decision: string | undefined) {
    const cause = decision ?? origin?.cause ?? 'outside';
    const turn = origin?.turn ?? -options.now();
    const ordinal =
      decision === undefined ? ordinals.next(cause) : ordinals.nextNamed(decision, turn);
    const account = options.account ?? wallet;
    return { decisionKey: `${account}/${instance}/${cause}#${ordinal}`, cause, ordinal };
  }

  function refuse(fault: Omit<StrategyFault, 'instance'>): void {
    options.onRefused(fault);
    refused += 1;
    if (refused < MAX_REFUSALS) return;
    options.onFlood(`Refused ${refused} times, lastly: ${fault.reason}`);
  }

  function reportDenied(intent: Intent, guard: string, reason: string): void {
    const time = options.now();
    const { decisionKey } = identify(turns.origin(time), undefined);
    options.onDenied({ state: 'denied', guard, intent, decisionKey, reason, time });
  }

  /** A strategy that named the intent waits for its outcome, and would wait indefinitely for one never sent. */
  function suppress(proposed: Intent): void {
    suppressed += 1;
    options.onSuppressed?.(proposed, turns.origin(options.now())?.cause ?? '');
    if (typeof proposed?.ref !== 'string') return;
    reportDenied(proposed, WARM_UP, 'It was decided on a past bar.');
  }

  /** Once: such a strategy does it at every entry. */
  function noteSmallPercent(intent: Intent): void {
    const found = hasSmallPercent ? undefined : smallPercent(intent);
    if (found === undefined) return;
    hasSmallPercent = true;
    options.onNotice?.({ kind: 'small_percent', ...found });
  }

  function refuseShape(proposed: Intent, { message, details }: ShapeFault): void {
    const cause = turns.origin(options.now())?.cause ?? 'no event';
    const reason = withDecision(message, { instance, intent: proposed, cause });
    const { fields } = details;
    const isExit = mayBeExit(proposed);
    refuse({ kind: 'malformed_intent', reason, fields, isExit, stack: stackHere() });
    if (typeof proposed === 'object' && proposed !== null) reportDenied(proposed, 'shape', reason);
  }

  return {
    take(proposed) {
      if (turns.isSuppressed()) return suppress(proposed);
      const marketTime = options.now();
      const origin = turns.origin(marketTime, options.frameTime?.());
      if (isFlooding(origin)) {
        return options.onFlood(`More than ${MAX_EMISSIONS_A_RUN} intents on one event.`);
      }
      const checked = checkIntent(proposed, options.pacemakerMinSeconds);
      if (!checked.ok) return refuseShape(proposed, checked.fault);
      const intent = checked.value;
      if (origin === undefined && intent.decision === undefined) {
        return options.onOutsideTurn(OUTSIDE_TURN);
      }
      emitted += 1;
      noteSmallPercent(intent);
      const { decisionKey, cause, ordinal } = identify(origin, intent.decision);
      const decided: Emission = {
        intent,
        instance,
        wallet,
        decisionKey,
        cause,
        ordinal,
        marketTime,
        causeTime: origin?.time ?? marketTime,
        trigger: origin?.trigger ?? {},
      };
      const isCatchUp = turns.liveness() === 'catch_up';
      options.onIntent(isCatchUp ? { ...decided, isCatchUp } : decided);
    },
    get emitted() {
      return emitted;
    },
    get suppressed() {
      return suppressed;
    },
  };
}

/**
 * A lost exit is worse than a lost entry, so that what can't be read counts as one, as does a change whose order is not
 * known here. Spot is never short: what is sold there was held.
 */
function mayBeExit(proposed: Intent): boolean {
  try {
    const { isExit, opaque, entries } = effectOf(proposed);
    if (isExit || entries.length === 0) return isExit || opaque;
    return entries.every(({ symbol, side }) => isSpot(symbol) && side === 'sell');
  } catch {
    return true;
  }
}

/** Operators are many frames above the plugin's own. */
const FRAMES = 50;

/** Where an intent was emitted: a plugin's own subscriber is in the stack, a function of an operator is not. */
const stackHere = (): string => deepError('emitted', FRAMES).stack ?? '';
