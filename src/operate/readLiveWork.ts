import type { ExecutionRecord, MonitorRecord, OrderRecord } from '../contract/index.ts';
import { LIVE, STANDING } from '../runtime/index.ts';
import { readEveryPage, type Client, type PageQuery } from '../wire/index.ts';

export interface LiveWork {
  orders(): Promise<OrderRecord[]>;
  executions(): Promise<ExecutionRecord[]>;
  monitors(): Promise<MonitorRecord[]>;
}

/**
 * Reads of a wallet's work that may still trade or fire. Executions and monitors are asked for by status: without one,
 * their lists are a history of months, and its pages cost the key more than a minute's weight.
 */
export function readLiveWork(asked: { client: Client; wallet: string; limit: number }): LiveWork {
  const { client, wallet, limit } = asked;
  return {
    orders: () => readEveryPage(limit, (query) => client.orders.list({ query, wallet })),
    executions: () =>
      readByStatus(LIVE, limit, (query) => client.executions.list({ query, wallet })),
    monitors: () =>
      readByStatus(STANDING, limit, (query) => client.monitors.list({ query, wallet })),
  };
}

async function readByStatus<Item>(
  statuses: readonly string[],
  limit: number,
  read: (
    query: PageQuery & { status: string },
  ) => Promise<{ items: readonly Item[]; next_cursor?: string | null | undefined }>,
): Promise<Item[]> {
  const items: Item[] = [];
  for (const status of statuses)
    items.push(...(await readEveryPage(limit, (query) => read({ ...query, status }))));
  return items;
}
