import { BehaviorSubject } from 'rxjs';
import { expect, test } from 'vitest';
import { createVirtualEnv } from '../../../src/env/index.ts';
import { createMemoryStore } from '../../../src/journal/index.ts';
import { reportTakeOver, type TakeOver } from '../../../src/runtime/recovery/reportTakeOver.ts';

test('a leg is reported unless it has ended, however it did', () => {
  const { timers } = createVirtualEnv();
  const statuses = ['armed', 'triggered', 'retired', 'rejected', 'stopped', undefined];
  const rows = new Map(
    statuses.map((status) => {
      const kind = status ?? 'new';
      return [kind, { watch_kind: 'leg', kind, symbol: 'BTC', trigger_price: 9, status }];
    }),
  );
  const shown = {
    executionsModel$: new BehaviorSubject(new Map()),
    monitorsModel$: new BehaviorSubject(new Map()),
    watchModel$: new BehaviorSubject(rows),
  };
  const reports: TakeOver[] = [];
  reportTakeOver(
    {
      streams: { wallet: () => shown },
      wallets: ['main'],
      timers,
      store: createMemoryStore(),
      accepted: {},
      owners: { holdsOn: () => [], unheeded: () => [], describe: () => 'trend' },
      strategies: [],
      renamed: [],
      holdings: {},
      bookOf: () => ({ exposedSymbols: () => [] }),
      workOf: () => ({ positions: [], orders: [], executions: [], monitors: [] }),
    } as never,
    (takeOver) => void reports.push(takeOver),
  );
  expect(reports.map(({ lines }) => lines)).toEqual([
    ['main: leg armed of BTC at 9: trend', 'main: leg new of BTC at 9: trend'],
  ]);
});
