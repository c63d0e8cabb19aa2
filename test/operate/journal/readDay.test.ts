import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createSqliteReader, createSqliteStore } from '../../../src/journal/index.ts';
import { formatDay, readDay } from '../../../src/operate/journal/index.ts';

const DAY_MS = 86_400_000;
const START = Date.UTC(2026, 0, 1);

/** One denied intent at noon of each of five days; those that ended before a time have left the journal. */
async function readDays(olderThan: number, { oldOpen = false, lateMs = 0 } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'trimtab-day-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'bot.sqlite');
  const store = createSqliteStore(path, 'process');
  for (let day = 0; day < 5; day++) {
    const key = `key-${day}`;
    const decisionKey = `main/turns/bar:${day}#0`;
    const own = { key, decisionKey, generation: 0, instance: 'turns', wallet: 'main' };
    const time = START + day * DAY_MS + DAY_MS / 2;
    const states = oldOpen && day === 0 ? ['emitted'] : ['emitted', 'denied'];
    const late = day === 0 ? lateMs : 0;
    await store.append({
      intent: { ...own, kind: 'place_order', intent: '{}' },
      entries: states.map((state, at) => ({
        key,
        state: state as 'denied',
        wallTime: time + at * late,
        marketTime: time + at * late,
        data: '{}',
      })),
    });
  }
  if (olderThan > 0) await store.compact({ olderThan });
  await store.close();
  const reader = createSqliteReader(path);
  const days = ['2026-01-01', '2026-01-02', '2026-01-03', '2026-01-04', '2026-01-06'];
  const reports = [];
  for (const day of days) reports.push(await readDay(reader, day));
  await reader.close();
  return reports;
}

test('a day from which intents have left the journal says so, and a whole one does not', async () => {
  const noon = START + 2 * DAY_MS + DAY_MS / 2;
  // The first one is gone, or open, or ended after the others.
  for (const first of [{}, { oldOpen: true }, { lateMs: 3.2 * DAY_MS }]) {
    const reports = await readDays(noon, first);
    expect(reports.map((report) => report.incomplete_before)).toEqual([
      START + DAY_MS,
      START + 2 * DAY_MS,
      noon,
      undefined,
      undefined,
    ]);
    const texts = reports.map((report) => formatDay('bot', report));
    expect(texts[1]).toContain('No intents in the journal.');
    expect(texts[2]).toMatch(/Incomplete: finished intents of before 2026-01-03 12:00\S* /);
    expect(texts[3]).not.toContain('Incomplete');
    expect(texts[4]).toContain('No intents.');
  }
});

test('a journal from which everything has gone is incomplete, and one of which nothing has is not', async () => {
  const gone = await readDays(START + 99 * DAY_MS);
  expect(gone[0]).toMatchObject({ intents: {}, incomplete_before: START + DAY_MS });
  const whole = await readDays(0);
  expect(whole.map((report) => report.incomplete_before)).toEqual(whole.map(() => undefined));
});

test('each intent counts by its last state, for its strategy, and what has no answer is named', async () => {
  const paths = [
    ['emitted'],
    ['emitted', 'denied'],
    ['emitted', 'guarded'],
    ['emitted', 'guarded', 'sending'],
    ['emitted', 'guarded', 'sending', 'unknown'],
    ['emitted', 'guarded', 'sending', 'unknown', 'unresolved'],
    ['emitted', 'guarded', 'sending', 'unknown', 'absent'],
    ['emitted', 'guarded', 'sending', 'accepted'],
    ['emitted', 'guarded', 'sending', 'rejected'],
    ['emitted', 'guarded', 'deferred'],
    ['emitted', 'guarded', 'deferred', 'expired'],
  ] as const;
  const folder = mkdtempSync(join(tmpdir(), 'trimtab-day-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'bot.sqlite');
  const store = createSqliteStore(path, 'process');
  const DATA: Readonly<Record<string, object>> = {
    denied: { guard: 'max_leverage' },
    rejected: { fault: { code: 'insufficient_margin' } },
  };
  for (const instance of ['turns', 'trend']) {
    for (const states of paths) {
      const key = `${instance}-${states.at(-1)}`;
      const own = { key, decisionKey: `main/${key}#0`, generation: 0, instance, wallet: 'main' };
      await store.append({
        intent: { ...own, kind: 'launch', intent: '{}' },
        entries: states.map((state, at) => ({
          key,
          state,
          wallTime: START + at,
          marketTime: START + at,
          data: JSON.stringify(DATA[state] ?? {}),
        })),
      });
    }
  }
  await store.close();
  const reader = createSqliteReader(path);
  const report = await readDay(reader, '2026-01-01');
  await reader.close();
  const once = Object.fromEntries(paths.map((states) => [states.at(-1), 1]));
  const own = {
    intents: once,
    kinds: { launch: 1 },
    refused: { max_leverage: 1, insufficient_margin: 1 },
  };
  expect(report.strategies).toEqual([
    { strategy: 'trend', ...own },
    { strategy: 'turns', ...own },
  ]);
  expect(report.intents).toEqual(Object.fromEntries(Object.keys(once).map((state) => [state, 2])));
  expect([...report.unanswered].toSorted()).toEqual([
    'trend-sending',
    'trend-unknown',
    'trend-unresolved',
    'turns-sending',
    'turns-unknown',
    'turns-unresolved',
  ]);
});
