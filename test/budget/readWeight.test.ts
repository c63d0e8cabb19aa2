import { expect, test } from 'vitest';
import { readWeight } from '../../src/budget/readWeight.ts';
import { defaultDialect, ENDPOINT_IDS } from '../../src/contract/index.ts';

test('a read of a list weighs more with either end of a time range, and any other as its table says', () => {
  for (const endpoint of ENDPOINT_IDS) {
    const { weight, weightWithRange = weight } = defaultDialect.endpoints[endpoint];
    const of = (query: Record<string, unknown>) => readWeight(defaultDialect, { endpoint, query });
    expect([endpoint, readWeight(defaultDialect, { endpoint })]).toEqual([endpoint, weight]);
    for (const query of [{}, { limit: 5 }, { start_time: undefined, end_time: undefined }])
      expect([endpoint, of(query)]).toEqual([endpoint, weight]);
    for (const query of [{ start_time: 0 }, { end_time: 0 }, { start_time: 1, end_time: 2 }])
      expect([endpoint, of(query)]).toEqual([endpoint, weightWithRange]);
  }
  const { weight, weightWithRange } = defaultDialect.endpoints['orders.history'];
  expect(weightWithRange).toBeGreaterThan(weight);
});
