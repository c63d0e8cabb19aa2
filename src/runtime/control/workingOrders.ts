import type { ExecutionRecord, OrderRecord } from '../../contract/index.ts';
import { isOwn, LIVE, type AtWork } from '../wallet/index.ts';

/** Orders and executions that work in a wallet. */
export interface WorkingOrders {
  wallet: string;
  orders: readonly OrderRecord[];
  executions: readonly ExecutionRecord[];
}

/** Working orders on these symbols, the bot's or others', including an execution's children. */
export function workingOrders(
  work: AtWork,
  symbols: readonly string[],
  whose: 'own' | 'foreign',
): WorkingOrders {
  const isOne = (record: OrderRecord | ExecutionRecord): boolean =>
    symbols.includes(record.symbol) && isOwn(work, record) === (whose === 'own');
  return {
    wallet: work.wallet,
    orders: work.orders.filter((order) => order.execution_id == null && isOne(order)),
    executions: work.executions.filter(
      (execution) => LIVE.includes(execution.status) && isOne(execution),
    ),
  };
}

/** Other clients' working orders on the bot's symbols, by wallet; empty if there are none. */
export function foreignWork(
  works: readonly AtWork[],
  symbolsOf: (wallet: string) => readonly string[],
): WorkingOrders[] {
  return works
    .map((work) => workingOrders(work, symbolsOf(work.wallet), 'foreign'))
    .filter(({ orders, executions }) => orders.length + executions.length > 0);
}
