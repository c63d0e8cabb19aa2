import type { Cancel, Timers } from '../env/index.ts';
import type { BudgetLedger, LedgerAnswer, LedgerTurn } from './BudgetLedger.ts';
import type { Grant } from './createGrant.ts';
import type { Unreported } from './createUnreported.ts';

export interface TurnsOptions {
  ledger: BudgetLedger;
  timers: Timers;
  now: () => number;
  grant: Grant;
  unreported: Unreported;
  toTurn(isContended: boolean): LedgerTurn;
  /** An answer came, and the grant is what it says. */
  onAnswer(answer: LedgerAnswer): void;
}

/** A process's turns at the ledger: a heartbeat, and more of them while something waits or was spent. */
export interface Turns {
  /** The first turn; rejects when the ledger can't be reached. */
  join(): Promise<void>;
  /** The latest answer, and when it came. */
  readonly latest: LedgerAnswer;
  readonly answeredAt: number;
  /** The latest turn was unanswered. */
  readonly isAway: boolean;
  /** When what waits may try again. */
  waitMs(): number;
  atOnce(): void;
  /** Something was spent: the others should know. */
  soon(): void;
  /** Takes no further turn. */
  close(): Promise<void>;
}

export const HEARTBEAT_MS = 1_000;
export const TURN_GAP_MS = 10;
export const LONGEST_WAIT_MS = 250;
const AWAY_RETRY_MS = 500;

export function createTurns(options: TurnsOptions): Turns {
  const { ledger, timers, now, grant, unreported, toTurn } = options;
  let latest: LedgerAnswer;
  let answeredAt = now();
  let isAway = false;
  let isClosed = false;
  let running: Promise<void> | undefined;
  let cancelNext: Cancel = () => {};

  const waitMs = (): number => Math.max(TURN_GAP_MS, latest.waitMs);

  function schedule(delayMs: number): void {
    cancelNext();
    if (!isClosed) cancelNext = timers.after(delayMs, () => void turn());
  }

  function turn(): Promise<void> {
    running ??= runTurn().finally(() => (running = undefined));
    return running;
  }

  async function runTurn(): Promise<void> {
    grant.forget();
    const acknowledge = unreported.begin();
    const sent = toTurn(latest.isContended);
    grant.giveBack(sent.held);
    const before = grant.total();
    try {
      const answer = await ledger.turn(sent);
      acknowledge();
      // What was sent while the turn was in flight came out of what was held before it.
      const since = before - grant.total();
      take(answer);
      grant.spend(since);
      const nextMs = unreported.isUrgent() ? TURN_GAP_MS : HEARTBEAT_MS;
      schedule(grant.isShort() ? Math.min(waitMs(), LONGEST_WAIT_MS) : nextMs);
    } catch {
      isAway = true;
      schedule(AWAY_RETRY_MS);
    }
  }

  function take(answer: LedgerAnswer): void {
    latest = answer;
    answeredAt = now();
    isAway = false;
    grant.take(answer.held);
    options.onAnswer(answer);
  }

  return {
    async join() {
      take(await ledger.turn(toTurn(false)));
      schedule(HEARTBEAT_MS);
    },
    get latest() {
      return latest;
    },
    get answeredAt() {
      return answeredAt;
    },
    get isAway() {
      return isAway;
    },
    waitMs,
    atOnce: () => void turn(),
    soon() {
      if (!isAway && running === undefined) schedule(TURN_GAP_MS);
    },
    async close() {
      isClosed = true;
      cancelNext();
      await running;
    },
  };
}
