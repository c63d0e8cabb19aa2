import { expect, onTestFinished, test, vi } from 'vitest';
import { createStop, stopListening } from '../../../src/cli/process/stopOnSignals.ts';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const counts = (): number[] => SIGNALS.map((signal) => process.listenerCount(signal));

/** A command that listens, and the codes with which its process would have ended. */
function listen(...taken: NodeJS.Signals[]) {
  const codes: unknown[] = [];
  const spy = vi.spyOn(process, 'exit').mockImplementation(((code: unknown) => {
    codes.push(code);
  }) as never);
  const stop = createStop(taken);
  stop.listen();
  onTestFinished(() => {
    stopListening();
    spy.mockRestore();
    vi.unstubAllEnvs();
  });
  return { stop, codes };
}

test('each signal that is not taken asks for a stop, until the command has ended', () => {
  const before = counts();
  for (const taken of [[], ['SIGHUP']] as NodeJS.Signals[][]) {
    for (const signal of SIGNALS.filter((one) => !taken.includes(one))) {
      const { stop } = listen(...taken);
      expect(counts().map((count, at) => count - before[at]!)).toEqual([
        1,
        1,
        taken.length === 0 ? 1 : 0,
      ]);
      expect(stop.isStopped()).toBe(false);
      process.emit(signal, signal);
      expect(stop.isStopped()).toBe(true);
      stopListening();
      expect(counts()).toEqual(before);
    }
  }
});

test('of two that were passed on at once the same is one, and another one is the second', () => {
  vi.stubEnv('TRIMTAB_NODE_FOUND', '1');
  const { stop, codes } = listen();
  process.emit('SIGINT', 'SIGINT');
  process.emit('SIGINT', 'SIGINT');
  expect([stop.isStopped(), codes]).toEqual([true, []]);
  process.emit('SIGTERM', 'SIGTERM');
  expect(codes).toEqual([130]);
});

test('a second signal that nobody passed on ends the process', () => {
  vi.stubEnv('TRIMTAB_NODE_FOUND', undefined);
  const { codes } = listen();
  process.emit('SIGTERM', 'SIGTERM');
  expect(codes).toEqual([]);
  process.emit('SIGTERM', 'SIGTERM');
  expect(codes).toEqual([130]);
});
