/**
 * A strategy's side of its thread: the same host as in the bot's thread, with sources, clock, state and log on
 * the other side. Calls wait for their answer, so that a turn here runs as it would there.
 */
import { resolve } from 'node:path';
import { config as rxjs } from 'rxjs';
import {
  createRandom,
  watchHostTimers,
  type Log,
  type LogFields,
  type ThreadSide,
} from '../../env/index.ts';
import { checkParams } from '../checkParams.ts';
import { createStrategyHost, type StrategyHost } from '../createStrategyHost.ts';
import { isPath } from '../findPlugin.ts';
import { loadStrategy } from '../loadStrategy.ts';
import type { PluginFault } from '../PluginFault.ts';
import { startedByPlugin } from '../startedByPlugin.ts';
import { createRemotePlots, type RemotePlots } from './createRemotePlots.ts';
import { createRemoteClock } from './createRemoteClock.ts';
import { createRemoteSources } from './createRemoteSources.ts';
import type {
  CallAnswer,
  FromThread,
  LogLevel,
  ThreadCall,
  ThreadSpec,
  ToThread,
} from './ThreadMessage.ts';

export async function runInThread(side: ThreadSide): Promise<void> {
  const spec = side.data as ThreadSpec;
  const { instance } = spec;
  const post = (message: FromThread): void => side.post(message);
  const endThread = (reason: string, stack?: string): void => {
    const fault = { instance, kind: 'thread_ended' as const, reason };
    const placed = stack === undefined ? fault : { ...fault, stack };
    post({ kind: 'fault', hasEnded: true, fault: placed });
  };
  side.onEnd(endThread);
  const uses = [isPath(spec.use) ? resolve(spec.directory, spec.use) : spec.use];
  const timers = watchHostTimers(startedByPlugin(uses, spec.directory));
  const made = await createHost(spec, side, post);
  if (!made.ok) {
    const fault = { instance, kind: 'setup_failed' as const, reason: made.reason };
    return post({ kind: 'fault', hasEnded: true, fault });
  }
  const { host, take, plots } = made;
  post({ kind: 'ready' });
  side.onMessage((message) => {
    if ((message as ToThread).kind === 'settle') return void settle();
    take(message as ToThread);
    done();
  });

  /** Its turn ends when all pending promises and timers have settled. */
  async function settle(): Promise<void> {
    await timers.flush(() => host.emitted === 0);
    done();
  }

  function done(): void {
    const used = side.memoryMb();
    plots.flush();
    if (used > spec.memoryMb) endThread(explainMemoryExcess(used, spec.memoryMb));
    post({ kind: 'done', emitted: host.emitted, suppressed: host.suppressed });
  }
}

type Made =
  | { ok: true; host: StrategyHost; take(message: ToThread): void; plots: RemotePlots }
  | { ok: false; reason: string };

async function createHost(
  spec: ThreadSpec,
  side: ThreadSide,
  post: (message: FromThread) => void,
): Promise<Made> {
  const loaded = await loadStrategy(spec.use, { baseDir: spec.directory });
  if (!loaded.ok) return { ok: false, reason: words(loaded.fault) };
  const { strategy } = loaded.value;
  const params = checkParams(strategy, spec.params);
  if (!params.ok) return { ok: false, reason: words(params.fault) };

  const clock = createRemoteClock(spec.now, {
    at: (task, time) => post({ kind: 'at', task, time }),
    cancel: (task) => post({ kind: 'cancel', task }),
  });
  const remote = createRemoteSources({
    subscribe: (subscription, source) => call({ kind: 'subscribe', subscription, source }),
    unsubscribe: (subscription) => post({ kind: 'unsubscribe', subscription }),
  });
  const log = createRemoteLog(post);
  const plots = createRemotePlots(post);
  // As in the bot's thread: what a plugin's own subscriber throws ends its strategy.
  rxjs.onUnhandledError = (error) => host.fail(error);

  function call(asked: ThreadCall): void {
    const { messages, error } = side.call({ kind: 'call', call: asked }) as CallAnswer;
    for (const one of messages) remote.take(one);
    if (error !== undefined) throw new Error(error);
  }

  const { instance, wallet, symbols, capitalShare, pacemakerMinSeconds, instruments, seed } = spec;
  let frameTime: number | undefined;
  const host = createStrategyHost({
    strategy,
    params: params.value,
    instance,
    wallet,
    symbols,
    capitalShare,
    pacemakerMinSeconds,
    ...(spec.account === undefined ? {} : { account: spec.account }),
    sources: remote.sources,
    market: clock.clock,
    state: {
      read: () => spec.persisted,
      write: (persisted) => call({ kind: 'state', persisted }),
    },
    random: createRandom(seed),
    log,
    instrument: (symbol) => instruments.find((record) => record.symbol === symbol),
    onIntent: (emission) => call({ kind: 'emission', emission }),
    frameTime: () => frameTime,
    onPlot: spec.plots ? plots.take : undefined,
    onNotice: (notice) => post({ kind: 'notice', notice }),
    onFault: (fault) =>
      post({ kind: 'fault', fault, hasEnded: host.status.state === 'quarantined' }),
  });

  function take(message: ToThread): void {
    clock.set(message.now);
    frameTime = message.frameTime;
    if (message.kind === 'start') host.start();
    else if (message.kind === 'stop') void host.stop();
    else if (message.kind === 'due') clock.run(message.task, message.isLate);
    else if (message.kind !== 'settle') remote.take(message);
  }

  return { ok: true, host, take, plots };
}

const explainMemoryExcess = (used: number, limit: number): string =>
  `It uses ${Math.ceil(used)} MB of memory, and may use ${limit}.`;

const words = ({ reason, remedy }: PluginFault): string => `${reason} ${remedy}`;

function createRemoteLog(post: (message: FromThread) => void, own: LogFields = {}): Log {
  const write =
    (level: LogLevel) =>
    (message: string, fields: LogFields = {}): void =>
      post({ kind: 'log', level, message, fields: { ...own, ...fields } });
  return {
    debug: write('debug'),
    info: write('info'),
    warn: write('warn'),
    error: write('error'),
    with: (fields) => createRemoteLog(post, { ...own, ...fields }),
  };
}
