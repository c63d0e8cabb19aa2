import type { MarketClock } from '../env/index.ts';

/** Market time of a test: it passes when the test says so, or with a marble diagram. */
export interface TestMarket extends MarketClock {
  /** @throws if a marble diagram moves the time, and not the test */
  advanceTo(time: number): void;
  /** Brings it to the present of a diagram, before anything is delivered. */
  sync?(): void;
  /** Receives what a call throws: in a diagram that is within a subscription, which would lose it. */
  fail?(error: unknown): void;
  /** A diagram's bars close at the present; others open there. */
  readonly isDiagram?: true;
}
