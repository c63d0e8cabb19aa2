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
import { createThrottle } from '../../../src/runtime/control/createThrottle.ts';
import {
  createStandingLevel,
  KILL_LEVELS,
  type KillLevel,
} from '../../../src/runtime/control/killLevels.ts';
import { holdLaw } from '../../holdLaw.ts';

/**
 * What is latched, against a model of it: kill level, throttle, pauses and stages, over a real journal whose writes
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
  throttle: ReturnType<typeof createThrottle>;
  gate: ReturnType<typeof createEntryGate>;
  standing: ReturnType<typeof createStandingLevel>;
  isCut(): boolean;
  /** Reasons of the pauses that were reported, by strategy. */
  reported: ReadonlyMap<string, string | null>;
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
    closable: (work) => work,
    atWork: () => [],
    submit: nothing,
    isPending: () => false,
  });
  const reported = new Map<string, string | null>();
  const pauses = createPauses({
    store,
    clock: env.clock,
    gate,
    instances: INSTANCES,
    onChange: (name, reason) => void reported.set(name, reason),
  });
  kills.restore();
  pauses.restore();
  const stages = createStages({ strategies: STRATEGIES, store, clock: env.clock });
  const throttle = createThrottle({
    store,
    env,
    market: { now: wallNow } as never,
    limit: 1,
    instances: INSTANCES,
    onTrip: nothing,
    onFatal(error) {
      throw error;
    },
  });
  throttle.restore();
  return { kills, pauses, stages, throttle, gate, standing, isCut: () => isCut, reported };
}

const instance = fc.constantFrom(...INSTANCES);
const fails = fc.constantFrom(false, false, false, true);
const op = fc.oneof(
  fc.record({ op: fc.constant('kill' as const), level: fc.constantFrom(...KILL_LEVELS), fails }),
  fc.record({ op: fc.constant('rearm' as const), fails }),
  fc.record({ op: fc.constant('trip' as const), instance, fails }),
  fc.record({ op: fc.constant('free' as const), fails }),
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

test('kill level, throttle, pauses and stages are those of the last command, whatever failed or restarted', async () => {
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
    /** Why: of a level the reason with which it came into force, of a pause the newest. */
    const why: Model<string> = { force: '', durable: '' };
    const paused = new Map<string, Model<string | undefined>>(
      INSTANCES.map((name) => [name, { force: undefined, durable: undefined }]),
    );
    const tripped = new Map<string, Model<string | undefined>>(
      INSTANCES.map((name) => [name, { force: undefined, durable: undefined }]),
    );
    const stage = new Map(INSTANCES.map((name) => [name, 'shadow']));
    let process = open();
    let wasCut = false;
    try {
      for (const [at, one] of ops.entries()) {
        const reason = `reason ${at}`;
        if (one.op === 'clock') now += one.ms;
        else if (one.op === 'restart') {
          await store.close();
          process = open();
          for (const model of [level, why, ...paused.values(), ...tripped.values()] as Array<
            Model<unknown>
          >)
            model.force = model.durable;
          wasCut = level.force === 'L4';
        } else {
          failing = one.fails;
          const { result } = await act(process, one, reason);
          failing = false;
          const isRaised =
            one.op === 'kill' && KILL_LEVELS.indexOf(one.level) > KILL_LEVELS.indexOf(level.force);
          if (isRaised) level.force = one.level;
          if (isRaised) why.force = reason;
          if (one.op === 'kill' && !one.fails) {
            level.durable = level.force;
            why.durable = why.force;
          }
          if (one.op === 'rearm' && !one.fails) level.force = level.durable = 'L0';
          if (one.op === 'pause') paused.get(one.instance)!.force = reason;
          if (one.op === 'pause' && !one.fails) paused.get(one.instance)!.durable = reason;
          if (one.op === 'resume' && !one.fails)
            paused.set(one.instance, { force: undefined, durable: undefined });
          const isLatched = [...tripped.values()].some(({ force }) => force !== undefined);
          const latch = one.op === 'trip' ? tripped.get(one.instance)! : undefined;
          // Until it is freed, the first reason stands, and nothing more is written.
          const isNew = latch !== undefined && latch.force === undefined;
          if (isNew) latch.force = reason;
          if (isNew && !one.fails) latch.durable = reason;
          if (one.op === 'free' && !one.fails)
            for (const name of INSTANCES)
              if (tripped.get(name)!.force !== undefined)
                tripped.set(name, { force: undefined, durable: undefined });
          if (one.op === 'move' && !one.fails) stage.set(one.instance, one.stage);
          wasCut ||= level.force === 'L4';
          // A kill that is durable already has nothing to write.
          if (one.op === 'trip') expect(result).toBe(isNew && one.fails ? 'failed' : 'done');
          else if (one.op === 'free')
            expect(result).toBe(isLatched && one.fails ? 'failed' : 'done');
          else if (one.op !== 'kill') expect(result).toBe(one.fails ? 'failed' : 'done');
          else if (level.durable !== level.force) expect(result).toBe('failed');
        }
        expect(process.kills.level).toBe(level.force);
        expect(process.standing.level()).toBe(level.force);
        const reasons = process.gate.reasons();
        expect(reasons.filter((each) => each.startsWith('kill level'))).toEqual(
          level.force === 'L0' ? [] : [`kill level ${level.force}: ${why.force}`],
        );
        expect(reasons.length > 0).toBe(level.force !== 'L0' || wasCut);
        expect(process.isCut()).toBe(wasCut);
        for (const name of INSTANCES) {
          expect(process.gate.closedStrategy(name)).toBe(paused.get(name)!.force);
          expect(process.reported.get(name) ?? undefined).toBe(paused.get(name)!.force);
          expect(process.stages.of(name)).toBe(stage.get(name));
          expect(process.throttle.latched(name)).toBe(tripped.get(name)!.force);
        }
      }
    } finally {
      await store.close();
      rmSync(folder, { recursive: true });
    }
  });
});

async function act(
  { kills, pauses, stages, throttle }: Process,
  one: { op: string; level?: KillLevel; instance?: string; stage?: 'shadow' | 'canary' | 'live' },
  reason: string,
): Promise<{ result: 'done' | 'failed' }> {
  try {
    if (one.op === 'kill') await kills.kill(one.level!, reason);
    if (one.op === 'rearm') await kills.rearm(reason);
    if (one.op === 'trip') throttle.trip(one.instance!, reason);
    if (one.op === 'free') await throttle.rearm(reason);
    if (one.op === 'pause') await pauses.pause(one.instance!, reason);
    if (one.op === 'resume') await pauses.resume(one.instance!, reason);
    if (one.op === 'move')
      await stages.move(one.instance!, one.stage!, { reason, onMoved: nothing });
    return { result: 'done' };
  } catch (error) {
    if (!(error instanceof JournalFault)) throw error;
    return { result: 'failed' };
  }
}
