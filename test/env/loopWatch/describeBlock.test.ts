import { expect, test } from 'vitest';
import { describeBlock, describeEnd, toText } from '../../../src/env/loopWatch/describeBlock.ts';
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
  expect(toText(watch, describeBlock(watch, []), 0)).toContain(
    'After 60 s it ends itself with exit code 5,',
  );
  expect(toText(watch, describeEnd(watch, true), 0)).toContain('with exit code 5;');
  expect(toText(watch, describeBlock(watch, undefined), 0)).toContain(
    'After 60 s it ends itself with exit code 137,',
  );
  expect(toText(watch, describeEnd(watch, false), 0)).toContain('with exit code 137;');
});

test('work of Trimtab itself is named as such, with its calls, and not as a strategy’s', () => {
  const own = new URL('../../../src/journal/commit.ts', import.meta.url).href;
  const frame = (url: string, call: string) => ({ url, call, line: 1, column: 2 });
  const frames = [frame('node:sqlite', 'run'), frame(own, ''), frame(own, 'commit')];
  const plugins = [{ instance: 'ema', marks: ['/bots/ema.ts'] }];
  const text = (found: typeof frames) =>
    toText(watch, describeBlock({ ...watch, plugins }, found), 0);
  expect(text(frames)).toContain(
    'No strategy is in this call: it is work of Trimtab itself (run < commit)',
  );
  expect(text(frames)).not.toContain('isolation: worker');
  const called = [...frames, frame('file:///bots/ema.ts', 'next')];
  expect(text(called)).toMatch(/strategy ema has not returned for 5 s: at \/bots\/ema\.ts:1:2/);
  expect(text(called)).not.toContain('No strategy is in this call');
});
