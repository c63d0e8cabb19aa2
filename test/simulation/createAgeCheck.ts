import { INTERVAL_MS, type Interval } from '../../src/contract/index.ts';
import type { KnownIntent } from './KnownIntent.ts';
import type { Simulation } from './Simulation.ts';

/** Checks an entry’s `not_after` and the age of its cause when it is sent, in true time. */
export interface AgeCheck {
  opened(process: number): void;
  lost(process: number): void;
  /** A frame with this time has reached it, epoch milliseconds. */
  arrived(process: number, time: number): void;
  /** An entry is about to be sent, for the first time or again. */
  leaves(process: number, one: KnownIntent): void;
}

/** Bars are one minute here; an event is valid for five. */
const LONGEST_MS = 300_000;
/**
 * The bot takes the time from its newest frame: a slow frame, or a date in whole seconds, puts it that far
 * behind.
 */
const DOUBT_MS = 12_000;

interface Trigger {
  bar?: { time: number; interval: Interval };
  fill?: { time: number };
}

/** Time of the market event behind an intent; undefined if there is none. */
function causeOf({ trigger }: KnownIntent): { time: number; goodForMs: number } | undefined {
  const { bar, fill } = trigger as Trigger;
  if (bar !== undefined) {
    const length = INTERVAL_MS[bar.interval];
    return { time: bar.time + length, goodForMs: Math.min(length, LONGEST_MS) };
  }
  return fill && { time: fill.time, goodForMs: LONGEST_MS };
}

/** After this it must not add exposure; true time. */
export function goodUntil(one: KnownIntent): number {
  const cause = causeOf(one);
  return cause === undefined ? Number.POSITIVE_INFINITY : cause.time + cause.goodForMs;
}

export function createAgeCheck(sim: Simulation): AgeCheck {
  /** Outages of a process; the last may be open. */
  const gaps = new Map<number, Array<{ from: number; until: number }>>();
  /** Where frames are the clock, a process knows no later time than that of its newest frame. */
  const newest = new Map<number, number>();
  const knownTime = (process: number): number =>
    sim.scenario.bot.market === 'wall' ? sim.queue.now() : (newest.get(process) ?? 0);
  const gapsOf = (process: number) => gaps.get(process) ?? [];
  return {
    opened(process) {
      const last = gapsOf(process).at(-1);
      if (last !== undefined) last.until = Math.min(last.until, sim.queue.now());
    },
    lost(process) {
      const from = sim.queue.now();
      const all = gapsOf(process);
      // A failed reconnection extends the outage.
      if ((all.at(-1)?.until ?? 0) === Infinity) return;
      gaps.set(process, [...all, { from, until: Infinity }]);
    },
    arrived(process, time) {
      newest.set(process, Math.max(time, newest.get(process) ?? 0));
    },
    leaves(process, one) {
      const now = knownTime(process);
      const lateMs = now - (one.intent.not_after ?? Number.POSITIVE_INFINITY);
      if (lateMs > DOUBT_MS) sim.violate('sent_past_end', `${one.decisionKey} by ${lateMs} ms`);
      const cause = causeOf(one);
      if (cause === undefined) return;
      const age = now - cause.time;
      if (age > cause.goodForMs + DOUBT_MS) {
        sim.violate('entry_too_old', `${one.decisionKey} after ${age} ms`);
      }
      const { bar } = one.trigger as Trigger;
      const isOfGap = gapsOf(process).some(
        ({ from, until }) => cause.time > from && cause.time <= until,
      );
      if (bar !== undefined && isOfGap) sim.violate('entry_of_a_gap', one.decisionKey);
    },
  };
}
