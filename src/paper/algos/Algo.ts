import type { AlgoId, InstrumentRecord, LaunchOf } from '../../contract/index.ts';
import type { AlgoContext } from './AlgoContext.ts';

/**
 * One algorithm as a small state machine: it is told of time, closed bars and prices, and acts
 * through its {@link AlgoContext}. `execution.state` is its whole memory, plain data.
 *
 * It is never told of anything while it is paused; `resume` sets it going again.
 */
export interface Algo<S = unknown, A extends AlgoId = AlgoId> {
  /** Prices of the launch that must be on the grid, by the path of their field. */
  prices(launch: LaunchOf<A>): ReadonlyArray<readonly [path: string, price: number | undefined]>;
  /** Refuses what only the instrument or the market can tell; throws ServiceError. */
  check?(launch: LaunchOf<A>, market: { instrument: InstrumentRecord; mark: number }): void;
  /** The state that a launch begins with. */
  begin(desk: AlgoContext<S, A>): S;
  /** Begins to work, and begins again after a pause of that length. */
  resume(desk: AlgoContext<S, A>, pausedMs: number): void;
  /** The wake-up that it set is due. */
  onTimer?(desk: AlgoContext<S, A>): void;
  /** A bar of the feed's own interval closed. */
  onBar?(desk: AlgoContext<S, A>): void;
  /** A price that it watches was reached. */
  onPrice?(desk: AlgoContext<S, A>): void;
  /** Whether a tracked level must wait, since it would act at once (TRK-5). */
  holds?(desk: AlgoContext<S, A>, level: number): boolean;
  /** A tracked limit or trigger moved. */
  onTracked?(desk: AlgoContext<S, A>, price: number): void;
}
