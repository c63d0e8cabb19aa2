import { requireFields } from '../contract/failures/requireFields.ts';
import type { Timers } from '../env/index.ts';
import { admitAlone } from './admitAlone.ts';
import type { BudgetLedger, LedgerAnswer, LedgerTurn } from './BudgetLedger.ts';
import type { Admission, Budget, BudgetOptions } from './Budget.ts';
import { createGrant } from './createGrant.ts';
import { createProbe } from './createProbe.ts';
import { createTrials } from './createTrials.ts';
import { createTally } from './createTally.ts';
import { createTurns, HEARTBEAT_MS, LONGEST_WAIT_MS, TURN_GAP_MS } from './createTurns.ts';
import { createUnreported } from './createUnreported.ts';
import { createWindow } from './createWindow.ts';
import type { Lane } from './lanes.ts';

export interface SharedBudgetOptions extends BudgetOptions {
  ledger: BudgetLedger;
  timers: Timers;
}

export interface SharedBudget extends Budget {
  /** Whether the ledger is unreachable, so that this process limits itself to its own share. */
  readonly isAlone: boolean;
  /** Processes that share the key, as of the last turn. */
  readonly members: number;
  /** Books the last spending and returns what is held. */
  close(): Promise<void>;
}

/**
 * A budget that several processes with one key share: same lanes and reserves, over the spending of all of
 * them. Each process holds a little weight that the ledger granted it, so that admission costs no round trip;
 * what is held counts as spent for all others until it is sent or returned.
 *
 * When the ledger is unreachable, a process limits itself to 1/(n + 1) of the allowance, n being the processes that
 * shared it, and to less in the first window: together they can't overspend, even if another one joins, as long as
 * none was cut off earlier than the others. A process that never reached the ledger can't know n, so this rejects when
 * it can't be reached at the start.
 *
 * ```ts
 * const { clock, timers } = createLiveEnv();
 * const ledger = await createPostgresLedger({ url, key: 'https://service.example vk_1', member: 'host:1' });
 * const now = () => clock.monotonicNow();
 * const shares = { share: 0.9, reserveShare: 0.3, reserveFloor: 20 };
 * const budget = await createSharedBudget({ ledger, timers, now, limit: 1_200, windowMs: 60_000, ...shares });
 * budget.isAlone; // => false
 * await budget.close();
 * ```
 */
export async function createSharedBudget(options: SharedBudgetOptions): Promise<SharedBudget> {
  requireFields('createSharedBudget', options, ['ledger', 'timers', 'now', 'windowMs']);
  const { ledger, timers, now, windowMs, share } = options;
  const own = createWindow(windowMs);
  const grant = createGrant(now);
  const unreported = createUnreported(now);
  const turns = createTurns({ ledger, timers, now, grant, unreported, toTurn, onAnswer });
  const tally = createTally();
  const probe = createProbe(now);
  const trials = createTrials(now);
  const joinedAt = now();
  let limit = options.limit;
  let heldUntil = 0;
  /** Spending since the latest answer; and beyond what was held when the ledger became unreachable. */
  let spentSince = 0;
  let spentAlone = 0;

  await turns.join();
  const allowance = (): number => limit * share;

  function toTurn(isContended: boolean): LedgerTurn {
    const { reserveShare, reserveFloor } = options;
    const exitWeight = options.exitWeight?.() ?? 0;
    const limits = { windowMs, share, reserveShare, reserveFloor, limit, exitWeight };
    return { ...limits, ...unreported.toTurn(), ...grant.toTurn(isContended) };
  }

  function onAnswer({ holdMs }: LedgerAnswer): void {
    spentSince = 0;
    spentAlone = 0;
    if (holdMs > 0) heldUntil = Math.max(heldUntil, now() + holdMs);
  }

  function isAdmittedAlone(lane: Lane, weight: number): boolean {
    return admitAlone(lane, weight, {
      ...options,
      limit,
      members: turns.latest.members,
      silentMs: now() - turns.answeredAt,
      isCounted: turns.answeredAt - joinedAt >= 2 * HEARTBEAT_MS,
      inHand: grant.inHand(lane),
      used: own.used(now()),
      spentAlone,
    });
  }

  function waitAlone(lane: Lane, weight: number): Admission {
    const need = `${weight} for ${lane}, the ledger that ${turns.latest.members} processes share is unreachable`;
    return { admitted: false, reason: 'budget', until: now() + LONGEST_WAIT_MS, need };
  }

  /** The ledger has no room, and would have some, for each process, if no other program had spent. */
  function maySpendAnyway(lane: Lane, weight: number): boolean {
    const { spent, outstanding, foreign, members } = turns.latest;
    const isRoom = spent + spentSince + outstanding + members * weight <= allowance();
    return foreign > 0 && isRoom && now() >= trials.next(lane);
  }

  function ask(lane: Lane, weight: number): Admission {
    const time = now();
    const isNew = grant.need(lane, weight);
    if (isNew) turns.atOnce();
    else if (maySpendAnyway(lane, weight)) return { admitted: true };
    const used = turns.latest.spent + turns.latest.outstanding + turns.latest.foreign;
    const need = `${weight} for ${lane}, ${used} of ${allowance()} used by ${turns.latest.members} processes`;
    const delayMs = isNew ? TURN_GAP_MS : Math.min(turns.waitMs(), LONGEST_WAIT_MS);
    return { admitted: false, reason: 'budget', until: time + delayMs, need };
  }

  return {
    admit(lane, weight) {
      const time = now();
      if (time < heldUntil) {
        return { admitted: false, reason: 'retry_after', until: heldUntil, need: 'retry_after' };
      }
      const doubt = probe.doubt();
      if (doubt !== undefined) return doubt;
      grant.demand(lane, weight);
      if (turns.isAway) {
        return isAdmittedAlone(lane, weight) ? { admitted: true } : waitAlone(lane, weight);
      }
      return weight <= grant.inHand(lane) ? { admitted: true } : ask(lane, weight);
    },
    spend(weight, lane) {
      own.spend(now(), weight);
      probe.left();
      trials.left(lane);
      unreported.spend(weight);
      spentSince += weight;
      // What was spent beyond it already is owed by the grant, not by this request.
      const inHand = Math.max(0, grant.inHand('control'));
      spentAlone += turns.isAway ? Math.max(0, weight - inHand) : 0;
      grant.spend(weight);
      tally.add(lane, weight, turns.latest.spent + spentSince + turns.latest.foreign);
      turns.soon();
    },
    use: () => tally.use(allowance()),
    learnLimit(next) {
      limit = next;
    },
    learnRemaining(remaining) {
      unreported.learnUsed(limit - remaining);
    },
    holdFor(delayMs) {
      heldUntil = Math.max(heldUntil, now() + delayMs);
      unreported.holdUntil(heldUntil);
      probe.refused(heldUntil);
      turns.atOnce();
    },
    served: () => probe.served(),
    status: () => ({
      limit,
      used: turns.latest.spent + spentSince,
      allowance: allowance(),
      foreign: turns.latest.foreign,
      heldUntil,
      heldForMs: Math.max(0, heldUntil - now()),
    }),
    get isAlone() {
      return turns.isAway;
    },
    get members() {
      return turns.latest.members;
    },
    async close() {
      await turns.close();
      await ledger.close({ ...toTurn(turns.latest.isContended), held: { urgent: 0, ordinary: 0 } });
    },
  };
}
