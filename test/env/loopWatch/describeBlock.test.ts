import { expect, test } from 'vitest';
import { describeBlock, describeEnd } from '../../../src/env/loopWatch/describeBlock.ts';
import type { LoopWatch } from '../../../src/env/loopWatch/LoopWatch.ts';

const watch = {
  label: 'bot',
  plugins: [],
  tickMs: 1_000,
  reportAfter: 5,
  endAfter: 60,
  exitCode: 5,
} as unknown as LoopWatch;

test('the exit code is that of the end: of a call that can’t be interrupted, 137 of SIGKILL', () => {
  expect(describeBlock(watch, [])).toContain('After 60 s it ends itself with exit code 5,');
  expect(describeEnd(watch, true)).toContain('with exit code 5;');
  expect(describeBlock(watch, undefined)).toContain(
    'After 60 s it ends itself with exit code 137,',
  );
  expect(describeEnd(watch, false)).toContain('with exit code 137;');
});
