import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  estimateSweep,
  openResults,
  readSweepStatus,
  sampleOf,
  shardsWithin,
  startOf,
  stragglersOf,
  type PointCost,
  createThreadEngine,
  firstJobs,
  formatWorkers,
  tradableSpan,
  type SweepEngine,
  type SweepJob,
} from '../../../backtest/index.ts';
import { createStages } from '../../../backtest/sweep/createStages.ts';
import { createJobRunner } from '../../../backtest/sweep/runJobs.ts';
import { runMain } from '../../cli/runMain.ts';
import { planSweep } from '../../../src/cli/sweep/planSweep.ts';
import { watchSweep } from '../../../src/cli/sweep/watchSweep.ts';
import { createVirtualEnv } from '../../../src/env/index.ts';
import { config, directory, GRID, rowsOf, sweep, useSweepFolder } from './sweepFolder.ts';
import { inTurn } from '../../inTurn.ts';

useSweepFolder();

const it = inTurn(3);

const costOf = (ms: number, worker = 'a'): PointCost => ({ worker, ms, cpuMs: ms });

describe('an estimate', () => {
  test('is the mean of points after the first of each worker, with its error', () => {
    const costs = [costOf(900), costOf(800, 'b'), costOf(10), costOf(30, 'b'), costOf(20)];
    const estimate = estimateSweep(costs, { points: 1_000, threads: 2 });
    expect(estimate).toMatchObject({ msAPoint: 20, measured: 3, longestMs: 30, totalMs: 10_000 });
    expect(estimate.errorMs).toBeCloseTo(10 / Math.sqrt(3), 9);
    expect(estimateSweep([costOf(900)], { points: 2, threads: 4 })).toMatchObject({
      msAPoint: 900,
      measured: 1,
      totalMs: 900,
      // One point says nothing of the others.
      errorMs: 900,
    });
  });

  test('measures points from all over the grid, each once', () => {
    const all = Array.from({ length: 1_000 }, (_none, index) => index);
    const some = sampleOf(all);
    expect(new Set(some).size).toBe(16);
    for (let tenth = 0; tenth < 10; tenth++) {
      expect(some.some((index) => Math.floor(index / 100) === tenth)).toBe(true);
    }
    expect(sampleOf([5, 6, 7]).toSorted()).toEqual([5, 6, 7]);
  });

  test('says how many shards a deadline needs, or that none suffices', () => {
    const costs = [costOf(900), costOf(100), costOf(100)];
    const estimate = estimateSweep(costs, { points: 3_600_000, threads: 2 });
    // 50 hours of two threads; each hour has 59 minutes for points, less one point.
    const hour = { withinMs: 3_600_000, startMs: 60_000 };
    expect(shardsWithin(estimate, hour)).toBe(51);
    expect(shardsWithin(estimate, { withinMs: 60_050, startMs: 60_000 })).toBeNull();
    expect(shardsWithin(estimate, { withinMs: 1e9, startMs: 60_000 })).toBe(1);
    // Just enough for one point in each thread.
    expect(shardsWithin(estimate, { withinMs: 60_100, startMs: 60_000 })).toBe(1_800_000);
  });

  test('of a deadline leaves room for one long point, which the last of a shard may be', () => {
    const points = { points: 6_000, msAPoint: 1_000, longestMs: 600_000, threads: 4 };
    const shards = (withinMs: number) =>
      shardsWithin(points as Parameters<typeof shardsWithin>[0], { withinMs, startMs: 120_000 });
    // A quarter of an hour less two minutes to start and ten for the longest: three for the points.
    expect(shards(900_000)).toBe(Math.ceil(1_500 / 180));
    expect(shards(780_000)).toBe(Math.ceil(1_500 / 60));
    expect(shards(719_000)).toBeNull();
  });
});

test('a start is the load, and what the sample took beyond its points, in the threads that had one', () => {
  const costs = [costOf(300), costOf(100)];
  const times = { loadMs: 1_000, wholeMs: 500 };
  expect(startOf(costs, { ...times, threads: 1 })).toBe(1_100);
  expect(startOf(costs, { ...times, threads: 2 })).toBe(1_300);
  expect(startOf(costs, { ...times, threads: 64 })).toBe(1_300);
  expect(startOf(costs, { ...times, wholeMs: 100, threads: 1 })).toBe(1_000);
});

test('the cost of points is not measured where other machines compute them: none waits for the sample', async () => {
  const { plan } = await planSweep(config, { param: ['channel=10..210'], feed: [], set: [] });
  const results = openResults(join(directory, 'spread.sqlite'), plan, { now: () => 0 });
  const job = (index: number) =>
    ({ index, values: ['10'], range: {}, window: null, part: 'all' }) as const;
  const jobs = Array.from({ length: 201 }, (_none, index) => job(index));
  const given: number[] = [];
  const engine: SweepEngine = {
    async run(running) {
      given.push(running.jobs.length);
      for (const { index } of running.jobs) running.onResult({ index, fault: 'none' }, costOf(1));
    },
    close: () => Promise.resolve(),
  };
  const written: string[] = [];
  const stream = { write: (text: string) => written.push(text) };
  for (const threads of [null, 2]) {
    const env = createVirtualEnv();
    const watch = watchSweep({ env, engine, results, stream, threads });
    const empty = { ...results, size: 0, has: () => false, add: () => {} };
    const running = { ...watch, engine, results: empty, isStopped: () => false };
    await createJobRunner(running, 201).run(jobs);
    watch.end();
  }
  expect(given).toEqual([201, 16, 201]);
  expect(written.filter((text) => text.includes('points are left'))).toHaveLength(1);
  results.close();
});

test('a worker has worked until its last result, over several writes', async () => {
  const { plan } = await planSweep(config, { param: ['channel=10..30'], feed: [], set: [] });
  let now = 1_000;
  const path = join(directory, 'until.sqlite');
  const results = openResults(path, plan, { now: () => now });
  for (const index of [0, 1]) {
    const job = { index, values: ['10'], range: {}, window: null, part: 'all' } as const;
    results.add(job, { index, fault: 'none' }, costOf(60_000, 'one'));
    results.flush();
    now += 4_000;
  }
  expect(results.workers()).toMatchObject([
    { worker: 'one', points: 2, first: 1_000, last: 5_000 },
  ]);
  results.note({ total: 21, running: [] });
  // Its next point takes a minute as well, so that silence of two says nothing.
  const stateAfter = (ms: number) => readSweepStatus([path], 5_000 + ms).state;
  expect([stateAfter(59_000), stateAfter(239_000), stateAfter(241_000)]).toEqual([
    'running',
    'running',
    'stopped',
  ]);
  results.close();
});

test('who computes a long point counts towards the rate, and reasons come by their frequency', async () => {
  const { plan } = await planSweep(config, { param: ['channel=10..30'], feed: [], set: [] });
  let now = 0;
  const path = join(directory, 'frequent.sqlite');
  const results = openResults(path, plan, { now: () => now });
  const faults = ['seldom', 'often', 'often', 'often', 'now and then', 'now and then'];
  for (const [index, fault] of faults.entries()) {
    const job = { index, values: ['10'], range: {}, window: null, part: 'all' } as const;
    results.add(job, { index, fault }, costOf(1_000, index < 3 ? 'one' : 'two'));
  }
  results.flush();
  // Ten minutes later one of the two still computes its next point.
  now = 600_000;
  results.note({ total: 21, running: [{ worker: 'two', index: 6, ms: 600_000 }] });
  const status = readSweepStatus([path], now);
  expect(status.faults).toEqual([
    { fault: 'often', points: 3 },
    { fault: 'now and then', points: 2 },
    { fault: 'seldom', points: 1 },
  ]);
  expect(status).toMatchObject({ state: 'running', failed: 6, points_per_second: 1 });
  expect(status.left_ms).toBe(15_000);
  expect(status.slow).toMatchObject([{ index: 6 }]);
  // A process that was killed left its point, and another one computed it: nothing is slow of what is complete.
  results.note({ total: 6, running: [{ worker: 'two', index: 6, ms: 600_000 }] });
  expect(readSweepStatus([path], now)).toMatchObject({ state: 'complete', slow: [] });
  results.close();
});

test('of many workers twenty have a row, and the others one together', () => {
  const workers = Array.from({ length: 22 }, (_none, at) => {
    const worker = `w${at}`;
    return { worker, points: 100 - at, failed: 0, ms: 1_000, cpuMs: 1_000, first: 0, last: 1 };
  });
  const names = formatWorkers(workers)
    .split('\n')
    .map((line) => line.split(/ {2,}/)[0]!.trim());
  expect(names.slice(-3)).toEqual(['w19', '2 more', 'all']);
});

test('a batch is as large as the usual point allows, not the quickest', () => {
  const jobs = Array.from({ length: 640 }, (_none, index): SweepJob => {
    return { index, values: [], range: {}, window: null, part: 'all' };
  });
  const stages = createStages(jobs);
  expect(stages.next(jobs, true)).toHaveLength(64);
  for (let at = 0; at < 64; at++) stages.add(at === 7 ? 1 : 1_000);
  const rest = jobs.filter(({ index }) => index % 10 !== 0);
  expect(stages.next(rest, false).map(({ length }) => length)).toEqual(
    Array.from({ length: 144 }, () => 4),
  );
});

test('a point has run since it began, not since its thread did', async () => {
  const { plan, text, tape } = await planSweep(config, {
    param: ['channel=10,15,20'],
    feed: [],
    set: [],
  });
  const jobs = firstJobs(plan, tradableSpan(plan, tape.data, tape.paper.warmup));
  const bench = { plan, text, data: tape.data };
  let now = 0;
  const clock = { ...createVirtualEnv().clock, monotonicNow: () => now };
  const engine = createThreadEngine(bench, { threads: 1, clock });
  const seen = new Map<number, number>();
  const look = setInterval(() => {
    for (const { index, ms } of engine.running!()) {
      seen.set(index, ms);
      // The first point takes an hour; the others take no time.
      if (index === first) now = 3_600_000;
    }
  }, 1);
  const first = jobs.at(0)!.index;
  await engine.run({ jobs: [...jobs], onResult: () => {}, isStopped: () => false });
  clearInterval(look);
  expect(seen.size).toBeGreaterThan(1);
  seen.delete(first);
  expect([...new Set(seen.values())]).toEqual([0]);
});

test('a straggler takes five times as long as the others, and ten seconds at least', () => {
  const point = (index: number, ms: number) => ({ index, worker: 'a', ms });
  const running = [point(0, 9_000), point(1, 11_000), point(2, 80_000)];
  const slow = (msAPoint: number) => stragglersOf(running, { msAPoint }).map(({ index }) => index);
  expect([slow(10), slow(3_000), slow(20_000), slow(Infinity)]).toEqual([[2, 1], [2], [], []]);
});

describe('the status of a sweep', { timeout: 120_000 }, () => {
  test('is read from its files while it runs: rate, rest, workers, stragglers, faults', async () => {
    const { plan } = await planSweep(config, { param: ['channel=10..30'], feed: [], set: [] });
    const path = join(directory, 'runs.sqlite');
    const now = () => Date.now();
    const results = openResults(path, plan, { now, shard: { number: 1, count: 2 } });
    const job = (index: number) =>
      ({ index, values: ['10'], range: {}, window: null, part: 'all' }) as const;
    results.add(job(0), { index: 0, fault: 'no margin' }, costOf(500, 'one'));
    results.add(job(2), { index: 2, fault: 'no margin' }, costOf(1_500, 'two'));
    results.note({ total: 11, running: [{ index: 4, worker: 'two', ms: 95_000 }] });
    results.flush();
    const { code, out } = await runMain('status', path);
    expect([code, out]).toEqual([1, expect.stringContaining('The sweep is running: 2 of 11')]);
    expect(out).toContain('2 of 11 points, 2 failed, 2.67 a second, 4 s left\n');
    expect(out).toMatch(/^slow: point 5 for 1 min 3[56] s on two; others take 1 s$/m);
    expect(out).toContain('2 points failed: no margin');
    expect(out).toMatch(/^two +1 +1 +0\.67 +1500\.0 +2 s$/m);
    expect(out).toMatch(/^all +2 +2 +2\.67 +1000\.0 +2 s$/m);
    const json = await runMain('status', path, '--json');
    expect(JSON.parse(json.out)).toMatchObject({
      state: 'running',
      done: 2,
      total: 11,
      failed: 2,
      files: [{ shard: '1/2', done: 2, total: 11 }],
      slow: [{ index: 4, worker: 'two' }],
    });
    results.close();
  });

  test('is stopped once its process was killed, whatever that was computing', async () => {
    const { plan } = await planSweep(config, { param: ['channel=10..30'], feed: [], set: [] });
    const path = join(directory, 'killed.sqlite');
    let time = 1_735_689_600_000;
    const results = openResults(path, plan, { now: () => time });
    results.note({ total: 21, running: [{ index: 0, worker: 'one', ms: 0 }] });
    // A point that takes hours has no result for as long; each second says that it is still computed.
    time += 7_200_000;
    results.note({ total: 21, running: [{ index: 0, worker: 'one', ms: 7_200_000 }] });
    const stateAfter = (ms: number) => readSweepStatus([path], time + ms).state;
    expect([stateAfter(1_000), stateAfter(59_000)]).toEqual(['running', 'running']);
    expect([stateAfter(61_000), stateAfter(1e9)]).toEqual(['stopped', 'stopped']);
    results.close();
  });

  it('is complete after it, also of several shards, with the cost by worker', async () => {
    const parts = [1, 2].map((number) => `half-${number}.sqlite`);
    for (const [index, name] of parts.entries()) {
      const { err } = await sweep(name, ...GRID, '--shard', `${index + 1}/2`);
      expect(err).toMatch(/^shard \d\/2 \S+:\d+ thread 1 +3 +0 /m);
    }
    const [first, second] = parts.map((name) => join(directory, name));
    const { code, out } = await runMain('status', first!, second!);
    expect([code, out]).toEqual([
      0,
      expect.stringMatching(/^The sweep is complete: 6 of 6 points$/m),
    ]);
    expect(out).toMatch(/half-2\.sqlite +2\/2 +3 +3$/m);
    const strange = await runMain('status', first!, config);
    expect([strange.code, strange.err]).toEqual([3, expect.stringContaining('is not a results')]);
    const twice = await runMain('status', config, config);
    expect([twice.code, twice.err]).toEqual([3, expect.stringContaining('is one too many')]);
    const unknown = await runMain('status', config, '--jsn');
    expect([unknown.code, unknown.err]).toEqual([3, expect.stringContaining("'--jsn'")]);
    const none = await runMain('--debug', 'status', '--json');
    expect([none.code, none.err]).toEqual([3, expect.stringContaining('"TRIMTAB_USAGE"')]);
    expect((await runMain('status', '--help')).code).toBe(0);
  });

  test('is complete after a walk-forward with a window that chose nothing, and has no test', async () => {
    const walk = ['--walk-forward', 'anchored', '--train', '12h', '--test', '12h'];
    // No bar leaves so long a channel, so that no trade judges a point.
    const argv = ['--param', 'channel=300,350', '--objective', 'profit_factor', ...walk];
    const { code } = await sweep('chosen.sqlite', ...argv);
    const status = await runMain('status', join(directory, 'chosen.sqlite'));
    expect(rowsOf('chosen.sqlite').filter(({ part }) => part === 'test')).toHaveLength(1);
    expect([code, status.code, status.out]).toEqual([
      0,
      0,
      expect.stringMatching(/^The sweep is complete: 7 of 7 points$/m),
    ]);
  });

  test('and one whose file takes nothing more ends by its next result, with the reason', async () => {
    const { plan } = await planSweep(config, { param: ['channel=10..30'], feed: [], set: [] });
    const path = join(directory, 'other.sqlite');
    const env = createVirtualEnv();
    const now = () => env.clock.wallNow();
    const job = { index: 0, values: ['10'], range: {}, window: null, part: 'all' } as const;
    const other = openResults(path, plan, { now });
    other.add(job, { index: 0, fault: 'one' });
    const results = openResults(path, plan, { now });
    other.flush();
    const stream = { write: () => true };
    const engine: SweepEngine = { run: () => Promise.resolve(), close: () => Promise.resolve() };
    const watch = watchSweep({ env, engine, results, stream, threads: 1 });
    watch.onProgress({ done: 0, total: 21, resumed: 0, failed: 0 });
    // Another sweep has computed this point otherwise, which is found when it is written.
    results.add(job, { index: 0, fault: 'another' }, costOf(1));
    env.queue.advanceTo(1_000);
    env.queue.advanceTo(2_000);
    expect(() => results.flush()).toThrow('Point 1 has two results that differ.');
    watch.end();
    for (const each of [results, other]) each.close();
  });

  it('and what it will cost is measured before it starts, without writing a file', async () => {
    const { code, out } = await sweep('never.sqlite', ...GRID.slice(0, 2), '--within', '1h');
    expect([code, out]).toEqual([2, '']);
    const argv = ['--param', 'channel=10..30', '--within', '30min', '--threads', '1'];
    const asked = await runMain('sweep', config, ...argv);
    expect(asked.code).toBe(0);
    expect(asked.out).toMatch(/^points: 21 \([\d.]+ ± [\d.]+ ms a point, measured on 15\)$/m);
    expect(asked.out).toMatch(/^here: \d+ s on 1 thread, [\d,]+ MB of memory$/m);
    expect(asked.out).toMatch(/^within 30 min 0 s: 1 shard, on as many machines like this one/m);
  });

  it('and a large one says it when its first points are done', async () => {
    const { code, err } = await sweep(
      'large.sqlite',
      '--param',
      'channel=10..209',
      '--timerange',
      '20250102T0800-20250102T0900',
    );
    expect(code).toBe(0);
    expect(err).toMatch(
      /^184 points are left: about \d+ s on 1 thread \([\d.]+ ± [\d.]+ ms a point, measured on 15\), [\d,]+ MB of memory\.$/m,
    );
  });
});
