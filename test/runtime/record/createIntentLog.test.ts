import { expect, test } from 'vitest';
import type { PipeEvent } from '../../../src/runtime/PipeEvent.ts';
import { createIntentLog } from '../../../src/runtime/record/createIntentLog.ts';

function openLog() {
  const digested: unknown[] = [];
  const log = createIntentLog({
    instances: ['one', 'two'],
    keepAll: true,
    digest: { add: (row) => void digested.push(row) },
    now: () => 0,
  });
  let keys = 0;
  const follow = (instance: string, events: readonly Partial<PipeEvent>[]): void => {
    const key = `key-${keys++}`;
    const intent = { kind: 'close_position', request: { symbol: 'BTC' } };
    const emission = { instance, intent, decisionKey: key, marketTime: 7 };
    for (const event of events) log.follow({ emission, key, attempt: 1, ...event } as PipeEvent);
  };
  return { log, digested, follow };
}

const limited = { state: 'deferred', waitsFor: 'rate_limited' } as const;

test('answers to the bot’s own exits count as delays and refusals, and as no strategy’s intents', () => {
  const { log, digested, follow } = openLog();
  follow('bot', [{ state: 'emitted' }, limited, limited, { state: 'accepted' }]);
  const fault = { code: 'insufficient_margin', message: 'no margin' };
  follow('bot', [{ state: 'rejected', fault } as Partial<PipeEvent>, { state: 'duplicate' }]);
  expect(log.rateLimited).toBe(2);
  expect(log.delays()).toEqual([{ cause: 'rate_limited', count: 2 }]);
  expect(log.refusals()).toEqual([
    {
      cause: 'insufficient_margin',
      count: 1,
      example: 'insufficient_margin: no margin',
    },
  ]);
  expect([log.list(), digested]).toEqual([[], []]);
  follow('one', [limited, { state: 'rejected', fault } as Partial<PipeEvent>]);
  expect(log.rateLimited).toBe(3);
  expect(log.refusals()).toMatchObject([{ count: 2 }]);
});

test('an unknown intent is that of its strategy alone', () => {
  const { log, follow } = openLog();
  follow('one', [{ state: 'unknown' }]);
  follow('one', [{ state: 'unresolved' }]);
  follow('two', [{ state: 'unknown' }]);
  expect([log.counts('one').unknown, log.counts('two').unknown]).toEqual([2, 1]);
  expect(log.counts('three').unknown).toBe(0);
});
