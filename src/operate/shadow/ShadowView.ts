import type { ComparedIntent } from './ComparedIntent.ts';
import type { Figures } from './ShadowMessage.ts';

/** Net P&L of both versions at one instant, quote units: `[market time, live, shadow]`. */
export type CurvePoint = [time: number, live: number, shadow: number];

export type ShadowState = 'waiting' | 'running' | 'quarantined' | 'ended';

/** A shadow and the version beside which it runs, as far as both have come. */
export interface ShadowView {
  /** The strategy. */
  instance: string;
  /** The shadow's plugin, as configured. */
  use: string;
  state: ShadowState;
  /** Why it was ended; null while it was not. */
  reason: string | null;
  /** Market time at which it began and that it has reached, epoch milliseconds; 0 before the first bar. */
  since: number;
  until: number;
  /** Cash with which it began: what the live version had then. */
  capital: number;
  shadow: Figures | null;
  /** The live version's earnings since its bot started, at the same instant. An older position counts from that start. */
  live: Figures | null;
  /** Smallest step of each symbol's size, base units. */
  sizeSteps: Readonly<Record<string, number>>;
  /** Length of the shortest bars that it is fed with, milliseconds. */
  barMs: number;
  curve: readonly CurvePoint[];
  /** Over the shadow's intents and fills; null before its end. */
  hash: string | null;
}

/** A view with the intents of both versions, which are bounded: the newest of each. */
export interface ShadowCourse extends ShadowView {
  /** Market time from which both lists are whole: `since`, or later where older intents are no longer kept. */
  intentsSince: number;
  liveIntents: readonly ComparedIntent[];
  shadowIntents: readonly ComparedIntent[];
}
