import { expect, test } from 'vitest';
import { createLifted } from '../../../src/runtime/control/createLifted.ts';
import { KILL_LEVELS } from '../../../src/runtime/control/killLevels.ts';
import { OPERATOR } from '../../../src/runtime/operator.ts';

const of = (cause: string, instance = OPERATOR) => ({ cause, instance });

test('what a kill level asked for may be sent at that level and above', () => {
  const allowed = KILL_LEVELS.map((level) => {
    const explain = createLifted({ level: () => level, isStopping: () => false });
    return ['L2', 'L3'].filter((asked) => explain(of(`kill:${asked}:17:read:2`)) === undefined);
  });
  expect(allowed).toEqual([[], [], ['L2'], ['L2', 'L3'], ['L2', 'L3']]);
  const explain = createLifted({ level: () => 'L2', isStopping: () => false });
  expect(explain(of('kill:L3:17'))).toBe('kill level L3 is no longer in force');
});

test('what a stop asked for may be sent while this process stops, and anything else at any time', () => {
  for (const isStopping of [false, true]) {
    const explain = createLifted({ level: () => 'L0', isStopping: () => isStopping });
    expect(explain(of('stop:flatten:17:1')) === undefined).toBe(isStopping);
    for (const other of ['flatten:BTC:17', 'slot:key:ord_1', 'reattach:leg_1', 'operator'])
      expect(explain(of(other))).toBeUndefined();
    for (const cause of ['kill:L3:17', 'stop:flatten:17'])
      expect(explain(of(cause, 'trend'))).toBeUndefined();
  }
});
