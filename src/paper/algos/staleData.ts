import { LIMITS } from '../../contract/index.ts';
import type { EngineState } from '../engine/EngineState.ts';
import type { Account } from '../venue/Account.ts';
import type { Execution } from './Execution.ts';
import { suspendExecution } from './suspendExecution.ts';
import { publishExecution } from './publishExecution.ts';

/**
 * Stale market data (EXE-9): a bar of the feed's own interval is missing from the time at which it should
 * have closed. 30 seconds later the execution warns, 5 minutes later it pauses; at once where that is over, so that
 * nothing is traded on such prices. A resume inside the gap restarts the count.
 */
export function watchStaleData(engine: EngineState, account: Account, execution: Execution): void {
  execution.staleTimer?.();
  execution.staleTimer = null;
  execution.staleWarned = false;
  const { path } = engine.market.at(execution.record.symbol);
  const lastClose = path.running ? Infinity : path.lastCloseTime;
  const missingSince = Math.max(lastClose + path.intervalMs, execution.resumedTime);
  execution.staleSince = missingSince;
  const warns = missingSince + LIMITS.staleWarnMs;
  if (engine.market.now < warns) schedule(engine, execution, warns);
  else checkStaleData(engine, account, execution);
}

/** Sets a timer only if the feed has no bar by then: most bars have a successor and need none. */
function schedule(engine: EngineState, execution: Execution, time: number): void {
  const { path } = engine.market.at(execution.record.symbol);
  if (!Number.isFinite(time) || path.nextOpenTime < time) return;
  const id = execution.record.execution_id;
  execution.staleTimer = engine.at(time, 'stale', execution.wallet, id);
}

export function checkStaleData(engine: EngineState, account: Account, execution: Execution): void {
  execution.staleTimer = null;
  if (execution.record.status !== 'running') return;
  // In a feed that grows a bar may have come since; its close sets the timer anew.
  if (engine.market.at(execution.record.symbol).path.running) return;
  const staleMs = engine.market.now - execution.staleSince;
  if (staleMs >= LIMITS.stalePauseMs) {
    suspendExecution(engine, account, execution, { status: 'paused', reason: 'stale_data' });
    return;
  }
  if (!execution.staleWarned) {
    execution.staleWarned = true;
    const detail = { stale_seconds: staleMs / 1_000 };
    publishExecution(engine, account, execution, { event: 'stale_warning', detail });
  }
  schedule(engine, execution, execution.staleSince + LIMITS.stalePauseMs);
}
