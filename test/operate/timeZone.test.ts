import { expect, test } from 'vitest';
import { readTimeZone, type TimeZone } from '../../src/operate/timeZone.ts';

function zoneOf(name: string): TimeZone {
  const read = readTimeZone(name);
  if ('reason' in read) throw new Error(read.reason);
  return read.zone;
}

test.each([
  ['Europe/Berlin', '2026-03-29', 23, '2026-03-28T23:00:00Z'],
  ['Europe/Berlin', '2026-10-25', 25, '2026-10-24T22:00:00Z'],
  ['Europe/Berlin', '2026-11-24', 24, '2026-11-23T23:00:00Z'],
  ['America/New_York', '2026-11-01', 25, '2026-11-01T04:00:00Z'],
  ['Asia/Kolkata', '2026-11-24', 24, '2026-11-23T18:30:00Z'],
  // Clocks went from 0:00 to 1:00: the day began at 1:00.
  ['America/Sao_Paulo', '2018-11-04', 23, '2018-11-04T03:00:00Z'],
  // Clocks went from 0:00 back to 23:00 of the day before.
  ['America/Sao_Paulo', '2018-02-17', 25, '2018-02-17T02:00:00Z'],
  // The day that Samoa skipped.
  ['Pacific/Apia', '2011-12-30', 0, '2011-12-30T10:00:00Z'],
  ['Pacific/Kiritimati', '2026-11-24', 24, '2026-11-23T10:00:00Z'],
  ['UTC', '2026-11-24', 24, '2026-11-24T00:00:00Z'],
])('in %s the day %s has %s hours', (name, day, hours, start) => {
  const { from, until } = zoneOf(name).rangeOf(day);
  expect(new Date(from).toISOString()).toBe(start.replace('Z', '.000Z'));
  expect((until - from) / 3_600_000).toBe(hours);
});

test('an hour that comes twice is told apart by its offset', () => {
  const { format } = zoneOf('europe/berlin');
  expect(format(Date.parse('2026-10-25T00:30:00Z'))).toBe('2026-10-25 02:30:00.000+02:00');
  expect(format(Date.parse('2026-10-25T01:30:00Z'))).toBe('2026-10-25 02:30:00.000+01:00');
  expect(zoneOf('Europe/London').format(0)).toBe('1970-01-01 01:00:00.000+01:00');
  expect(zoneOf('utc').format(0)).toBe('1970-01-01 00:00:00.000');
});

test('a day agrees with its range at both ends', () => {
  for (const name of ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe']) {
    const zone = zoneOf(name);
    for (let at = 0; at < 366; at++) {
      const day = new Date(Date.UTC(2026, 0, 1 + at)).toISOString().slice(0, 10);
      const { from, until } = zone.rangeOf(day);
      expect([from - 1, from, until - 1, until].map((time) => zone.dayOf(time) === day)).toEqual([
        false,
        true,
        true,
        false,
      ]);
    }
  }
});

test('an unknown zone is refused with the nearest one', () => {
  expect(readTimeZone('Europe/Berln')).toEqual({
    reason: 'there is no time zone Europe/Berln',
    remedy: 'Did you mean Europe/Berlin?',
  });
  expect(zoneOf('local').name).toBe(Intl.DateTimeFormat().resolvedOptions().timeZone);
});
