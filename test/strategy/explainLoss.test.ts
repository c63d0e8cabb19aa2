/** Which states are others after a restart, which reads them from JSON and through their schema again. */
import { expect, test } from 'vitest';
import { z } from 'zod';
import { explainLoss } from '../../src/strategy/explainLoss.ts';

const numbers = z.array(z.number());
const LOST = 'would be another one after a restart, which reads it from JSON';

test.each<[string, z.ZodType, unknown, string | undefined]>([
  ['a list as it is', numbers, [1, 2], undefined],
  [
    'a list of which the schema takes the last off',
    numbers.transform((all) => all.slice(0, -1)),
    [1, 2, 3],
    '',
  ],
  ['a list to which it adds', numbers.transform((all) => [...all, 0]), [1, 2], ''],
  ['a list that it sorts', numbers.transform((all) => all.toSorted()), [2, 1], undefined],
  ['a field that it adds', z.object({ a: z.number().default(1) }), {}, undefined],
  [
    'a field that it counts up',
    z.object({ a: z.object({ b: z.number().transform((n) => n + 1) }) }),
    { a: { b: 1 } },
    'a.b',
  ],
  [
    'the second of two fields',
    z.object({ a: z.number(), b: z.date() }),
    { a: 1, b: new Date(5) },
    'b',
  ],
  ['a set', z.set(z.number()), new Set([1]), ''],
  ['a number that is none', z.object({ a: z.nan() }), { a: Number.NaN }, 'a'],
])('%s', (_what, schema, given, path) => {
  const why = explainLoss(schema, schema.parse(given), given);
  if (path === undefined) expect(why).toBeUndefined();
  else if (path === '') expect(why).toContain(LOST);
  else expect(why).toBe(`${LOST}: ${path} changes`);
});
