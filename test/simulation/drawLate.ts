import type { Random } from '../../src/env/index.ts';
import { between, HOUR_MS, pick } from './drawing.ts';

/**
 * A service that is honest but late, or is answered for by a gateway:
 *
 * - `look_up_lags`: reads show the records as they were some time ago.
 * - `list_lacks_newest`: lists lack what was made since then; the rest is current.
 * - `target_unseen`: a write that names a record by its id is told for a while that there is none.
 * - `late_write`: a gateway answers 504, and the write is done afterwards.
 * - `gateway_page`: the write is done, and a gateway answers 502 or 504.
 * - `late_cancel`: a cancel is answered at once, and the order may fill until it takes effect.
 * - `fill_late`: the frame of a fill comes after those of its order's end and of the position.
 * - `fill_restated`: a fill comes again under its id, the same or with another fee.
 * - `algo_renamed`: executions carry another name of their algorithm.
 */
export const LATE_FAULTS = [
  'look_up_lags',
  'list_lacks_newest',
  'target_unseen',
  'late_write',
  'gateway_page',
  'late_cancel',
  'fill_late',
  'fill_restated',
  'algo_renamed',
] as const;
export type LateKind = (typeof LATE_FAULTS)[number];

export interface LateFault {
  kind: LateKind;
  from: number;
  until: number;
  rate: number;
  size: number;
  detail: string;
}

/**
 * From the arrival of a write until a look-up shows it: a bot waits for 35 s after the last moment at which the
 * request may have been taken, the answer's time limit and a little.
 */
const LATEST_MS = 30_000;
const SHARE = 0.6;
const RATES: Partial<Record<LateKind, readonly number[]>> = {
  // A gateway before everything would leave nothing to be late.
  gateway_page: [0.05, 0.2, 0.5],
  late_write: [0.05, 0.2, 0.5],
  algo_renamed: [1],
  late_cancel: [1],
};

/** Late for minutes at a time, since what a lag hides has to fall into it. */
export function drawLate(random: Random): LateFault[] {
  const faults: LateFault[] = [];
  // What is done late is seen later still, so that both are together within the bound.
  const doneMs = pick(random, [0, 0, between(random, 0, LATEST_MS), LATEST_MS]);
  for (const kind of LATE_FAULTS) {
    if (random.next() >= SHARE) continue;
    const times = 1 + Math.floor(random.next() * 3);
    for (let index = 0; index < times; index++) {
      const from = between(random, 60_000, HOUR_MS - 300_000);
      const until = Math.min(from + between(random, 60_000, 1_800_000), HOUR_MS);
      const rate = pick(random, RATES[kind] ?? [0.2, 0.5, 1]);
      const [size, detail] = particulars(kind, random, doneMs);
      faults.push({ kind, from, until, rate, size, detail });
    }
  }
  return faults;
}

/** Mostly the longest, at which most can go wrong. */
const longOr = (random: Random, longest: number): number =>
  random.next() < 0.6 ? longest : between(random, 0, longest);

function particulars(kind: LateKind, random: Random, doneMs: number): [number, string] {
  switch (kind) {
    case 'look_up_lags':
    case 'list_lacks_newest':
    case 'target_unseen':
      return [longOr(random, LATEST_MS - doneMs), ''];
    case 'late_write':
      return [longOr(random, doneMs), ''];
    case 'late_cancel':
      return [longOr(random, LATEST_MS), ''];
    case 'fill_late':
      return [between(random, 500, LATEST_MS), ''];
    case 'fill_restated':
      return [between(random, 100, 90_000), pick(random, ['repeat', 'fee'])];
    case 'gateway_page':
      return [pick(random, [502, 504]), ''];
    case 'algo_renamed':
      return [0, ''];
  }
}
