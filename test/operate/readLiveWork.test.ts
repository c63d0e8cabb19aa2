import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  defaultDialect,
  type MonitorRecord,
  type ServiceRequest,
} from '../../src/contract/index.ts';
import { readLiveWork } from '../../src/operate/readLiveWork.ts';
import { createClient } from '../../src/wire/createClient.ts';
import { holdLaw } from '../holdLaw.ts';
import { createListedService } from '../runtime/listedService.ts';
import { execution, order } from '../streams/records.ts';

const STATUSES = {
  executions: ['running', 'paused', 'interrupted', 'completed', 'stopped'],
  monitors: ['armed', 'paused', 'fired', 'stopped', 'failed'],
} as const;
const monitor = (id: string, status: string): MonitorRecord => ({
  monitor_id: id,
  trigger: { type: 'price_level', symbol: 'BTC', price: 100, direction: 'above' },
  action: { type: 'order', request: { symbol: 'BTC', side: 'buy', size: 1 } },
  status,
  rearm: false,
  fired_count: 0,
  created_time: 1,
  request: {},
});
const LIVE = ['running', 'interrupted', 'armed', 'paused'];

test('what may still trade or fire is read whole, and nothing of what has ended, by no request', async () => {
  const rows = fc.array(fc.nat(4), { maxLength: 12 });
  const drawn = fc.record({ orders: fc.nat(5), executions: rows, monitors: rows });
  await holdLaw(80, drawn, async ({ orders, executions, monitors }) => {
    const recordsOf = {
      orders: Array.from({ length: orders }, (_, at) => order(`o${at}`)),
      executions: executions.map((one, at) => execution(`e${at}`, STATUSES.executions[one]!)),
      monitors: monitors.map((one, at) => monitor(`m${at}`, STATUSES.monitors[one]!)),
    };
    const service = createListedService(({ endpoint, query }) => {
      const all: Array<{ status: string }> = recordsOf[endpoint.split('.')[0] as 'orders'];
      return all.filter(({ status }) => (query['status'] ?? status) === status);
    }, 2);
    const live = readLiveWork({
      client: createClient(service, defaultDialect),
      wallet: 'main',
      limit: 2,
    });
    const idsOf = (all: readonly object[]): string[] =>
      all.map((one) => String(Object.values(one)[0])).toSorted();
    expect(await live.orders()).toHaveLength(orders);
    for (const kind of ['executions', 'monitors'] as const) {
      const before = service.asked.length;
      const standing = recordsOf[kind].filter(({ status }) => LIVE.includes(status));
      expect(idsOf(await live[kind]())).toEqual(idsOf(standing));
      const asked: readonly ServiceRequest[] = service.asked.slice(before);
      for (const { query } of asked) expect(LIVE).toContain(query['status']);
      // A page of two, of each status.
      expect(asked.length).toBeLessThanOrEqual(standing.length / 2 + 3);
    }
  });
});
