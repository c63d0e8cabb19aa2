import { expect, test } from 'vitest';
import { growth, type SoakRow } from './soakTable.ts';

const sample = { rssBytes: 130e6, descriptors: 40, threads: 11, processorSeconds: 1 };
const flat = (count: number): SoakRow[] =>
  Array.from({ length: count }, (_none, index) => ({
    days: (index + 1) / 4,
    // The first day warms up, later hours waver.
    bot: { ...sample, rssBytes: index < 4 ? 90e6 + index * 10e6 : 130e6 + (index % 3) * 2e6 },
    paper: sample,
    journalBytes: 1e6,
    lagSeconds: 0.001,
    intents: index * 100,
    fills: index,
    unknown: index % 2,
    reconnects: 0,
    killLevel: 0,
    events: index,
    scrapes: index,
    alerts: 0,
    logLines: index,
  }));

test('a process that warms up and then wavers did not grow', () => {
  expect(growth(flat(28))).toEqual([]);
});

test.each([
  [
    "the bot's memory",
    (row: SoakRow, at: number) => (row.bot = { ...row.bot, rssBytes: 120e6 + at * 2e6 }),
  ],
  [
    "the bot's descriptors",
    (row: SoakRow, at: number) => (row.bot = { ...row.bot, descriptors: 40 + at }),
  ],
  ["the bot's threads", (row: SoakRow, at: number) => (row.bot = { ...row.bot, threads: 11 + at })],
  ['unknown and unresolved intents', (row: SoakRow, at: number) => (row.unknown = at)],
])('what rises slowly for a week is named: %s', (name, change) => {
  const rows = flat(28);
  rows.forEach(change);
  expect(growth(rows)).toEqual([expect.stringContaining(name)]);
});
