import { expect, test } from 'vitest';
import { toRefusal } from '../../../backtest/programs/toRefusal.ts';

test('each flag of a message is named as the option that a program gives', () => {
  const message =
    '--param size: must be above 0\n--param trend.period: unknown\n' +
    '--timerange 1-2: there are no bars\n  Set --timerange to what the tape has, or --param.';
  const error = toRefusal({ code: 'TRIMTAB_USAGE', message });
  expect(error).toMatchObject({ code: 'TRIMTAB_USAGE' });
  expect(error.message).toBe(
    'params.size: must be above 0\nparams.trend.period: unknown\n' +
      'timerange 1-2: there are no bars\n  Set timerange to what the tape has, or --param.',
  );
});
