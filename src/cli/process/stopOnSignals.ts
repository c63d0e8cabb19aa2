import { writeSync } from 'node:fs';
import { processEnvironment, type BotConfig } from '../../config/index.ts';
import { createLiveEnv, watchEventLoop } from '../../env/index.ts';
import { stackPaths } from '../../strategy/index.ts';

/** Conventional exit code of a process that a signal ended. */
export const INTERRUPTED = 130;

/** Exit code of a bot on a service that ended because one call did not return. */
const BLOCKED = 5;
/** Longer than any turn that a bot should take, shorter than a user's patience with Ctrl-C. */
const REPORT_AFTER_SECONDS = 5;
/** A service has closed the bot's idle stream long before. */
const END_AFTER_SECONDS = 60;

/**
 * Set by `bin/trimtab.js` for a command that it runs on another Node: it passes each signal on, and a terminal or a
 * supervisor may have sent that to the whole group. Two of a kind as near as this are one.
 */
const PASSED_ON = 'TRIMTAB_NODE_FOUND';
const SAME_MS = 300;

const STDERR = 2;
const LEFT =
  ' What the stop should have ended may be open on the service, and was not listed: look there, and at trimtab journal list.';

export interface Stop {
  isStopped(): boolean;
  stopped: Promise<void>;
  /** Requests a stop like a signal. */
  ask(): void;
}

export interface LaterStop extends Stop {
  /**
   * From now on, signals request a stop, and a blocked event loop is reported.
   *
   * @param config whose strategies run in this thread; without it, none does
   */
  listen(config?: BotConfig): void;
}

/** Of the commands that listen; one process runs one, except in tests. */
const listening = new Set<() => void>();

/** Ends what every `listen` has begun. */
export function stopListening(): void {
  for (const end of listening) end();
  listening.clear();
}

/** The first signal asks a command to end cleanly; a second one ends the process. */
export function stopOnSignals(): Stop {
  const stop = createStop();
  stop.listen();
  return stop;
}

/**
 * A stop that does not handle signals yet. While files are read and unpacked there is nothing to end
 * cleanly, and no turn of the event loop in which to notice a signal: until `listen`, a signal ends the
 * process by the system's default. So it does while the event loop is blocked.
 *
 * @param taken signals that mean something else to this process
 * @param logFile the log's file, which gets what is reported of a blocked event loop
 */
export function createStop(taken: readonly NodeJS.Signals[] = [], logFile?: string): LaterStop {
  let asked = false;
  /** The signal that asked first, until one that was passed on with it has surely been read. */
  let first: NodeJS.Signals | undefined;
  const { timers } = createLiveEnv();
  const { promise, resolve } = Promise.withResolvers<void>();
  const ask = (): void => {
    asked = true;
    resolve();
  };
  /** Whether the command has a bot whose orders may be open on a service. */
  let isOnService = false;
  /** After a stop that takes its time at once, the other one waits to be read: one more turn of the loop reads it. */
  const expectTwin = (signal: NodeJS.Signals): void => {
    first = signal;
    timers.after(SAME_MS, () => timers.after(0, () => (first = undefined)));
  };
  const onSignal = (signal: NodeJS.Signals): void => {
    if (first !== undefined && signal === first) return;
    if (asked) {
      sayAtOnce(`Ended at once by a second signal.${isOnService ? LEFT : ''}`);
      process.exit(INTERRUPTED);
    }
    if (processEnvironment[PASSED_ON] !== undefined) expectTwin(signal);
    ask();
  };
  // A closed terminal ends a bot like Ctrl-C.
  const signals = (['SIGINT', 'SIGTERM', 'SIGHUP'] as const).filter((one) => !taken.includes(one));
  const handle = (): void => signals.forEach((signal) => void process.on(signal, onSignal));
  const release = (): void => signals.forEach((signal) => void process.off(signal, onSignal));
  const listen = (config?: BotConfig): void => {
    handle();
    isOnService = config !== undefined && config.link.kind !== 'paper';
    const unwatch = watchEventLoop({
      label: config?.name ?? 'trimtab',
      plugins: config === undefined ? [] : pluginsHere(config),
      reportAfterSeconds: REPORT_AFTER_SECONDS,
      // A run on a tape loses nothing by waiting; a bot on a service is deaf.
      endAfterSeconds: isOnService ? END_AFTER_SECONDS : null,
      exitCode: BLOCKED,
      logFile,
      onBlocked: release,
      onBack: handle,
    });
    listening.add(() => {
      unwatch();
      release();
    });
  };
  return { isStopped: () => asked, stopped: promise, ask, listen };
}

/** The process ends before a stream would have written. */
function sayAtOnce(text: string): void {
  try {
    writeSync(STDERR, `${text}\n`);
  } catch {
    // Nobody reads it.
  }
}

/** The strategies of this thread, and what the addresses of their files contain. */
function pluginsHere({
  strategies,
  directory,
}: BotConfig): { instance: string; marks: string[] }[] {
  return strategies
    .filter(({ isolation }) => isolation === null)
    .map(({ name, use }) => ({
      instance: name,
      marks: stackPaths(use, directory),
    }));
}
