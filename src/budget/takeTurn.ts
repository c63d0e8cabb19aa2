import type { LedgerAnswer, LedgerClasses, LedgerTurn } from './BudgetLedger.ts';

/** What the processes of a key share. Times are the ledger's, epoch milliseconds. */
export interface LedgerState {
  heldUntil: number;
  foreign: { weight: number; until: number };
  members: Record<string, LedgerMember>;
  /** Time of the last turn; absent in a state that an earlier version wrote. */
  now?: number;
}

interface LedgerMember {
  seen: number;
  held: LedgerClasses;
  needed: LedgerClasses;
  exitWeight: number;
  /**
   * Processes that its last two answers reported, since the last one may be lost; absent in a state that an earlier
   * version wrote.
   */
  told?: [before: number, last: number];
  /** Pairs of time and weight, oldest first, in steps of {@link STEP_MS}. */
  spent: Array<[time: number, weight: number]>;
}

/** A process that is silent for this long is cut off, and must not use what it holds. */
export const SILENT_AFTER_MS = 5_000;
/** How long the share of a silent process stays reserved: it may be alive, and spending it. */
export const GHOST_MS = 120_000;
/** Spending of one step counts as one, at its end: the state stays small, and nothing expires too early. */
const STEP_MS = 100;
/** An answer of the service is compared with a ledger that is slightly older. */
const LATE_MS = 2_000;

/**
 * What a process that can't reach the ledger may spend, as a share of the limit, if its latest answer reported so many
 * processes: one more may have joined since, and shares what is left with the others.
 */
export const shareAlone = (share: number, members: number): number => share / (members + 1);

/** The spending of processes that have left is recorded under this name. */
const LEFT = '';

const NOTHING: LedgerClasses = { urgent: 0, ordinary: 0 };
const weightOf = ({ urgent, ordinary }: LedgerClasses): number => urgent + ordinary;

export function emptyLedger(): LedgerState {
  return { heldUntil: 0, foreign: { weight: 0, until: 0 }, members: {} };
}

/**
 * One process's turn at the ledger: it books what was sent, returns what is not needed, and takes what it may.
 * The sum of all that is spent and held never exceeds the allowance.
 *
 * A waiting process with less spent in the window goes first: another's grant must leave room for what it
 * needs, so that neither a heavy request nor a quiet process starves.
 */
export function takeTurn(
  state: LedgerState,
  member: string,
  turn: LedgerTurn,
  now: number,
): LedgerAnswer {
  followClock(state, now);
  forget(state, turn.windowMs, now);
  const own = enter(state, member, turn, now);
  learn(state, turn, now);
  const limits = limitsOf(state, turn, now);
  const ahead = aheadOf(state, member, { windowMs: turn.windowMs, now, most: limits.most });
  const urgent = grant(own.held.urgent, turn.wanted.urgent, {
    need: turn.needed.urgent - own.held.ordinary,
    room: limits.room - ahead.urgent,
  });
  limits.room -= urgent - own.held.urgent;
  // Weight that is held for exits is part of what is reserved for them.
  const reserved = Math.max(0, limits.reserve - limits.urgent - (urgent - own.held.urgent));
  const ordinary = grant(own.held.ordinary, turn.wanted.ordinary, {
    need: turn.needed.ordinary,
    room: limits.room - reserved - ahead.urgent - ahead.ordinary,
  });
  own.held = { urgent, ordinary };
  const members = processesOf(state).length;
  own.told = [own.told?.[1] ?? members, members];
  const spent = spentOf(Object.values(state.members), turn.windowMs, now);
  const missing = Math.max(turn.needed.urgent - urgent - ordinary, turn.needed.ordinary - ordinary);
  return {
    held: own.held,
    spent,
    outstanding: sum(Object.values(state.members), ({ held }) => weightOf(held)),
    foreign: state.foreign.weight,
    holdMs: Math.max(0, state.heldUntil - now),
    members,
    isContended: Object.values(state.members).some(({ needed }) => weightOf(needed) > 0),
    waitMs: missing <= 0 ? 0 : waitFor(state, turn.windowMs, { now, missing }),
  };
}

/** Removes a process from the ledger; what it has spent still counts. */
export function leave(state: LedgerState, member: string, turn: LedgerTurn, now: number): void {
  followClock(state, now);
  const own = enter(state, member, turn, now);
  own.held = NOTHING;
  own.needed = NOTHING;
  own.exitWeight = 0;
  // Its share need not be retained: only its spending is.
  const left = (state.members[LEFT] ??= { ...own, spent: [] });
  left.seen = now;
  left.spent = [...left.spent, ...own.spent].sort(([a], [b]) => a - b);
  delete state.members[member];
}

/**
 * A database whose clock was set back, or another one after a failover, has turns behind it that lie ahead: all that was
 * spent would count, and each wait would go on, for as long as that. What has passed since the last turn is lost, so that
 * everything counts for a little longer, and nothing for less.
 */
function followClock(state: LedgerState, now: number): void {
  const byMs = (state.now ?? now) - now;
  state.now = now;
  if (byMs <= 0) return;
  state.heldUntil -= byMs;
  state.foreign.until -= byMs;
  for (const member of Object.values(state.members)) {
    member.seen -= byMs;
    member.spent = member.spent.map(([time, weight]) => [time - byMs, weight]);
  }
}

function forget(state: LedgerState, windowMs: number, now: number): void {
  for (const [name, member] of Object.entries(state.members)) {
    member.spent = member.spent.filter(([time]) => time > now - windowMs - LATE_MS);
    if (now - member.seen < SILENT_AFTER_MS) continue;
    // It may have spent all that it held until it noticed that it was cut off.
    book(member, member.seen + SILENT_AFTER_MS, weightOf(member.held));
    member.held = NOTHING;
    member.needed = NOTHING;
    const isGone = name === LEFT || now - member.seen > GHOST_MS;
    if (isGone && member.spent.length === 0) delete state.members[name];
  }
}

function enter(state: LedgerState, name: string, turn: LedgerTurn, now: number): LedgerMember {
  const former = state.members[name];
  const own: LedgerMember = {
    seen: now,
    held: { ...turn.held },
    needed: { ...turn.needed },
    exitWeight: turn.exitWeight,
    spent: former?.spent ?? [],
  };
  if (former?.told !== undefined) own.told = former.told;
  for (const { weight, ageMs } of turn.spent) book(own, now - ageMs, weight);
  return (state.members[name] = own);
}

function book(member: LedgerMember, time: number, weight: number): void {
  if (weight <= 0) return;
  const step = Math.ceil(time / STEP_MS) * STEP_MS;
  const index = member.spent.findIndex(([at]) => at >= step);
  const found = index === -1 ? undefined : member.spent[index]!;
  if (found?.[0] === step) found[1] += weight;
  else member.spent.splice(index === -1 ? member.spent.length : index, 0, [step, weight]);
}

function learn(state: LedgerState, turn: LedgerTurn, now: number): void {
  const { reported, holdMs, windowMs } = turn;
  if (holdMs !== undefined) state.heldUntil = Math.max(state.heldUntil, now + holdMs);
  if (reported !== undefined) {
    const members = Object.values(state.members);
    const known = spentOf(members, windowMs + LATE_MS, now);
    const outstanding = sum(members, ({ held }) => weightOf(held));
    const weight = Math.max(0, reported - known - outstanding);
    state.foreign = { weight, until: now + windowMs };
  }
  if (now >= state.foreign.until) state.foreign = { weight: 0, until: 0 };
}

/** What may still be taken, what is reserved for exits, and how much of that is held already. */
function limitsOf(state: LedgerState, turn: LedgerTurn, now: number) {
  const { windowMs, limit, share, reserveShare, reserveFloor } = turn;
  const all = Object.values(state.members);
  const allowance = limit * share;
  const outstanding = sum(all, ({ held }) => weightOf(held));
  const exits = reserveFloor + sum(all, ({ exitWeight }) => exitWeight);
  // A budget too small for the reserve must still admit something, or nothing would ever be sent.
  const reserve = Math.min(Math.max(allowance * reserveShare, exits), allowance / 2);
  const free = allowance - state.foreign.weight - outstanding;
  return {
    room: free - Math.max(spentOf(all, windowMs, now), ...spentBesideGhosts(state, turn, now)),
    reserve,
    /** The maximum weight of a single request; nothing waits for a heavier one. */
    most: { urgent: allowance, ordinary: allowance - reserve },
    urgent: sum(all, ({ held }) => held.urgent),
  };
}

/**
 * For each silent process, what was spent since it was cut off, and what it and those that were cut off earlier may
 * spend unseen. Such a process spends its share of the allowance from a window after that at the earliest (`admitAlone`):
 * what was spent before it was cut off has left the window by then, and takes nothing of the room for exits.
 */
function spentBesideGhosts(state: LedgerState, turn: LedgerTurn, now: number): number[] {
  const { windowMs, limit, share } = turn;
  const all = Object.values(state.members);
  const processes = processesOf(state);
  let unseen = 0;
  return processes
    .filter(({ seen }) => now - seen >= SILENT_AFTER_MS)
    .sort((a, b) => a.seen - b.seen)
    .map((ghost) => {
      const part = limit * shareAlone(share, Math.min(...(ghost.told ?? [processes.length - 1])));
      unseen += Math.max(0, part - spentOf([ghost], windowMs, now));
      const sinceMs = now - (ghost.seen + SILENT_AFTER_MS);
      return unseen + spentOf(all, Math.min(windowMs, sinceMs + STEP_MS), now);
    });
}

const processesOf = ({ members }: LedgerState): LedgerMember[] =>
  Object.entries(members).flatMap(([name, member]) => (name === LEFT ? [] : [member]));

/** What must be left for waiting processes that have spent less; ties are broken by name. */
function aheadOf(
  state: LedgerState,
  name: string,
  { windowMs, now, most }: { windowMs: number; now: number; most: LedgerClasses },
): LedgerClasses {
  const mine = spentOf([state.members[name]!], windowMs, now);
  const missing = (needed: number, held: number, atMost: number): number =>
    needed > atMost ? 0 : Math.max(0, needed - held);
  const ahead = { urgent: 0, ordinary: 0 };
  for (const [other, member] of Object.entries(state.members)) {
    const theirs = spentOf([member], windowMs, now);
    if (other === name || theirs > mine || (theirs === mine && other > name)) continue;
    const { needed, held } = member;
    ahead.urgent += missing(needed.urgent, weightOf(held), most.urgent);
    ahead.ordinary += missing(needed.ordinary, held.ordinary, most.ordinary);
  }
  return ahead;
}

/** As much of what is wanted as there is room for, but nothing if it would not suffice for what waits. */
function grant(
  held: number,
  wanted: number,
  { need, room }: { need: number; room: number },
): number {
  const most = Math.max(held, Math.max(wanted, need));
  const possible = Math.min(most, held + Math.max(0, Math.floor(room)));
  return need > held && possible < need ? held : possible;
}

/** When this much more will have left the window. */
function waitFor(
  state: LedgerState,
  windowMs: number,
  { now, missing }: { now: number; missing: number },
): number {
  const spent = Object.values(state.members)
    .flatMap((member) => member.spent)
    .filter(([time]) => time > now - windowMs)
    .sort(([a], [b]) => a - b);
  let left = missing;
  for (const [time, weight] of spent) {
    left -= weight;
    if (left <= 0) return time + windowMs - now;
  }
  return windowMs;
}

function spentOf(members: readonly LedgerMember[], windowMs: number, now: number): number {
  return sum(members, ({ spent }) =>
    sum(spent, ([time, weight]) => (time > now - windowMs ? weight : 0)),
  );
}

function sum<T>(items: readonly T[], weigh: (item: T) => number): number {
  return items.reduce((total, item) => total + weigh(item), 0);
}
