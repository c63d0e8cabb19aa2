import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createSendGate } from '../../src/wire/createSendGate.ts';
import { holdLaw } from '../holdLaw.ts';

const OPS = ['pass', 'pass', 'answer', 'fail', 'close', 'open', 'drain'] as const;

test('a gate sends what it lets pass once, counts it until it ended, and is drained then', async () => {
  const drawn = fc.array(fc.record({ op: fc.constantFrom(...OPS), pick: fc.nat(9) }), {
    maxLength: 40,
    size: 'max',
  });
  await holdLaw(150, drawn, async (steps) => {
    const gate = createSendGate();
    const flying: Array<PromiseWithResolvers<number>> = [];
    const started: number[] = [];
    const results: unknown[] = [];
    const drains: Array<{ isDone: boolean; isDue: boolean }> = [];
    let isOpen = true;
    let waiting: number[] = [];
    const expected: number[] = [];
    let passed = 0;
    for (const { op, pick } of steps) {
      const [one] = flying.splice(
        pick % Math.max(1, flying.length),
        op === 'answer' || op === 'fail' ? 1 : 0,
      );
      if (op === 'pass') {
        const id = passed++;
        const send = (): Promise<number> => {
          started.push(id);
          const answer = Promise.withResolvers<number>();
          flying.push(answer);
          return answer.promise;
        };
        gate.pass(send).then(
          (value) => results.push(value),
          (error: unknown) => results.push(error),
        );
        (isOpen ? expected : waiting).push(id);
      } else if (op === 'answer') one?.resolve(pick);
      else if (op === 'fail') one?.reject(pick);
      else if (op === 'close') {
        isOpen = false;
        gate.close();
      } else if (op === 'open') {
        isOpen = true;
        gate.open();
        expected.push(...waiting);
        waiting = [];
      } else {
        const drain = { isDone: false, isDue: false };
        drains.push(drain);
        void gate.drained().then(() => (drain.isDone = true));
      }
      await turn();
      for (const drain of drains) drain.isDue ||= flying.length === 0;
      expect(started).toEqual(expected);
      expect(gate.inFlight).toBe(flying.length);
      expect(results).toHaveLength(started.length - flying.length);
      expect(drains.filter(({ isDone, isDue }) => isDone !== isDue)).toEqual([]);
    }
  });
});
