import { expect, test } from 'vitest';
import { formatModel, measureModels } from './measureModels.ts';
import { IDEMPOTENCY_MODELS } from './Scenario.ts';

/** `npm run simulate -- --models --seeds 100` runs more. */
const SEEDS = 3;
const HANG_MS = 300_000;

test(
  'under any idempotency model of the service, nothing is executed twice',
  async () => {
    const models = await measureModels(SEEDS);
    expect(models.map(({ model }) => model)).toEqual(IDEMPOTENCY_MODELS);
    for (const figures of models) {
      expect(figures.violations, formatModel(figures)).toEqual([]);
      expect(figures.resends, figures.model).toBeGreaterThan(100);
      expect(figures.executed, figures.model).toBeGreaterThan(50);
    }
  },
  HANG_MS,
);
