/**
 * Runs one strategy instance: sources → turns → plugin → gate → emissions.
 *
 * A plugin proposes and never sends: whatever it does wrong becomes a fault of this instance, and no other
 * instance is affected.
 */
import { isObservable, Subject, Subscription, takeUntil, type Observable } from 'rxjs';
import { isFailureCode, withCode, type InstrumentRecord } from '../contract/index.ts';
import { reasonOf, type Log, type MarketClock, type Random } from '../env/index.ts';
import type { Intent } from '../intents/index.ts';
import { setupCause } from './causes.ts';
import { createContext } from './createContext.ts';
import { createEmissionGate } from './createEmissionGate.ts';
import { createState, type StateStore } from './createState.ts';
import { createTurns } from './createTurns.ts';
import type { Strategy } from './defineStrategy.ts';
import type { Emission } from './Emission.ts';
import type { Outcome } from './Outcome.ts';
import type { PlotSink } from './PlotLine.ts';
import { showReadings } from './showReadings.ts';
import { showableFault, type StrategyFault } from './StrategyFault.ts';
import type { StateDefinition } from './StateDefinition.ts';
import type { StrategyNotice } from './StrategyNotice.ts';
import type { StrategySources } from './StrategySources.ts';
import { toInstrumentView } from './toInstrumentView.ts';
import { toWarmup } from './warmUp.ts';
import { deepError } from './deepError.ts';

/** The emitter is far above the operators in between. */
const FRAMES = 60;

export interface StrategyHostOptions {
  strategy: Strategy;
  /** As `checkParams` returned them: defaults filled in. */
  params: Readonly<Record<string, unknown>>;
  /** Name of the instance; part of its decisions' identity. */
  instance: string;
  /** Connection id. */
  wallet: string;
  /** What decisions are identified under beside the instance; the wallet if left out. */
  account?: string;
  /** Shortest Pacemaker that the service accepts, `limits.pacemakerMinSeconds` of its dialect; default 60. */
  pacemakerMinSeconds?: number | undefined;
  symbols: readonly string[];
  /** Share of the wallet's equity, above 0 and at most 1. */
  capitalShare: number;
  sources: StrategySources;
  market: MarketClock;
  state: StateStore;
  /** Seeded by instance. */
  random: Random;
  log: Log;
  instrument(symbol: string): InstrumentRecord | undefined;
  /** Called synchronously, in the turn of the decision. */
  onIntent(emission: Emission): void;
  /** Also called when the instance ended by its fault; `status` shows which. */
  onFault(fault: StrategyFault): void;
  /** Market time of the frame that is being delivered; undefined between frames. */
  frameTime?(): number | undefined;
  onNotice?(notice: StrategyNotice): void;
  /** Receives what a report draws on the candles; without it nothing is collected. */
  onPlot?: PlotSink | undefined;
  /** What was decided in warm-up: counted and not passed on. Its shape is not checked. */
  onSuppressed?(intent: Intent, cause: string): void;
}

export type HostStatus =
  | { state: 'idle' | 'running' | 'stopped' }
  /** It ended by its own fault; its orders and legs remain, and an operator decides. */
  | { state: 'quarantined'; fault: StrategyFault }
  /** As quarantined, until this market time; epoch milliseconds. */
  | { state: 'waiting'; fault: StrategyFault; until: number };

export interface StrategyHost {
  readonly instance: string;
  readonly status: HostStatus;
  /** Intents passed on so far. */
  readonly emitted: number;
  /** Intents decided on history, counted and not passed on. */
  readonly suppressed: number;
  /** @throws Error when it was started before */
  start(): void;
  /**
   * In its own thread: waits for promises and timers of its plugin before a run is over. In the bot's thread
   * the driver of the bot does that for all.
   */
  settle?(): void;
  /** Ends it for an error of its plugin that no stream of it has carried. */
  fail(error: unknown): void;
  /** Accepts and emits nothing more; resolves when its strategy has been torn down. */
  stop(): void | Promise<void>;
}

/** Kinds whose error is the plugin's own; that of others is a reason of the host. */
const THROWN: ReadonlySet<StrategyFault['kind']> = new Set(['threw', 'setup_failed']);

const COMPLETED =
  'Its stream completed; a strategy lives as long as its bot. Operators such as take and first end a stream: ' +
  'where nothing more is to be decided, filter, or end with concatWith(NEVER).';
const WRITTEN_EARLY =
  'its state was set in warm-up, which a restart repeats: old values would replace newer ones. ' +
  "Set it if `ctx.liveness() === 'live'`, or give the definition's `state` `writesInWarmUp: true`.";
const NO_STREAM = 'setup returned no Observable; return the stream of intents.';

export function createStrategyHost(options: StrategyHostOptions): StrategyHost {
  const { strategy, instance, market } = options;
  const lifetime = new Subscription();
  const hostOutcomes$ = new Subject<Outcome>();
  let status: HostStatus = { state: 'idle' };
  let hasWrittenEarly = false;

  const { onPlot, symbols } = options;
  const onRead =
    onPlot === undefined ? undefined : showReadings(onPlot, symbols[0]!, () => market.now());
  const turns = createTurns(setupCause, (error) => quarantine('threw', error), onRead);
  const gate = createEmissionGate({
    ...options,
    turns,
    now: () => market.now(),
    onRefused: (fault) => options.onFault(showableFault({ instance, ...fault })),
    onDenied: (outcome) => hostOutcomes$.next(outcome),
    onOutsideTurn: (reason) => quarantine('outside_turn', deepError(reason, FRAMES)),
    onFlood: (reason) => quarantine('flooded', reason),
  });

  function quarantine(kind: StrategyFault['kind'], error: unknown): void {
    if (status.state !== 'running') return;
    const stack = error instanceof Error && error.stack !== undefined ? { stack: error.stack } : {};
    const about = { ...codeOf(error), ...stack };
    const reason = typeof error === 'string' && !THROWN.has(kind) ? error : reasonThrown(error);
    const fault = showableFault({ instance, kind, reason, ...about });
    status = { state: 'quarantined', fault };
    lifetime.unsubscribe();
    options.onFault(fault);
  }

  /** The event is the nearest place to what was thrown without a stack. */
  function reasonThrown(error: unknown): string {
    const hasEvent = !(error instanceof Error) && turns.isDeciding();
    const cause = hasEvent ? turns.origin(market.now())?.cause : undefined;
    return cause === undefined ? reasonOf(error) : `On ${cause}: ${reasonOf(error)}`;
  }

  function toInstrument(symbol: string) {
    const record = options.instrument(symbol);
    if (record === undefined)
      throw withCode(
        'TRIMTAB_SYMBOL_UNLISTED',
        new Error(`The service lists no instrument ${symbol}.`),
      );
    return toInstrumentView(record);
  }

  /** A restart repeats warm-up: the values of old bars would overwrite newer ones. */
  function refuseInWarmUp({ writesInWarmUp = false }: StateDefinition): void {
    if (writesInWarmUp || !turns.isSuppressed()) return;
    const time = market.now();
    const cause = turns.origin(time)?.cause ?? '';
    // A plugin may catch the error and go on to the next bar.
    if (!hasWrittenEarly) options.onNotice?.({ kind: 'state_in_warm_up', cause, time });
    hasWrittenEarly = true;
    throw withCode('TRIMTAB_STATE_IN_WARM_UP', new Error(`On ${cause}: ${WRITTEN_EARLY}`));
  }

  function setUp(): void {
    const context = createContext({
      ...options,
      warmup: toWarmup(strategy.warmup?.(options.params) ?? 0),
      state: createState(strategy.state, options.state, refuseInWarmUp),
      instrument: toInstrument,
      turns,
      lifetime,
      hostOutcomes$,
      onSourceFailed: (error) => quarantine('source_failed', error),
      onNotice: (notice) => options.onNotice?.(notice),
    });
    const intent$: unknown = strategy.setup(context as never);
    if (!isObservable(intent$)) return quarantine('not_observable', NO_STREAM);
    // Through a subject, because a stream that floods within subscribe() has no subscription yet.
    const ended$ = new Subject<void>();
    lifetime.add(() => ended$.next());
    const subscription = (intent$ as Observable<Intent>).pipe(takeUntil(ended$)).subscribe({
      next: (intent) => gate.take(intent),
      error: (error: unknown) => quarantine('threw', error),
      complete: () => quarantine('completed', COMPLETED),
    });
    lifetime.add(subscription);
  }

  return {
    instance,
    get status() {
      return status;
    },
    get emitted() {
      return gate.emitted;
    },
    get suppressed() {
      return gate.suppressed;
    },
    start() {
      if (status.state !== 'idle') throw new Error(`${instance} was started before.`);
      status = { state: 'running' };
      turns.run(setupCause, undefined, 'standing', () => {
        try {
          setUp();
        } catch (error) {
          quarantine('setup_failed', error);
        }
      });
      options.sources.begin?.();
    },
    fail: (error) => quarantine('threw', error),
    stop() {
      if (status.state === 'quarantined') return;
      status = { state: 'stopped' };
      lifetime.unsubscribe();
    },
  };
}

/** A refused call has its own code, beside the code of the instance's fault. */
function codeOf(error: unknown): Pick<StrategyFault, 'code'> {
  const { code } = (error ?? {}) as { code?: unknown };
  return isFailureCode(code) ? { code } : {};
}
