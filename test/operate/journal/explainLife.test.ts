import { expect, test } from 'vitest';
import { explainLife } from '../../../src/operate/journal/explainLife.ts';

const lifeOf = (state: string, data: object) =>
  explainLife({
    intent: {
      key: 'key-1',
      decisionKey: 'main/trend/bar:BTC:1m:0#0',
      generation: 0,
      instance: 'trend',
      wallet: 'main',
      kind: 'launch',
      intent: '{}',
      state,
    },
    entries: [
      { key: 'key-1', state: 'emitted', wallTime: 1, marketTime: 1, data: '{}' },
      { key: 'key-1', state, wallTime: 2, marketTime: 2, data: JSON.stringify(data) },
    ],
  } as never);

test.each(['guarded', 'unknown', 'unresolved', 'expired'])(
  'why an intent is %s is said in short, where the journal has a reason',
  (state) => {
    const last = (data: object): string => lifeOf(state, data).split('\n').at(-1)!;
    expect(last({ reason: 'superseded' })).toContain(' (superseded)');
    expect(last({})).not.toContain('(');
  },
);

test.each([
  [{ order_id: 'ord_1', size: 4 }, 4, false],
  [{ order_id: 'ord_1', size: 4 }, 3, true],
  [{ execution_id: 'exe_1', total_size: 4 }, 4, false],
  [{ execution_id: 'exe_1', total_size: 4 }, 3, true],
  [{ execution_id: 'exe_1', total_size: 4 }, 0, true],
])('of %j, filled %d, the service has a rest: %s', (record, filled_size, hasRest) => {
  const text = lifeOf('accepted', { record: { ...record, filled_size, average_price: 100 } });
  expect(text.includes('has the rest on the service')).toBe(hasRest);
});

test('how long each answer took is counted from the step before it', () => {
  const steps = [
    ['emitted', 1_000],
    ['guarded', 1_200],
    ['sending', 3_000],
    ['unknown', 8_000],
    ['accepted', 68_000],
  ] as const;
  const text = explainLife({
    intent: { key: 'key-1', decisionKey: 'main/trend/a#0', instance: 'trend', wallet: 'main' },
    entries: steps.map(([state, wallTime]) => ({
      key: 'key-1',
      state,
      wallTime,
      // The market's clock is another.
      marketTime: wallTime / 10,
      data: '{}',
    })),
  } as never);
  const answers = text.split('\n').filter((line) => /(unknown|accepted) after /.test(line));
  expect(answers.map((line) => /\w+ after [^(]*/.exec(line)![0].trim())).toEqual([
    'unknown after 5000 ms',
    'accepted after 60.0 s',
  ]);
});
