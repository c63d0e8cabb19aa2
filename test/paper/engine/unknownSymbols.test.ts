import { describe, expect, test } from 'vitest';
import type { EndpointId } from '../../../src/contract/index.ts';
import { createBench, feedOf, flat } from './bench.ts';

const CALLS: ReadonlyArray<readonly [EndpointId, object]> = [
  ['orders.bulkCancel', { query: { symbol: 'DOGE' } }],
  ['positions.get', {}],
  ['positions.entryFees', {}],
  ['positions.close', { body: {} }],
  ['positions.legs', {}],
  ['positions.attachLegs', { body: { stop_loss: { price: 90 } } }],
  ['positions.retireLegs', {}],
  ['leverage.get', {}],
  ['leverage.set', { body: { leverage: 2 } }],
];

describe('ERR-1: a symbol that does not exist is 404, with or without orders, legs and positions', () => {
  test.each(CALLS)('%s', (endpoint, parts) => {
    const bench = createBench({ feeds: [feedOf(flat(100, 60))] });
    bench.run(5);
    const ask = () => bench.refusal(endpoint, { pathParams: { symbol: 'DOGE' }, ...parts });
    const unknown = { code: 'unknown_symbol', status: 404, details: { symbol: 'DOGE' } };
    expect(ask()).toMatchObject(unknown);
    const resting = { side: 'buy', size: 1, order_type: 'limit', price: 90 };
    bench.order({ side: 'buy', size: 1, order_type: 'market', stop_loss: { price: 80 } });
    bench.order(resting);
    expect(ask()).toMatchObject(unknown);
    expect(bench.call('orders.list').items).toHaveLength(1);
    expect(bench.call('positions.legs', { pathParams: { symbol: 'BTC' } }).items).toHaveLength(1);
  });
});
