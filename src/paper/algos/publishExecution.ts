import type { EngineState } from '../engine/EngineState.ts';
import { legRecord, type LegFields } from '../legs/Leg.ts';
import type { Account } from '../venue/Account.ts';
import type { EntryTrack, PriceFromResolution } from '../venue/Order.ts';
import type { Execution, ExecutionFields } from './Execution.ts';

export interface ExecutionAnswer extends ExecutionFields {
  take_profit: LegFields | null;
  stop_loss: LegFields | null;
  price_from_resolution: PriceFromResolution | null;
  entry_track: EntryTrack | null;
}

/** An execution as it is returned and published (EXE-8). */
export function executionRecord(account: Account, execution: Execution): ExecutionAnswer {
  const ofKind = (kind: 'take_profit' | 'stop_loss'): LegFields | null => {
    const legs = execution.legIds.map((id) => account.legs.get(id));
    const leg = legs.find((each) => each?.record.kind === kind);
    return leg === undefined ? null : legRecord(leg);
  };
  return {
    ...execution.record,
    take_profit: ofKind('take_profit'),
    stop_loss: ofKind('stop_loss'),
    price_from_resolution: execution.priceFrom,
    entry_track: execution.entryTrack,
  };
}

/** Records what happened to an execution and publishes it on its channel. */
export function publishExecution(
  engine: EngineState,
  account: Account,
  execution: Execution,
  {
    event,
    reason = null,
    detail = null,
  }: {
    event: 'started' | 'progress' | 'status' | 'stale_warning' | 'ended';
    reason?: string | null;
    detail?: unknown;
  },
): void {
  const { execution_id: id, status } = execution.record;
  const time = engine.market.now;
  execution.events.push({ execution_id: id, event, reason, detail: detail ?? { status }, time });
  if (!engine.hasListener) return;
  const data = executionRecord(account, execution);
  const { wallet } = execution;
  engine.emit({ channel: 'executions', event, wallet, keys: { execution_id: id }, data });
}
