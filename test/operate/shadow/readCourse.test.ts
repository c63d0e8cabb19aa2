import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createSqliteReader, createSqliteStore } from '../../../src/journal/index.ts';
import { compareVersions, readCourse } from '../../../src/operate/shadow/index.ts';

type CauseOf = (minute: number) => string;

const barOf: CauseOf = (minute) => `bar:BTC:1m:${(minute - 1) * 60_000}`;

const intent = (minute: number, causeOf: CauseOf) => ({
  key: `key-${minute}`,
  decisionKey: `main/turns/${causeOf(minute)}#0`,
  generation: 0,
  instance: 'turns',
  wallet: 'main',
  kind: 'place_order',
  intent: JSON.stringify({ intent: { symbol: 'BTC', side: 'buy', size: 1 } }),
});

interface Filling {
  /** Decisions of before have left the journal. */
  compactedTo?: number;
  causeOf?: CauseOf;
  /** From the minute to the event, and from there to the decision, milliseconds. */
  lateMs?: readonly [event: number, decision: number];
}

/** Decisions at minutes 1 to 6. */
async function fill(
  path: string,
  { compactedTo = 0, causeOf = barOf, lateMs: [late, later] = [0, 0] }: Filling = {},
): Promise<void> {
  const store = createSqliteStore(path, 'process');
  for (const minute of [1, 2, 3, 4, 5, 6]) {
    const causeTime = minute * 60_000 + late;
    const time = causeTime + later;
    const data = JSON.stringify(later === 0 ? {} : { causeTime });
    const step = { key: `key-${minute}`, wallTime: time + 7, marketTime: time, data };
    const states = ['emitted', 'denied'] as const;
    const entries = states.map((state) => ({ ...step, state }));
    await store.append({ intent: intent(minute, causeOf), entries });
  }
  if (compactedTo > 0) await store.compact({ olderThan: compactedTo * 60_000 });
  await store.close();
}

async function compare(filling: Filling, shadow: Filling = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'trimtab-course-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const files = { journal: join(folder, 'shadow.sqlite'), figures: join(folder, 'shadow.json') };
  await fill(files.journal, shadow);
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
    barMs: 60_000,
    curve: [],
    hash: null,
  };
  writeFileSync(files.figures, JSON.stringify(view));
  const live = join(folder, 'bot.sqlite');
  await fill(live, filling);
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
  const compared = await compare({ compactedTo: to });
  expect(compared).toMatchObject(expected);
  expect(Number.isFinite(compared.compared.from)).toBe(true);
});

test('on a service what is decided on a bar is of its close, the newest too', async () => {
  const compared = await compare({ lateMs: [0, 150] });
  expect(compared).toMatchObject({ same: 6, parted: 0 });
  const cut = await compare({ lateMs: [0, 150], compactedTo: 3 });
  expect([cut.same, cut.parted]).toEqual([3, 0]);
});

test('what is decided on a fill is of the fill, which the venues have in the same bar', async () => {
  const fills =
    (venue: string): CauseOf =>
    (minute) =>
      `fill:${venue}_${minute}`;
  // Decided more than a bar later, as after a lost connection.
  const live = { causeOf: fills('live'), lateMs: [150, 61_000] } as const;
  const compared = await compare(live, { causeOf: fills('paper') });
  expect(compared).toMatchObject({ same: 6, parted: 0 });
});

test('of a long run all that was decided since is read, the oldest first, each with what refused it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'trimtab-course-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const files = { journal: join(folder, 'shadow.sqlite'), figures: join(folder, 'shadow.json') };
  const [first, count] = [301, 2_600];
  const path = join(folder, 'live.sqlite');
  const store = createSqliteStore(path, 'process');
  for (let minute = 1; minute <= count; minute++) {
    const time = minute * 60_000;
    const step = { key: `key-${minute}`, wallTime: time, marketTime: time };
    // The step before the last one had asked another guard.
    const entries = [
      { ...step, state: 'emitted' as const, data: JSON.stringify({ guard: 'none' }) },
      { ...step, state: 'denied' as const, data: JSON.stringify({ guard: `guard ${minute}` }) },
    ];
    await store.append({ intent: intent(minute, barOf), entries });
  }
  await store.close();
  const figures = { shadow: null, live: null, sizeSteps: {}, barMs: 60_000, curve: [], hash: null };
  const about = { instance: 'turns', use: './new.ts', state: 'ended', reason: null, capital: 1 };
  const span = { since: first * 60_000, until: count * 60_000 };
  writeFileSync(files.figures, JSON.stringify({ ...about, ...figures, ...span }));
  const reader = createSqliteReader(path);
  const read = await readCourse(reader, files);
  await reader.close();
  if (!read.ok) throw new Error(read.failure.message);
  const { liveIntents, shadowIntents } = read.value;
  expect(shadowIntents).toEqual([]);
  expect(liveIntents.map(({ time, refusedBy }) => [time / 60_000, refusedBy])).toEqual(
    Array.from({ length: count - first + 1 }, (_none, at) => [first + at, `guard ${first + at}`]),
  );
});

test('what a guard or the service refused says by whom, and what was sent in the end does not', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'trimtab-course-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const files = { journal: join(folder, 'shadow.sqlite'), figures: join(folder, 'shadow.json') };
  const late = ['unknown', { fault: { code: 'timeout' } }] as const;
  const lives = [
    [['denied', { guard: 'max_order_notional' }]],
    [['rejected', { fault: { code: 'insufficient_margin' } }]],
    [late, ['rejected', { code: 'post_only_would_cross' }]],
    [late, ['accepted', {}]],
    [['expired', { code: 'too_old' }]],
  ] as const;
  const path = join(folder, 'live.sqlite');
  for (const journal of [path, files.journal]) {
    const store = createSqliteStore(journal, 'process');
    for (const [at, steps] of lives.entries()) {
      const time = (at + 1) * 60_000;
      const step = { key: `key-${at + 1}`, wallTime: time, marketTime: time };
      const entries = [['emitted', {}] as const, ...steps].map(([state, data]) => ({
        ...step,
        state,
        data: JSON.stringify(data),
      }));
      await store.append({ intent: intent(at + 1, barOf), entries });
    }
    await store.close();
  }
  const figures = { shadow: null, live: null, sizeSteps: {}, barMs: 60_000, curve: [], hash: null };
  const about = { instance: 'turns', use: './new.ts', state: 'ended', reason: null, capital: 1 };
  const span = { since: 60_000, until: 600_000 };
  writeFileSync(files.figures, JSON.stringify({ ...about, ...figures, ...span }));
  const reader = createSqliteReader(path);
  const read = await readCourse(reader, files);
  await reader.close();
  if (!read.ok) throw new Error(read.failure.message);
  for (const intents of [read.value.liveIntents, read.value.shadowIntents])
    expect(intents.map(({ outcome, refusedBy }) => [outcome, refusedBy])).toEqual([
      ['denied', 'max_order_notional'],
      ['rejected', 'insufficient_margin'],
      ['rejected', 'post_only_would_cross'],
      ['accepted', undefined],
      ['expired', undefined],
    ]);
});

test('of several decisions of the first instant none is left out, wherever a page of them ends', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'trimtab-course-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const files = { journal: join(folder, 'shadow.sqlite'), figures: join(folder, 'shadow.json') };
  const path = join(folder, 'live.sqlite');
  const store = createSqliteStore(path, 'process');
  // The newest thousand are read first: two of the first three are on the next page.
  const [first, count] = [3, 1_002];
  for (let at = 0; at < count; at++) {
    const minute = Math.max(1, at - first + 2);
    const key = `key-${at}`;
    const decisionKey = `main/turns/${barOf(minute)}#${at < first ? at : 0}`;
    const step = { key, wallTime: minute * 60_000, marketTime: minute * 60_000, data: '{}' };
    const entries = (['emitted', 'guarded'] as const).map((state) => ({ ...step, state }));
    await store.append({ intent: { ...intent(minute, barOf), key, decisionKey }, entries });
  }
  await store.close();
  const figures = { shadow: null, live: null, sizeSteps: {}, barMs: 60_000, curve: [], hash: null };
  const about = { instance: 'turns', use: './new.ts', state: 'ended', reason: null, capital: 1 };
  const span = { since: 60_000, until: count * 60_000 };
  writeFileSync(files.figures, JSON.stringify({ ...about, ...figures, ...span }));
  const reader = createSqliteReader(path);
  const read = await readCourse(reader, files);
  await reader.close();
  if (!read.ok) throw new Error(read.failure.message);
  const { liveIntents } = read.value;
  expect(liveIntents).toHaveLength(count);
  expect(liveIntents.slice(0, 4).map(({ time, ordinal }) => [time / 60_000, ordinal])).toEqual([
    [1, 0],
    [1, 1],
    [1, 2],
    [2, 0],
  ]);
});
