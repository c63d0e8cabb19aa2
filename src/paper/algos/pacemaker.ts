import { isWithin } from '../../contract/bounds.ts';
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

type PacemakerContext = AlgoContext<State, 'pacemaker'>;

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

  begin: (context) => ({ startTime: context.now, slices: sliceCount(context), released: 0 }),

  phase: () => 'working',

  resume(context, pausedMs) {
    context.state.startTime += pausedMs;
    advance(context);
  },

  onTimer: advance,

  onBar: catchUp,
};

function sliceCount(context: PacemakerContext): number {
  const { duration_seconds: duration, slices } = context.launch.params;
  if (slices !== undefined) return slices;
  const usual = Math.round(duration / DEFAULT_SLICE_SECONDS);
  const value = context.remaining * context.mark;
  const worthwhile = countWhole(value, context.instrument.min_order_value);
  return Math.max(1, Math.min(usual, worthwhile, MAX_SLICES));
}

/** As many as the value holds in decimal: 3 × 10.1 holds three of 10.1, while the quotient of doubles is below 3. */
function countWhole(value: number, part: number): number {
  const quotient = value / part;
  const nearest = Math.round(quotient);
  return isWithin(nearest * part, value) ? nearest : Math.floor(quotient);
}

function advance(context: PacemakerContext): void {
  const { state } = context;
  while (state.released < state.slices && sliceTime(context, state.released) <= context.now) {
    state.released++;
  }
  catchUp(context);
  if (!context.isRunning) return;
  if (context.now >= endTime(context)) {
    context.stop('time_limit');
    return;
  }
  context.wakeAt(
    state.released < state.slices ? sliceTime(context, state.released) : endTime(context),
  );
}

/** Takes what is due and not yet filled. Dust waits until it reaches the minimum order value. */
function catchUp(context: PacemakerContext): void {
  const { state, launch } = context;
  const isLast = state.released === state.slices;
  const due = (context.execution.record.total_size * state.released) / state.slices;
  const late = isLast ? context.remaining : context.floor(due - context.filled);
  if (late <= 0 || (!isLast && context.isTooSmall(late))) return;
  context.take(late, launch.params.limit_price ?? null);
}

const endTime = (context: PacemakerContext): number =>
  context.state.startTime + context.launch.params.duration_seconds * 1_000;

/** Randomised slices come later than the even grid, never earlier, and not later than half a step. */
function sliceTime(context: PacemakerContext, slice: number): number {
  const { duration_seconds: duration, randomize = 0 } = context.launch.params;
  const stepMs = (duration * 1_000) / context.state.slices;
  const seed = `${context.execution.record.execution_id}:${slice}`;
  const delay = randomize === 0 ? 0 : randomize * createRandom(seed).next();
  return Math.ceil(context.state.startTime + (slice + delay) * stepMs);
}
