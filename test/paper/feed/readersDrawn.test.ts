import fc from 'fast-check';
import { expect, test } from 'vitest';
import { INTERVAL_MS, INTERVALS, type Interval } from '../../../src/contract/index.ts';
import { checkBar, checkCandle } from '../../../src/paper/feed/checkCandle.ts';
import { checkNumbers } from '../../../src/paper/feed/checkNumbers.ts';
import { checkSpacing } from '../../../src/paper/feed/checkSpacing.ts';
import { countUntil } from '../../../src/env/countUntil.ts';
import { createGrowingFeed } from '../../../src/paper/feed/createGrowingFeed.ts';
import { firstFault } from '../../../src/paper/feed/firstFault.ts';
import { parseBook } from '../../../src/paper/feed/parseBook.ts';
import { parseCsv } from '../../../src/paper/feed/parseCsv.ts';
import { parseDecimal } from '../../../src/paper/feed/parseDecimal.ts';
import { parseIsoTime } from '../../../src/paper/feed/parseIsoTime.ts';
import { parseTrades } from '../../../src/paper/feed/parseTrades.ts';
import { TimeScale, unitOf } from '../../../src/paper/feed/TimeScale.ts';
import { holdLaw } from '../../holdLaw.ts';

test('a decimal is what JavaScript reads of it, and anything else is no number', async () => {
  const signs = fc.constantFrom('', '', '', '-', '+', '--', '.');
  const digits = fc.stringMatching(/^\d{0,25}$/);
  const written = fc
    .tuple(
      signs,
      digits,
      fc.constantFrom('', '.', '.', '..', ','),
      digits,
      fc.constantFrom('', '', 'e5', 'E-7', 'e', 'x', ' '),
    )
    .map((parts) => parts.join(''));
  await holdLaw(2_000, written, (text) => {
    const isDecimal = /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(text.trim());
    const bytes = Buffer.from(`7${text}9`);
    const found = parseDecimal(bytes, 1, bytes.length - 1);
    expect(found).toBe(isDecimal ? Number(text) : NaN);
  });
});

const MINUTE = 60_000;
/** From 1973 to the year 3000, to the microsecond. */
const someTime = fc
  .tuple(fc.integer({ min: 1e8, max: 32_503_680_000 }), fc.integer({ min: 0, max: 999_999 }))
  .map(([seconds, micros]) => ({ seconds, micros }));

test('a time is the same in each unit, and a file that changes its unit is refused', async () => {
  const units = ['seconds', 'milliseconds', 'microseconds', 'nanoseconds'] as const;
  await holdLaw(
    500,
    fc.tuple(someTime, fc.constantFrom(0, 1, 2, 3), fc.constantFrom(0, 1, 2, 3)),
    ([{ seconds, micros }, unit, other]) => {
      const millis = Math.floor(micros / 1e3);
      const written = [
        seconds,
        seconds * 1e3 + millis,
        seconds * 1e6 + micros,
        seconds * 1e9 + micros * 1e3,
      ];
      const scale = new TimeScale();
      const ms = scale.toMs(written[unit]!)!;
      const exact = [
        seconds * 1e3,
        seconds * 1e3 + millis,
        seconds * 1e3 + micros / 1e3,
        seconds * 1e3 + micros / 1e3,
      ][unit]!;
      // A double has no more than 53 bits.
      expect(Math.abs(ms - exact)).toBeLessThan(unit < 2 ? 1e-9 : 0.01);
      expect(unitOf(written[unit]!)).toBe(units[unit]);
      expect(scale.notes).toEqual(unit === 1 ? [] : [`Its times are ${units[unit]}.`]);
      expect(scale.toMs(written[other]!) === null).toBe(other !== unit);
    },
  );
  // With a fraction, as some recorders write seconds.
  expect(new TimeScale().toMs(1_700_000_000.123)).toBe(1_700_000_000_123);
});

test('a calendar time without a zone is UTC, wherever the machine stands', () => {
  const zone = process.env['TZ'];
  try {
    for (const place of ['Asia/Tokyo', 'America/New_York']) {
      process.env['TZ'] = place;
      for (const text of ['2024-07-31 08:00', '2024-07-31T08:00:00Z', '2024.07.31 08:00:00']) {
        expect(parseIsoTime(text), `${text} in ${place}`).toBe(Date.UTC(2024, 6, 31, 8));
      }
      expect(parseIsoTime('2024-07-31T08:00+02:00')).toBe(Date.UTC(2024, 6, 31, 6));
      expect(parseIsoTime('2024-02-31')).toBeNaN();
    }
  } finally {
    if (zone === undefined) delete process.env['TZ'];
    else process.env['TZ'] = zone;
  }
});

test('a bar is sound if its extremes hold its ends, above zero, and rows ascend at boundaries', async () => {
  const price = fc.constantFrom(-1, 0, 1, 2, 3);
  const bar = fc.tuple(price, price, price, price, fc.constantFrom(-1, 0, 2));
  const times = fc.tuple(fc.constantFrom(0, 1, 2, 3, 2.5), fc.constantFrom(0, 1, 2, 3, 2.5));
  await holdLaw(
    2_000,
    fc.tuple(bar, times),
    ([[open, high, low, close, volume], [before, now]]) => {
      const column = (value: number): Float64Array => Float64Array.of(2, value);
      const columns = {
        time: Float64Array.of(before * MINUTE, now * MINUTE),
        open: column(open),
        high: column(high),
        low: column(low),
        close: column(close),
        volume: column(volume),
      };
      const isBar =
        low > 0 && [open, close].every((end) => low <= end && end <= high) && volume >= 0;
      expect(checkBar(columns, 1) === null).toBe(isBar);
      const isInPlace = Number.isInteger(now) && now > before;
      expect(checkCandle(columns, 1, '1m') === null).toBe(isBar && isInPlace);
    },
  );
});

test('the first fault of a tape is the one that its rows show one by one', async () => {
  const names = ['time', 'open', 'high', 'low', 'close', 'volume'] as const;
  const value = fc.constantFrom(NaN, Infinity, -Infinity, -1, 0, 0.5, 1, 2, 3, 1e15, MINUTE);
  const spoilt = fc.array(fc.tuple(fc.constantFrom(...names), fc.nat(7), value), { maxLength: 2 });
  const steps = fc.array(fc.constantFrom(1, 1, 1, 3), { minLength: 1, maxLength: 8 });
  // A bar that opens at 1e14 or later has its time in another unit.
  const start = fc.constantFrom(0, Math.floor(1e14 / MINUTE) - 3);
  await holdLaw(2_000, fc.tuple(steps, spoilt, start), ([gaps, changes, first]) => {
    let now = first;
    const column = (price: number): Float64Array => new Float64Array(gaps.length).fill(price);
    const columns = {
      time: Float64Array.from(gaps, (gap) => (now += gap) * MINUTE),
      open: column(1),
      high: column(2),
      low: column(1),
      close: column(2),
      volume: column(0),
    };
    for (const [name, at, wrong] of changes) if (at < gaps.length) columns[name][at] = wrong;
    const rows = gaps.map((_gap, row) => ({
      row,
      ...(checkNumbers(columns, row) ?? checkCandle(columns, row, '1m')),
    }));
    expect(firstFault(columns, '1m')).toEqual(rows.find((each) => 'message' in each) ?? null);
  });
});

test('bars of a longer interval than declared are refused by the longest that all of them fit', async () => {
  const times = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 6 });
  const cases = fc.tuple(
    times,
    fc.constantFrom(1, 3, 5, 15, 60),
    fc.constantFrom(...INTERVALS.slice(0, 4)),
  );
  await holdLaw(1_000, cases, ([steps, minutes, declared]) => {
    let at = 0;
    const time = Float64Array.from([0, ...steps], (step) => (at += step * minutes * MINUTE));
    const isFit = (interval: Interval): boolean =>
      time.every((one) => (one - time[0]!) % INTERVAL_MS[interval] === 0);
    const longest = INTERVALS.filter(isFit).toSorted((a, b) => INTERVAL_MS[b] - INTERVAL_MS[a])[0];
    const isLonger = longest !== undefined && INTERVAL_MS[longest] > INTERVAL_MS[declared];
    const found = checkSpacing(time, declared);
    // Two bars may be on either side of a gap.
    if (time.length < 3 || !isLonger) expect(found).toBeNull();
    else expect(found?.message).toContain(`looks like ${longest}.`);
  });
});

test('a growing feed has each later bar once, however many come', async () => {
  const steps = fc.array(fc.constantFrom(-1, 0, 1, 1, 1, 2), { maxLength: 40 });
  await holdLaw(50, fc.tuple(steps, fc.constantFrom(0, 1_020, 2_040)), ([drawn, start]) => {
    const growing = createGrowingFeed('BTC', '1m');
    const { feed } = growing;
    const times: number[] = [];
    const append = (time: number): void => {
      const isLater = times.length === 0 || time > times.at(-1)!;
      const bar = {
        time,
        open: time + 1,
        high: time + 2,
        low: time + 3,
        close: time + 4,
        volume: time + 5,
      };
      // Thousands of expectations would take seconds.
      if (growing.append(bar) !== isLater) throw new Error(`bar ${time} after ${times.at(-1)}`);
      if (isLater) times.push(time);
    };
    for (let time = 0; time < start; time++) append(time);
    let time = start;
    for (const step of drawn) append((time += step));
    expect(growing.feed).toBe(feed);
    for (const [at, name] of (
      ['time', 'open', 'high', 'low', 'close', 'volume'] as const
    ).entries()) {
      expect([...feed[name]]).toEqual(times.map((one) => one + at));
    }
    for (const instant of [-1, 0, start, time, time + 1]) {
      expect(countUntil(feed.time, instant)).toBe(times.filter((one) => one <= instant).length);
    }
  });
});

/** A file of each kind, and how it is read. */
const KINDS = {
  candles: {
    lines: ['timestamp,open,high,low,close,volume', '0,1,2,1,2,5', '60000,2,3,1,1.5,0'],
    read: (bytes: Uint8Array) => parseCsv(bytes, { symbol: 'BTC', interval: '1m', file: 'x.csv' }),
  },
  trades: {
    lines: [
      'id,time,price,qty,symbol',
      '1,1700000000000,5,0.1,BTCUSDT',
      '2,1700000000001,6,0.2,BTCUSDT',
    ],
    read: (bytes: Uint8Array) => parseTrades(bytes, 'x.csv'),
  },
  'best prices': {
    lines: [
      'event_ms,price,size,side',
      '1700000000000,5,1,bid',
      '1700000000001,6,2,ask',
      '1700000000002,6,3,ask',
    ],
    read: (bytes: Uint8Array) => parseBook({ bytes, file: 'x.csv', clockOffsetMs: null }),
  },
  levels: {
    lines: [
      'event_ms,bp0,bq0,ap0,aq0,bp1,bq1,ap1,aq1',
      '1700000000000,5,1,6,1,4,1,,',
      '1700000000001,5,1,6,1,4,1,7,2',
    ],
    read: (bytes: Uint8Array) => parseBook({ bytes, file: 'x.csv', clockOffsetMs: null }),
  },
  'a depth stream': {
    lines: [
      'event_ms,U,u,price,qty,side',
      '1700000000000,11,12,5,1,b',
      '1700000000000,11,12,6,0,a',
      '1700000000009,13,13,5,2,b',
    ],
    read: (bytes: Uint8Array) =>
      parseBook({
        bytes,
        file: 'x.csv',
        clockOffsetMs: null,
        snapshot: {
          bytes: Buffer.from('last_update_id,price,qty,side\r\n10,5,3,b\r\n10,6,1,a\r\n'),
          file: 's.csv',
        },
      }),
  },
} as const;

test.each(Object.entries(KINDS))(
  '%s are the same with other line ends, blank lines and a mark',
  async (name, { lines, read }) => {
    const ways = fc.record({
      end: fc.constantFrom('\n', '\r\n'),
      mark: fc.constantFrom('', '\uFEFF'),
      tail: fc.constantFrom('', '\n', '\r\n', '\n\n', '\r\n\r\n'),
      // A line of nothing between two rows is a fault of candles, and nothing elsewhere.
      blanks: fc.constantFrom(...(name === 'candles' ? [0] : [0, 0, 1, 2])),
    });
    const plain = read(Buffer.from(`${lines.join('\n')}\n`));
    expect(plain).toMatchObject({ ok: true });
    await holdLaw(40, ways, ({ end, mark, tail, blanks }) => {
      const gap = end.repeat(blanks + 1);
      const text = mark + lines.join(gap) + tail;
      // As a part of a longer buffer, too.
      const padded = Buffer.from(`xxx${text}yyy`);
      expect(read(Buffer.from(text))).toEqual(plain);
      expect(read(padded.subarray(3, padded.length - 3))).toEqual(plain);
      const broken = read(Buffer.from(mark + [...lines, 'rubbish'].join(gap) + tail));
      expect(broken).toMatchObject({
        ok: false,
        problem: { line: lines.length * (blanks + 1) + 1 },
      });
    });
  },
);
