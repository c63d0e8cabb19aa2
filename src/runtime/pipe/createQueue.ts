import { priorityOf, type Budget } from '../../budget/index.ts';
import type { Cancel } from '../../env/index.ts';
import { createFairShares } from './createFairShares.ts';
import { createTargetsInFlight, type TargetsInFlightOptions } from './createTargetsInFlight.ts';
import { isUnsent, type Approved } from './stations.ts';
import type { Unsent } from './createWithdrawals.ts';
import { supersedes } from './supersedes.ts';

/** Sends that exits may have in flight beyond the limit of the others. */
const EXIT_SLOTS = 8;
const NO_WAKE: Cancel = () => {};
const NONE: readonly Approved[] = [];
export interface QueueOptions extends Omit<TargetsInFlightOptions, 'onFree'> {
  budget: Budget;
  /** Whether what the budget admits leaves in the order of the emissions (false). */
  inOrder?: boolean;
  /** An instance's share of a lane that is full, relative to the others. */
  shareOf(instance: string): number;
  /** Requests in flight that only market time advances; nothing waits for those (0). */
  held?: (() => number) | undefined;
  /** Waits on the budget's clock. */
  at(time: number, run: () => void): Cancel;
  /** Whether it may not be sent any more; taken out of its turn, it ends where it would be sent. */
  isTooLate(item: Approved): boolean;
  /** Sends one item to its conclusion and reports when that is reached; must not throw. */
  run(item: Approved, ended: () => void): void;
  onDeferred(item: Approved, reason: string): void;
  /** It was still queued when a later one replaced it entirely. */
  onSuperseded(item: Approved, by: Approved): void;
}

export interface Queue extends Unsent {
  push(item: Approved): void;
  /** Checks what waits. */
  pump(): void;
  /** Resolves when nothing is being sent; what waits for the budget's clock, or is held, may go on waiting. */
  settled(): Promise<void>;
  /** A request has reached the point at which it is held. */
  look(): void;
  close(): Promise<void>;
  /** Whether nothing is being sent. */
  isIdle(): boolean;
  /** Whether one of these waits for its turn. */
  holds(isOne: (item: Approved) => boolean): boolean;
  isClosed(): boolean;
}

/**
 * Approved intents, most urgent lane first; within a lane instances take turns by their shares, each in the
 * order of its emissions. The head waits until the budget admits it; nothing behind overtakes it, so that no
 * heavy request starves. On a replay lanes count for what the budget does not admit at once.
 */
export function createQueue(options: QueueOptions): Queue {
  const { budget } = options;
  const shares = createFairShares((instance) => options.shareOf(instance));
  const items: Approved[] = [];
  const waiters: Array<() => void> = [];
  const targets = createTargetsInFlight({ ...options, onFree: pump });
  let busy = 0;
  /** Something waits for the budget, and what comes waits with it. */
  let isShort = false;
  let isPumping = false;
  let isAsked = false;
  let closed = false;
  let cancelWake: Cancel = NO_WAKE;

  function insert(item: Approved): void {
    if (items.length === 0) return void items.push(item);
    const rank = (other: Approved): number =>
      priorityOf(other.lane) - priorityOf(item.lane) || other.turn - item.turn;
    const index = items.findIndex((other) => rank(other) > 0);
    items.splice(index === -1 ? items.length : index, 0, item);
  }

  /**
   * The later one takes the place of the earlier ones, so that a stream of changes does not start its wait again.
   *
   * @returns what it replaced, which is out of the queue
   */
  function supersede(later: Approved): readonly Approved[] {
    // What comes back into its lane is older than what waits there meanwhile.
    const earlierOnes = items.filter(({ order }) => order < later.order);
    const replaced = earlierOnes.filter((item) => supersedes(later, item));
    for (const earlier of replaced) {
      take(earlier);
      later.turn = Math.min(later.turn, earlier.turn);
    }
    return replaced;
  }

  function findHead(): Approved | undefined {
    const free = targets.isEmpty() ? items : items.filter(targets.isFree);
    const [first] = free;
    // What may have been sent already is reconciled first; its queries are charged separately.
    if (first === undefined || free.length === 1 || first.isSent) return first;
    return shares.first(free.filter(({ lane }) => lane === first.lane));
  }

  /** What was emitted first, if the budget admits it: a bot on a service would have sent it by now, whatever came later. */
  function takeEarliest(): Approved | undefined {
    const earliest = items.reduce((first, item) => (item.order < first.order ? item : first));
    if (!budget.admit(earliest.lane, earliest.weight).admitted) return undefined;
    shares.charge(earliest);
    return take(earliest);
  }

  function take(item: Approved): Approved {
    if (items.length === 1) items.pop();
    else items.splice(items.indexOf(item), 1);
    if (items.length === 0) isShort = false;
    return item;
  }

  function findLate(): Approved | undefined {
    for (let at = 0; at < items.length; at++) {
      if (options.isTooLate(items[at]!)) return items[at];
    }
    return undefined;
  }

  function takeHead(): Approved | undefined {
    if (items.length === 0) return undefined;
    const late = findLate();
    if (late !== undefined) return take(late);
    const head = findHead();
    if (head === undefined) return undefined;
    if (head.isSent) return take(head);
    if (options.inOrder === true && !isShort && items.length > 1) {
      const earliest = takeEarliest();
      if (earliest !== undefined) return earliest;
    }
    const admission = budget.admit(head.lane, head.weight);
    if (admission.admitted) {
      shares.charge(head);
      return take(head);
    }
    isShort = true;
    for (const item of items) options.onDeferred(item, admission.need);
    cancelWake = options.at(admission.until, pump);
    return undefined;
  }

  /** Entries on a slow connection must not delay what ends or protects a position. */
  function hasSlot(): boolean {
    const { concurrency } = options;
    const head = targets.isEmpty() ? items[0] : items.find(targets.isFree);
    const isUrgent = head !== undefined && priorityOf(head.lane) <= priorityOf('exit');
    return busy < concurrency + (isUrgent && concurrency > 1 ? EXIT_SLOTS : 0);
  }

  /** Whatever is pushed or ends during a round is handled by another round. */
  function pump(): void {
    isAsked = true;
    if (isPumping) return;
    isPumping = true;
    while (isAsked) {
      isAsked = false;
      cancelWake();
      cancelWake = NO_WAKE;
      start();
    }
    isPumping = false;
    look();
  }

  /** None of them is being worked on now. */
  const isIdle = (): boolean => busy === (options.held?.() ?? 0);

  function look(): void {
    if (waiters.length > 0 && isIdle()) for (const resolve of waiters.splice(0)) resolve();
  }

  function start(): void {
    while (!closed && hasSlot()) {
      const item = takeHead();
      if (item === undefined) return;
      busy++;
      const release = targets.reserve(item);
      options.run(item, () => {
        release();
        ended();
      });
    }
  }

  function ended(): void {
    busy--;
    pump();
  }

  const settled = (): Promise<void> =>
    isIdle() ? Promise.resolve() : new Promise((resolve) => waiters.push(resolve));

  return {
    push(item) {
      const replaced = items.length > 0 ? supersede(item) : NONE;
      insert(item);
      // A strategy may answer a report with yet another change: the queue must be as it will be.
      for (const earlier of replaced) options.onSuperseded(earlier, item);
      pump();
    },
    pump,
    settled,
    close() {
      closed = true;
      cancelWake();
      return settled();
    },
    isIdle,
    look,
    holds: (isOne) => items.some(isOne),
    withdraw: (isOne) => items.filter((item) => isUnsent(item) && isOne(item)).map(take),
    isClosed: () => closed,
  };
}
