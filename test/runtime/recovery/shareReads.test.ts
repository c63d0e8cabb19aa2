import { expect, test } from 'vitest';
import { defaultDialect } from '../../../src/contract/index.ts';
import { createLookUp } from '../../../src/runtime/recovery/createLookUp.ts';
import { shareReads } from '../../../src/runtime/recovery/shareReads.ts';
import { answered, emission } from '../setUpPipe.ts';

function openReads() {
  const asked: Array<{ what: string; settle: PromiseWithResolvers<string> }> = [];
  const read = shareReads<string, string>(
    (what) => what,
    (what) => {
      const settle = Promise.withResolvers<string>();
      asked.push({ what, settle });
      return settle.promise;
    },
  );
  return { asked, read };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

test('a request during a read shares the next one: a response is never older than its request', async () => {
  const { asked, read } = openReads();
  const first = read('list');
  const second = read('list');
  const third = read('list');
  void read('other').catch(() => {});
  expect(asked.map(({ what }) => what)).toEqual(['list', 'other']);

  asked[0]!.settle.resolve('early');
  await expect(first).resolves.toBe('early');
  await turn();
  expect(asked.map(({ what }) => what)).toEqual(['list', 'other', 'list']);
  asked[2]!.settle.resolve('late');
  await expect(Promise.all([second, third])).resolves.toEqual(['late', 'late']);
  void read('list');
  expect(asked).toHaveLength(4);
});

test('a failure affects all that share the read, and not the next', async () => {
  const { asked, read } = openReads();
  const first = read('list');
  const shared = [read('list'), read('list')];
  asked[0]!.settle.reject(new Error('lost'));
  await expect(first).rejects.toThrow('lost');
  await turn();
  asked[1]!.settle.reject(new Error('lost again'));
  for (const one of shared) await expect(one).rejects.toThrow('lost again');
  const fresh = read('list');
  asked[2]!.settle.resolve('found');
  await expect(fresh).resolves.toBe('found');
});

/** Where ten minutes begin. */
const START = 1_780_000_200_000;

test('a hundred unanswered launches are reconciled by two reads, each charged once', async () => {
  let spent = 0;
  let reads = 0;
  const budget = {
    admit: () => ({ admitted: true as const }),
    spend: (weight: number) => void (spent += weight),
  };
  const lookUp = createLookUp({
    budget: budget as never,
    dialect: defaultDialect,
    market: { now: () => START + 60_000 },
    request: async () => (
      reads++,
      turn().then(() => answered(200, { items: [], next_cursor: null }))
    ),
  });
  const results = await Promise.all(
    Array.from({ length: 100 }, (_, n) =>
      lookUp({ ...emission(`d${n}`), marketTime: START + n }, `key ${n}`),
    ),
  );
  expect(new Set(results.map(({ kind }) => kind))).toEqual(new Set(['missing']));
  expect([reads, spent]).toEqual([2, 10]);
});
