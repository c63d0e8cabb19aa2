import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Intent } from '../../../src/intents/index.ts';
import { createVirtualEnv } from '../../../src/env/index.ts';
import { createLevelEnding } from '../../../src/runtime/control/createLevelEnding.ts';
import { foreignWork, workingOrders } from '../../../src/runtime/control/workingOrders.ts';
import { stopIntents, type StopPolicy } from '../../../src/runtime/control/stopPolicy.ts';
import type { AtWork } from '../../../src/runtime/wallet/AtWork.ts';
import { holdLaw } from '../../holdLaw.ts';

/** What a stop may and must end, drawn: three symbols, the bot's records and others', each flag and each status. */

const SYMBOLS = ['BTC', 'ETH', 'SOL/USDC'];
const POLICIES: readonly StopPolicy[] = ['leave', 'pause', 'stop', 'flatten'];
const OWN = 'own';

const flag = fc.constantFrom(undefined, null, false, true);
/** Under which of its names the bot knows a record; none for another's. */
const named = <N extends string>(...names: N[]) =>
  fc.record({
    by: fc.constantFrom(...names, 'none'),
    other: fc.constantFrom('x', null, undefined),
  });
const withName = (base: string, { by, other }: { by: string; other: unknown }, names: string[]) =>
  Object.fromEntries(names.map((name) => [name, name === by ? `${OWN}-${base}` : other]));

const symbol = fc.constantFrom(...SYMBOLS);
const order = fc.record({
  symbol,
  order_type: fc.constantFrom('limit', 'market'),
  reduce_only: flag,
  execution_id: fc.constantFrom(undefined, null, 'parent', `${OWN}-parent`),
  name: named('client_order_id', 'idempotency_key', 'order_id'),
});
const execution = fc.record({
  symbol,
  reduce_only: flag,
  status: fc.constantFrom(
    'running',
    'paused',
    'interrupted',
    'completed',
    'stopped',
    'failed',
    'new',
  ),
  name: named('client_execution_id', 'idempotency_key', 'execution_id'),
});
const monitor = fc.record({
  symbol,
  reduce_only: flag,
  status: fc.constantFrom('armed', 'paused', 'fired', 'stopped', 'expired'),
  name: named('monitor_id', 'name', 'client_order_id', 'client_execution_id'),
});
const position = fc.record({ symbol, size: fc.constantFrom(0, 0.5, 3) });

interface Drawn {
  orders: Array<Record<string, unknown>>;
  executions: Array<Record<string, unknown>>;
  monitors: Array<Record<string, unknown>>;
  positions: Array<{ symbol: string; size: number }>;
  holdings: Array<{ symbol: string; size: number }>;
}

const work: fc.Arbitrary<Drawn> = fc.record({
  orders: fc.array(order, { maxLength: 4 }).map((all) =>
    all.map(({ name, ...rest }, at) => ({
      ...rest,
      ...withName(`o${at}`, name, ['client_order_id', 'idempotency_key']),
      order_id: name.by === 'order_id' ? `${OWN}-o${at}` : `o${at}`,
      isMine: name.by !== 'none',
    })),
  ),
  executions: fc.array(execution, { maxLength: 4 }).map((all) =>
    all.map(({ name, ...rest }, at) => ({
      ...rest,
      ...withName(`e${at}`, name, ['client_execution_id', 'idempotency_key']),
      execution_id: name.by === 'execution_id' ? `${OWN}-e${at}` : `e${at}`,
      isMine: name.by !== 'none',
    })),
  ),
  monitors: fc.array(monitor, { maxLength: 4 }).map((all) =>
    all.map(({ name, status, ...asked }, at) => ({
      status,
      monitor_id: name.by === 'monitor_id' ? `${OWN}-m${at}` : `m${at}`,
      name: name.by === 'name' ? `${OWN}-m${at}` : name.other,
      action: {
        type: 'order',
        request: {
          ...asked,
          ...withName(`m${at}`, name, ['client_order_id', 'client_execution_id']),
        },
      },
      ...asked,
      isMine: name.by !== 'none',
    })),
  ),
  positions: fc.uniqueArray(position, { selector: (one) => one.symbol, maxLength: 3 }),
  holdings: fc.uniqueArray(position, { selector: (one) => one.symbol, maxLength: 2 }),
});

const toWork = (drawn: Drawn): AtWork => ({
  wallet: 'main',
  ...(drawn as unknown as Omit<AtWork, 'wallet' | 'isOwn'>),
  isOwn: (key) => key.startsWith(OWN),
});

/** What an intent does, as a word and its target. */
function toWords(intent: Intent): string {
  switch (intent.kind) {
    case 'cancel_order':
      return `cancel ${intent.order.order_id}`;
    case 'control_execution':
      return `${intent.action} ${intent.execution.execution_id}`;
    case 'stop_monitor':
      return `stop monitor ${intent.monitor.monitor_id}`;
    case 'pause_monitor':
      return `pause monitor ${intent.monitor.monitor_id}`;
    case 'close_position':
      return `close ${intent.symbol}`;
    case 'place_order': {
      const { side, size, reduce_only, order_type } = intent.request;
      return `${order_type} ${side} ${size} ${intent.request.symbol} ${reduce_only}`;
    }
    default:
      return intent.kind;
  }
}

/** From the words of the policies: the bot's own, what may add exposure, what has not ended. */
function expected(policy: StopPolicy, drawn: Drawn, symbols: readonly string[]): string[] {
  if (policy === 'leave') return [];
  const mayAdd = (one: Record<string, unknown>): boolean =>
    one['isMine'] === true && one['reduce_only'] !== true;
  const monitors = drawn.monitors.filter(mayAdd);
  const executions = drawn.executions.filter(mayAdd);
  if (policy === 'pause') {
    return [
      ...monitors
        .filter(({ status }) => status === 'armed')
        .map((one) => `pause monitor ${one['monitor_id']}`),
      ...executions
        .filter(({ status }) => status === 'running')
        .map((one) => `pause ${one['execution_id']}`),
    ];
  }
  const ended = [
    ...monitors
      .filter(({ status }) => status === 'armed' || status === 'paused')
      .map((one) => `stop monitor ${one['monitor_id']}`),
    ...executions
      .filter(({ status }) => ['running', 'paused', 'interrupted'].includes(String(status)))
      .map((one) => `stop ${one['execution_id']}`),
    ...drawn.orders
      .filter((one) => mayAdd(one) && one['execution_id'] == null)
      .map((one) => `cancel ${one['order_id']}`),
  ];
  if (policy === 'stop') return ended;
  const isOne = ({ symbol: of }: { symbol: string }): boolean => symbols.includes(of);
  const isExit = (one: Record<string, unknown>): boolean =>
    one['isMine'] === true &&
    one['reduce_only'] === true &&
    symbols.includes(String(one['symbol']));
  const isHeld = ({ symbol: of }: Record<string, unknown>): boolean =>
    drawn.positions.some((one) => one.symbol === of && one.size > 0) ||
    drawn.holdings.some((one) => one.symbol === of);
  return [
    ...ended,
    ...drawn.executions
      .filter(({ status }) => ['running', 'paused', 'interrupted'].includes(String(status)))
      .filter((one) => isExit(one) && !isHeld(one))
      .map((one) => `stop ${one['execution_id']}`),
    ...drawn.orders
      .filter((one) => isExit(one) && one['execution_id'] == null && one['order_type'] === 'limit')
      .filter((one) => !isHeld(one) || one['symbol'] === 'SOL/USDC')
      .map((one) => `cancel ${one['order_id']}`),
    ...drawn.positions
      .filter((one) => isOne(one) && one.size > 0)
      .map((one) => `close ${one.symbol}`),
    ...drawn.holdings.filter(isOne).map((one) => `market sell ${one.size} ${one.symbol} true`),
  ];
}

test('each policy ends all of what its words say, of every symbol and every kind, and no more', async () => {
  const drawn = fc.tuple(work, fc.subarray(SYMBOLS), fc.constantFrom(...POLICIES));
  await holdLaw(3_000, drawn, ([one, symbols, policy]) => {
    const intents = stopIntents(policy, toWork(one), symbols).map(toWords);
    expect(intents).toEqual(expected(policy, one, symbols));
  });
});

test('what works is the bot’s or another’s, on these symbols, and never an execution’s child', async () => {
  await holdLaw(2_000, fc.tuple(work, fc.subarray(SYMBOLS)), ([one, symbols]) => {
    const idsOf = (isMine: boolean) => ({
      wallet: 'main',
      orders: one.orders
        .filter((each) => each['isMine'] === isMine && each['execution_id'] == null)
        .filter((each) => symbols.includes(String(each['symbol'])))
        .map((each) => each['order_id']),
      executions: one.executions
        .filter((each) => each['isMine'] === isMine && symbols.includes(String(each['symbol'])))
        .filter(({ status }) => ['running', 'paused', 'interrupted'].includes(String(status)))
        .map((each) => each['execution_id']),
    });
    const shown = (whose: 'own' | 'foreign') => {
      const { wallet, orders, executions } = workingOrders(toWork(one), symbols, whose);
      return {
        wallet,
        orders: orders.map(({ order_id }) => order_id),
        executions: executions.map(({ execution_id }) => execution_id),
      };
    };
    expect(shown('own')).toEqual(idsOf(true));
    expect(shown('foreign')).toEqual(idsOf(false));
    const { orders, executions } = idsOf(false);
    const other = { ...toWork(one), wallet: 'second', orders: [], executions: [] };
    const found = foreignWork([other, toWork(one)], (wallet) =>
      wallet === 'main' ? symbols : SYMBOLS,
    );
    expect(found.length).toBe(orders.length + executions.length > 0 ? 1 : 0);
  });
});

test('a level asks at once for the end of all that it does not allow, in every wallet', async () => {
  const level = fc.constantFrom('L1' as const, 'L2' as const, 'L3' as const);
  await holdLaw(
    800,
    fc.tuple(work, work, fc.subarray(SYMBOLS), level),
    ([main, side, symbols, at]) => {
      const asked: string[] = [];
      const works = { main, side };
      const ending = createLevelEnding({
        env: createVirtualEnv(),
        market: { now: () => 1 } as never,
        latch: () => ({ level: at, reason: '', time: 1 }),
        symbolsOf: () => symbols,
        closable: (one) => one,
        atWork: () => Object.entries(works).map(([wallet, one]) => ({ ...toWork(one), wallet })),
        submit: ({ wallet, intent }) => void asked.push(`${wallet} ${toWords(intent)}`),
        isPending: () => false,
      });
      if (at === 'L2' || at === 'L3') ending.start();
      const policy = { L1: 'leave', L2: 'stop', L3: 'flatten' } as const;
      expect(asked).toEqual(
        Object.entries(works).flatMap(([wallet, one]) =>
          expected(policy[at], one, symbols).map((words) => `${wallet} ${words}`),
        ),
      );
    },
  );
});
