import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createSqliteReader, createSqliteStore } from '../../../src/journal/index.ts';
import { compareVersions, readCourse } from '../../../src/operate/shadow/index.ts';

const intent = (minute: number) => ({
  key: `key-${minute}`,
  decisionKey: `main/turns/bar:BTC:1m:${minute}#0`,
  generation: 0,
  instance: 'turns',
  wallet: 'main',
  kind: 'place_order',
  intent: JSON.stringify({ intent: { symbol: 'BTC', side: 'buy', size: 1 } }),
});

/** Decisions at minutes 1 to 6; those of before `compactedTo` have left the journal. */
async function fill(path: string, compactedTo = 0): Promise<void> {
  const store = createSqliteStore(path, 'process');
  for (const minute of [1, 2, 3, 4, 5, 6]) {
    const time = minute * 60_000;
    const step = { key: `key-${minute}`, wallTime: time + 7, marketTime: time, data: '{}' };
    const states = ['emitted', 'denied'] as const;
    const entries = states.map((state) => ({ ...step, state }));
    await store.append({ intent: intent(minute), entries });
  }
  if (compactedTo > 0) await store.compact({ olderThan: compactedTo * 60_000 });
  await store.close();
}

async function compareCompacted(compactedTo: number) {
  const folder = mkdtempSync(join(tmpdir(), 'trimtab-course-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const files = { journal: join(folder, 'shadow.sqlite'), figures: join(folder, 'shadow.json') };
  await fill(files.journal);
  const view = {
    instance: 'turns',
    use: './new.ts',
    state: 'running',
    reason: null,
    since: 60_000,
    until: 360_000,
    capital: 1_000,
    shadow: null,
    live: null,
    sizeSteps: {},
    curve: [],
    hash: null,
  };
  writeFileSync(files.figures, JSON.stringify(view));
  const live = join(folder, 'bot.sqlite');
  await fill(live, compactedTo);
  const reader = createSqliteReader(live);
  const course = await readCourse(reader, files);
  await reader.close();
  if (!course.ok) throw new Error(course.failure.message);
  return compareVersions(course.value);
}

test.each([
  ['nothing', 0, { same: 6, parted: 0, cut: false }],
  // At the instant of the first that remains another may have been.
  ['a part', 3, { same: 3, parted: 0, cut: true }],
  ['everything', 9, { same: 0, parted: 0, cut: true }],
])('%s of the live journal has left it: the rest is compared', async (_what, to, expected) => {
  const compared = await compareCompacted(to);
  expect(compared).toMatchObject(expected);
  expect(Number.isFinite(compared.compared.from)).toBe(true);
});
