import { DAY_MS } from '../../contract/durations.ts';
import type { Funds, Transfers } from './createTransfers.ts';
import type { WalletValue } from './createWalletValue.ts';

/** The equity that a UTC day began with. */
export interface DayStart {
  /** Days since the epoch. */
  day: number;
  /** With what was moved into the wallet since, and without what was moved out of it. */
  equity: number;
  /** What had been lost when the limit was reached, quote units; absent as long as it was not. */
  lost?: number;
  /** The wallet's money as of the last account record: until then transfers are in the equity. */
  funds?: Funds | undefined;
  /** The day before this one came: a clock that jumped over midnight may return to it. */
  left?: Pick<DayStart, 'day' | 'equity' | 'lost'>;
}

export interface DayLossOptions {
  /** The day as the previous process recorded it: a restart must not reset a limit. */
  dayStart?: DayStart | undefined;
  /** Also when the limit is reached, and with each account record. */
  onDayStart?: (start: DayStart) => void;
  /** This much was moved into the wallet, negative if out of it; quote units. */
  onTransfer?: (amount: number) => void;
  /** A loss that holds for the rest of the day, though the equity recovers; quote units. */
  limit?: number | undefined;
  now: () => number;
}

/** Equity lost since the UTC day began, deposits and withdrawals aside. */
export interface DayLoss {
  /** There is a newer model than at the last sample, or a fill or funding that it may not have yet. */
  renew(): void;
  /** A new account record came, and with it this much was moved into the wallet; quote units. */
  recorded(moved: number): void;
  /**
   * A bar has closed; equity counts when no bar of the same instant is still to come.
   *
   * @param closeTime epoch milliseconds; default: now
   */
  sample(closeTime?: number): void;
  /**
   * How far the equity of the last sample may fall before the day's limit is reached, which then holds though it
   * recovers; quote units. Infinity if there is no limit, or it is reached; −Infinity if the equity is not known.
   */
  headroom(): number;
  /** Quote units; 0 or more. */
  loss(): number;
  /** The loss with which the day's limit was reached, quote units; undefined as long as it was not. */
  reached(): number | undefined;
  /**
   * What the day earned or lost so far, by the equity as it is now: a fill counts before the next bar. Quote units;
   * undefined before the first sample.
   */
  result(): number | undefined;
}

export function createDayLoss(
  value: WalletValue,
  transfers: Pick<Transfers, 'pending' | 'isUnclear' | 'funds'>,
  options: DayLossOptions,
): DayLoss {
  const { now, limit = Number.POSITIVE_INFINITY } = options;
  let dayStart: DayStart = options.dayStart ?? { day: -1, equity: 0 };
  /**
   * Equity when everything of an instant had arrived; between two balances of one trade it is false. Without what was
   * moved since the last account record.
   */
  let settled: number | undefined;
  /** Something that is held may still be without its price. */
  let isUnpriced = true;
  /** The model is newer than the last sample. */
  let isStale = true;
  /** The last sample was of everything that is held. */
  let isWhole = false;
  /** Of the day that was evaluated last, epoch milliseconds. */
  let dayBegin = Number.NEGATIVE_INFINITY;
  let dayEnd = Number.NEGATIVE_INFINITY;

  function write(): void {
    dayStart = { ...dayStart, funds: transfers.funds() };
    options.onDayStart?.(dayStart);
  }

  /**
   * A day begins with the equity with which the one before it ended.
   *
   * @param isClock whether it is the time by now: a bar that comes late begins no earlier day
   */
  function rollDay(time: number, isClock: boolean): void {
    if (time < dayEnd && (time >= dayBegin || !isClock)) return;
    if (settled === undefined) return;
    const day = Math.floor(time / DAY_MS);
    dayBegin = day * DAY_MS;
    dayEnd = dayBegin + DAY_MS;
    if (day === dayStart.day) return;
    dayStart = startOf(day, settled);
    write();
  }

  /** A clock may jump over midnight and come back: then the day that was left goes on, and so does its limit. */
  function startOf(day: number, equity: number): DayStart {
    const { left, funds: _, ...current } = dayStart;
    const start = left?.day === day ? left : { day, equity };
    // Which of the two days the clock was wrong in is not known: the higher start is the stricter one.
    const highest = day > current.day ? Math.max(start.equity, equity) : start.equity;
    return { ...start, equity: highest, ...(current.day < 0 ? {} : { left: current }) };
  }

  function lostOn(day: number): number | undefined {
    if (day === dayStart.day) return dayStart.lost;
    return day === dayStart.left?.day ? dayStart.left.lost : undefined;
  }

  /** As it is now, without what was moved since the last account record. */
  const equityNow = (): number => value.equity() - transfers.pending();

  const loss = (): number => (settled === undefined ? 0 : Math.max(0, dayStart.equity - settled));

  const isWatched = (): boolean => limit < Infinity && (dayStart.lost ?? 0) < limit;

  function latch(): void {
    // A withdrawal must not end the day's entries because a frame is missing: until the next record it only denies.
    if (transfers.isUnclear()) return;
    if (loss() < limit || !isWatched()) return;
    dayStart = { ...dayStart, lost: loss() };
    write();
  }

  return {
    renew() {
      isStale = true;
      isUnpriced = true;
      isWhole = false;
    },
    recorded(moved) {
      if (moved !== 0) {
        const { left } = dayStart;
        dayStart = { ...dayStart, equity: dayStart.equity + moved };
        if (left !== undefined) dayStart.left = { ...left, equity: left.equity + moved };
        if (settled !== undefined) settled += moved;
        options.onTransfer?.(moved);
      }
      if (dayStart.day >= 0) write();
    },
    sample(closeTime) {
      const time = closeTime ?? now();
      const isClock = closeTime === undefined;
      isWhole = false;
      if (isUnpriced) isUnpriced = value.lacksPrice();
      if (isUnpriced) return;
      rollDay(time, isClock);
      const isPriced = value.isPriced();
      if (isPriced && value.isHalfMarked()) return;
      if (isPriced || isStale) settled = equityNow();
      isStale = false;
      isWhole = true;
      rollDay(time, isClock);
      latch();
    },
    headroom() {
      if (!isWatched()) return Infinity;
      return isWhole && settled !== undefined
        ? limit - (dayStart.equity - settled)
        : Number.NEGATIVE_INFINITY;
    },
    result() {
      if (settled === undefined) return undefined;
      // Of the last sample while a price is missing. Between two records of one trade it may be off for an instant.
      const isPartial = value.lacksPrice() || value.isHalfMarked();
      return (isPartial ? settled : equityNow()) - dayStart.equity;
    },
    loss,
    reached: () => lostOn(Math.floor(now() / DAY_MS)),
  };
}
