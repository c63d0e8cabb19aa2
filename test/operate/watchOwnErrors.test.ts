import { config as rxjs } from 'rxjs';
import { afterEach, expect, test } from 'vitest';
import { watchOwnErrors } from '../../src/operate/run/watchOwnErrors.ts';
import { openLog } from './notify/fixtures.ts';

afterEach(() => {
  rxjs.onUnhandledError = null;
});

function watch() {
  const { log, lines } = openLog();
  return {
    lines,
    stop: watchOwnErrors({ config: { strategies: [], directory: '.' }, hosts: () => [], log }),
  };
}

test.each(['first', 'second'] as const)(
  'of two in a process, the %s ends before the other',
  (ends) => {
    const [first, second] = [watch(), watch()];
    const [gone, left] = ends === 'first' ? [first, second] : [second, first];
    gone.stop();
    rxjs.onUnhandledError!(new Error('mine'));
    expect(left.lines).toHaveLength(1);
    left.stop();
    // As RxJS does without a handler.
    const report = (error: Error) => {
      if (rxjs.onUnhandledError === null) throw error;
      rxjs.onUnhandledError(error);
    };
    expect(() => report(new Error('nobody takes this'))).toThrow('nobody takes this');
    expect([gone.lines.length, left.lines.length]).toEqual([0, 1]);
  },
);
