import { expect, test } from 'vitest';
import { failed } from '../../../src/operate/run/RunFailure.ts';
import { withEnding } from '../../../src/operate/run/withEnding.ts';

test.each([
  ['a success', () => Promise.resolve({ ok: true, value: 1 } as const), undefined],
  [
    'a failure',
    () => Promise.resolve(failed('TRIMTAB_CRASHED', 'It broke.')),
    { code: 'TRIMTAB_CRASHED', message: 'It broke.' },
  ],
  [
    'an error',
    () => Promise.reject(new Error('unforeseen')),
    { code: 'TRIMTAB_UNEXPECTED', message: 'unforeseen' },
  ],
])('an end knows why: %s', async (_what, run, failure) => {
  const ends: unknown[] = [];
  const end = (why: unknown) => Promise.resolve(void ends.push(why));
  await withEnding<unknown>(end, run).catch(() => undefined);
  expect(ends).toEqual([failure]);
});
