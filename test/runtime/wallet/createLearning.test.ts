import { expect, test } from 'vitest';
import { createLearning } from '../../../src/runtime/wallet/index.ts';
import { execution, order } from '../../streams/records.ts';

test('what the store does not hold is looked for once, and again where that failed', async () => {
  const asked: Array<readonly string[]> = [];
  let isDown = true;
  const learn = createLearning({
    holds: (key) => key === 'held',
    async learn(keys) {
      asked.push(keys);
      if (isDown) throw new Error('down');
    },
  });
  const open = { orders: [order('held')], executions: [execution('other')], monitors: [] };
  await expect(learn(open)).rejects.toThrow('down');
  isDown = false;
  await learn(open);
  expect(learn(open)).toBeUndefined();
  expect(asked).toEqual([['other'], ['other']]);
});

test('a store that drops nothing is not asked', () => {
  const learn = createLearning({ holds: () => false });
  expect(learn({ orders: [order('ord')], executions: [], monitors: [] })).toBeUndefined();
});
