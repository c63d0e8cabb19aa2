import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { createLiveEnv, openThread, type Log } from '../../../src/env/index.ts';
import {
  createMemoryState,
  createStrategyHost,
  createThreadHost,
  type PlotLine,
  type StrategyHost,
  type StrategyHostOptions,
} from '../../../src/strategy/index.ts';
import { root } from '../../sourceFiles.ts';
import {
  runStrategy,
  START,
  type RunOptions,
  type StrategyRun,
} from '../../strategies/runStrategy.ts';
import oddities from './oddities.ts';
import { rotated } from '../../tiers.ts';
import { inTurn } from '../../inTurn.ts';

const it = inTurn(2);

const MINUTE = 60_000;
const hosts: StrategyHost[] = [];
afterEach(async () => {
  for (const host of hosts.splice(0)) await host.stop();
});

/** The strategy in a real thread, synchronous or, by default, asynchronous. */
function runInThread(
  does: string,
  {
    waits = false,
    turnDeadlineMs = 10_000,
    onPlot,
    begin,
    ...more
  }: RunOptions &
    Pick<StrategyHostOptions, 'onPlot'> &
    Partial<typeof SHORT> & {
      waits?: boolean;
      begin?: () => void;
    } = {},
) {
  const lines: string[] = [];
  const write = (message: string): void => void lines.push(message);
  const log: Log = { debug: write, info: write, warn: write, error: write, with: () => log };
  const state = createMemoryState();
  const createHost = (options: StrategyHostOptions): StrategyHost =>
    createThreadHost({
      ...options,
      sources: { ...options.sources, ...(begin && { begin }) },
      onPlot,
      openThread,
      waits,
      timers: createLiveEnv().timers,
      seed: 'test',
      instruments: [options.instrument('BTC')!],
      isolation: {
        use: './oddities.ts',
        directory: join(root, 'test/strategy/thread'),
        params: { does },
        turnDeadlineMs,
        memoryMb: 96,
      },
    });
  const run = runStrategy(oddities, { params: { does }, createHost, log, state, ...more });
  hosts.push(run.host);
  return { ...run, lines, state };
}

const soon = { timeout: 15_000 };
/** Short enough to wait for, where a plugin never ends. */
const SHORT = { turnDeadlineMs: 400 };

describe('a strategy in its own thread', () => {
  it('decides as in the bot’s thread, and synchronous outcomes arrive in order', async () => {
    const answer: RunOptions['answer'] = ({ intent, decisionKey }) => ({
      state: 'denied',
      intent,
      decisionKey,
      time: 0,
    });
    const run = runInThread('nothing', { answer });
    await expect.poll(() => run.requestedHistory, soon).toHaveLength(1);
    run.bars(1, 2);
    await expect
      .poll(() => run.keys(), soon)
      .toEqual([`main/test/bar:BTC:1m:${START}#0`, `main/test/bar:BTC:1m:${START + MINUTE}#0`]);
    await expect.poll(() => run.lines, soon).toEqual(['outcome denied', 'outcome denied']);
    const own = runStrategy(oddities, { answer });
    own.bars(1, 2);
    expect(run.emissions).toEqual(own.emissions);
    expect([run.host.emitted, run.host.status.state]).toEqual([2, 'running']);
  });

  test('history may come once it is set up, although the bot does not wait', async () => {
    const subscribed: number[] = [];
    const run = runInThread('nothing', {
      begin: () => void subscribed.push(run.requestedHistory.length),
    });
    expect(subscribed).toEqual([]);
    await expect.poll(() => subscribed[0], soon).toBe(1);
  });

  it('what it computes for a report arrives as from the bot’s thread', async () => {
    const plotsOf = (createOwn: (options: StrategyHostOptions) => StrategyRun) => {
      const shown: unknown[] = [];
      const run = createOwn({
        onPlot: (line: PlotLine, time: number, value: number) => shown.push([line, time, value]),
      } as never);
      return { run, shown };
    };
    const there = plotsOf((more) => runInThread('plots', { onPlot: more.onPlot }));
    const here = plotsOf(({ onPlot }) =>
      runStrategy(oddities, {
        params: { does: 'plots' },
        createHost: (options) => createStrategyHost({ ...options, onPlot }),
      }),
    );
    await expect.poll(() => there.run.requestedHistory, soon).toHaveLength(2);
    for (const { run } of [there, here]) run.bars(1, 2, 4);
    expect(here.shown).toHaveLength(5);
    await expect.poll(() => there.shown, soon).toEqual(here.shown);
  });

  it('gets fills and ticks from before its set-up, in order', async () => {
    const run = runInThread('hears');
    const fill = (id: string) => run.sources.fills$.next({ fill_id: id, symbol: 'BTC' } as never);
    const tick = (last: number) => run.sources.price$.next({ last } as never);
    fill('one');
    tick(1);
    fill('two');
    tick(2);
    await expect.poll(() => run.requestedHistory, soon).toHaveLength(1);
    fill('three');
    await expect.poll(() => run.lines, soon).toHaveLength(5);
    expect(run.lines).toEqual(['fill one', 'tick 1', 'fill two', 'tick 2', 'fill three']);
    expect([run.sources.fills$.observed, run.sources.outcomes$.observed]).toEqual([true, true]);
    await run.host.stop();
    expect([run.sources.fills$.observed, run.sources.price$.observed]).toEqual([false, false]);
  });

  it('persists its state continuously, and finally when stopped', async () => {
    const run = runInThread('nothing');
    await expect.poll(() => run.requestedHistory, soon).toHaveLength(1);
    run.bars(1, 2);
    await expect.poll(() => run.state.read(), soon).toMatchObject({ state: { bars: 2 } });
    await run.host.stop();
    expect(run.state.read()).toEqual({ version: 1, state: { bars: 2, atEnd: true } });
    expect(run.host.status).toEqual({ state: 'stopped' });
  });

  it('asynchronous decisions are sent under their own names', async () => {
    const run = runInThread('promises');
    await expect.poll(() => run.keys(), soon).toEqual(['main/test/promised#0']);
  });

  it('has no access to the process environment', async () => {
    const run = runInThread('shows its environment');
    await expect.poll(() => run.requestedHistory, soon).toHaveLength(1);
    run.bars(13);
    await expect.poll(() => run.lines, soon).toContain('has .');
  });
});

describe('a failure ends its thread only', () => {
  it('in a subscriber of its own, which is reported after the turn', async () => {
    const run = runInThread('throws in a subscriber');
    await expect.poll(() => run.requestedHistory, soon).toHaveLength(1);
    run.bars(13, 14);
    const fault = { kind: 'threw', reason: 'in a subscriber' };
    await expect.poll(() => run.host.status, soon).toMatchObject({ state: 'quarantined', fault });
  });

  const ends: Array<[does: string, kind: string | RegExp, reason: string | RegExp]> = [
    ['loops', 'overran', 'did not finish one event within 0.4 s'],
    ['loops and keeps', /overran|flooded/, /during one event|finish one event/],
    ['exits', 'thread_ended', /process.exit\(3\)/],
    ['exits by another name', 'thread_ended', /process.exit\(4\)/],
    ['rejects nowhere', 'thread_ended', 'nobody waits for it'],
    ['changes its state in place', 'threw', "read only property 'bars'"],
  ];

  test.each(rotated(ends, 2))('%s, while the bot goes on', async (does, kind, reason) => {
    const run = runInThread(does, SHORT);
    await expect.poll(() => run.requestedHistory, soon).toHaveLength(1);
    run.bars(1, 13);
    expect(run.host.status.state).toBe('running');
    await expect.poll(() => run.host.status, soon).toMatchObject({ state: 'quarantined' });
    expect(run.faults).toHaveLength(1);
    expect(run.faults[0]?.kind).toMatch(kind);
    expect(run.faults[0]?.reason).toMatch(reason);
    expect(run.emissions[0]?.cause).toBe(`bar:BTC:1m:${START}`);
    run.bars(14);
    expect(run.sources.live$.observed).toBe(false);
  });

  test.each(rotated(ends.slice(0, 4), 1))(
    '%s, where the bot waits for it',
    (does, kind, reason) => {
      const run = runInThread(does, { waits: true, ...SHORT });
      run.bars(1, 13, 14);
      expect(run.host.status.state).toBe('quarantined');
      expect(run.faults[0]?.kind).toMatch(kind);
      expect(run.faults[0]?.reason).toMatch(reason);
      expect(run.keys()).toEqual([`main/test/bar:BTC:1m:${START}#0`]);
    },
  );

  it('many that exit at once are each reported, and the process continues', async () => {
    const runs = Array.from({ length: 6 }, () => runInThread('exits'));
    for (const run of runs) {
      await expect.poll(() => run.requestedHistory, soon).toHaveLength(1);
      run.bars(1, 13);
    }
    for (const run of runs) {
      await expect.poll(() => run.faults, soon).toHaveLength(1);
      expect(run.faults[0]?.reason).toBe('It called process.exit(3).');
    }
  });

  test.each(rotated([true, false], 1))(
    'one that logs for ever, where the bot waits: %s',
    async (waits) => {
      const run = runInThread('loops and logs', { waits, ...SHORT });
      await expect.poll(() => run.requestedHistory, soon).toHaveLength(1);
      run.bars(13);
      await expect.poll(() => run.host.status.state, soon).toBe('quarantined');
      expect(run.faults[0]?.kind).toMatch(/flooded|overran/);
      expect(run.lines.length).toBeLessThan(100_002);
    },
  );

  test.each(rotated([true, false], 1))(
    'one that leaks memory, where the bot waits: %s',
    async (waits) => {
      const run = runInThread('hoards', { waits });
      await expect.poll(() => run.requestedHistory, soon).toHaveLength(1);
      for (let bar = 0; bar < 20; bar += 1) run.bars(1);
      await expect.poll(() => run.host.status.state, soon).toBe('quarantined');
      expect(run.faults).toMatchObject([{ kind: 'thread_ended' }]);
      expect(run.faults[0]?.reason).toMatch(/It uses \d+ MB of memory, and may use 96\./);
    },
  );

  it('a source that fails ends it as it would in the bot’s thread', async () => {
    const run = runInThread('nothing');
    await expect.poll(() => run.requestedHistory, soon).toHaveLength(1);
    run.sources.live$.error(new Error('gone'));
    await expect
      .poll(() => run.faults, soon)
      .toMatchObject([{ kind: 'source_failed', reason: 'gone' }]);
  });
});

test('a late bot does not mistake an answer in time for a loop', async () => {
  const run = runInThread('nothing', SHORT);
  await expect.poll(() => run.requestedHistory, soon).toHaveLength(1);
  run.bars(1);
  // Longer than the deadline: the answer is there when the bot has time to hear it.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 900);
  await expect.poll(() => run.keys(), soon).toHaveLength(1);
  run.bars(2);
  await expect.poll(() => run.keys(), soon).toHaveLength(2);
  expect(run.faults).toEqual([]);
});
