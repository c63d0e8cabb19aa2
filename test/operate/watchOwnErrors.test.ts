import { spawnSync } from 'node:child_process';
import { config as rxjs } from 'rxjs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { watchOwnErrors } from '../../src/operate/run/watchOwnErrors.ts';
import { openLog } from './notify/fixtures.ts';

const forget = (): void => void (rxjs.onUnhandledError = null);
// A run of another file of this process may have left its own.
beforeEach(forget);
afterEach(forget);

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

test.each(['rejection', 'exception'])(
  'an %s that belongs to no run ends the process, however many runs it has',
  (kind) => {
    const file = new URL('../../src/operate/run/watchOwnErrors.ts', import.meta.url).href;
    const options = "{ config: { strategies: [], directory: '.' }, hosts: () => [], log: console }";
    const thrown =
      kind === 'rejection'
        ? "void Promise.reject(new Error('not theirs'));"
        : "setTimeout(() => { throw new Error('not theirs'); }, 0);";
    const program = `import { watchOwnErrors } from '${file}';
      for (const _run of [1, 2]) watchOwnErrors(${options});
      ${thrown}
      setTimeout(() => console.log('went on'), 200);`;
    const args = ['--conditions=trimtab-source', '--input-type=module', '--eval', program];
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr).toContain('Error: not theirs');
  },
);

test.each(["setTimeout(() => { throw 'a text'; }, 0);", "void Promise.reject('a text');"])(
  'what ends the process without being an Error is named: %s',
  (thrower) => {
    const file = new URL('../../src/operate/run/watchOwnErrors.ts', import.meta.url).href;
    const program = `import { watchOwnErrors } from '${file}';
      watchOwnErrors({ config: { strategies: [], directory: '.' }, hosts: () => [], log: console });
      ${thrower}`;
    const args = ['--conditions=trimtab-source', '--input-type=module', '--eval', program];
    const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
    expect(status).toBe(1);
    expect(stderr).toContain("Error: 'a text' was thrown, which is not an Error");
  },
);

test.each([1, 2])(
  'what a subscriber throws without a stack is the only strategy’s: of %d',
  (count) => {
    const failed: unknown[] = [];
    const { log, lines } = openLog();
    const hosts = Array.from({ length: count }, (_none, at) => ({
      instance: String(at),
      fail: (thrown: unknown) => void failed.push(thrown),
    }));
    const strategies = hosts.map(({ instance }) => ({ name: instance, use: '/plugin.ts' }));
    const stop = watchOwnErrors({
      config: { strategies, directory: '.' },
      hosts: () => hosts,
      log,
    } as never);
    rxjs.onUnhandledError!(null);
    stop();
    expect([failed, lines.length]).toEqual(count === 1 ? [[null], 0] : [[], 1]);
  },
);

test.each([0, 1, 2, 3])(
  'what a subscriber throws is blamed on a strategy without a file only if it is alone: of %d',
  (count) => {
    const failed: number[] = [];
    const { log, lines } = openLog();
    const hosts = Array.from({ length: count }, (_none, at) => ({
      fail: () => void failed.push(at),
    }));
    const config = { strategies: hosts.map(() => ({ use: 'passed' })), directory: '.' };
    const stop = watchOwnErrors({ config, hosts: () => hosts, log } as never);
    rxjs.onUnhandledError!(new Error('whose'));
    stop();
    expect([failed, lines.length]).toEqual(count === 1 ? [[0], 0] : [[], 1]);
  },
);

test('after a run has ended, another one leaves what is not its own to the program’s listener', () => {
  const file = new URL('../../src/operate/run/watchOwnErrors.ts', import.meta.url).href;
  const program = `import { watchOwnErrors } from '${file}';
    const options = { config: { strategies: [], directory: '.' }, hosts: () => [], log: console };
    for (const _run of [1, 2]) watchOwnErrors(options)();
    watchOwnErrors(options);
    process.on('unhandledRejection', ({ message }) => console.log('taken: ' + message));
    void Promise.reject(new Error('not theirs'));
    setTimeout(() => console.log('went on'), 50);`;
  const args = ['--conditions=trimtab-source', '--input-type=module', '--eval', program];
  const { status, stdout } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  expect([status, stdout]).toEqual([0, 'taken: not theirs\nwent on\n']);
});
