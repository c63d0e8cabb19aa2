import { nextPrice } from '../core/nextPrice.ts';
import type { Algo } from './Algo.ts';
import type { AlgoContext } from './AlgoContext.ts';

interface State {
  limit: number;
  /** Time since which the remainder has rested without a fill. */
  restingSince: number;
  filledThen: number;
}

type GlidemakerContext = AlgoContext<State, 'glidemaker'>;

/**
 * Rests the size post-only at the best price of its side and follows that price at each corner of the
 * path, never past the limit. `passive` joins the best price; `balanced` improves it by one tick where
 * the spread allows; `aggressive` improves it too, and crosses the spread once the order has rested
 * longer than one bar.
 */
export const glidemaker: Algo<State, 'glidemaker'> = {
  prices: ({ params }) => [['params.limit_price', params.limit_price]],

  begin: (context) => ({
    limit: context.launch.params.limit_price ?? context.execution.priceFrom!.price,
    restingSince: context.now,
    filledThen: 0,
  }),

  phase: () => 'working',

  resume(context) {
    context.state.restingSince = context.now;
    follow(context);
  },

  onTimer: follow,

  wakeTime: (context) => context.nextCornerTime,

  onTracked(context, price) {
    context.state.limit = price;
    if (context.isRunning) follow(context);
  },
};

function follow(context: GlidemakerContext): void {
  const { state } = context;
  if (context.filled !== state.filledThen) {
    state.filledThen = context.filled;
    state.restingSince = context.now;
  }
  if (isImpatient(context)) cross(context);
  if (!context.isRunning) return;
  context.post(priceToRest(context));
  context.wakeAt(context.nextCornerTime);
}

function isImpatient(context: GlidemakerContext): boolean {
  const hasRested = context.now - context.state.restingSince > context.barMs;
  return context.launch.params.strategy === 'aggressive' && hasRested;
}

function cross(context: GlidemakerContext): void {
  const { limit } = context.state;
  if (context.sign * (limit - context.far) < 0) return;
  context.cancelChildren();
  context.take(context.remaining, limit);
  context.state.filledThen = context.filled;
  context.state.restingSince = context.now;
}

/** The best price of its side, or one tick inside the spread; never past the limit. */
function priceToRest(context: GlidemakerContext): number {
  const { near, far, sign } = context;
  const { limit } = context.state;
  const improved = nextPrice(near, context.instrument, sign) ?? near;
  const improves = context.launch.params.strategy !== 'passive' && sign * (far - improved) > 0;
  const price = improves ? improved : near;
  return sign * (limit - price) < 0 ? limit : price;
}
