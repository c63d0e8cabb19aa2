import fc from 'fast-check';
import { expect, test } from 'vitest';
import { unwindBy } from '../../src/intents/index.ts';
import { rowsOf } from '../../src/intents/rowsOf.ts';
import { holdLaw } from '../holdLaw.ts';

test('rows: what is followed, of the request or its parameters, and each leg that trails', async () => {
  const read = fc.constantFrom<readonly [unknown, number]>(
    [undefined, 0],
    [null, 0],
    [100, 0],
    [{ indicator: 'ema' }, 0],
    [{ indicator: 'ema', track: false }, 0],
    [{ indicator: 'ema', track: 'true' }, 0],
    [{ indicator: 'ema', track: true }, 1],
  );
  // A record repeats a leg with the fields that it does not have as null.
  const leg = fc.constantFrom<readonly [unknown, number]>(
    [undefined, 0],
    [null, 0],
    [{ price: 90 }, 0],
    [{ price: 90, trail: null }, 0],
    [{ price: 90, trail: undefined }, 0],
    [{ trail: { pct: 1, interval: '1h' } }, 1],
  );
  await holdLaw(500, fc.tuple(read, read, read, leg, leg), ([first, second, third, gain, loss]) => {
    const request = {
      price_from: first[0],
      trigger_from: second[0],
      params: { limit_price_from: third[0] },
      take_profit: gain[0],
      stop_loss: loss[0],
    };
    expect(rowsOf(request)).toEqual({
      tracked: first[1] + second[1] + third[1],
      trails: gain[1] + loss[1],
    });
  });
  for (const none of [undefined, null, 'text', 5, {}, { params: null }, { params: [] }]) {
    expect(rowsOf(none)).toEqual({ tracked: 0, trails: 0 });
  }
});

test.each(['pacemaker', 'glidemaker', 'smartexit', 'ghostsweep'] as const)(
  'unwindBy.%s names its algorithm and keeps its parameters',
  (algo) => {
    const build = unwindBy[algo] as (params?: object) => object;
    const params = { duration_seconds: 300 };
    expect(build(params)).toEqual({
      exit_style: 'algo_unwind',
      unwind_algo: algo,
      unwind_params: params,
    });
    if (algo !== 'pacemaker') expect(build()).toMatchObject({ unwind_params: {} });
  },
);
