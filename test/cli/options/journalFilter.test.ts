import { expect, test } from 'vitest';
import { readLimit, readSince, readStates } from '../../../src/cli/options/journalFilter.ts';

test.each([
  ['2026-01-31', '2026-01-31T00:00:00Z'],
  ['2026-01-31T12:00', '2026-01-31T12:00:00Z'],
  ['2026-01-31 12:00', '2026-01-31T12:00:00Z'],
  ['2026-01-31T12:00:30Z', '2026-01-31T12:00:30Z'],
  ['2026-01-31 12:00+02:00', '2026-01-31T10:00:00Z'],
  ['2026-01-31 12:00-05:00', '2026-01-31T17:00:00Z'],
  ['2028-02-29', '2028-02-29T00:00:00Z'],
])('%s is UTC, wherever it is typed', (text, time) => {
  // A zone of the machine in which a time without one would be another instant.
  const zone = process.env['TZ'];
  process.env['TZ'] = 'America/New_York';
  try {
    expect(readSince(text)).toBe(Date.parse(time));
  } finally {
    if (zone === undefined) delete process.env['TZ'];
    else process.env['TZ'] = zone;
  }
});

test.each([
  ['30m', 30 * 60_000],
  ['2h', 2 * 3_600_000],
  ['7d', 7 * 24 * 3_600_000],
])('%s is that long ago', (text, ago) => {
  expect(Math.abs(Date.now() - ago - readSince(text))).toBeLessThan(5_000);
});

test.each([
  'yesterday',
  '7w',
  '2026-13-01',
  // Date arithmetic would make March of them.
  '2026-02-30',
  '2026-02-29T12:00',
  '2026-06-31 12:00+02:00',
  '2026-01-00',
  '2026-01-31T25:00',
  '',
])('%j is no time', (text) => {
  expect(() => readSince(text)).toThrow('It takes 30m');
});

test('a page has from 1 to 1000 intents', () => {
  for (const text of ['1', '20', '999', '1000']) expect(readLimit(text)).toBe(Number(text));
  for (const text of ['0', '1001', '-1', '1.5', '1e2', '', ' 5', 'all'])
    expect(() => readLimit(text)).toThrow('from 1 to 1000');
});

test('states are separated by commas, with spaces or without', () => {
  expect(readStates('unknown')).toEqual(['unknown']);
  expect(readStates('unknown, unresolved ,denied')).toEqual(['unknown', 'unresolved', 'denied']);
  for (const text of ['', 'unknown,', 'unknown,lost', 'Unknown'])
    expect(() => readStates(text)).toThrow('States are');
});
