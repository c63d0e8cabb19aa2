import { expect, test } from 'vitest';
import { configFailure } from '../../../src/cli/failures/CommandFailure.ts';
import type { ConfigFault } from '../../../src/config/index.ts';

test.each([1, 2, 19, 20, 21, 22, 300])(
  'of %d faults in a configuration twenty are listed, and all others are counted',
  (count) => {
    const faults = Array.from({ length: count }, (_none, at): ConfigFault => ({
      code: 'TRIMTAB_CONFIG_UNKNOWN_KEY',
      file: 'bot.yaml',
      place: { line: at + 1, column: 1 },
      path: 'name',
      value: null,
      reason: `fault ${at}`,
      remedy: 'Mend it.',
    }));
    const { message } = configFailure(faults);
    expect(message).toMatch(count === 1 ? /^One fault in/ : new RegExp(`^${count} faults in`));
    expect(message.match(/^bot\.yaml:\d+:1:/gm)).toHaveLength(Math.min(count, 20));
    const [, left = '0'] = /\n… and (\d+) more\.$/.exec(message) ?? [];
    expect(Number(left)).toBe(Math.max(0, count - 20));
  },
);
