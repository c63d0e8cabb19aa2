import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Subject } from 'rxjs';
import { createVirtualEnv } from '../../../src/env/index.ts';
import {
  controlFilesOf,
  pulse,
  readWhole,
  writeWhole,
  type ControlFiles,
} from '../../../src/operate/control/controlFiles.ts';
import { pollCommands, statusOf } from '../../../src/operate/control/index.ts';
import type { BotEvent } from '../../../src/runtime/BotEvent.ts';
import type { Unanswered } from '../../../src/runtime/control/listUnanswered.ts';
import type { KillLevel } from '../../../src/runtime/control/killLevels.ts';

let folder: string;
let files: ControlFiles;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'trimtab-orders-'));
  files = controlFilesOf(join(folder, 'bot.sqlite'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** One life of a process that polls commands. */
function startLife(
  level: KillLevel = 'L0',
  write = async (): Promise<void> => {},
  wallets: readonly string[] = [],
) {
  const env = createVirtualEnv({ startTime: 5_000 });
  const obeyed: string[] = [];
  const bot = {
    events$: new Subject<BotEvent>(),
    killLevel: level,
    async kill(to: KillLevel) {
      obeyed.push(to);
      bot.killLevel = to;
      await write();
    },
    killed: async () => [],
    sent: [] as Unanswered[],
    hosts: [] as unknown[],
    spotPositions: () => [],
    closedWallet: (wallet: string) => (wallet === 'main' ? bot.closed : []),
    closedSymbols: (wallet: string) => new Map(wallet === 'main' ? [] : bot.closedOnSide),
    /** The clock is ahead of the timers, so that a day costs no beat a second. */
    aheadMs: 0,
    closed: [] as string[],
    closedOnSide: [] as Array<[string, string]>,
    book: () => ({ openPositions: () => [] }),
    unanswered: () => bot.sent,
    async rearm() {
      obeyed.push('L0');
      bot.killLevel = 'L0';
    },
  };
  const clock = { ...env.clock, wallNow: () => env.clock.wallNow() + bot.aheadMs };
  const commands = pollCommands({
    bot: bot as never,
    env: { ...env, clock },
    files,
    pid: 7,
    instances: [],
    wallets,
  });
  const stop = (): void => commands.end('failed');
  const live = async (): Promise<void> => {
    for (let beat = 0; beat < 3; beat++) {
      await Promise.resolve();
      env.queue.advanceTo(env.queue.now() + 1_000);
    }
  };
  return { bot, env, obeyed, live, stop, commands, said: () => readWhole(files.pulse, pulse) };
}

const order = (level: KillLevel, time: number): void =>
  writeWhole(files.command, { level, reason: 'a test', time });

test('a command is executed once, and the pulse confirms it', async () => {
  const life = startLife();
  order('L2', 6_000);
  await life.live();
  expect(life.obeyed).toEqual(['L2']);
  expect(life.said()).toMatchObject({ level: 'L2', obeyed: 6_000 });
  life.stop();
  expect(startLife('L2').obeyed).toEqual([]);
});

test('a command on which the process died is executed by the next one', async () => {
  startLife().stop();
  order('L2', 6_000);
  const life = startLife();
  expect(life.said()).toMatchObject({ obeyed: 0 });
  await life.live();
  expect(life.obeyed).toEqual(['L2']);
  expect(life.said()).toMatchObject({ obeyed: 6_000 });
});

test('a rearm on which the process died is neither executed nor confirmed', async () => {
  const first = startLife();
  order('L1', 6_000);
  await first.live();
  first.stop();
  order('L0', 9_000);
  const life = startLife('L1');
  await life.live();
  expect(life.obeyed).toEqual([]);
  expect(life.said()).toMatchObject({ level: 'L1', obeyed: 6_000 });
  order('L0', 10_000);
  await life.live();
  expect(life.obeyed).toEqual(['L0']);
});

test('a bot that stops says so at once, and takes no command any more', async () => {
  const life = startLife();
  expect(life.said()?.stopping).toBeUndefined();
  life.commands.closeCommands();
  expect(life.said()).toMatchObject({ stopping: true, obeyed: 0 });
  order('L2', 6_000);
  await life.live();
  expect(life.obeyed).toEqual([]);
  life.commands.end('in_order');
  expect(life.said()).toMatchObject({ ended: 'in_order' });
});

test('what was sent and has no answer is a problem, once it is overdue and until it is answered', async () => {
  const life = startLife();
  const about = { instance: 'ema', wallet: 'main', kind: 'launch', symbol: 'BTC', time: 5_000 };
  life.bot.sent = (['sending', 'unknown', 'unresolved'] as const).map((state) => ({
    ...about,
    key: `key-${state}`,
    state,
  }));
  await life.live();
  const problems = ['unknown, key-unknown', 'unresolved, key-unresolved'].map(
    (rest) => `launch of BTC on main has no answer: ${rest}`,
  );
  expect(life.said()?.problems).toEqual(problems);
  const now = { now: 8_000, isAlive: () => true };
  expect(statusOf(files, now)).toMatchObject({ state: 'degraded', reasons: problems });
  life.bot.sent = [];
  await life.live();
  expect(life.said()?.problems).toBeUndefined();
  for (const [length, lines, last] of [
    [50, 50, 'launch of BTC on main has no answer: unknown, 49'],
    [51, 51, '1 more have no answer'],
    [60, 51, '10 more have no answer'],
  ] as const) {
    life.bot.sent = Array.from({ length }, (_, at) => ({
      ...about,
      key: `${at}`,
      state: 'unknown',
    }));
    await life.live();
    expect(life.said()?.problems).toHaveLength(lines);
    expect(life.said()?.problems?.at(-1)).toBe(last);
  }
  life.bot.unanswered = () => {
    throw new Error('it is away');
  };
  await life.live();
  expect(life.said()).toMatchObject({ problems: ["the journal can't be read: it is away"] });
  const beaten = life.said()!.time;
  await life.live();
  expect(life.said()!.time).toBeGreaterThan(beaten);
});

test('an exit that can’t be sent is a problem until it is sent', async () => {
  const life = startLife();
  const emission = { wallet: 'main', intent: { kind: 'close_position', symbol: 'BTC' } };
  const step = (state: string, rest = {}): void =>
    life.bot.events$.next({
      kind: 'intent',
      event: { key: 'k', state, emission, ...rest },
    } as never);
  const unsent = { reason: 'not_connected (ENOTFOUND)', waitsFor: 'connection (exit)' };
  step('deferred', { reason: 'retry_after', waitsFor: 'budget (exit)' });
  step('deferred', { ...unsent, waitsFor: 'connection (entry)' });
  await life.live();
  expect(life.said()?.problems).toBeUndefined();
  step('deferred', unsent);
  // The next attempt, of which nothing is known yet.
  step('sending');
  await life.live();
  const reasons = ["close_position of BTC on main can't be sent: not_connected (ENOTFOUND)"];
  const now = { now: 8_000, isAlive: () => true };
  expect(statusOf(files, now)).toMatchObject({ state: 'degraded', reasons });
  step('accepted');
  await life.live();
  expect(life.said()?.problems).toBeUndefined();
});

test('a key that is not replaced is a problem, until it is or is no longer to be', async () => {
  const life = startLife();
  const refuse = (reason: string | null): void =>
    life.bot.events$.next({ kind: 'key_rotation_refused', reason });
  for (const settle of [
    () => refuse(null),
    () => life.bot.events$.next({ kind: 'key_rotated' } as never),
  ]) {
    refuse('it lacks the scope trade');
    await life.live();
    expect(life.said()?.problems).toEqual(['the key is not replaced: it lacks the scope trade']);
    settle();
    await life.live();
    expect(life.said()?.problems).toBeUndefined();
  }
});

test('a strategy that ended by its own fault is a problem, one that was stopped is none', async () => {
  const life = startLife();
  const fault = { instance: 'ema', kind: 'threw', reason: 'boom' };
  life.bot.hosts = [
    { instance: 'calm', status: { state: 'running' } },
    { instance: 'ema', status: { state: 'quarantined', fault } },
    { instance: 'over', status: { state: 'stopped' } },
  ];
  await life.live();
  const reasons = ['strategy ema is quarantined, and manages nothing: boom'];
  const now = { now: 8_000, isAlive: () => true };
  expect(statusOf(files, now)).toMatchObject({ state: 'degraded', reasons });
});

test('the configured folder for the files is created if missing', async () => {
  files = controlFilesOf(join(folder, 'run/bot.yaml'));
  const life = startLife();
  expect(life.said()).toMatchObject({ pid: 7, level: 'L0' });
  order('L1', 6_000);
  await life.live();
  expect(life.obeyed).toEqual(['L1']);
});

test('a command that is not durable is not confirmed: it is retried, and left for the next process', async () => {
  const failures = ['the database is away', 'the database is away'];
  const life = startLife('L0', async () => {
    const failure = failures.shift();
    if (failure !== undefined) throw new Error(failure);
  });
  order('L3', 6_000);
  await life.live();
  expect(life.said()).toMatchObject({ level: 'L3', obeyed: 0 });
  expect(life.said()?.failed).toEqual({ time: 6_000, reason: 'the database is away' });
  // The process dies before it is written: the next one finds the command pending.
  life.stop();
  const next = startLife();
  await next.live();
  expect(next.obeyed).toEqual(['L3']);
  expect(next.said()).toMatchObject({ level: 'L3', obeyed: 6_000 });
  expect(next.said()?.failed).toBeUndefined();
});

test('a stopping bot shows that it is alive until it has ended, and executes no more commands', async () => {
  const life = startLife();
  life.commands.closeCommands();
  const before = life.said()!.time;
  order('L2', 6_000);
  await life.live();
  expect(life.said()!.time).toBeGreaterThan(before);
  expect(life.said()).not.toHaveProperty('ended');
  expect(life.obeyed).toEqual([]);
  const failure = { code: 'TRIMTAB_BOT_UNENDED', message: 'UNKNOWN: a key' };
  life.commands.end('in_order', failure);
  expect(life.said()).toMatchObject({ ended: 'in_order', obeyed: 0, failure });
  // Its recorded end stays: no heartbeat follows.
  life.commands.end('failed');
  const { time } = life.said()!;
  await life.live();
  expect(life.said()).toMatchObject({ ended: 'in_order', time });
  // The next process is alive, and executes the pending command.
  const next = startLife();
  expect(next.said()).not.toHaveProperty('ended');
  await next.live();
  expect(next.obeyed).toEqual(['L2']);
});

test('what closes the entries of a wallet or a symbol is a problem, by its reason, as long as it holds', async () => {
  const life = startLife('L0', undefined, ['main', 'side']);
  const now = { now: 8_000, isAlive: () => true };
  await life.live();
  expect(statusOf(files, now)).toMatchObject({ state: 'well', reasons: [] });
  life.bot.closed = ['the wallet lost 120.00 today, the limit is 100'];
  life.bot.closedOnSide = [['BTC', 'data on BTC is 90 s old']];
  await life.live();
  const reasons = [
    'entries on main are closed: the wallet lost 120.00 today, the limit is 100',
    'entries of BTC on side are closed: data on BTC is 90 s old',
  ];
  expect(statusOf(files, now)).toMatchObject({ state: 'degraded', reasons });
  life.bot.closed = [];
  life.bot.closedOnSide = [];
  await life.live();
  expect(statusOf(files, now)).toMatchObject({ state: 'well' });
});

test('malformed intents are a problem for a day after the last one, by strategy', async () => {
  const life = startLife();
  const emit = (reason: string, isExit: boolean) =>
    life.bot.events$.next({
      kind: 'strategy_fault',
      fault: { instance: 'own', kind: 'malformed_intent', reason, isExit },
    });
  emit('ref: a/b is no name', false);
  await life.live();
  expect(life.said()?.problems).toEqual([
    'strategy own emitted 1 malformed intent, not sent; the last: ref: a/b is no name',
  ]);
  emit('size: NaN', true);
  await life.live();
  const now = { now: 12_000, isAlive: () => true };
  expect(statusOf(files, now)).toMatchObject({
    state: 'degraded',
    reasons: [
      'strategy own emitted 2 malformed intents, 1 exit among them, not sent; the last: size: NaN',
    ],
  });
  // Another fault of a strategy is none of these.
  life.bot.events$.next({
    kind: 'strategy_fault',
    fault: { instance: 'own', kind: 'threw', reason: 'boom' },
  });
  await life.live();
  expect(life.said()?.problems).toHaveLength(1);
  life.bot.aheadMs = 86_380_000;
  await life.live();
  expect(life.said()?.problems).toHaveLength(1);
  life.bot.aheadMs = 86_401_000;
  await life.live();
  expect(life.said()?.problems).toBeUndefined();
});
