import { expect, test } from 'vitest';
import { createImportGraph } from './importGraph.ts';

test('a test reaches what it loads through others, and no types', () => {
  const reached = createImportGraph().reachedFrom('test/guards/guards.test.ts');
  expect([...reached]).toEqual(
    expect.arrayContaining(['src/guards/index.ts', 'src/guards/dailyLoss.ts']),
  );
  expect(reached.has('src/paper/venue/placeOrder.ts')).toBe(false);
});

test('the package’s own entries are followed', () => {
  const reached = createImportGraph().reachedFrom('strategies/emaTrend.ts');
  expect(reached.has('src/index.ts')).toBe(true);
});
