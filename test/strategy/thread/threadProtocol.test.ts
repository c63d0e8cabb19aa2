/** What the bot's side of a thread does with each of its messages. */
import { BehaviorSubject, Subject } from 'rxjs';
import { describe, expect, test } from 'vitest';
import { createVirtualEnv, silentLog, TaskQueue, type Log } from '../../../src/env/index.ts';
import {
  createMemoryState,
  createThreadHost,
  type StrategyFault,
  type StrategyHostOptions,
} from '../../../src/strategy/index.ts';
import type { FromThread, SourceName } from '../../../src/strategy/thread/ThreadMessage.ts';
import { ScriptedThread } from './ScriptedThread.ts';

const START = 1_000;
const PERSISTED = { version: 1, state: { bars: 3 } };
const SECRET = `vs_${'a'.repeat(40)}`;

const subscribe = (subscription: number, source: SourceName): FromThread => ({
  kind: 'call',
  call: { kind: 'subscribe', subscription, source },
});
const emit = (name: string): FromThread => ({
  kind: 'call',
  call: { kind: 'emission', emission: name as never },
});
const fault = (hasEnded: boolean, reason = 'wrong'): FromThread => ({
  kind: 'fault',
  hasEnded,
  fault: { instance: 'test', kind: hasEnded ? 'threw' : 'malformed_intent', reason },
});

function open(
  more: Partial<StrategyHostOptions> = {},
  subjects = new Map<string, Subject<unknown>>(),
) {
  const env = createVirtualEnv();
  const market = new TaskQueue(START);
  const thread = new ScriptedThread();
  const state = createMemoryState();
  const seen = { intents: [] as unknown[], faults: [] as StrategyFault[], plots: [] as unknown[] };
  const asked: unknown[] = [];
  const of = (name: string): Subject<unknown> => {
    const known = subjects.get(name) ?? new Subject();
    subjects.set(name, known);
    return known;
  };
  const take =
    (name: string) =>
    (...args: unknown[]) => {
      asked.push([name, ...args]);
      return of([name, args[0]].join(' '));
    };
  const sources = new Proxy({} as StrategyHostOptions['sources'], {
    get: (_none, name: string) =>
      name === 'begin' ? undefined : name.endsWith('$') ? of(name) : take(name),
  });
  let frameTime: number | undefined;
  const host = createThreadHost({
    instance: 'test',
    wallet: 'main',
    symbols: ['BTC', 'ETH'],
    capitalShare: 1,
    market,
    sources,
    state,
    log: silentLog,
    onIntent: (emission: unknown) => void seen.intents.push(emission),
    onFault: (one: StrategyFault) => void seen.faults.push(one),
    onNotice: () => {},
    frameTime: () => frameTime,
    openThread: thread.open,
    timers: env.timers,
    waits: false,
    seed: 'test',
    instruments: [],
    isolation: { use: './x.ts', directory: '/', params: {}, turnDeadlineMs: 400, memoryMb: 96 },
    ...more,
  } as never);
  host.start();
  return {
    host,
    thread,
    market,
    state,
    seen,
    asked,
    of,
    env,
    at: (time: number | undefined) => (frameTime = time),
    /** Loaded and set up, with these messages of the set-up. */
    setUp: (...messages: FromThread[]) => {
      thread.say({ kind: 'ready' }, ...messages, { kind: 'done', emitted: 0, suppressed: 0 });
    },
    posted: () => thread.posted.slice(1),
  };
}

describe('what a thread is given', () => {
  test('its place, without what is not its own', () => {
    const { thread } = open({ account: 'second', onPlot: () => {} });
    expect(thread.data).toMatchObject({
      instance: 'test',
      wallet: 'main',
      account: 'second',
      symbols: ['BTC', 'ETH'],
      seed: 'test',
      memoryMb: 96,
      plots: true,
      now: START,
    });
    expect(open().thread.data).toMatchObject({ plots: false, account: undefined });
  });

  test('all that a host in the bot’s own thread would have, each as it is', () => {
    const state = createMemoryState();
    state.write(PERSISTED);
    const about = {
      instance: 'third',
      wallet: 'sub',
      account: 'sub',
      symbols: ['SOL', 'ETH'],
      capitalShare: 0.25,
      pacemakerMinSeconds: 45,
    };
    const instruments = [{ symbol: 'SOL' }, { symbol: 'ETH' }] as never;
    const place = { use: './own.ts', directory: '/plugins', params: { period: 3 }, memoryMb: 128 };
    const isolation = { ...place, turnDeadlineMs: 400 };
    const given = { ...about, state, instruments, seed: 'third', isolation } as never;
    expect(open(given).thread.data).toEqual({
      ...about,
      ...place,
      instruments,
      seed: 'third',
      plots: false,
      persisted: PERSISTED,
      now: START,
    });
  });

  test('an event with the times at which it came, market and frame', () => {
    const { setUp, of, market, at, posted } = open();
    setUp(subscribe(1, { name: 'account$' }));
    market.advanceTo(2_000);
    at(1_990);
    of('account$').next('an account');
    at(undefined);
    of('account$').next('another');
    expect(posted()).toEqual([
      { kind: 'event', subscription: 1, event: 'an account', now: 2_000, frameTime: 1_990 },
      { kind: 'event', subscription: 1, event: 'another', now: 2_000, frameTime: undefined },
    ]);
  });

  test('what a subscription brings at once, with the answer to it', () => {
    const account$ = new BehaviorSubject<unknown>('at once');
    const { setUp, thread, posted } = open({}, new Map([['account$', account$]]));
    setUp(subscribe(7, { name: 'account$' }), emit('none'));
    expect(thread.answers).toEqual([
      { messages: [{ kind: 'event', subscription: 7, event: 'at once' }] },
      { messages: [] },
    ]);
    expect(posted()).toEqual([]);
  });

  test('the failure of a call, and that of a source', () => {
    const onIntent = (): void => {
      throw new Error('no room');
    };
    const { setUp, thread, of, posted } = open({ onIntent });
    setUp(emit('one'), subscribe(1, { name: 'account$' }));
    expect(thread.answers[0]).toEqual({ messages: [], error: 'no room' });
    of('account$').error(new Error('gone'));
    expect(posted()).toMatchObject([{ kind: 'failed', subscription: 1, reason: 'gone' }]);
  });

  test('each source as it asks for it', () => {
    const { setUp, asked, of, posted } = open();
    asked.length = 0;
    const options = { history: 5, forming: false };
    setUp(
      subscribe(1, { name: 'market', symbol: 'ETH', stack: 'm' }),
      subscribe(2, { name: 'book', symbol: 'ETH', depth: 7, stack: 'b' }),
      subscribe(3, { name: 'position', symbol: 'ETH' }),
      subscribe(4, { name: 'price', symbol: 'SOL', stack: 'p' }),
      subscribe(5, { name: 'candles', symbol: 'ETH', interval: '5m', options }),
    );
    expect(asked).toEqual([
      ['market', 'ETH', 'm'],
      ['book', 'ETH', 7, 'b'],
      ['position', 'ETH'],
      ['price', 'SOL', 'p'],
      ['candles', 'ETH', '5m', options],
    ]);
    of('book ETH').next('a book');
    of('market ETH').next('a record');
    expect(posted()).toMatchObject([
      { subscription: 2, event: 'a book' },
      { subscription: 1, event: 'a record' },
    ]);
  });
});

describe('tasks of a thread', () => {
  test('are due at their time, late ones as such, and not once they are cancelled', () => {
    const { setUp, market, posted } = open();
    setUp(
      { kind: 'at', task: 1, time: START + 10 },
      { kind: 'at', task: 2, time: START + 20 },
      { kind: 'cancel', task: 2 },
    );
    market.advanceTo(START + 50);
    expect(posted()).toMatchObject([{ kind: 'due', task: 1, isLate: false, now: START + 10 }]);
  });

  test('that the clock calls late are late there', () => {
    const due: Array<(isLate?: boolean) => void> = [];
    const market = {
      now: () => START,
      at: (_time: number, run: (isLate?: boolean) => void) => {
        due.push(run);
        return () => {};
      },
    };
    const { setUp, posted } = open({ market });
    setUp({ kind: 'at', task: 1, time: START }, { kind: 'at', task: 2, time: START });
    due[0]!(true);
    due[1]!();
    expect(posted()).toMatchObject([
      { task: 1, isLate: true },
      { task: 2, isLate: false },
    ]);
  });

  test('of an ended or stopped strategy are none', () => {
    for (const end of ['stop', 'fault'] as const) {
      const { setUp, market, thread, host } = open();
      setUp({ kind: 'at', task: 1, time: START + 10 });
      if (end === 'stop') void host.stop();
      else thread.say(fault(true));
      thread.say({ kind: 'at', task: 2, time: START + 10 });
      expect(market.nextTime()).toBeUndefined();
    }
  });
});

describe('what is computed for a report', () => {
  test('is of its own line, whenever that was first sent', () => {
    const plots: unknown[] = [];
    const onPlot = (...plot: unknown[]): void => void plots.push(plot);
    const { setUp, thread } = open({ onPlot: onPlot as never });
    const [one, two] = ['one', 'two'].map((name) => ({ name }) as never);
    setUp({ kind: 'plots', lines: [one!], values: [0, 1, 10] });
    thread.say({ kind: 'plots', lines: [two!], values: [1, 2, 20, 0, 2, 11] });
    expect(plots).toEqual([
      [one, 1, 10],
      [two, 2, 20],
      [one, 2, 11],
    ]);
  });
});

describe('a fault', () => {
  test('that costs an intent is told without secrets, and the strategy goes on', () => {
    const { setUp, thread, host, seen } = open();
    setUp(fault(false, `has ${SECRET}`), emit('one'));
    thread.done(3, 2);
    expect(seen.faults).toHaveLength(1);
    expect(seen.faults[0]!.reason).not.toContain(SECRET);
    expect([seen.intents, host.emitted, host.suppressed]).toEqual([['one'], 3, 2]);
    expect(host.status).toEqual({ state: 'running' });
  });

  test('that ends it is told once and without secrets, and its thread and sources are left', () => {
    const { setUp, thread, host, seen, of, env } = open();
    setUp(subscribe(1, { name: 'account$' }), subscribe(2, { name: 'fills$' }));
    expect(of('fills$').observed).toBe(true);
    of('account$').next('begins a turn');
    thread.say(fault(true, `has ${SECRET}`));
    host.fail(new Error('later'));
    thread.exit('later');
    expect(seen.faults).toHaveLength(1);
    expect(JSON.stringify([seen.faults, host.status])).not.toContain(SECRET);
    expect(host.status).toMatchObject({ state: 'quarantined', fault: { kind: 'threw' } });
    const left = ['account$', 'fills$', 'price BTC'].filter((name) => of(name).observed);
    expect([left, thread.isTerminated, env.queue.nextTime()]).toEqual([[], true, undefined]);
  });
});

test('a plugin that can’t be loaded leaves nothing of what was kept for it', () => {
  const { thread, of, host } = open();
  expect([of('fills$').observed, of('price ETH').observed]).toEqual([true, true]);
  thread.exit('It called process.exit(3).');
  expect(host.status.state).toBe('quarantined');
  expect([of('fills$').observed, of('price ETH').observed]).toEqual([false, false]);
});

describe('a stop', () => {
  test('lets the turns before it end: state is written, nothing is sent any more', async () => {
    const { setUp, thread, host, seen, state, of } = open();
    setUp(subscribe(1, { name: 'account$' }), subscribe(2, { name: 'fills$' }));
    of('account$').next('before');
    const stopped = host.stop();
    expect([of('account$').observed, of('fills$').observed, of('watch$').observed]).toEqual([
      false,
      false,
      false,
    ]);
    thread.done();
    expect(thread.isTerminated).toBe(false);
    thread.say(emit('late'), {
      kind: 'call',
      call: { kind: 'state', persisted: PERSISTED as never },
    });
    thread.done();
    await stopped;
    expect([thread.isTerminated, seen.intents, state.read()]).toEqual([true, [], PERSISTED]);
    expect(host.status).toEqual({ state: 'stopped' });
  });

  test('ends with a thread that fails in it, which is no fault of a running strategy', async () => {
    const { setUp, thread, host, seen, env } = open();
    setUp();
    const stopped = host.stop();
    thread.exit('It called process.exit(3).');
    await stopped;
    expect([host.status, seen.faults]).toEqual([{ state: 'stopped' }, []]);

    const looping = open();
    looping.setUp();
    const over = looping.host.stop();
    looping.env.queue.advanceTo(400);
    await over;
    expect([looping.thread.isTerminated, env.queue.nextTime()]).toEqual([true, undefined]);
  });

  test('of an ended one changes nothing', () => {
    const { setUp, thread, host } = open();
    setUp();
    thread.say(fault(true));
    void host.stop();
    expect(host.status.state).toBe('quarantined');
  });
});

test('log lines keep their level and fields', () => {
  const lines: unknown[] = [];
  const write =
    (level: string) =>
    (...line: unknown[]): void =>
      void lines.push([level, ...line]);
  const log: Log = {
    debug: write('debug'),
    info: write('info'),
    warn: write('warn'),
    error: write('error'),
    with: () => log,
  };
  const { setUp } = open({ log });
  setUp({ kind: 'log', level: 'warn', message: 'a line', fields: { bars: 3 } });
  expect(lines).toEqual([['warn', 'a line', { bars: 3 }]]);
});
