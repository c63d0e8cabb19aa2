/** The two legs of a pair over time: when which one moves, is completed or is reduced. */
import type { PositionRecord } from '../../contract/index.ts';
import type { Intent } from '../../intents/index.ts';
import type { Outcome } from '../Outcome.ts';
import { createPairLeg, type PairContext, type PairLeg } from './createPairLeg.ts';
import type { PairLegs, PairSettings, PairTarget } from './Pair.ts';
import { imbalanceOf, isAtTarget, planPair, type Planned } from './planPair.ts';
import { sizePair, type SizedPair } from './sizePair.ts';

export interface PairKeeper {
  setTarget(target: Required<PairTarget>): void;
  onPosition(symbol: string, position: PositionRecord | null): void;
  onPrice(symbol: string, mark: number): void;
  follow(outcome: Outcome): void;
  /** The orders that are due now; the same call again proposes nothing new. */
  step(): Intent[];
  /** Market time at which one may be due without any news; undefined if there is none. */
  wakeTime(): number | undefined;
}

/** The wait after refusals in a row is doubled at most this often. */
const MOST_DOUBLINGS = 6;

export function createPairKeeper(
  ctx: PairContext,
  { long, short }: PairLegs,
  settings: PairSettings,
): PairKeeper {
  const { unwind_after_ms, retry_ms } = settings;
  const legOf = (symbol: string): PairLeg => createPairLeg(ctx, symbol, settings);
  const legs = [legOf(long), legOf(short)] as const;
  let target: Required<PairTarget> | undefined;
  let sized: SizedPair | undefined;
  let isMoving = false;
  let isUnwinding = false;
  let nakedSince: number | undefined;
  /** The leg that goes first: one that was refused before, so that the other is not bought without a counterpart. */
  let lead: 0 | 1 | undefined;
  /** After an unwinding nothing is entered before this time; each one in a row doubles it. */
  let pausedUntil = 0;
  let unwindings = 0;
  let wakeAt: number | undefined;

  const waitOf = (times: number): number => retry_ms * 2 ** Math.min(times, MOST_DOUBLINGS);

  function wake(time: number | undefined): void {
    if (time !== undefined && (wakeAt === undefined || time < wakeAt)) wakeAt = time;
  }

  /** Takes in how the last orders ended. */
  function settle(): void {
    for (const at of [0, 1] as const) {
      const end = legs[at].takeEnd();
      if (end === undefined) continue;
      if (end === 'filled') Object.assign(legs[at].refusals, { entry: 0, reduction: 0 });
      else if (!isUnwinding) lead = at;
    }
  }

  /** With what is held, once nothing is on its way. */
  function planned(): Planned | undefined {
    const [first, second] = [legs[0].held(), legs[1].held()];
    for (const leg of legs) wake(leg.apartUntil());
    if (first === undefined || second === undefined || target === undefined) return undefined;
    const [a, b] = [legs[0].price, legs[1].price];
    if (a === undefined || b === undefined) return undefined;
    sized ??= sizePair(target, legs, { prices: [a, b], max_naked: settings.max_naked });
    return [
      { ...sized.legs[0], held: first },
      { ...sized.legs[1], held: second },
    ];
  }

  /** Follows how long a leg has been without its counterpart. */
  function watch(pair: Planned, slack: number): void {
    if (Math.abs(imbalanceOf(pair)) <= slack) {
      if (isUnwinding) pausedUntil = ctx.now() + waitOf(unwindings++);
      isUnwinding = false;
      nakedSince = undefined;
      return;
    }
    nakedSince ??= ctx.now();
    const until = nakedSince + unwind_after_ms;
    if (ctx.now() < until) wake(until);
    else if (!isUnwinding) {
      isUnwinding = true;
      const [a, b] = pair.map(({ held, unit }) => Math.abs(held) * unit);
      lead = a! < b! ? 0 : 1;
    }
  }

  /** A pair within its tolerance stays; one that moves goes all the way. */
  function shouldMove(pair: Planned): boolean {
    if (pair.every((leg) => isAtTarget(leg))) {
      isMoving = isUnwinding = false;
      lead = nakedSince = undefined;
      unwindings = 0;
    } else isMoving ||= pair.some((leg) => !isAtTarget(leg, settings.tolerance));
    return isMoving;
  }

  /** When an order of a leg may be sent. A leg without its counterpart waits no longer than after a first refusal. */
  function timeOf(leg: PairLeg, isEntry: boolean): number {
    const kind = isEntry ? 'entry' : 'reduction';
    const times = nakedSince === undefined ? Math.max(0, leg.refusals[kind] - 1) : 0;
    const at = leg.refusedAt[kind];
    const rested = at === undefined ? 0 : at + waitOf(times);
    return isEntry ? Math.max(rested, pausedUntil) : rested;
  }

  function intentOf(at: 0 | 1, order: number, held: number): Intent | undefined {
    if (order === 0) return undefined;
    const time = timeOf(legs[at], held * order >= 0);
    if (ctx.now() >= time) return legs[at].order(order, ctx.now() + unwind_after_ms);
    wake(time);
    return undefined;
  }

  return {
    setTarget(next) {
      target = next;
      sized = undefined;
    },
    onPosition(symbol, position) {
      const size = position === null ? 0 : position.size;
      const leg = symbol === long ? legs[0] : legs[1];
      leg.onPosition(position?.side === 'short' ? -size : size);
    },
    onPrice(symbol, mark) {
      (symbol === long ? legs[0] : legs[1]).price = mark;
    },
    follow(outcome) {
      for (const leg of legs) leg.follow(outcome);
    },
    step() {
      wakeAt = undefined;
      if (ctx.liveness() !== 'live') return [];
      settle();
      const pair = planned();
      if (pair === undefined || !shouldMove(pair)) return [];
      const { most, slack } = sized!;
      watch(pair, slack);
      const orders = planPair(pair, { most, slack, isUnwinding, lead });
      return ([0, 1] as const).flatMap((at) => intentOf(at, orders[at], pair[at].held) ?? []);
    },
    wakeTime: () => wakeAt,
  };
}
