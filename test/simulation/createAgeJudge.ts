import { INTERVAL_MS, type Interval } from '../../src/contract/index.ts';
import type { KnownIntent } from './KnownIntent.ts';
import type { SimWorld } from './SimWorld.ts';

/** Watches how old what an entry was decided upon is when it leaves, by true time. */
export interface AgeJudge {
  opened(process: number): void;
  lost(process: number): void;
  /** An entry is about to leave. */
  leaves(process: number, one: KnownIntent): void;
}

/** Bars here are of a minute, and an event is good for five. */
const LONGEST_MS = 300_000;
/**
 * A bot knows the present by its newest frame: one that is slow on its way, or a date in whole seconds,
 * makes it that much younger.
 */
const DOUBT_MS = 12_000;

interface Trigger {
  bar?: { time: number; interval: Interval };
  fill?: { time: number };
}

/** When what an intent was decided upon was so; undefined for what no event of the market caused. */
function causeOf({ trigger }: KnownIntent): { time: number; goodForMs: number } | undefined {
  const { bar, fill } = trigger as Trigger;
  if (bar !== undefined) {
    const length = INTERVAL_MS[bar.interval];
    return { time: bar.time + length, goodForMs: Math.min(length, LONGEST_MS) };
  }
  return fill && { time: fill.time, goodForMs: LONGEST_MS };
}

/** After this it must not open anything; true time. */
export function goodUntil(one: KnownIntent): number {
  const cause = causeOf(one);
  return cause === undefined ? Number.POSITIVE_INFINITY : cause.time + cause.goodForMs;
}

export function createAgeJudge(world: SimWorld): AgeJudge {
  /** When a process was without a line; the last may not be over. */
  const gaps = new Map<number, Array<{ from: number; until: number }>>();
  const gapsOf = (process: number) => gaps.get(process) ?? [];
  return {
    opened(process) {
      const last = gapsOf(process).at(-1);
      if (last !== undefined) last.until = Math.min(last.until, world.queue.now());
    },
    lost(process) {
      const from = world.queue.now();
      const all = gapsOf(process);
      // One that could not be made is the same outage.
      if ((all.at(-1)?.until ?? 0) === Infinity) return;
      gaps.set(process, [...all, { from, until: Infinity }]);
    },
    leaves(process, one) {
      const cause = causeOf(one);
      if (cause === undefined) return;
      const age = world.queue.now() - cause.time;
      if (age > cause.goodForMs + DOUBT_MS) {
        world.violate('entry_too_old', `${one.decisionKey} after ${age} ms`);
      }
      const { bar } = one.trigger as Trigger;
      const isOfGap = gapsOf(process).some(
        ({ from, until }) => cause.time > from && cause.time <= until,
      );
      if (bar !== undefined && isOfGap) world.violate('entry_of_a_gap', one.decisionKey);
    },
  };
}
