import { expect, test } from 'vitest';
import type { KnownIntent } from '../../../src/journal/index.ts';
import { formatIntents } from '../../../src/operate/journal/formatIntents.ts';

const HOUR = 3_600_000;
const row = (marketOpened: number | null): KnownIntent =>
  ({
    key: 'key-of-twelve',
    state: 'accepted',
    instance: 'trend',
    wallet: 'main',
    kind: 'place_order',
    intent: JSON.stringify({ intent: { request: { side: 'buy', size: 1, symbol: 'BTC' } } }),
    opened: Date.UTC(2026, 0, 2) + HOUR,
    marketOpened,
  }) as KnownIntent;

test('an intent’s wall time is below its heading, and its market time, if known, below its own', () => {
  const lines = formatIntents({ items: [row(Date.UTC(2025, 5, 7)), row(null)], next: null }).split(
    '\n',
  );
  const [head, , ...rows] = lines.slice(0, 4);
  const place = (heading: string): number => head!.indexOf(heading);
  const cell = (line: string, from: string, to: string): string =>
    line.slice(place(from), place(to)).trim();
  expect(rows.map((line) => cell(line, 'opened (UTC)', 'market time'))).toEqual([
    '2026-01-02 01:00:00.000',
    '2026-01-02 01:00:00.000',
  ]);
  expect(rows.map((line) => cell(line, 'market time', 'key'))).toEqual([
    '2025-06-07 00:00:00.000',
    '',
  ]);
});
