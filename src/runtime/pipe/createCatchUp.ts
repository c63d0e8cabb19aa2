/**
 * Handles what is decided while a bot catches up, between the strategies and the pipe: a burst of bars that
 * closed while the connection was lost. Entries go on and are denied by their guard. Of intents that end,
 * reduce or protect, only the newest of each kind is sent when the burst is over: sent bar by bar, it would be
 * done many times.
 */
import type { Cancel, Timers } from '../../env/index.ts';
import { effectOf } from '../../intents/effectOf.ts';
import type { Emission } from '../../strategy/index.ts';

export interface CatchUp {
  take(emission: Emission): void;
  /** Submits at once what is held. */
  flush(): void;
}

/** A burst ends after this long without a catch-up bar; the wait for a slow strategy is bounded. */
const QUIET_MS = 250;
const LONGEST_MS = 5_000;

export function createCatchUp(options: {
  timers: Timers;
  submit(emission: Emission): void;
}): CatchUp {
  const { timers, submit } = options;
  /** The newest of each kind, in order of arrival. */
  let held = new Map<string, Emission>();
  let cancelQuiet: Cancel = () => {};
  let cancelLongest: Cancel | undefined;

  function flush(): void {
    cancelQuiet();
    cancelLongest?.();
    cancelLongest = undefined;
    const newest = held;
    held = new Map();
    for (const emission of newest.values()) submit(emission);
  }

  /** A later one of its kind replaces it; that one is held from now on, if it is of the burst, too. */
  function overtake(key: string, later?: Emission): void {
    const earlier = held.get(key);
    held.delete(key);
    // First: the end of the earlier one may be answered by yet another of the kind.
    if (later !== undefined) held.set(key, later);
    if (earlier !== undefined) submit({ ...earlier, isOvertaken: true });
  }

  function hold(emission: Emission): void {
    overtake(kindOf(emission), emission);
    cancelQuiet();
    cancelQuiet = timers.after(QUIET_MS, flush);
    cancelLongest ??= timers.after(LONGEST_MS, flush);
  }

  return {
    take(emission) {
      const { intent, isCatchUp } = emission;
      if (isCatchUp === true) {
        const { isExit } = effectOf(intent);
        // Only the pipe knows which order is moved; its guard denies the move if it is an entry's.
        return isExit || intent.kind === 'modify_order' ? hold(emission) : submit(emission);
      }
      if (held.size > 0) {
        overtake(kindOf(emission));
        // Later intents may depend on held ones.
        if ([...held.values()].some(({ instance }) => instance === emission.instance)) flush();
      }
      submit(emission);
    },
    flush,
  };
}

/** Its instance, its action and its target: one side of a symbol, or one order, execution or monitor. */
function kindOf({ intent, instance, wallet }: Emission): string {
  const { symbols } = effectOf(intent);
  const { order, execution, monitor, action, request } = intent as Partial<
    Record<'order' | 'execution' | 'monitor' | 'action' | 'request', unknown>
  >;
  const { side, algo } = (request ?? {}) as { side?: unknown; algo?: unknown };
  const what = [symbols, order, execution, monitor, action, side, algo];
  return JSON.stringify([wallet, instance, intent.kind, ...what]);
}
