/** A leg as a step is worked out. Sizes are base units, below zero for a short. */
export interface PlannedLeg {
  held: number;
  /** What it should hold, on the venue's grid. */
  target: number;
  /** What a base unit counts in the balance of the two legs, quote units. */
  unit: number;
  /** A difference that is too small for an order. */
  dust: number;
}

export interface PairBounds {
  /** In the legs' units: the largest step, which is what may lack its counterpart. */
  most: number;
  /** In the legs' units: an imbalance up to this size counts as balance. */
  slack: number;
  /** Reduce what lacks its counterpart in the place of completing it. */
  isUnwinding: boolean;
  /** The leg that goes alone, the other one follows; undefined if both go at once. */
  lead: 0 | 1 | undefined;
}

type Two<T> = readonly [T, T];
/** Both legs, the one that is bought for a value above zero first. */
export type Planned = Two<PlannedLeg>;

/** What is held of both legs, in their units; zero where they are in balance. */
export const imbalanceOf = ([a, b]: Planned): number => a.held * a.unit + b.held * b.unit;

/** Whether a leg has its size, but for a share of it. */
export const isAtTarget = ({ held, target, dust }: PlannedLeg, tolerance = 0): boolean =>
  Math.abs(target - held) <= Math.max(dust, tolerance * Math.abs(target));

/**
 * The next order of each leg, base units, below zero for a sale. Nothing is on its way when it is worked out. An order
 * never turns a position: it is closed first, so that a reduction is never refused as an entry.
 *
 * In balance both legs move by one step. Out of it only the leg that is behind does, and as far as the other one.
 */
export function planPair(legs: Planned, bounds: PairBounds): Two<number> {
  const { most, slack, isUnwinding, lead } = bounds;
  const naked = imbalanceOf(legs);
  if (isUnwinding) return Math.abs(naked) > slack ? unwind(legs, naked) : [0, 0];
  const areDone = legs.every((leg) => isAtTarget(leg));
  if (!areDone && Math.abs(naked) > slack) return complete(legs, naked);
  const isHeldBack = (at: number): boolean =>
    lead !== undefined && lead !== at && !isAtTarget(legs[lead]);
  const step = (leg: PlannedLeg, at: number): number =>
    isHeldBack(at) ? 0 : toward(leg, most / leg.unit);
  return [step(legs[0], 0), step(legs[1], 1)];
}

/** Each leg moves toward its target if that lessens the imbalance. */
function complete(legs: Planned, naked: number): Two<number> {
  let left = Math.abs(naked);
  const [first, second] = legs.map((leg) => {
    const order = toward(leg, left / leg.unit);
    if (Math.sign(order) !== -Math.sign(naked)) return 0;
    left -= Math.abs(order) * leg.unit;
    return order;
  });
  return [first!, second!];
}

/** What is held on the side of the imbalance is reduced by it. */
function unwind(legs: Planned, naked: number): Two<number> {
  let left = Math.abs(naked);
  const [first, second] = legs.map(({ held, unit }) => {
    if (Math.sign(held) !== Math.sign(naked)) return 0;
    const size = Math.min(Math.abs(held), left / unit);
    left -= size * unit;
    return -Math.sign(held) * size;
  });
  return [first!, second!];
}

/** Up to `most` toward the target, and no further than to a flat leg. */
function toward(leg: PlannedLeg, most: number): number {
  if (isAtTarget(leg)) return 0;
  const { held, target } = leg;
  const away = target - held;
  const turns = held !== 0 && Math.sign(away) !== Math.sign(held);
  const size = Math.min(Math.abs(away), most, turns ? Math.abs(held) : Infinity);
  return Math.sign(away) * size;
}
