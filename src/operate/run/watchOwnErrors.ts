import { isAbsolute } from 'node:path';
import { config as rxjs } from 'rxjs';
import type { BotConfig } from '../../config/index.ts';
import { reasonOf, type Log } from '../../env/index.ts';
import { stackPaths, type StrategyHost } from '../../strategy/index.ts';

/** Errors that have ended the strategy that they came from, and so need not end the bot. */
const attributed = new WeakSet<object>();

/** Runs of this process that watch: each hears the errors of all. */
let watching = 0;

/** Whether an error that reached the process has ended its strategy already. */
export function hasEndedItsStrategy(thrown: unknown): boolean {
  return typeof thrown === 'object' && thrown !== null && attributed.has(thrown);
}

export interface OwnErrorsOptions {
  config: Pick<BotConfig, 'strategies' | 'directory'>;
  hosts(): readonly StrategyHost[];
  log: Log;
}

/**
 * Ends a strategy when a subscriber or a machine timer of its own throws, or a promise of its own is rejected without a
 * handler. RxJS and Node report such errors for the whole process, and the strategy would go on trading with a part of
 * it not working. The stack trace shows which plugin's file an error comes from. An error from no plugin is logged if a
 * subscriber threw it; another ends the process, as it does without this function.
 *
 * @returns to stop watching
 */
export function watchOwnErrors(options: OwnErrorsOptions): () => void {
  const { log } = options;
  const { onUnhandledError: before } = rxjs;

  function endOwners(thrown: unknown): boolean {
    const owners = ownersOf(thrown, options);
    for (const owner of owners) owner.fail(thrown);
    if (owners.length > 0 && typeof thrown === 'object' && thrown !== null) attributed.add(thrown);
    return owners.length > 0;
  }

  const takeOf =
    (event: 'unhandledRejection' | 'uncaughtException') =>
    (thrown: unknown): void => {
      if (endOwners(thrown) || process.listenerCount(event) > watching) return;
      // Another run of this process may own it. Thrown again where nobody listens, Node reports it as without this.
      queueMicrotask(() => {
        if (hasEndedItsStrategy(thrown)) return;
        stop();
        // Of a value that is no Error, Node would show nothing but the value.
        throw thrown instanceof Error ? thrown : new Error(reasonOf(thrown), { cause: thrown });
      });
    };
  const onRejection = takeOf('unhandledRejection');
  const onException = takeOf('uncaughtException');

  let isWatching = true;
  function onError(error: unknown): void {
    // Of several in a process, one that began later may end later, and then puts this one back.
    if (!isWatching) {
      if (before === null) throw error;
      return before(error);
    }
    const [only, ...others] = options.hosts();
    // A plugin that a program passes as an object has no file, and what is no Error has no stack. If it is the only
    // one, the error is its own.
    const isPlaceless =
      !(error instanceof Error) || options.config.strategies.every(({ use }) => !isAbsolute(use));
    const isAlone = others.length === 0 && isPlaceless;
    if (isAlone && only !== undefined) only.fail(error);
    else if (!endOwners(error)) log.error(`A subscriber threw: ${reasonOf(error)}`);
  }

  rxjs.onUnhandledError = onError;
  // Before other listeners, which ask by hasEndedItsStrategy whether the error has been handled.
  watching += 1;
  process.prependListener('unhandledRejection', onRejection);
  process.prependListener('uncaughtException', onException);
  return stop;

  function stop(): void {
    if (!isWatching) return;
    isWatching = false;
    watching -= 1;
    if (rxjs.onUnhandledError === onError) rxjs.onUnhandledError = before;
    process.off('unhandledRejection', onRejection);
    process.off('uncaughtException', onException);
  }
}

/** Instances of one plugin can't be told apart: all of them have the fault. */
function ownersOf(thrown: unknown, { config, hosts }: OwnErrorsOptions): StrategyHost[] {
  const stack = thrown instanceof Error ? (thrown.stack ?? '') : '';
  const { strategies, directory } = config;
  const names = strategies.filter(({ use }) => isIn(stack, use, directory)).map(({ name }) => name);
  return hosts().filter(({ instance }) => names.includes(instance));
}

/** A module that was imported anew has a query behind its name; a package is known by its folder. */
function isIn(stack: string, use: string, directory: string): boolean {
  const ends = isAbsolute(use) ? [':', '?'] : [''];
  return stackPaths(use, directory).some((path) =>
    ends.some((end) => stack.includes(`${path}${end}`)),
  );
}
