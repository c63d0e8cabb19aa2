/**
 * Runs one strategy instance in its own thread: sources and tasks in, intents and state out.
 *
 * Whatever the plugin does there, including an endless loop or `process.exit`, ends its thread and nothing
 * else. On a replay the bot waits for each turn, and the run equals that of a host in the bot's thread byte for
 * byte; live it does not wait, and a slow strategy delays only itself.
 */
import { reasonOf, type OpenThread, type Timers } from '../../env/index.ts';
import type { HostStatus, StrategyHost, StrategyHostOptions } from '../createStrategyHost.ts';
import type { PlotLine } from '../PlotLine.ts';
import { showableFault, type StrategyFault } from '../StrategyFault.ts';
import { createEarlyEvents, type EarlyEvents } from './createEarlyEvents.ts';
import { createHeldSources } from './createHeldSources.ts';
import { createThreadTurns, type Said, type ThreadTurns } from './createThreadTurns.ts';
import type {
  CallAnswer,
  FromThread,
  SourceName,
  ThreadCall,
  ThreadSpec,
  SourceMessage,
  ToThread,
} from './ThreadMessage.ts';
import { threadProgram } from './threadProgram.ts';

/** How an instance is isolated from the others. */
export interface Isolation {
  /** As configured, for the thread's copy of the plugin. */
  use: string;
  directory: string;
  params: Readonly<Record<string, unknown>>;
  /** Wall milliseconds that one turn may take. */
  turnDeadlineMs: number;
  /** Megabytes that its thread may use at the end of a turn. */
  memoryMb: number;
}

type Shared = Omit<StrategyHostOptions, 'strategy' | 'params' | 'random' | 'instrument'>;

export interface ThreadHostOptions extends Shared {
  isolation: Isolation;
  instruments: ThreadSpec['instruments'];
  seed: string;
  openThread: OpenThread;
  timers: Timers;
  /** Whether the bot waits for the end of each turn, as a replay does. */
  waits: boolean;
}

export function createThreadHost(options: ThreadHostOptions): StrategyHost {
  const { instance, isolation, market } = options;
  /** The lines of which the thread has sent values, in its order. */
  const plotted: PlotLine[] = [];
  const stopped = Promise.withResolvers<void>();
  let status: HostStatus = { state: 'idle' };
  let counts = { emitted: 0, suppressed: 0 };
  let turns: ThreadTurns<ToThread, CallAnswer> | undefined;
  let early: EarlyEvents | undefined;
  /** Set while a call is answered: what it causes goes with the answer. */
  let collected: SourceMessage[] | undefined;

  const held = createHeldSources({
    sources: options.sources,
    market,
    send,
    onDue: (task, isLate) => turns?.post({ kind: 'due', task, isLate, now: market.now() }),
  });

  function send(messages: SourceMessage): void {
    const frameTime = options.frameTime?.();
    if (collected === undefined) turns?.post({ ...messages, now: market.now(), frameTime });
    else collected.push(messages);
  }

  function hear(said: Said<FromThread>): void {
    switch (said.kind) {
      case 'call':
        return turns?.answer(answer(said.call));
      case 'done':
        counts = { emitted: said.emitted, suppressed: said.suppressed };
        // The first turn is the setup.
        early?.release();
        options.sources.begin?.();
        if (status.state === 'stopped' && turns?.waiting === 0) close();
        return;
      case 'fault':
        return said.hasEnded ? end(said.fault) : options.onFault(showableFault(said.fault));
      case 'notice':
        return options.onNotice?.(said.notice);
      case 'plots':
        return showPlots(said);
      case 'log':
        return options.log[said.level](said.message, said.fields);
      case 'unsubscribe':
        early?.unsubscribe(said.subscription);
        return held.unsubscribe(said.subscription);
      case 'cancel':
        return held.cancel(said.task);
      case 'at':
        if (status.state === 'running') held.at(said.task, said.time);
    }
  }

  function showPlots({ lines, values }: Extract<FromThread, { kind: 'plots' }>): void {
    plotted.push(...lines);
    for (let at = 0; at < values.length; at += 3)
      options.onPlot?.(plotted[values[at]!]!, values[at + 1]!, values[at + 2]!);
  }

  function answer(call: ThreadCall): CallAnswer {
    const messages: SourceMessage[] = [];
    collected = messages;
    try {
      carryOut(call);
      return { messages };
    } catch (error) {
      return { messages, error: reasonOf(error) };
    } finally {
      collected = undefined;
    }
  }

  function carryOut(call: ThreadCall): void {
    // State that a plugin writes at its end is still persisted.
    if (call.kind === 'state') options.state.write(call.persisted);
    else if (status.state !== 'running') return;
    else if (call.kind === 'subscribe') subscribe(call.subscription, call.source);
    else options.onIntent(call.emission);
  }

  function subscribe(subscription: number, source: SourceName): void {
    if (early?.subscribe(subscription, source) !== true) held.subscribe(subscription, source);
  }

  /** A thread does not hold the secrets, and can't recognize them. */
  function end(ended: StrategyFault): void {
    const fault = showableFault(ended);
    const isRunning = status.state === 'running';
    if (isRunning) status = { state: 'quarantined', fault };
    close();
    if (isRunning) options.onFault(fault);
  }

  function close(): void {
    held.release();
    early?.close();
    turns?.close();
    turns = undefined;
    stopped.resolve();
  }

  function toSpec(): ThreadSpec {
    const { wallet, symbols, capitalShare, pacemakerMinSeconds, instruments, seed } = options;
    const { use, directory, params, memoryMb } = isolation;
    const about = { use, directory, params, memoryMb, instance, wallet, symbols, capitalShare };
    const limits = { pacemakerMinSeconds, account: options.account };
    return {
      ...about,
      ...limits,
      instruments,
      seed,
      plots: options.onPlot !== undefined,
      persisted: options.state.read(),
      now: market.now(),
    };
  }

  return {
    instance,
    get status() {
      return status;
    },
    get emitted() {
      return counts.emitted;
    },
    get suppressed() {
      return counts.suppressed;
    },
    start() {
      if (status.state !== 'idle') throw new Error(`${instance} was started before.`);
      status = { state: 'running' };
      const { openThread, timers, waits } = options;
      const { turnDeadlineMs } = isolation;
      turns = createThreadTurns<ToThread, FromThread, CallAnswer>({
        openThread,
        program: threadProgram,
        name: `strategy ${instance}`,
        data: toSpec(),
        memoryMb: isolation.memoryMb,
        timers,
        waits,
        turnDeadlineMs,
        hear,
        onEnd: (kind, reason) => end({ instance, kind, reason }),
      });
      // If the bot waits for each turn, no event arrives before the setup has ended.
      if (!waits)
        early = createEarlyEvents({ sources: options.sources, symbols: options.symbols, send });
      turns.post({ kind: 'start', now: market.now() });
    },
    fail: (error) => end({ instance, kind: 'threw', reason: reasonOf(error) }),
    settle() {
      if (status.state === 'running') turns?.post({ kind: 'settle', now: market.now() });
    },
    stop() {
      if (status.state === 'quarantined') return;
      status = { state: 'stopped' };
      held.release();
      early?.close();
      if (turns === undefined) return;
      // Its last turn has the same deadline as any other.
      turns.post({ kind: 'stop', now: market.now() });
      return stopped.promise;
    },
  };
}
