import { expect, test } from 'vitest';
import type { ExecutionRecord, MonitorRecord } from '../../../src/contract/index.ts';
import { stopIntents } from '../../../src/runtime/control/stopPolicy.ts';
import type { AtWork } from '../../../src/runtime/wallet/AtWork.ts';

const monitor = (monitor_id: string, status: string): MonitorRecord =>
  ({ monitor_id, status, action: { type: 'order', request: {} } }) as unknown as MonitorRecord;
const execution = (execution_id: string, status: string): ExecutionRecord =>
  ({ execution_id, status, idempotency_key: execution_id }) as unknown as ExecutionRecord;

test('the stop policy pause handles monitors before the executions they could launch', () => {
  const work: AtWork = {
    wallet: 'main',
    orders: [],
    positions: [],
    executions: [execution('runs', 'running'), execution('rests', 'paused')],
    monitors: [monitor('waits', 'armed'), monitor('stands', 'paused')],
    isOwn: () => true,
  };
  const targets = stopIntents('pause', work, []).map((intent) =>
    intent.kind === 'pause_monitor'
      ? intent.monitor
      : intent.kind === 'control_execution' && intent.execution,
  );
  expect(targets).toEqual([{ monitor_id: 'waits' }, { execution_id: 'runs' }]);
});
