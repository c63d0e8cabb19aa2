import { expect, onTestFinished, test } from 'vitest';
import { watchProcessEnd } from '../../../src/cli/process/watchProcessEnd.ts';

test.each([
  [undefined, undefined, 1],
  [undefined, 0, 1],
  [0, undefined, 1],
  [7, undefined, 7],
  [undefined, 4, 4],
  [7, 4, 7],
  [0, 4, 1],
])(
  'a plugin that exits with %s, where the code was set to %s, ends the process with %d',
  (given, set, expected) => {
    const codes: unknown[] = [];
    const own = process.exit;
    // In the place of the system's.
    process.exit = ((code: unknown) => void codes.push(code)) as never;
    const texts: string[] = [];
    const stop = watchProcessEnd((failure) => (texts.push(failure.message), ''));
    onTestFinished(() => {
      stop();
      process.exit = own;
      process.exitCode = undefined;
    });
    process.exitCode = set;
    process.exit(given);
    expect(codes).toEqual([expected]);
    expect(texts).toEqual([
      expect.stringMatching(/watchProcessEnd\.test\.ts:\d+:\d+ called process\.exit/),
    ]);
  },
);
