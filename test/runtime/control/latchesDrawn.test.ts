import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createVirtualEnv } from '../../../src/env/index.ts';
import { createSqliteStore, JournalFault, type JournalStore } from '../../../src/journal/index.ts';
import type { BotPlan } from '../../../src/runtime/BotPlan.ts';
import { createEntryGate } from '../../../src/runtime/control/createEntryGate.ts';
import { createKillSwitch } from '../../../src/runtime/control/createKillSwitch.ts';
import { createPauses } from '../../../src/runtime/control/createPauses.ts';
import { createStages } from '../../../src/runtime/control/createStages.ts';
import {
  createStandingLevel,
  KILL_LEVELS,
  type KillLevel,
} from '../../../src/runtime/control/killLevels.ts';
import { holdLaw } from '../../holdLaw.ts';

/**
 * What an operator latches, against a model of it: kill level, pauses and stages, over a real journal whose writes
 * fail at drawn places, whose clock steps back, and which the next process opens again.
 */

const INSTANCES = ['one', 'two'];
const STRATEGIES = INSTANCES.map((name) => ({
  name,
  directory: '/bot',
  shadow: { use: `/bot/new-${name}.ts`, directory: '/bot' },
})) as unknown as BotPlan['strategies'];
const nothing = (): void => {};

interface Process {
  kills: ReturnType<typeof createKillSwitch>;
  pauses: ReturnType<typeof createPauses>;
  stages: ReturnType<typeof createStages>;
  gate: ReturnType<typeof createEntryGate>;
  standing: ReturnType<typeof createStandingLevel>;
  isCut(): boolean;
}

function openProcess(store: JournalStore, wallNow: () => number): Process {
  const env = { ...createVirtualEnv(), clock: { wallNow, monotonicNow: () => 0 } };
  const gate = createEntryGate();
  const standing = createStandingLevel();
  let isCut = false;
  const kills = createKillSwitch({
    store,
    gate,
    standing,
    env,
    market: { now: wallNow } as never,
    cutWire: () => void (isCut = true),
    onLevel: nothing,
    symbolsOf: () => [],
    atWork: () => [],
    submit: nothing,
    isPending: () => false,
  });
  const pauses = createPauses({
    store,
    clock: env.clock,
    gate,
    instances: INSTANCES,
    onChange: nothing,
  });
  kills.restore();
  pauses.restore();
  const stages = createStages({ strategies: STRATEGIES, store, clock: env.clock });
  return { kills, pauses, stages, gate, standing, isCut: () => isCut };
}

const instance = fc.constantFrom(...INSTANCES);
const fails = fc.constantFrom(false, false, false, true);
const op = fc.oneof(
  fc.record({ op: fc.constant('kill' as const), level: fc.constantFrom(...KILL_LEVELS), fails }),
  fc.record({ op: fc.constant('rearm' as const), fails }),
  fc.record({ op: fc.constant('pause' as const), instance, fails }),
  fc.record({ op: fc.constant('resume' as const), instance, fails }),
  fc.record({
    op: fc.constant('move' as const),
    instance,
    stage: fc.constantFrom('shadow' as const, 'canary' as const, 'live' as const),
    fails,
  }),
  fc.record({ op: fc.constant('clock' as const), ms: fc.constantFrom(-60_000, -1, 1, 60_000) }),
  fc.constant({ op: 'restart' as const }),
);

/** In force, and what the journal holds: they differ where a write failed. */
interface Model<T> {
  force: T;
  durable: T;
}

test('kill level, pauses and stages are those of the last command, whatever failed or restarted', async () => {
  await holdLaw(60, fc.array(op, { minLength: 4, maxLength: 24 }), async (ops) => {
    const folder = mkdtempSync(join(tmpdir(), 'trimtab-latches-'));
    let now = 1_700_000_000_000;
    let failing = false;
    let store!: JournalStore;
    const open = (): Process => {
      const real = createSqliteStore(join(folder, 'journal'), 'process');
      store = real;
      const setLatch: JournalStore['setLatch'] = (name, latch) => {
        if (failing) throw new JournalFault('full', 'The disk is full.');
        return real.setLatch(name, latch);
      };
      return openProcess({ ...real, setLatch }, () => now);
    };
    const level: Model<KillLevel> = { force: 'L0', durable: 'L0' };
    const paused = new Map(INSTANCES.map((name) => [name, { force: false, durable: false }]));
    const stage = new Map(INSTANCES.map((name) => [name, 'shadow']));
    let process = open();
    let wasCut = false;
    try {
      for (const one of ops) {
        if (one.op === 'clock') now += one.ms;
        else if (one.op === 'restart') {
          await store.close();
          process = open();
          for (const model of [level, ...paused.values()] as Array<Model<unknown>>)
            model.force = model.durable;
          wasCut = level.force === 'L4';
        } else {
          failing = one.fails;
          const { result } = await act(process, one);
          failing = false;
          const isRaised =
            one.op === 'kill' && KILL_LEVELS.indexOf(one.level) > KILL_LEVELS.indexOf(level.force);
          if (isRaised) level.force = one.level;
          if (one.op === 'kill' && !one.fails) level.durable = level.force;
          if (one.op === 'rearm' && !one.fails) level.force = level.durable = 'L0';
          if (one.op === 'pause') paused.get(one.instance)!.force = true;
          if (one.op === 'pause' && !one.fails) paused.get(one.instance)!.durable = true;
          if (one.op === 'resume' && !one.fails)
            paused.set(one.instance, { force: false, durable: false });
          if (one.op === 'move' && !one.fails) stage.set(one.instance, one.stage);
          wasCut ||= level.force === 'L4';
          // A kill that is durable already has nothing to write.
          if (one.op !== 'kill') expect(result).toBe(one.fails ? 'failed' : 'done');
          else if (level.durable !== level.force) expect(result).toBe('failed');
        }
        expect(process.kills.level).toBe(level.force);
        expect(process.standing.level()).toBe(level.force);
        const reasons = process.gate.reasons();
        expect(reasons.some((reason) => reason.startsWith('kill level'))).toBe(
          level.force !== 'L0',
        );
        expect(reasons.length > 0).toBe(level.force !== 'L0' || wasCut);
        expect(process.isCut()).toBe(wasCut);
        for (const name of INSTANCES) {
          expect(process.gate.closedStrategy(name) !== undefined).toBe(paused.get(name)!.force);
          expect(process.stages.of(name)).toBe(stage.get(name));
        }
      }
    } finally {
      await store.close();
      rmSync(folder, { recursive: true });
    }
  });
});

async function act(
  { kills, pauses, stages }: Process,
  one: { op: string; level?: KillLevel; instance?: string; stage?: 'shadow' | 'canary' | 'live' },
): Promise<{ result: 'done' | 'failed' }> {
  try {
    if (one.op === 'kill') await kills.kill(one.level!, 'a test');
    if (one.op === 'rearm') await kills.rearm('a test');
    if (one.op === 'pause') await pauses.pause(one.instance!, 'a test');
    if (one.op === 'resume') await pauses.resume(one.instance!, 'a test');
    if (one.op === 'move')
      await stages.move(one.instance!, one.stage!, { reason: 'a test', onMoved: nothing });
    return { result: 'done' };
  } catch (error) {
    if (!(error instanceof JournalFault)) throw error;
    return { result: 'failed' };
  }
}
