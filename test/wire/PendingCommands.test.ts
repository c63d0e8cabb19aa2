import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Exchange } from '../../src/contract/exchange.ts';
import { PendingCommands } from '../../src/wire/PendingCommands.ts';
import { holdLaw } from '../holdLaw.ts';

const id = fc.constantFrom('cmd-1', 'cmd-2', 'cmd-3', 'cmd-4');
const steps = fc.array(
  fc.oneof(
    fc.record({ op: fc.constant('wait' as const), id }),
    fc.record({ op: fc.constant('settle' as const), id }),
    fc.record({ op: fc.constant('late' as const), id }),
    fc.record({ op: fc.constant('lose' as const), id }),
  ),
  { maxLength: 30 },
);

test('a command ends once, by its result, its time or a lost socket, and leaves no timer behind', async () => {
  await holdLaw(200, steps, async (drawn) => {
    const timers = new Map<string, () => void>();
    let asked = '';
    const after = (delayMs: number, run: () => void) => {
      expect(delayMs).toBe(30_000);
      const of = asked;
      timers.set(of, run);
      return () => void timers.delete(of);
    };
    const pending = new PendingCommands({ after });
    const ends: Array<[string, Exchange]> = [];
    const expected: Array<[string, Exchange]> = [];
    const waiting = new Set<string>();
    const end = (one: string, exchange: Exchange): void => {
      if (waiting.delete(one)) expected.push([one, exchange]);
    };
    for (const [at, { op, id: one }] of drawn.entries()) {
      if (op === 'wait') {
        // The socket numbers its commands.
        if (waiting.has(one)) continue;
        asked = one;
        waiting.add(one);
        void pending.wait(one, 30_000).then((exchange) => ends.push([one, exchange]));
      } else if (op === 'settle') {
        const exchange = { kind: 'not_sent', reason: `${at}` } as const;
        expect(pending.settle(one, exchange)).toBe(waiting.has(one));
        end(one, exchange);
      } else if (op === 'late') {
        timers.get(one)?.();
        end(one, { kind: 'no_answer', reason: 'timeout' });
      } else {
        pending.lose('closed');
        for (const each of waiting) end(each, { kind: 'no_answer', reason: 'closed' });
      }
      await Promise.resolve();
      expect(ends).toEqual(expected);
      expect([...timers.keys()].toSorted()).toEqual([...waiting].toSorted());
      expect(pending.size).toBe(waiting.size);
      expect(pending.has(one)).toBe(waiting.has(one));
    }
  });
});
