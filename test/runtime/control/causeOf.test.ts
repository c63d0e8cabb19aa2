import { expect, test } from 'vitest';
import { causeOf } from '../../../src/runtime/control/causeOf.ts';
import type { Emission } from '../../../src/strategy/index.ts';

const emission = (more: Partial<Emission>): Emission =>
  ({ trigger: { kind: 'bar', bar: { interval: '5m' } }, causeTime: 7, ...more }) as Emission;

test('what was caught up and what a later one overtook are told apart for the guards', () => {
  for (const isCatchUp of [undefined, false, true])
    for (const isOvertaken of [undefined, false, true])
      expect(causeOf(emission({ isCatchUp, isOvertaken } as Partial<Emission>))).toEqual({
        time: 7,
        intervalMs: 300_000,
        isCatchUp,
        isOvertaken,
      });
});

test('an operator’s has no cause, and one that no bar caused has no interval', () => {
  expect(causeOf(emission({ causeTime: undefined } as never))).toBeUndefined();
  expect(causeOf(emission({ trigger: { kind: 'timer' } as never }))?.intervalMs).toBeUndefined();
});
