import { describe, expect, test } from 'vitest';
import { noteOtherRange, readTimeRange } from '../../../src/cli/options/readTimeRange.ts';

const june = (day: number): number => Date.UTC(2025, 5, day);

describe('--timerange', () => {
  test('is the whole tape if it is not given', () => expect(readTimeRange(undefined)).toEqual({}));

  test('is read', () => {
    expect(readTimeRange('20250601-20250614')).toEqual({ from: june(1), until: june(14) });
    expect(readTimeRange('20250601-')).toEqual({ from: june(1) });
  });

  test.each(['', '-', '20250601', '20250614-20250601', 'june'])('is refused: %j', (text) => {
    expect(() => readTimeRange(text)).toThrow(`--timerange ${text}: `);
    expect(() => readTimeRange(text)).toThrow('Write FROM-UNTIL in UTC');
  });
});

describe('a range that is not what is traded is told', () => {
  const traded = { from: june(3), until: june(9) };
  const ends = [undefined, june(2), june(3), june(4), june(8), june(9), june(10)];

  test.each(ends.flatMap((from) => ends.map((until) => [from, until] as const)))(
    '%s to %s',
    (from, until) => {
      const range = { ...(from !== undefined && { from }), ...(until !== undefined && { until }) };
      const said = noteOtherRange(range, traded);
      // An open end is the tape's.
      const isSame =
        [undefined, traded.from].includes(from) && [undefined, traded.until].includes(until);
      const written = (time: number): string => new Date(time).toISOString().slice(0, 10);
      if (isSame) expect(said).toBeUndefined();
      else {
        const [asked, rest = ''] = said!.split(': trading ');
        expect(asked).toContain(written(from ?? traded.from));
        expect(asked).toContain(written(until ?? traded.until));
        expect(rest).toContain(written(traded.from));
        expect(rest).toContain(written(traded.until));
      }
    },
  );
});
