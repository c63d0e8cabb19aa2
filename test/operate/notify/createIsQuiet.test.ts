import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createIsQuiet } from '../../../src/operate/notify/createIsQuiet.ts';
import { holdLaw } from '../../holdLaw.ts';

const MINUTE = 60_000;
const DAY = 1_440;
/** Hours from UTC of zones without a summer time. */
const ZONES = { UTC: 0, 'Asia/Tokyo': 9, 'America/Phoenix': -7, 'Asia/Kolkata': 5.5 } as const;

test('quiet hours are from their first minute to before their last, over midnight too', async () => {
  const drawn = fc.record({
    tz: fc.constantFrom(...(Object.keys(ZONES) as Array<keyof typeof ZONES>)),
    from: fc.nat(DAY - 1),
    length: fc.integer({ min: 1, max: DAY - 1 }),
    day: fc.integer({ min: 20_000, max: 21_000 }),
    /** Minutes from the begin. */
    at: fc.oneof(fc.constantFrom('begin', 'before', 'end', 'last'), fc.nat(DAY - 1)),
  });
  await holdLaw(150, drawn, ({ tz, from, length, day, at }) => {
    const text = (minute: number): string => {
      const [hours, minutes] = [Math.floor((minute % DAY) / 60), minute % 60];
      return `${String(hours).padStart(2, '0')}:${String(minutes).padStart(2, '0')}`;
    };
    const isQuiet = createIsQuiet({ from: text(from), until: text(from + length), tz });
    const named = { begin: 0, before: -1, end: length, last: length - 1 };
    const after = typeof at === 'number' ? at : named[at as keyof typeof named];
    const local = (day * DAY + from + after) * MINUTE;
    const since = ((after % DAY) + DAY) % DAY;
    expect(isQuiet(local - ZONES[tz] * 60 * MINUTE)).toBe(since < length);
  });
});
