import type { AlgoId, ExecutionPhase, LaunchOf } from '../../contract/index.ts';
import type { AlgoContext } from './AlgoContext.ts';

/**
 * One algorithm as a small state machine: it receives timers, closed bars and prices, and acts through
 * its {@link AlgoContext}. `execution.state` is its whole memory, plain data.
 *
 * It receives nothing while it is paused; `resume` starts it again.
 */
export interface Algo<S = unknown, A extends AlgoId = AlgoId> {
  /** Prices of the launch that must be on the grid, by the path of their field. */
  prices(launch: LaunchOf<A>): ReadonlyArray<readonly [path: string, price: number | undefined]>;
  /**
   * Checks its prices against each other and the mark; `resolved` is the one that was read for it, checked as one
   * that was sent is. Throws ServiceError.
   */
  check?(launch: LaunchOf<A>, market: { mark: number; resolved: number | null }): void;
  /** The initial state of a launch. */
  begin(context: AlgoContext<S, A>): S;
  /** Its phase when it starts or resumes: the frame that announces it goes out before it acts (EXE-8). */
  phase(context: AlgoContext<S, A>): ExecutionPhase;
  /** Starts, or resumes after a pause of that length. */
  resume(context: AlgoContext<S, A>, pausedMs: number): void;
  /** The timer that it set is due. */
  onTimer?(context: AlgoContext<S, A>): void;
  /** A bar of the feed's own interval closed. */
  onBar?(context: AlgoContext<S, A>): void;
  /** A price that it watches was reached. */
  onPrice?(context: AlgoContext<S, A>): void;
  /** When its timer is due, where that depends on bars: asked again once the feed has bars after its former end. */
  wakeTime?(context: AlgoContext<S, A>): number;
  /** Whether a tracked level must wait because it would act at once (TRK-5). */
  holds?(context: AlgoContext<S, A>, level: number): boolean;
  /** A tracked limit or trigger moved. */
  onTracked?(context: AlgoContext<S, A>, price: number): void;
}
