import { expect, test } from 'vitest';
import { failuresOf } from './failuresOf.ts';
import { formatScore } from './formatScore.ts';
import type { Entry } from './ledger.ts';
import type { Patch } from './Patch.ts';
import type { Verdict } from './playPatch.ts';

const VERDICTS: readonly Verdict[] = [
  { result: 'found', by: 'a.test.ts', how: 'a test' },
  { result: 'survived', after: '2 test files' },
  { result: 'invalid', why: 'its text is not there once' },
];
const played = ['', 'no test can tell'].flatMap((equivalent) =>
  VERDICTS.map((verdict) => {
    const name = `${verdict.result}${equivalent === '' ? '' : ', equivalent'}`;
    const edit = { from: 'a', to: 'b' };
    const patch: Patch = { station: 's', file: 'src/a.ts', name, edit };
    if (equivalent !== '') patch.equivalent = equivalent;
    const entry: Entry = {
      station: 's',
      patch: `src/a.ts: ${name}`,
      hash: '',
      seconds: 1,
      ...verdict,
    };
    return { patch, entry };
  }),
);
const patches = played.map(({ patch }) => patch);
const results = played.map(({ entry }) => entry);

test('what survives without a reason fails a run, and so does each row whose text is gone', () => {
  expect(failuresOf(patches, results).map(({ patch }) => patch)).toEqual([
    'src/a.ts: survived',
    'src/a.ts: invalid',
    'src/a.ts: invalid, equivalent',
  ]);
});

test('the score names each of them, and counts as equivalent only what was played', () => {
  const [, , all, ...named] = formatScore(patches, results).split('\n');
  expect(all).toBe('all                       2 of    5 found,  40 %, 1.0 s each, 1 equivalent');
  expect(named).toEqual([
    'survived: src/a.ts: survived',
    'invalid: src/a.ts: invalid',
    'invalid: src/a.ts: invalid, equivalent',
  ]);
});
