import type { MarketClock } from '../env/index.ts';
import { LATE_MS } from '../streams/createCandleStreams.ts';
import type { AdvanceOptions } from './StrategyTest.ts';
import type { TestMarket } from './TestMarket.ts';
import { testRefusal } from './testRefusal.ts';

/** A test's market time as the plugin has it: its timers learn whether they run late. */
export interface TestClock extends MarketClock {
  /** @throws for a liveness that time can't have */
  advanceTo(time: number, options: AdvanceOptions): void;
}

export function createTestClock(market: TestMarket): TestClock {
  /** End of the outage that is being played; undefined while nothing is missed. */
  let outageEnd: number | undefined;
  return {
    now: () => market.now(),
    at(time, run) {
      const due = Math.max(time, market.now());
      return market.at(time, () => run(outageEnd !== undefined && outageEnd - due > LATE_MS));
    },
    advanceTo(time, { liveness = 'live' }) {
      if (liveness !== 'live' && liveness !== 'catch_up')
        throw testRefusal(`advance: liveness ${String(liveness)}.`, 'Write live or catch_up.');
      outageEnd = liveness === 'catch_up' ? time : undefined;
      try {
        market.advanceTo(time);
      } finally {
        outageEnd = undefined;
      }
    },
  };
}
