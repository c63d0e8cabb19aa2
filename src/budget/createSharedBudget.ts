import type { Cancel, Timers } from '../env/index.ts';
import type { BudgetLedger, LedgerAnswer, LedgerClasses, LedgerTurn } from './BudgetLedger.ts';
import type { Admission, Budget, BudgetOptions } from './Budget.ts';
import { createProbe } from './createProbe.ts';
import { createTally } from './createTally.ts';
import { createWindow } from './createWindow.ts';
import { priorityOf, type Lane } from './lanes.ts';
import { GHOST_MS, SILENT_AFTER_MS } from './takeTurn.ts';

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

/** Weight that a process holds ready for its next exit, so that no exit waits for the ledger. */
const URGENT_FLOAT = 25;
/** The same for its next entry, while no other process waits. */
const ORDINARY_FLOAT = 20;
/** If something waits, or was sent, this recently, it is worth holding more than the float. */
const DEMAND_MS = 2_000;
/** Nothing will ask again for what waited: it was sent otherwise or dropped. */
const FORGOTTEN_MS = 1_000;
const HEARTBEAT_MS = 1_000;
const TURN_GAP_MS = 10;
const LONGEST_WAIT_MS = 250;
const AWAY_RETRY_MS = 500;
/** After this time the others, if they still reach the ledger, count this process's share as free again. */
const ALONE_MS = GHOST_MS * 0.75;

/**
 * A budget that several processes with one key share: same lanes and reserves, over the spending of all of
 * them. Each process holds a little weight that the ledger granted it, so that admission costs no round trip;
 * what is held counts as spent for all others until it is sent or returned.
 *
 * When the ledger is unreachable, a process limits itself to 1/n of the allowance, n being the processes that
 * shared it, and to less in the first window: together they can't overspend. A process that never reached the
 * ledger can't know n, so this rejects when it can't be reached at the start.
 */
export async function createSharedBudget(options: SharedBudgetOptions): Promise<SharedBudget> {
  const { ledger, timers, now, windowMs } = options;
  const own = createWindow(windowMs);
  let limit = options.limit;
  let heldUntil = 0;
  let held: LedgerClasses = { urgent: 0, ordinary: 0 };
  let needed: LedgerClasses = { urgent: 0, ordinary: 0 };
  let neededAt = -Infinity;
  let largest = ORDINARY_FLOAT;
  let unsaid: Array<{ time: number; weight: number }> = [];
  let reported: { used: number } | undefined;
  let inconclusiveHold: number | undefined;
  let heard: LedgerAnswer;
  const joinedAt = now();
  let heardAt = joinedAt;
  let spentSince = 0;
  const tally = createTally();
  const probe = createProbe(now);
  /** Spending beyond what was held when the ledger became unreachable. */
  let spentAlone = 0;
  let isAway = false;
  let isClosed = false;
  let running: Promise<void> | undefined;
  let cancelNext: Cancel = () => {};

  heard = await ledger.turn(toTurn());
  take(heard);
  schedule(HEARTBEAT_MS);

  const allowance = (): number => limit * options.share;
  const inHand = (lane: Lane): number => (isUrgent(lane) ? held.urgent : 0) + held.ordinary;
  const isUrgent = (lane: Lane): boolean => priorityOf(lane) <= priorityOf('exit');

  function toTurn(): LedgerTurn {
    const time = now();
    const isIdle = time - neededAt > DEMAND_MS;
    if (isIdle) largest = ORDINARY_FLOAT;
    const ordinary = isIdle && heard?.isContended ? 0 : largest;
    return {
      windowMs,
      share: options.share,
      reserveShare: options.reserveShare,
      reserveFloor: options.reserveFloor,
      limit,
      exitWeight: options.exitWeight?.() ?? 0,
      spent: unsaid.map(({ time: at, weight }) => ({ weight, ageMs: Math.max(0, time - at) })),
      held: {
        urgent: Math.max(0, held.urgent),
        ordinary: Math.max(0, Math.min(held.ordinary, Math.max(ordinary, needed.ordinary))),
      },
      wanted: { urgent: URGENT_FLOAT, ordinary },
      needed,
      ...(reported === undefined ? {} : { reported: reported.used }),
      ...(inconclusiveHold === undefined || inconclusiveHold <= time
        ? {}
        : { holdMs: inconclusiveHold - time }),
    };
  }

  function schedule(delayMs: number): void {
    cancelNext();
    if (!isClosed) cancelNext = timers.after(delayMs, () => void turn());
  }

  function turn(): Promise<void> {
    running ??= runTurn().finally(() => (running = undefined));
    return running;
  }

  async function runTurn(): Promise<void> {
    if (now() - neededAt > FORGOTTEN_MS) needed = { urgent: 0, ordinary: 0 };
    const said = unsaid.length;
    const [saidReport, saidHold] = [reported, inconclusiveHold];
    const sent = toTurn();
    // What is returned is no longer this process's from here on, even if the answer never comes.
    held = { ...sent.held };
    const before = held;
    try {
      const answer = await ledger.turn(sent);
      unsaid = unsaid.slice(said);
      // What was learned while the turn was in flight is reported by the next one.
      if (reported === saidReport) reported = undefined;
      if (inconclusiveHold === saidHold) inconclusiveHold = undefined;
      // What was sent while the turn was in flight came out of what was held before it.
      const since = before.urgent + before.ordinary - held.urgent - held.ordinary;
      take(answer);
      spendHeld(since);
      const waits = needed.urgent + needed.ordinary > 0;
      const isLeft = unsaid.length > 0 || inconclusiveHold !== undefined;
      const nextMs = isLeft ? TURN_GAP_MS : HEARTBEAT_MS;
      schedule(waits ? Math.min(waitMs(), LONGEST_WAIT_MS) : nextMs);
    } catch {
      isAway = true;
      schedule(AWAY_RETRY_MS);
    }
  }

  function take(answer: LedgerAnswer): void {
    heard = answer;
    heardAt = now();
    spentSince = 0;
    spentAlone = 0;
    isAway = false;
    held = { ...answer.held };
    if (answer.holdMs > 0) heldUntil = Math.max(heldUntil, now() + answer.holdMs);
    if (held.ordinary >= needed.ordinary) needed = { ...needed, ordinary: 0 };
    if (held.ordinary + held.urgent >= needed.urgent) needed = { ...needed, urgent: 0 };
  }

  /** Ordinary weight first: what is held for exits stays as long as it can. */
  function spendHeld(weight: number): void {
    const ordinary = Math.min(weight, Math.max(0, held.ordinary));
    held = { urgent: held.urgent - (weight - ordinary), ordinary: held.ordinary - ordinary };
  }

  const waitMs = (): number => Math.max(TURN_GAP_MS, heard.waitMs);

  /**
   * For one window it is unknown what the others had been granted when the ledger became unreachable: only what
   * is held may be spent, and for exits a part of the headroom that the share leaves. After that all earlier
   * spending has left the window, and 1/n each is safe.
   */
  function admitAlone(lane: Lane, weight: number): Admission {
    const silentMs = now() - heardAt;
    const isLately = silentMs < SILENT_AFTER_MS;
    if (isLately && weight <= inHand(lane)) return { admitted: true };
    const part = 1 / heard.members;
    // A process that has just joined is not counted by all others yet.
    const isCounted = heardAt - joinedAt >= 2 * HEARTBEAT_MS;
    if (!isCounted || silentMs < windowMs + SILENT_AFTER_MS) {
      const headroom = limit * (1 - options.share) * part;
      const fits = isUrgent(lane) && spentAlone + weight <= headroom;
      return fits ? { admitted: true } : alone(lane, weight);
    }
    if (!isUrgent(lane) && silentMs > ALONE_MS) return alone(lane, weight);
    const reserve = isUrgent(lane) ? 0 : allowance() * part * options.reserveShare;
    const fits = own.used(now()) + reserve + weight <= allowance() * part;
    return fits ? { admitted: true } : alone(lane, weight);
  }

  function alone(lane: Lane, weight: number): Admission {
    const need = `${weight} for ${lane}, the ledger that ${heard.members} processes share is unreachable`;
    return { admitted: false, reason: 'budget', until: now() + LONGEST_WAIT_MS, need };
  }

  function ask(lane: Lane, weight: number): Admission {
    const time = now();
    const kind = isUrgent(lane) ? 'urgent' : 'ordinary';
    const isNew = needed[kind] < weight;
    needed = { ...needed, [kind]: Math.max(needed[kind], weight) };
    if (isNew) void turn();
    const used = heard.spent + heard.outstanding + heard.foreign;
    const need = `${weight} for ${lane}, ${used} of ${allowance()} used by ${heard.members} processes`;
    const delayMs = isNew ? TURN_GAP_MS : Math.min(waitMs(), LONGEST_WAIT_MS);
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
      neededAt = time;
      if (!isUrgent(lane)) largest = Math.max(largest, weight);
      if (isAway) return admitAlone(lane, weight);
      return weight <= inHand(lane) ? { admitted: true } : ask(lane, weight);
    },
    spend(weight, lane) {
      const time = now();
      own.spend(time, weight);
      probe.left();
      unsaid.push({ time, weight });
      spentSince += weight;
      spentAlone += isAway ? Math.max(0, weight - inHand('control')) : 0;
      spendHeld(weight);
      tally.add(lane, weight, heard.spent + spentSince + heard.foreign);
      if (!isAway && running === undefined) schedule(TURN_GAP_MS);
    },
    use: () => tally.use(allowance()),
    learnLimit(next) {
      limit = next;
    },
    learnRemaining(remaining) {
      reported = { used: limit - remaining };
    },
    holdFor(delayMs) {
      heldUntil = Math.max(heldUntil, now() + delayMs);
      inconclusiveHold = heldUntil;
      probe.refused(heldUntil);
      void turn();
    },
    served: () => probe.served(),
    status: () => ({
      limit,
      used: heard.spent + spentSince,
      allowance: allowance(),
      foreign: heard.foreign,
      heldUntil,
    }),
    get isAlone() {
      return isAway;
    },
    get members() {
      return heard.members;
    },
    async close() {
      isClosed = true;
      cancelNext();
      await running;
      needed = { urgent: 0, ordinary: 0 };
      await ledger.close({ ...toTurn(), held: { urgent: 0, ordinary: 0 } });
    },
  };
}
