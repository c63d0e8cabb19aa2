import { BehaviorSubject } from 'rxjs';
import { expect, test } from 'vitest';
import { createVirtualEnv } from '../../../src/env/index.ts';
import { createMemoryStore } from '../../../src/journal/index.ts';
import { reportTakeOver, type TakeOver } from '../../../src/runtime/recovery/reportTakeOver.ts';

interface Found {
  rows?: Map<string, object>;
  orders?: object[];
  executions?: object[];
  monitors?: object[];
  /** Who made what the journal has no more, by its client id. */
  accepted?: ReadonlyMap<string, string>;
}

/** What the first report of a bot with the one strategy trend is. */
function report({
  rows = new Map(),
  orders = [],
  executions = [],
  monitors = [],
  accepted = new Map(),
}: Found) {
  const { timers } = createVirtualEnv();
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
      accepted: { instanceOf: (key: string) => accepted.get(key) },
      owners: { holdsOn: () => [], unheeded: () => [], describe: () => 'trend' },
      strategies: ['trend'],
      renamed: [],
      holdings: {},
      bookOf: () => ({ exposedSymbols: () => [] }),
      workOf: () => ({ positions: [], orders, executions, monitors, isOwn: () => true }),
    } as never,
    (takeOver) => void reports.push(takeOver),
  );
  return reports;
}

test('a leg is reported unless it has ended, however it did', () => {
  const statuses = ['armed', 'triggered', 'retired', 'rejected', 'stopped', undefined];
  const rows = new Map(
    statuses.map((status) => {
      const kind = status ?? 'new';
      return [kind, { watch_kind: 'leg', kind, symbol: 'BTC', trigger_price: 9, status }];
    }),
  );
  expect(report({ rows }).map(({ lines }) => lines)).toEqual([
    ['main: leg armed of BTC at 9: trend', 'main: leg new of BTC at 9: trend'],
  ]);
});

test('an order whose intent the journal has no more is of the strategy that is known to have made it', () => {
  const order = { order_id: 'ord_1', client_order_id: 'key-1', symbol: 'BTC', side: 'buy' };
  const orders = [{ ...order, type: 'limit', size: 1, price: 9, reduce_only: false }];
  const linesOf = (accepted: ReadonlyMap<string, string>): string[] =>
    report({ orders, accepted }).flatMap(({ lines }) =>
      lines.map((line) => line.split(': ').at(-1)!),
    );
  expect(linesOf(new Map([['key-1', 'trend']]))).toEqual(['trend']);
  expect(linesOf(new Map())).toEqual(['this bot']);
});

test('whichever of its keys is known tells whose an order, an execution or a monitor is', () => {
  const asked = { symbol: 'BTC', side: 'buy', size: 1, price: 9, reduce_only: false };
  const order = { ...asked, type: 'limit', order_id: 'ord_1', client_order_id: 'own-1' };
  const launched = { algo: 'twap', status: 'running', total_size: 1, execution_id: 'exe_1' };
  const monitor = {
    monitor_id: 'mon_1',
    name: 'guard',
    status: 'armed',
    trigger: { type: 'price_level' },
    action: { type: 'order', request: { ...asked, client_order_id: 'own-3' } },
  };
  const all = {
    orders: [{ ...order, idempotency_key: 'key-1' }],
    executions: [{ ...asked, ...launched, client_execution_id: 'own-2', idempotency_key: 'key-2' }],
    monitors: [monitor],
  };
  const keys = [
    ['own-1', 'key-1', 'ord_1'],
    ['own-2', 'key-2', 'exe_1'],
    ['mon_1', 'guard', 'own-3'],
  ];
  const ownersBy = (key: string): string[] =>
    report({ ...all, accepted: new Map([[key, 'trend']]) }).flatMap(({ lines }) =>
      lines.map((line) => line.split(': ').at(-1)!),
    );
  keys.forEach((ofOne, at) => {
    for (const key of ofOne) {
      const owners = [0, 1, 2].map((one) => (one === at ? 'trend' : 'this bot'));
      expect([key, ...ownersBy(key)]).toEqual([key, ...owners]);
    }
  });
});
