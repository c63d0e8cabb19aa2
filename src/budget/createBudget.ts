import type { BudgetOptions, Budget } from './Budget.ts';
import type { Lane } from './lanes.ts';
import { createTally } from './createTally.ts';
import { createProbe } from './createProbe.ts';
import { createTrials } from './createTrials.ts';
import { createWindow } from './createWindow.ts';
import { reserveAbove } from './reserveAbove.ts';

/** Interval of checks whether reserves that leave no room at all have shrunk. */
const RESERVE_LOOK_MS = 10_000;

/** Interval of looks at the wall's clock, in time of the budget's. */
const WALL_LOOK_MS = 250;

/**
 * The client's side of the rate budget: a sliding window at a share of the service's limit, with reserves for
 * the lanes that must never wait for entries or reads (LIM-1, LIM-2).
 */
export function createBudget(options: BudgetOptions): Budget {
  const { now, wallNow, windowMs } = options;
  let own = createWindow(windowMs);
  const tally = createTally();
  const trials = createTrials(now);
  let probe = createProbe(now);
  let limit = options.limit;
  let heldUntil = 0;
  let wallHeldUntil = Number.NEGATIVE_INFINITY;
  let foreign = { weight: 0, until: 0 };

  const isHeldByWall = (): boolean => wallNow !== undefined && wallNow() < wallHeldUntil;

  const allowance = (): number => limit * options.share;
  const foreignNow = (): number => (now() < foreign.until ? foreign.weight : 0);

  const reserveFor = (lane: Lane): number =>
    reserveAbove(lane, {
      allowance: allowance(),
      reserveShare: options.reserveShare,
      reserveFloor: options.reserveFloor,
      exitWeight: options.exitWeight?.() ?? 0,
    });

  /** When enough of what was spent leaves the window, by all that is known now. */
  const timeOfRoom = (free: number, room: number, time: number): number => {
    if (room >= 0) return own.timeWhenUsedAtMost(room, time);
    // Time alone gives no room if the reserves take it all; they shrink when positions close.
    return free >= 0 ? foreign.until : time + RESERVE_LOOK_MS;
  };

  return {
    admit(lane, weight) {
      const time = now();
      if (time < heldUntil) {
        return { admitted: false, reason: 'retry_after', until: heldUntil, need: 'retry_after' };
      }
      if (isHeldByWall()) {
        const until = time + WALL_LOOK_MS;
        return { admitted: false, reason: 'retry_after', until, need: 'retry_after' };
      }
      const doubt = probe.doubt();
      if (doubt !== undefined) return doubt;
      const free = allowance() - reserveFor(lane) - weight;
      const room = free - foreignNow();
      if (own.used(time) <= room) return { admitted: true };
      const triedAt = own.used(time) <= free ? trials.next(lane) : Infinity;
      if (time >= triedAt) return { admitted: true };
      const until = Math.min(Math.max(timeOfRoom(free, room, time), time + 1), triedAt);
      const used = own.used(time) + foreignNow();
      const need = `${weight} for ${lane}, ${used} of ${allowance()} used`;
      return { admitted: false, reason: 'budget', until, need };
    },
    spend(weight, lane) {
      const time = now();
      own.spend(time, weight);
      probe.left();
      trials.left(lane);
      tally.add(lane, weight, own.used(time) + foreignNow());
    },
    use: () => tally.use(allowance()),
    learnLimit(next) {
      limit = next;
    },
    startOver(next, remaining) {
      own = createWindow(windowMs);
      probe = createProbe(now);
      heldUntil = 0;
      wallHeldUntil = Number.NEGATIVE_INFINITY;
      limit = next;
      foreign = { weight: Math.max(0, next - remaining), until: now() + windowMs };
    },
    learnRemaining(remaining) {
      const unexplained = limit - remaining - own.used(now());
      foreign = { weight: Math.max(0, unexplained), until: now() + windowMs };
    },
    holdFor(delayMs, by) {
      if (by === 'wall' && wallNow !== undefined) {
        wallHeldUntil = Math.max(wallHeldUntil, wallNow() + delayMs);
        return;
      }
      heldUntil = Math.max(heldUntil, now() + delayMs);
      probe.refused(heldUntil);
    },
    served: () => probe.served(),
    status() {
      const time = now();
      const until = isHeldByWall() ? Math.max(heldUntil, time + WALL_LOOK_MS) : heldUntil;
      return {
        limit,
        used: own.used(time),
        allowance: allowance(),
        foreign: foreignNow(),
        heldUntil: until,
        heldForMs: Math.max(0, until - time),
      };
    },
  };
}
