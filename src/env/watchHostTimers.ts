import { syncBuiltinESMExports, createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

/** Records calls of the machine's timers, until it is released. */
export interface WatchedTimers {
  /**
   * Runs the pending watched timers, each once and at once, and then lets promises settle: a plugin that
   * decides there does so before the run is over.
   *
   * @param isAwaited whether to wait for files and networks too, a second at most
   */
  flush(isAwaited?: () => boolean): Promise<void>;
  restore(): void;
}

type Run = (...given: unknown[]) => void;
type SetTimer = (run: Run, delayMs?: number, ...given: unknown[]) => unknown;
type ClearTimer = (handle: unknown) => void;
type Timers = Record<(typeof NAMES)[number], SetTimer> &
  Record<(typeof CLEARS)[number], ClearTimer>;

const builtin = createRequire(import.meta.url)('node:timers') as Timers;
const NAMES = ['setTimeout', 'setInterval'] as const;
const CLEARS = ['clearTimeout', 'clearInterval'] as const;
const OWN = fileURLToPath(import.meta.url);
/** In the stack of a timer that an operator starts, the plugin's line is far up. */
const DEPTH = 60;
/** This file's own calls and some more: who starts a timer mostly stands next to them. */
const NEAR = 6;
/** Event loop turns after which everything that depends only on promises has settled. */
const TURNS = 3;
/** The longest that a flush waits for files and networks. */
export const LONGEST_FLUSH_MS = 1_000;
const LOOK_MS = 10;
/** Limit of timers that are run at the end; a plugin with more is exposed by these as well. */
const MOST = 1_000;

/**
 * Watches starts of the machine's timers. On a replay they have no meaning: it is over in seconds, and a
 * decision in one would never be seen.
 *
 * @param isMeant whether a timer is to be watched, by the path of the file that starts it
 */
export function watchHostTimers(isMeant: (starter: string) => boolean): WatchedTimers {
  const pending = new Map<unknown, () => void>();
  const globals = globalThis as unknown as Timers;
  const targets = [globals, builtin].map((timers) => ({ timers, before: pick(timers) }));
  const { clearTimeout: clear, setTimeout: real } = globalThis;
  const resources = countResources();
  let isWatching = true;

  const watched =
    (set: SetTimer): SetTimer =>
    (run, delayMs, ...given) => {
      if (!isWatching || typeof run !== 'function' || !isMeantHere()) {
        return set(run, delayMs, ...given);
      }
      const fire = (): void => {
        pending.delete(handle);
        run(...given);
      };
      const handle = set(fire, delayMs);
      if (pending.size < MOST) pending.set(handle, fire);
      return handle;
    };

  const isMeantHere = (): boolean => {
    const starter = starterOf(NEAR) ?? starterOf(DEPTH);
    return starter !== undefined && isMeant(starter);
  };

  const forgotten =
    (stop: ClearTimer): ClearTimer =>
    (handle) => {
      pending.delete(handle);
      stop(handle);
    };

  for (const { timers, before } of targets) {
    for (const name of NAMES) timers[name] = watched(before[name]);
    for (const name of CLEARS) timers[name] = forgotten(before[name]);
  }
  syncBuiltinESMExports();

  async function flush(isAwaited: () => boolean = () => false): Promise<void> {
    for (const [handle, fire] of pending) {
      clear(handle as NodeJS.Timeout);
      // As the machine would: what it throws is thrown outside of every stream. A cancelled timer does not run.
      setImmediate(() => void (pending.has(handle) && fire()));
    }
    for (let turn = 0; turn < TURNS; turn += 1) await nextTurn();
    const end = performance.now() + LONGEST_FLUSH_MS;
    while (isAwaited() && performance.now() < end && countResources() > resources) {
      await new Promise((resolve) => void real(resolve, LOOK_MS));
    }
  }

  return {
    flush,
    restore() {
      isWatching = false;
      for (const { timers, before } of targets) Object.assign(timers, before);
      syncBuiltinESMExports();
      pending.clear();
    },
  };
}

const pick = ({ setTimeout, setInterval, clearTimeout, clearInterval }: Timers): Timers => ({
  setTimeout,
  setInterval,
  clearTimeout,
  clearInterval,
});

const nextTurn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

/** A thread's own port is open as long as the thread is. */
const NOTHING_AWAITED = ['Immediate', 'MessagePort'];

/** What keeps the process waiting: files, names, sockets, timers that were not watched. */
function countResources(): number {
  return process.getActiveResourcesInfo().filter((name) => !NOTHING_AWAITED.includes(name)).length;
}

/**
 * The nearest file on the stack that is neither the machine's nor this one. Each request of a client starts a timer,
 * and a stack's text takes longer than all else here.
 */
function starterOf(depth: number): string | undefined {
  const { stackTraceLimit, prepareStackTrace } = Error;
  Error.stackTraceLimit = depth;
  Error.prepareStackTrace = (_error, sites) => sites;
  const sites = new Error('here').stack as unknown as readonly NodeJS.CallSite[];
  Object.assign(Error, { stackTraceLimit, prepareStackTrace });
  for (const site of sites) {
    // Text that was evaluated has no file, but the place of its evaluation.
    const file = site.getFileName() ?? site.getEvalOrigin() ?? '';
    if (file === '' || file.startsWith('node:')) continue;
    const path = file.startsWith('file:') ? fileURLToPath(file) : file;
    if (path !== OWN) return path;
  }
  return undefined;
}
