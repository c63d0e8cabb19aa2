import { createRandom } from '../../env/index.ts';
import type { Algo } from './Algo.ts';
import type { AlgoContext } from './AlgoContext.ts';

interface State {
  /** Moved later by the length of every pause, so that the schedule's clock stops meanwhile. */
  startTime: number;
  slices: number;
  /** Number of slices that are due so far. */
  released: number;
}

type PacemakerDesk = AlgoContext<State, 'pacemaker'>;

/** Without `slices`: one a minute. */
const DEFAULT_SLICE_SECONDS = 60;
const MAX_SLICES = 1_000;

/**
 * Time-weighted: equal slices over the duration, each taken when it is due. A late slice catches up at
 * the next closed bar, and never runs ahead of the schedule by more than one. A remainder at the end of
 * the duration ends it with `time_limit`.
 */
export const pacemaker: Algo<State, 'pacemaker'> = {
  prices: ({ params }) => [['params.limit_price', params.limit_price]],

  begin: (desk) => ({ startTime: desk.now, slices: sliceCount(desk), released: 0 }),

  resume(desk, pausedMs) {
    desk.enter('working');
    desk.state.startTime += pausedMs;
    advance(desk);
  },

  onTimer: advance,

  onBar: catchUp,
};

function sliceCount(desk: PacemakerDesk): number {
  const { duration_seconds: duration, slices } = desk.launch.params;
  if (slices !== undefined) return slices;
  const usual = Math.round(duration / DEFAULT_SLICE_SECONDS);
  const worthwhile = Math.floor((desk.remaining * desk.mark) / desk.instrument.min_order_value);
  return Math.max(1, Math.min(usual, worthwhile, MAX_SLICES));
}

function advance(desk: PacemakerDesk): void {
  const { state } = desk;
  while (state.released < state.slices && sliceTime(desk, state.released) <= desk.now) {
    state.released++;
  }
  catchUp(desk);
  if (!desk.isRunning) return;
  if (desk.now >= endTime(desk)) {
    desk.stop('time_limit');
    return;
  }
  desk.wakeAt(state.released < state.slices ? sliceTime(desk, state.released) : endTime(desk));
}

/** Takes what is due and not yet filled. Dust waits until it reaches the minimum order value. */
function catchUp(desk: PacemakerDesk): void {
  const { state, launch } = desk;
  const isLast = state.released === state.slices;
  const due = (desk.execution.record.total_size * state.released) / state.slices;
  const late = isLast ? desk.remaining : desk.floor(due - desk.filled);
  if (late <= 0 || (!isLast && desk.isTooSmall(late))) return;
  desk.take(late, launch.params.limit_price ?? null);
}

const endTime = (desk: PacemakerDesk): number =>
  desk.state.startTime + desk.launch.params.duration_seconds * 1_000;

/** Randomised slices come later than the even grid, never earlier, and not later than half a step. */
function sliceTime(desk: PacemakerDesk, slice: number): number {
  const { duration_seconds: duration, randomize = 0 } = desk.launch.params;
  const stepMs = (duration * 1_000) / desk.state.slices;
  const seed = `${desk.execution.record.execution_id}:${slice}`;
  const delay = randomize === 0 ? 0 : randomize * createRandom(seed).next();
  return Math.ceil(desk.state.startTime + (slice + delay) * stepMs);
}
