/** Kill commands from their sender to a bot and back, over its files, in virtual time: what is asked, done and said. */
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { Subject } from 'rxjs';
import { expect, onTestFinished, test } from 'vitest';
import { createVirtualEnv } from '../../../src/env/index.ts';
import {
  controlFilesOf,
  killCommand,
  pulse,
  readWhole,
  writeWhole,
} from '../../../src/operate/control/controlFiles.ts';
import { pollCommands, sendCommand } from '../../../src/operate/control/index.ts';
import type { BotEvent } from '../../../src/runtime/BotEvent.ts';
import { holdLaw, Tried } from '../../holdLaw.ts';
import { isFull } from '../../tiers.ts';

const INSTANCES = ['trend', 'range'] as const;
const WALLETS = ['main', 'side'] as const;
const sizeOn = (wallet: string): number => WALLETS.indexOf(wallet as 'main') + 1;
const LEVELS = ['L0', 'L1', 'L2', 'L3', 'L4'] as const;
type Level = (typeof LEVELS)[number];

const standing = fc.record({
  paused: fc.constantFrom(undefined, undefined, 'by hand'),
  throttled: fc.constantFrom(undefined, undefined, 'too many'),
  stage: fc.constantFrom('shadow', 'shadow', 'canary'),
});
const step = fc.record({
  level: fc.constantFrom(...LEVELS),
  does: fc.constantFrom('done', 'done', 'done', 'fails once', 'fails'),
  left: fc.constantFrom<number | string>(0, 0, 2, 60, 'not readable'),
  /** How long it takes to find out what has ended, milliseconds. */
  confirmsIn: fc.constantFrom(0, 0, 3_000),
  /** How far the sender's clock is set back before, milliseconds. */
  back: fc.constantFrom(0, 0, 0, 3_600_000),
  isDown: fc.constantFrom(false, false, false, false, true),
  restarts: fc.constantFrom(false, false, false, true),
  problems: fc.constantFrom<readonly string[]>([], ['the key is refused']),
  reasons: fc.constantFrom<readonly string[]>([], ['stale data', 'no stream']),
  standings: fc.tuple(standing, standing),
  ignored: fc.subarray([...WALLETS]),
});

test('a command is carried out as it was asked, and what is said of it is its own', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'trimtab-kill-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const tried = new Tried();
  let cases = 0;
  await holdLaw(30, fc.array(step, { minLength: 2, maxLength: 7 }), async (steps) => {
    const files = controlFilesOf(join(folder, String(cases++)));
    const env = createVirtualEnv({ startTime: 1_780_000_000_000 });
    const calls: string[] = [];
    let one = steps[0]!;
    let failures = 0;
    const act = async (level: Level, reason: string): Promise<void> => {
      calls.push(`${level} ${reason}`);
      bot.killLevel = level;
      if (one.does === 'fails' || (one.does === 'fails once' && failures++ === 0))
        throw new Error('the disk is full');
    };
    const bot = {
      events$: new Subject<BotEvent>(),
      killLevel: 'L0' as Level,
      kill: act,
      rearm: (reason: string) => act('L0', reason),
      unanswered: () => [],
      hosts: [],
      async killed() {
        const { confirmsIn } = one;
        if (confirmsIn > 0) await new Promise<void>((done) => env.timers.after(confirmsIn, done));
        if (typeof one.left === 'string') throw new Error(one.left);
        return Array.from({ length: one.left }, (_none, at) => `order ${at}`);
      },
      paused: (name: string) => one.standings[INSTANCES.indexOf(name as 'trend')]!.paused,
      throttled: (name: string) => one.standings[INSTANCES.indexOf(name as 'trend')]!.throttled,
      stageOf: (name: string) => one.standings[INSTANCES.indexOf(name as 'trend')]!.stage,
      // No two wallets have the same.
      book: (wallet: string) => ({
        openPositions: () => [
          { symbol: 'BTC', side: 'long', size: sizeOn(wallet) },
          { symbol: 'ETH', side: 'short', size: 2 },
        ],
      }),
      spotPositions: (wallet: string) => [{ symbol: 'HYPE/USDC', size: 10 * sizeOn(wallet) }],
      closedWallet: () => [],
      closedSymbols: () => new Map(),
      ownerOf: (wallet: string, symbol: string) => ({
        kind: symbol !== 'ETH' && one.ignored.includes(wallet as 'main') ? 'ignored' : 'owned',
      }),
    };
    const start = () =>
      pollCommands({
        bot: bot as never,
        env,
        files,
        pid: 7,
        instances: INSTANCES,
        wallets: WALLETS,
      });
    let polling = start();
    const pass = async (ms: number): Promise<void> => {
      const end = env.queue.now() + ms;
      while (env.queue.now() < end) {
        await new Promise(setImmediate);
        env.queue.advanceTo(Math.min(end, env.queue.now() + 100));
      }
      await new Promise(setImmediate);
    };
    await pass(1_000);
    for (const [at, next] of steps.entries()) {
      one = { ...next, does: 'done' };
      if (next.restarts) {
        polling.end(at % 2 === 0 ? 'in_order' : 'failed');
        calls.length = 0;
        polling = start();
        await pass(2_000);
        // What was carried out before is not carried out again.
        expect(calls).toEqual([]);
      }
      polling.reportProblems(next.problems);
      bot.events$.next({ kind: 'gate', reasons: next.reasons } as unknown as BotEvent);
      one = next;
      failures = 0;
      calls.length = 0;
      const { level, does, left, back, isDown } = next;
      const reason = `why ${at}`;
      const clock = { ...env.clock, wallNow: () => env.clock.wallNow() - back };
      let isOver = false;
      const before = readWhole(files.command, killCommand);
      const sent = sendCommand({
        env: { ...env, clock },
        files,
        level,
        reason,
        isAlive: () => !isDown,
      }).finally(() => (isOver = true));
      for (let turn = 0; !isOver && turn < 1_000; turn++) await pass(100);
      const answer = await sent;
      if (isDown) {
        expect(answer.kind).toBe('not_running');
        expect([readWhole(files.command, killCommand), calls]).toEqual([before, []]);
        tried.take('not running');
        continue;
      }
      expect(calls[0]).toBe(`${level} ${reason}`);
      if (does === 'done') {
        expect(calls).toHaveLength(1);
        const lines =
          typeof left === 'string'
            ? [left]
            : Array.from({ length: Math.min(left, 50) }, (_none, line) => `order ${line}`);
        expect(answer).toMatchObject({ kind: 'carried_out', left: lines, pulse: { level } });
        tried.take(back > 0 ? 'a clock set back' : 'done');
      } else {
        expect(answer).toMatchObject({ kind: 'failed', reason: 'the disk is full' });
        tried.take(`${does}${level === 'L0' ? ' to rearm' : ''}`);
      }
      await pass(3_000);
      // A kill is tried until it is durable, a rearm once.
      const isRetried = level !== 'L0' && does !== 'done';
      if (!isRetried) expect(calls).toHaveLength(1);
      else if (does === 'fails once') expect(calls).toHaveLength(2);
      else expect(calls.length).toBeGreaterThan(2);
      const said = readWhole(files.pulse, pulse)!;
      const isStuck = does === 'fails' || (does === 'fails once' && level === 'L0');
      expect(said.failed?.reason).toBe(isStuck ? 'the disk is full' : undefined);
      if (isStuck && level !== 'L0') {
        // It becomes durable in the end.
        one = { ...next, does: 'done' };
        await pass(3_000);
        expect(readWhole(files.pulse, pulse)!.failed).toBeUndefined();
      }
      expect(readWhole(files.pulse, pulse)).toMatchObject({ pid: 7, level, reasons: next.reasons });
      const problems = [
        ...next.problems,
        ...INSTANCES.flatMap((name, place) => {
          const { paused, throttled } = next.standings[place]!;
          return [
            ...(paused === undefined ? [] : [`strategy ${name} is paused: ${paused}`]),
            ...(throttled === undefined
              ? []
              : [`strategy ${name} may no longer enter: ${throttled}`]),
          ];
        }),
      ];
      const notes = [
        ...INSTANCES.filter((_name, place) => next.standings[place]!.stage !== 'shadow').map(
          (name) => `strategy ${name} is at the stage canary: its new version trades`,
        ),
        ...WALLETS.filter((wallet) => next.ignored.includes(wallet)).flatMap((wallet) =>
          [`${sizeOn(wallet)} BTC`, `${10 * sizeOn(wallet)} HYPE/USDC`].map(
            (what) => `the position long ${what} on ${wallet} is ignored, by run --ignore`,
          ),
        ),
      ];
      expect([said.problems ?? [], said.notes ?? []]).toEqual([problems, notes]);
    }
    polling.end('in_order');
    const last = readWhole(files.pulse, pulse);
    polling.end('failed');
    await pass(3_000);
    expect(readWhole(files.pulse, pulse)).toEqual(last);
    expect(last?.ended).toBe('in_order');
  });
  const cases0 = [
    'done',
    'a clock set back',
    'fails',
    'fails once',
    'fails to rearm',
    'not running',
  ];
  if (isFull) expect(tried.rare(cases0, 5)).toEqual([]);
});

/** A bot whose writes end when the test says so. */
function startSlowBot() {
  const folder = mkdtempSync(join(tmpdir(), 'trimtab-kill-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const files = controlFilesOf(join(folder, 'bot'));
  const env = createVirtualEnv({ startTime: 5_000 });
  const begun: string[] = [];
  const ends = new Map<string, (fault?: Error) => void>();
  const act = (level: string): Promise<void> => {
    begun.push(level);
    bot.killLevel = level;
    return new Promise((resolve, reject) => {
      ends.set(level, (fault) => (fault === undefined ? resolve() : reject(fault)));
    });
  };
  const bot = {
    events$: new Subject(),
    killLevel: 'L0',
    kill: act,
    rearm: () => act('L0'),
    killed: async () => [],
    unanswered: () => [],
    hosts: [],
  };
  const options = { bot: bot as never, env, files, pid: 7, instances: [], wallets: [] };
  const polling = pollCommands(options);
  onTestFinished(() => polling.end('failed'));
  const beat = async (): Promise<void> => {
    for (let turn = 0; turn < 3; turn++) {
      await new Promise(setImmediate);
      env.queue.advanceTo(env.queue.now() + 1_000);
    }
  };
  return {
    begun,
    async ask(level: Level, time: number): Promise<void> {
      writeWhole(files.command, { level, reason: 'why', time });
      await beat();
    },
    async end(level: Level, fault?: Error): Promise<void> {
      ends.get(level)!(fault);
      await beat();
    },
    said: () => readWhole(files.pulse, pulse)!,
  };
}

test.each([
  ['L3', 'L1'],
  ['L2', 'L2'],
  ['L2', 'L0'],
  ['L0', 'L0'],
] as const)('after %s, %s waits until that is written', async (first, second) => {
  const { begun, ask, end, said } = startSlowBot();
  await ask(first, 6_000);
  await ask(second, 6_001);
  expect(begun).toEqual([first]);
  await end(first);
  expect(begun).toEqual([first, second]);
  await end(second);
  expect(said()).toMatchObject({ obeyed: 6_001 });
});

test.each([
  ['L1', 'L3'],
  ['L2', 'L4'],
  ['L0', 'L1'],
] as const)('while %s is written, %s is carried out at once', async (first, second) => {
  for (const fault of [undefined, new Error('the database is away')]) {
    for (const order of ['first', 'second'] as const) {
      const { begun, ask, end, said } = startSlowBot();
      await ask(first, 6_000);
      await ask(second, 6_001);
      expect(begun).toEqual([first, second]);
      if (order === 'first') await end(first, fault);
      await end(second);
      expect(said()).toMatchObject({ level: second, obeyed: 6_001, unended: { time: 6_001 } });
      if (order === 'second') await end(first, fault);
      // Neither is carried out once more, and the higher one has the last word.
      expect(begun).toEqual([first, second]);
      expect(said()).toMatchObject({ level: second, obeyed: 6_001, unended: { time: 6_001 } });
      expect(said().failed).toBeUndefined();
    }
  }
});

test('a file is its owner’s alone, and is replaced as a whole', () => {
  const folder = mkdtempSync(join(tmpdir(), 'trimtab-kill-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'order.json');
  writeWhole(path, { level: 'L1', reason: 'first', time: 1 });
  expect(statSync(path).mode & 0o777).toBe(0o600);
  const reader = openSync(path, 'r');
  writeWhole(path, { level: 'L2', reason: 'second', time: 2 });
  // Whoever has begun to read goes on with what was there.
  expect(JSON.parse(readFileSync(reader, 'utf8'))).toMatchObject({ reason: 'first' });
  closeSync(reader);
  expect(readWhole(path, killCommand)).toMatchObject({ reason: 'second' });
});
