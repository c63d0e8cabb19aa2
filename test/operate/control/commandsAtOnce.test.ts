import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { Subject } from 'rxjs';
import { afterAll, expect, test } from 'vitest';
import { createVirtualEnv, pause } from '../../../src/env/index.ts';
import { askStrategy } from '../../../src/operate/control/askStrategy.ts';
import {
  controlFilesOf,
  killCommand,
  readWhole,
  writeWhole,
  type Pulse,
} from '../../../src/operate/control/controlFiles.ts';
import { pollCommands } from '../../../src/operate/control/pollCommands.ts';
import { pollStrategyCommands } from '../../../src/operate/control/pollStrategyCommands.ts';
import { sendCommand } from '../../../src/operate/control/sendCommand.ts';
import { statusOf } from '../../../src/operate/control/statusOf.ts';
import type { BotEvent } from '../../../src/runtime/BotEvent.ts';
import { rankOf, type KillLevel } from '../../../src/runtime/control/killLevels.ts';
import { holdLaw } from '../../holdLaw.ts';

const folder = mkdtempSync(join(tmpdir(), 'trimtab-at-once-'));
afterAll(() => rmSync(folder, { recursive: true }));
let runs = 0;

/** A bot that polls commands in virtual time, and the commands that it carried out, with the time. */
function openBot() {
  const files = controlFilesOf(join(folder, `${runs++}.sqlite`));
  const env = createVirtualEnv({ startTime: 5_000 });
  const calls: Array<{ level: KillLevel; time: number }> = [];
  const bot = {
    events$: new Subject<BotEvent>(),
    killLevel: 'L0' as KillLevel,
    async kill(level: KillLevel) {
      await pause(env.timers, 30);
      calls.push({ level, time: env.clock.wallNow() });
      if (rankOf(level) > rankOf(bot.killLevel)) bot.killLevel = level;
    },
    killed: async () => [],
    unanswered: () => [],
    hosts: [],
    async rearm() {
      await pause(env.timers, 30);
      calls.push({ level: 'L0', time: env.clock.wallNow() });
      bot.killLevel = 'L0';
    },
  };
  const options = { bot: bot as never, env, files, pid: 7, instances: [], wallets: [] };
  const listening = pollCommands(options);
  /** Runs until something is done. */
  const runUntilDone = async <T>(work: Promise<T>): Promise<T> => {
    let isDone = false;
    const end = env.clock.wallNow() + 120_000;
    void work.finally(() => (isDone = true));
    while (!isDone && env.clock.wallNow() < end) {
      await new Promise((resolve) => void setImmediate(resolve));
      env.queue.advanceTo(env.queue.now() + 10);
    }
    listening.end('in_order');
    return work;
  };
  return { files, env, bot, calls, runUntilDone };
}

const LEVELS = ['L0', 'L1', 'L2', 'L3', 'L4'] as const;

test('of commands that come at once none is lost: each is in force, or its sender learns otherwise', async () => {
  const command = fc.record({
    level: fc.constantFrom(...LEVELS),
    afterMs: fc.nat({ max: 2_500 }),
  });
  await holdLaw(20, fc.array(command, { minLength: 2, maxLength: 6 }), async (commands) => {
    const { files, env, bot, calls, runUntilDone } = openBot();
    const sent = commands.map(async ({ level, afterMs }) => {
      await pause(env.timers, afterMs);
      const from = env.clock.wallNow();
      const answer = await sendCommand({ env, files, level, reason: 'why', isAlive: () => true });
      return { level, answer, from };
    });
    const answers = await runUntilDone(Promise.all(sent));
    for (const { level, answer, from } of answers) {
      const isCarriedOut = calls.some(
        (one) =>
          one.time >= from &&
          (level === 'L0' ? one.level === 'L0' : rankOf(one.level) >= rankOf(level)),
      );
      if (answer.kind === 'carried_out') {
        expect(isCarriedOut).toBe(true);
        if (level === 'L0') expect(answer.pulse.level).toBe('L0');
        else expect(rankOf(answer.pulse.level)).toBeGreaterThanOrEqual(rankOf(level));
      } else {
        expect(answer.kind).toBe('overruled');
        expect(commands.some((other) => (other.level === 'L0') !== (level === 'L0'))).toBe(true);
      }
      if (level !== 'L0') expect(isCarriedOut).toBe(true);
    }
    const levels = commands.map(({ level }) => level);
    if (!levels.includes('L0')) expect(bot.killLevel).toBe(levels.toSorted().at(-1));
    // Nothing but the command and the pulse is left.
    const names = readdirSync(folder).filter((name) => name.startsWith(`${runs - 1}.`));
    expect(names.map((name) => name.split('.').slice(2).join('.')).sort()).toEqual([
      'order.json',
      'pulse.json',
    ]);
  });
});

test('strategies that are paused at once are all paused, and each caller has its answer', async () => {
  const { files, env, runUntilDone } = openBot();
  const instances = ['one', 'two', 'three', 'four'];
  const paused: string[] = [];
  const bot = { pauseStrategy: async (name: string) => void paused.push(name) };
  const end = pollStrategyCommands({ bot: bot as never, env, files, instances });
  const asked = instances.map((instance) => {
    const one = { instance, do: 'pause', reason: 'why' } as const;
    return askStrategy({ env, files, asked: one, isAlive: () => true });
  });
  const answers = await runUntilDone(Promise.all(asked));
  end();
  expect(answers).toEqual(instances.map(() => ({ kind: 'done' })));
  expect(paused.toSorted()).toEqual(instances.toSorted());
});

test('a writer that ended while it held the turn keeps nobody away for long', async () => {
  const { files, env, calls, runUntilDone } = openBot();
  writeFileSync(`${files.command}.lock`, '');
  // The clock of the files is the machine's, and the virtual one began long before.
  utimesSync(`${files.command}.lock`, 0, 0);
  const sent = sendCommand({ env, files, level: 'L3', reason: 'why', isAlive: () => true });
  expect(await runUntilDone(sent)).toMatchObject({ kind: 'carried_out' });
  expect(calls.map(({ level }) => level)).toEqual(['L3']);
});

test('whoever is told that a strategy is paused or resumed finds it in the status at once', async () => {
  const files = controlFilesOf(join(folder, `${runs++}.sqlite`));
  const env = createVirtualEnv({ startTime: 5_000 });
  let paused: string | undefined;
  const bot = {
    events$: new Subject<BotEvent>(),
    killLevel: 'L0' as KillLevel,
    unanswered: () => [],
    hosts: [],
    stageOf: () => 'shadow',
    throttled: () => undefined,
    paused: () => paused,
    pauseStrategy: async (_instance: string, reason: string) => void (paused = reason),
    resumeStrategy: async () => void (paused = undefined),
    ignored: () => [],
  } as never;
  const instances = ['trend'];
  const commands = pollCommands({ bot, env, files, pid: 7, instances, wallets: [] });
  const onDone = (): void => commands.show();
  const stop = pollStrategyCommands({ bot, env, files, instances, onDone });
  const status = () =>
    statusOf(files, { now: env.clock.wallNow(), isAlive: () => true }).reasons.join();
  for (const [what, said] of [
    ['pause', 'strategy trend is paused: why'],
    ['resume', ''],
  ] as const) {
    // Just after a beat: the next one is a second away.
    env.queue.advanceTo(env.queue.now() + 1_001);
    const asked = { instance: 'trend', do: what, reason: 'why' };
    let seen: string | undefined;
    void askStrategy({ env, files, asked, isAlive: () => true }).then(() => (seen = status()));
    while (seen === undefined) {
      await new Promise((resolve) => void setImmediate(resolve));
      env.queue.advanceTo(env.queue.now() + 10);
    }
    expect(seen).toBe(said);
  }
  stop();
  commands.end('in_order');
});

test.each(['L0', 'L1'] as const)(
  'a kill that can not be made durable is in force, and %s does not wait for it',
  async (level) => {
    const files = controlFilesOf(join(folder, `${runs++}.sqlite`));
    const env = createVirtualEnv({ startTime: 5_000 });
    const failed = { time: 4_000, reason: 'the disk is full' };
    const beat: Pulse = { pid: 7, time: 5_000, level: 'L3', obeyed: 1, reasons: [] };
    writeWhole(files.command, { level: 'L3', reason: 'why', time: 4_000 });
    for (const isFailed of [false, true]) {
      writeWhole(files.pulse, isFailed ? { ...beat, failed } : beat);
      const options = { env, files, level, reason: 'why', isAlive: () => true };
      const sent = sendCommand({ ...options, turnMs: 1_000, timeoutMs: 1_000 });
      let answer: Awaited<typeof sent> | undefined;
      void sent.then((given) => (answer = given));
      for (let turn = 0; answer === undefined && turn < 200; turn++) {
        await new Promise((resolve) => void setImmediate(resolve));
        env.queue.advanceTo(env.queue.now() + 50);
      }
      // Nobody carries it out here; what it was to replace is replaced, or not.
      expect(answer).toMatchObject({ isLeft: isFailed });
      expect(readWhole(files.command, killCommand)!.level).toBe(isFailed ? level : 'L3');
    }
  },
);
