/** A results file as a map of jobs to results: over batches, kills, reopenings, parts and merges. */
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  describeMissing,
  formatSweepStatus,
  mergeParts,
  missingIn,
  openPart,
  openResults,
  readSweepStatus,
  shardOfJob,
  type PointCost,
  type PointResult,
  type SweepJob,
  type SweepPlan,
} from '../../../backtest/index.ts';
import { FIGURES, isRun, type PointFigures } from '../../../backtest/sweep/PointResult.ts';
import { floatsOf } from '../../../backtest/sweep/results/pointRow.ts';
import { holdLaw, Tried } from '../../holdLaw.ts';

let folder: string;
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'trimtab-results-'))));
afterAll(() => rm(folder, { recursive: true, force: true }));
let made = 0;
const newPath = (): string => join(folder, `${++made}.sqlite`);

const VALUES = ['1', '2.50', '"5"', 'x'];
const PLAN: SweepPlan = {
  config: '/bot.yaml',
  configHash: '',
  sources: [],
  feeds: [],
  set: [],
  seed: null,
  params: [
    { name: 'a', values: VALUES },
    { name: 'b"c', values: ['true'] },
  ],
  random: null,
  range: {},
  walk: null,
  objective: 'pnl',
  tape: [],
};
const jobOf = (index: number): SweepJob => ({
  index,
  values: [VALUES[index % VALUES.length]!, 'true'],
  range: {},
  window: index % 3 === 0 ? null : index % 3,
  part: 'all',
});
const costOf = (worker: string, ms: number): PointCost => ({ worker, ms, cpuMs: ms / 2 });

/** Each is itself again, except that a file has no NaN, and zero without a sign. */
const number = fc.constantFrom(0, -0, 1.5, -3, NaN, 1e-300);
const result = fc.oneof(
  fc.constantFrom('no margin', 'it "threw"').map((fault) => ({ fault })),
  fc.record({
    pnl: number,
    sharpe: fc.oneof(number, fc.constant(null)),
    returns: fc.array(fc.constantFrom(0.1, -0.2), { maxLength: 3 }),
    edges: fc.tuple(fc.constantFrom(0, 0.5), fc.constantFrom(0, -0.25)),
    trades: fc.array(fc.constantFrom<number>(7, -8), { maxLength: 3 }),
  }),
);
type Drawn = typeof result extends fc.Arbitrary<infer T> ? T : never;

function resultOf(index: number, drawn: Drawn): PointResult {
  if ('fault' in drawn) return { index, ...drawn };
  const { pnl, sharpe, ...rest } = drawn;
  const none = Object.fromEntries(FIGURES.map((name) => [name, 2]));
  const figures = { ...none, hash: `hash ${pnl}`, pnl, sharpe } as unknown as PointFigures;
  return { index, figures, ...rest };
}

function stored(one: PointResult): PointResult {
  if (!isRun(one)) return one;
  const figures = Object.entries(one.figures).map(([name, value]) => [
    name,
    typeof value !== 'number' ? value : Number.isNaN(value) ? null : value + 0,
  ]);
  return { ...one, figures: Object.fromEntries(figures) as PointFigures };
}

const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('add' as const),
      index: fc.nat(11),
      worker: fc.constantFrom('one', 'two', null),
      ms: fc.integer({ min: 1, max: 9 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.constantFrom(0, 100, 249, 250, 900).map((ms) => ({ kind: 'wait' as const, ms })),
  },
  { weight: 1, arbitrary: fc.constant({ kind: 'flush' as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'look' as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'reopen' as const }) },
  { weight: 2, arbitrary: fc.constant({ kind: 'kill' as const }) },
);
const course = fc.record({
  results: fc.array(result, { minLength: 12, maxLength: 12 }),
  steps: fc.array(step, { minLength: 12, maxLength: 30 }),
});

test('a file has each result that was added, and after a kill all but those of the last quarter of a second', async () => {
  const tried = new Tried();
  await holdLaw(80, course, ({ results: drawn, steps }) => {
    const path = newPath();
    let now = 1_000;
    const open = () => openResults(path, PLAN, { now: () => now });
    let file = open();
    const left: (typeof file)[] = [];
    const all = drawn.map((one, index) => resultOf(index, one));
    /** What is in the file, and what waits for it: workers' costs with it. */
    let [written, waits] = [new Set<number>(), new Set<number>()];
    type Cost = {
      points: number;
      failed: number;
      ms: number;
      cpuMs: number;
      first: number;
      last: number;
    };
    const costs = new Map<string, Cost>();
    let owed: Array<[string, Cost]> = [];
    let writtenAt = now;
    const write = (): void => {
      if (waits.size === 0) return;
      written = new Set([...written, ...waits]);
      waits = new Set();
      for (const [worker, cost] of owed) {
        const sum = costs.get(worker);
        costs.set(worker, {
          points: (sum?.points ?? 0) + cost.points,
          failed: (sum?.failed ?? 0) + cost.failed,
          ms: (sum?.ms ?? 0) + cost.ms,
          cpuMs: (sum?.cpuMs ?? 0) + cost.cpuMs,
          first: Math.min(sum?.first ?? Infinity, cost.first),
          last: Math.max(sum?.last ?? 0, cost.last),
        });
      }
      owed = [];
      writtenAt = now;
    };
    const reopen = (): void => {
      file = open();
      [waits, owed, writtenAt] = [new Set(), [], now];
      expect(file.size).toBe(written.size);
      expect(all.filter(({ index }) => file.has(index)).map(({ index }) => index)).toEqual(
        [...written].toSorted((a, b) => a - b),
      );
    };
    for (const one of steps) {
      tried.take(one.kind);
      if (one.kind === 'wait') now += one.ms;
      else if (one.kind === 'flush') {
        file.flush();
        write();
      } else if (one.kind === 'look') {
        // What waits belongs to what is read.
        write();
        const known = all.filter(({ index }) => written.has(index)).map(stored);
        for (const each of all) {
          expect(file.get(each.index)).toEqual(written.has(each.index) ? stored(each) : undefined);
        }
        expect([...file.outlines()].map((outline) => outline.index)).toEqual(
          known.map(({ index }) => index),
        );
        expect(
          [...file.returns()].map(({ index, returns }) => [index, ...Array.from(returns)]),
        ).toEqual(known.filter(isRun).map(({ index, returns }) => [index, ...returns]));
        expect([...file.faults()]).toEqual(known.filter((each) => !isRun(each)));
      } else if (one.kind === 'reopen') {
        file.close();
        write();
        reopen();
      } else if (one.kind === 'kill') {
        if (waits.size > 0) tried.take('a kill that loses some');
        left.push(file);
        reopen();
      } else {
        const { index, worker, ms } = one;
        const isNew = !written.has(index) && !waits.has(index);
        // The same result of a job a second time is one, but its cost was paid.
        if (!isNew) tried.take('again');
        if (waits.has(index)) write();
        file.add(jobOf(index), all[index]!, worker === null ? undefined : costOf(worker, ms));
        waits.add(index);
        if (worker !== null) {
          const failed = isRun(all[index]!) ? 0 : 1;
          owed.push([worker, { points: 1, failed, ms, cpuMs: ms / 2, first: now, last: now }]);
        }
        if (now - writtenAt >= 250) write();
        expect(file.has(index)).toBe(true);
        expect(file.size).toBe(new Set([...written, ...waits]).size);
      }
    }
    file.flush();
    write();
    expect(file.workers()).toEqual(
      [...costs]
        .map(([worker, cost]) => ({ worker, ...cost }))
        .toSorted((a, b) => (a.worker < b.worker ? -1 : 1)),
    );
    file.close();
    // As another program reads it.
    const db = new DatabaseSync(path, { readOnly: true });
    const rows = db.prepare('SELECT * FROM points ORDER BY job').all();
    db.close();
    expect(rows.map(({ job }) => job)).toEqual([...written].toSorted((a, b) => a - b));
    for (const row of rows) {
      const index = Number(row['job']);
      const expected = stored(all[index]!);
      expect(row).toMatchObject({
        window: jobOf(index).window,
        param_a: [1, 2.5, '5', 'x'][index % 4],
        'param_b"c': 'true',
        fault: isRun(expected) ? null : expected.fault,
        pnl: isRun(expected) ? expected.figures.pnl : null,
      });
      if (!isRun(expected)) continue;
      expect(Object.is(row['pnl'], -0)).toBe(false);
      expect([...floatsOf(row['edge_returns'])]).toEqual([...expected.edges]);
    }
    // Those of killed processes, which would write what they have.
    for (const each of left) each.close();
  });
  expect(
    tried.rare(['add', 'again', 'look', 'reopen', 'kill', 'a kill that loses some'], 3),
  ).toEqual([]);
}, 60_000);

const run = (index: number, trades: number[], more: object = {}): PointResult =>
  ({
    ...(resultOf(index, { pnl: 1, sharpe: null, returns: [0.1], edges: [0, 0], trades }) as object),
    ...more,
    index,
  }) as PointResult;

test('a job’s second result that differs in anything is refused, whenever it comes', () => {
  const first = run(3, [1, 2]) as PointResult & { figures: PointFigures };
  const others: PointResult[] = [
    run(3, [1, 3]),
    run(3, [2, 1]),
    run(3, [1]),
    run(3, [1, 2], { returns: [0.2] }),
    run(3, [1, 2], { edges: [0, 0.1] }),
    run(3, [1, 2], { figures: { ...first.figures, fees: 3 } }),
    { index: 3, fault: 'it threw' },
  ];
  for (const other of others) {
    for (const isLate of [false, true]) {
      const file = openResults(newPath(), PLAN, { now: () => 0 });
      const both = (): void => {
        file.add(jobOf(3), first);
        if (isLate) file.flush();
        file.add(jobOf(3), other);
        file.flush();
      };
      expect(both).toThrow('Point 4 has two results that differ.');
      expect(file.get(3)).toEqual(stored(first));
      file.close();
    }
  }
});

test.each([
  ['fees', '2.5'],
  ['daily_returns', "x'0000000000000040'"],
  ['edge_returns', "x'00000000000000400000000000000040'"],
  ['trade_pnls', "x''"],
  ['hash', "'another'"],
  ['window', '7'],
  ['param_a', '3'],
])('a part whose %s was changed is damaged, and says which point', (column, value) => {
  const path = newPath();
  const shard = { number: 2, count: 3 };
  const file = openResults(path, PLAN, { now: () => 0, shard });
  for (const index of [0, 1, 2]) file.add(jobOf(index), run(index, [1, 2]));
  file.close();
  const rowsOf = () => {
    const part = openPart(path);
    try {
      return [...part.rows(0, 9)].length;
    } finally {
      part.close();
    }
  };
  expect(rowsOf()).toBe(3);
  const db = new DatabaseSync(path);
  db.exec(`UPDATE points SET ${column} = ${value} WHERE job = 1`);
  db.close();
  expect(rowsOf).toThrow(/is damaged: point 2 is not as it was written\.\n.*--shard 2\/3\./);
});

test('a file of another format is refused by both, with both formats', () => {
  const path = newPath();
  openResults(path, PLAN, { now: () => 0 }).close();
  const db = new DatabaseSync(path);
  db.exec("UPDATE sweep SET format = 'trimtab-sweep 9'");
  db.close();
  const words = 'another version of Trimtab (trimtab-sweep 9, not trimtab-sweep 4)';
  expect(() => openResults(path, PLAN, { now: () => 0 })).toThrow(words);
  expect(() => openPart(path)).toThrow(words);
});

test('a shard’s file has no log beside it, and one that was closed says that nothing runs', () => {
  for (const shard of [null, { number: 1, count: 2 }]) {
    const path = newPath();
    const file = openResults(path, PLAN, { now: () => 0, shard });
    file.add(jobOf(0), run(0, []));
    file.flush();
    file.note({ total: 9, running: [{ worker: 'one', index: 1, ms: 5 }] });
    expect(existsSync(`${path}-wal`)).toBe(shard === null);
    file.close();
    expect(existsSync(`${path}-wal`)).toBe(false);
    const part = openPart(path);
    expect([part.size, part.total, part.running(1)]).toEqual([1, 9, []]);
    expect(part.shard).toEqual(shard);
    part.close();
  }
});

describe('parts', () => {
  /** More than are joined at once, twice. */
  const JOBS = 4_200;
  const COUNT = 7;
  const has = (index: number): boolean => index !== 4_100 && index !== 2_001;

  test('that overlap are merged into all of their rows and costs, as often as it is done', () => {
    const paths = Array.from({ length: COUNT }, (_none, at) => {
      const path = newPath();
      const shard = { number: at + 1, count: COUNT };
      const file = openResults(path, PLAN, { now: () => at, shard });
      for (let index = 0; index < JOBS; index++) {
        // Of the second one some are in the third as well.
        const own = shardOfJob(index, COUNT);
        if (!has(index) || (own !== at + 1 && !(own === 2 && at === 2 && index % 2 === 0)))
          continue;
        const one: PointResult = index % 50 === 0 ? { index, fault: 'none' } : run(index, [index]);
        file.add(jobOf(index), one, costOf(`worker ${at}`, 10));
      }
      file.close();
      return path;
    });
    const parts = paths.map((path) => openPart(path));
    expect(missingIn(parts, JOBS)).toEqual([2_001, 4_100]);
    const path = newPath();
    const merged = openResults(path, PLAN, { now: () => 0 });
    for (const order of [parts, parts.toReversed()]) {
      const seen: number[] = [];
      mergeParts(order, merged, { jobs: JOBS, onProgress: (done) => seen.push(done) });
      expect(seen).toEqual([2_000, 4_000, 4_200]);
      expect(merged.size).toBe(JOBS - 2);
      expect(merged.workers()).toEqual(parts.flatMap(({ workers }) => workers));
    }
    for (const index of [0, 1, 1_999, 2_000, 2_002, 3_999, 4_000, 4_199])
      expect(merged.get(index)).toEqual(
        index % 50 === 0 ? { index, fault: 'none' } : stored(run(index, [index])),
      );
    merged.close();
    for (const part of parts) part.close();
  });

  test('what they lack is named by their shards in order, or by its points', () => {
    const partOf = (number: number, count = 12) => ({
      path: `part-${number}.sqlite`,
      shard: { number, count },
    });
    const missing = Array.from({ length: 1_200 }, (_none, index) => index).filter(
      // Of the first dozen none is missing: those after it begin with another shard.
      (index) => index >= 12 && shardOfJob(index, 12) > 2,
    );
    const some = describeMissing(missing, {
      parts: [partOf(1), partOf(2), partOf(5)],
      jobs: 1_200,
    });
    expect(some).toBe(
      '990 of 1,200 points are missing: shard 3/12, of which there is no file; ' +
        'shard 4/12, of which there is no file; ' +
        '99 of shard 5/12, which part-5.sqlite has not completed; ' +
        [6, 7, 8, 9, 10]
          .map((number) => `shard ${number}/12, of which there is no file`)
          .join('; ') +
        '; and 2 more.\n  Run the same command again with --shard 3/12, and so on, then merge.',
    );
    const whole = { path: 'whole.sqlite', shard: null };
    for (const parts of [[partOf(1), partOf(1, 3)], [partOf(1), whole], [whole]])
      expect(describeMissing([6], { parts, jobs: 10 })).toBe(
        '1 of 10 points is missing: 7.\n  Compute them with the same command and --shard, and merge again.',
      );
  });
});

describe('the status of files', () => {
  const fileOf = (
    points: number,
    about: { total?: number; running?: number; at?: number } = {},
  ) => {
    const path = newPath();
    const { total, running, at = 100_000 } = about;
    const file = openResults(path, PLAN, { now: () => at });
    for (let index = 0; index < points; index++)
      file.add(jobOf(index), { index, fault: `reason ${index % 7}` }, costOf(path, 2_000));
    file.flush();
    const point = { worker: 'other', index: 90, ms: 3_000 };
    if (total !== undefined) file.note({ total, running: running === undefined ? [] : [point] });
    return { path, file };
  };

  test('knows how much is left where each of them knows its own', () => {
    const [one, two, unknown] = [fileOf(6, { total: 10 }), fileOf(4, { total: 12 }), fileOf(3)];
    const status = readSweepStatus([one.path, two.path], 100_000);
    // Half a point a second each.
    expect(status).toMatchObject({ state: 'running', done: 10, total: 22, points_per_second: 1 });
    expect(status.left_ms).toBe(12_000);
    const open = readSweepStatus([one.path, unknown.path], 100_000);
    expect(open).toMatchObject({ state: 'running', done: 9, total: null, left_ms: null });
    for (const { file } of [one, two, unknown]) file.close();
  });

  test('runs while a point does, though none has ended yet, and lists the most frequent reasons', () => {
    const first = fileOf(0, { total: 5, running: 1 });
    expect(readSweepStatus([first.path], 101_000)).toMatchObject({
      state: 'running',
      left_ms: null,
    });
    const many = fileOf(13, { total: 20 });
    const text = formatSweepStatus(readSweepStatus([many.path], 100_000));
    const lines = text.split('\n').filter((line) => line.includes('reason'));
    expect(lines).toEqual([
      ...[0, 1, 2, 3, 4].map((reason) => `2 points failed: reason ${reason}`),
      'and 2 more reasons',
    ]);
    for (const { file } of [first, many]) file.close();
  });
});
