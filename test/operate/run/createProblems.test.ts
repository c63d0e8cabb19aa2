import { expect, test } from 'vitest';
import { createProblems } from '../../../src/operate/run/createProblems.ts';

test('of several problems each is reported until it is over by itself', () => {
  let reported: readonly string[] = [];
  const problemOf = createProblems((problems) => (reported = problems));
  const [key, stream] = [problemOf('key'), problemOf('stream')];
  const steps: [(problem: string | undefined) => void, string | undefined, string[]][] = [
    [stream, 'refused', ['refused']],
    [key, 'revoked', ['refused', 'revoked']],
    [key, 'revoked again', ['refused', 'revoked again']],
    [stream, undefined, ['revoked again']],
    [stream, undefined, ['revoked again']],
    [stream, 'refused', ['revoked again', 'refused']],
    [key, undefined, ['refused']],
    [stream, undefined, []],
  ];
  for (const [take, problem, expected] of steps) {
    take(problem);
    expect(reported).toEqual(expected);
  }
});
