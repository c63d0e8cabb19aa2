/**
 * Handles what is decided while a bot catches up, between the strategies and the pipe: a burst of bars that
 * closed while the connection was lost. Entries go on and are denied by their guard. Of intents that end,
 * reduce or protect, only those of the last bar that decided their kind are sent when the burst is over: sent bar by
 * bar, it would be done many times.
 */
import type { Cancel, Timers } from '../../env/index.ts';
import { effectOf } from '../../intents/effectOf.ts';
import type { Intent } from '../../intents/index.ts';
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
  /** In order of arrival. */
  let held: Held[] = [];
  let cancelQuiet: Cancel = () => {};
  let cancelLongest: Cancel | undefined;

  function flush(): void {
    cancelQuiet();
    cancelLongest?.();
    cancelLongest = undefined;
    const newest = held;
    held = [];
    for (const { emission } of newest) submit(emission);
  }

  /** It replaces earlier ones of its kind; it is held from now on, if it is of the burst, too. */
  function overtake(later: Held, isHeld: boolean): void {
    const earlier = held.filter((one) => overtakes(later, one));
    if (earlier.length > 0) held = held.filter((one) => !earlier.includes(one));
    // First: the end of an earlier one may be answered by yet another of the kind.
    if (isHeld) held.push(later);
    for (const { emission } of earlier) submit({ ...emission, isOvertaken: true });
  }

  function hold(emission: Emission): void {
    overtake(toHeld(emission), true);
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
      if (held.length > 0) {
        overtake(toHeld(emission), false);
        // Later intents may depend on held ones.
        if (held.some((one) => one.emission.instance === emission.instance)) flush();
      }
      submit(emission);
    },
    flush,
  };
}

interface Held {
  emission: Emission;
  kind: string;
  fields: readonly string[];
}

const toHeld = (emission: Emission): Held => ({
  emission,
  kind: kindOf(emission),
  fields: fieldsOf(emission.intent),
});

/** What one bar decides belongs together, and a field stays as it was set until it is set again. */
function overtakes(later: Held, earlier: Held): boolean {
  if (later.kind !== earlier.kind || later.emission.cause === earlier.emission.cause) return false;
  return earlier.fields.every((field) => later.fields.includes(field));
}

/** What it sets of several things that may be set one by one. */
function fieldsOf(intent: Intent): string[] {
  if (intent.kind !== 'attach_tpsl' && intent.kind !== 'modify_order') return [];
  const set = intent.kind === 'attach_tpsl' ? intent.legs : intent.change;
  return Object.entries(set).flatMap(([field, value]) => (value === undefined ? [] : [field]));
}

/** Its instance, its action and its target: one side of a symbol, or one order, execution or monitor. */
function kindOf({ intent, instance, wallet }: Emission): string {
  const { symbols } = effectOf(intent);
  const { order, execution, monitor, action } = intent as Partial<
    Record<'order' | 'execution' | 'monitor' | 'action', unknown>
  >;
  const what = [symbols, order, execution, monitor, action, ...requestOf(intent)];
  return JSON.stringify([wallet, instance, intent.kind, ...what]);
}

/** Side and algorithm of what it does, and the direction in which its trigger lies: a stop and a target are two. */
function requestOf(intent: Intent): unknown[] {
  if (intent.kind === 'create_monitor') {
    const { trigger, action } = intent.request;
    return [...sideOf(action.request), trigger.type, trigger.direction];
  }
  return 'request' in intent ? sideOf(intent.request) : [];
}

function sideOf(request: object): unknown[] {
  const { side, algo } = request as { side?: unknown; algo?: unknown };
  return [side, algo];
}
