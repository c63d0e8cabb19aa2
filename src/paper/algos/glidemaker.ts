import { tickAt, toValidPrice } from '../../contract/index.ts';
import type { Algo } from './Algo.ts';
import type { AlgoContext } from './AlgoContext.ts';

interface State {
  limit: number;
  /** Time since which the remainder has rested without a fill. */
  restingSince: number;
  filledThen: number;
}

type GlidemakerDesk = AlgoContext<State, 'glidemaker'>;

/**
 * Rests the size post-only at the best price of its side and follows that price at each corner of the
 * path, never past the limit. `passive` joins the best price; `balanced` improves it by one tick where
 * the spread allows; `aggressive` improves it too, and crosses the spread once the order has rested
 * longer than one bar.
 */
export const glidemaker: Algo<State, 'glidemaker'> = {
  prices: ({ params }) => [['params.limit_price', params.limit_price]],

  begin: (desk) => ({
    limit: desk.launch.params.limit_price ?? desk.execution.priceFrom!.price,
    restingSince: desk.now,
    filledThen: 0,
  }),

  resume(desk) {
    desk.enter('working');
    desk.state.restingSince = desk.now;
    follow(desk);
  },

  onTimer: follow,

  onTracked(desk, price) {
    desk.state.limit = price;
    if (desk.isRunning) follow(desk);
  },
};

function follow(desk: GlidemakerDesk): void {
  const { state } = desk;
  if (desk.filled !== state.filledThen) {
    state.filledThen = desk.filled;
    state.restingSince = desk.now;
  }
  if (isImpatient(desk)) cross(desk);
  if (!desk.isRunning) return;
  desk.post(priceToRest(desk));
  desk.wakeAt(desk.nextCornerTime);
}

function isImpatient(desk: GlidemakerDesk): boolean {
  const hasRested = desk.now - desk.state.restingSince > desk.barMs;
  return desk.launch.params.strategy === 'aggressive' && hasRested;
}

function cross(desk: GlidemakerDesk): void {
  const { limit } = desk.state;
  if (desk.sign * (limit - desk.far) < 0) return;
  desk.cancelChildren();
  desk.take(desk.remaining, limit);
  desk.state.filledThen = desk.filled;
  desk.state.restingSince = desk.now;
}

/** The best price of its side, or one tick inside the spread; never past the limit. */
function priceToRest(desk: GlidemakerDesk): number {
  const { near, far, sign } = desk;
  const { limit } = desk.state;
  const improved = toValidPrice(near + sign * tickAt(near, desk.instrument), desk.instrument);
  const improves = desk.launch.params.strategy !== 'passive' && sign * (far - improved) > 0;
  const price = improves ? improved : near;
  return sign * (limit - price) < 0 ? limit : price;
}
