import type { Cancel, MarketClock, Timers } from '../../env/index.ts';
import type { Cover, Coverage } from './createCoverage.ts';

/** A position that has been without its exit for too long. */
export type UncoveredAlarm = Cover & { seconds: number };

export interface AlarmOptions {
  market: MarketClock;
  timers: Timers;
  /** Undefined: no alarm. */
  afterSeconds: number | undefined;
  onAlarm(alarm: UncoveredAlarm): void;
}

/**
 * Coverage that raises an alarm once a spell. Both clocks count: market time, since a replay runs faster than
 * any timer, and the timer, since a lost stream brings no market time.
 */
export function alarmUncovered(
  coverage: Coverage,
  { market, timers, afterSeconds, onAlarm }: AlarmOptions,
): Coverage & { stop(): void } {
  if (afterSeconds === undefined) return { ...coverage, stop: () => {} };
  const afterMs = afterSeconds * 1_000;
  /** Cancels pending alarms; a spell is reported once, so its entry stays until it is over. */
  const spells = new Map<string, Cancel>();

  const keyOf = ({ wallet, symbol }: Cover): string => `${wallet}/${symbol}`;

  function start(key: string, since: number): void {
    const ring = (): void => {
      spells.get(key)?.();
      const cover = coverage.uncovered().find((one) => keyOf(one) === key);
      if (cover === undefined) return;
      const { wallet, symbol, size, covered } = cover;
      const seconds = Math.max(market.now() - since, afterMs) / 1_000;
      onAlarm({ wallet, symbol, size, covered, seconds });
    };
    const leftMs = Math.max(0, since + afterMs - market.now());
    const waits = [market.at(since + afterMs, ring), timers.after(leftMs, ring)];
    spells.set(key, () => waits.forEach((cancel) => cancel()));
  }

  function end(key: string): void {
    spells.get(key)?.();
    spells.delete(key);
  }

  function look(): void {
    const open = new Map(coverage.uncovered().map((cover) => [keyOf(cover), cover.since]));
    for (const key of spells.keys()) if (!open.has(key)) end(key);
    for (const [key, since] of open) if (!spells.has(key)) start(key, since);
  }

  return {
    ...coverage,
    see(wallet, covers) {
      coverage.see(wallet, covers);
      look();
    },
    review() {
      coverage.review();
      look();
    },
    stop() {
      for (const key of spells.keys()) end(key);
    },
  };
}
