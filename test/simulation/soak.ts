import { rmSync } from 'node:fs';
import { createSqliteStore, type JournalStore } from '../../src/journal/index.ts';
import { assembleBot } from './assembleBot.ts';
import { createPerson } from './createPerson.ts';
import { createFaultPlan } from './createFaultPlan.ts';
import { createSimNetwork, type NetworkJudge, type SimNetwork } from './createSimNetwork.ts';
import { createSimService, START_TIME } from './createSimService.ts';
import { createSimStrategy } from './createSimStrategy.ts';
import { planOf } from './planOf.ts';
import { drawScenario, HOUR_MS, type Fault, type Scenario } from './Scenario.ts';
import { scheduleMoments } from './scheduleMoments.ts';
import { never, SimProcess } from './SimProcess.ts';
import { createWorld } from './SimWorld.ts';

/** How things stood at the end of a virtual day. */
export interface SoakDay {
  day: number;
  /** After collection. */
  heapBytes: number;
  /** Timers that wait in the bot. */
  timers: number;
  /** Handles of the real process. */
  resources: number;
  sends: number;
  processes: number;
}

export interface SoakOptions {
  days: number;
  /** 24 where absent. */
  hoursADay?: number;
  seed: string;
  /** The journal's file; deleted first. */
  journal: string;
  onDay?(day: SoakDay): void;
}

const DAY_HOURS = 24;
const TICK_MS = 5_000;
const drain = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

/** The faults of an hour's seed for each hour; a process ends between two events, as SIGKILL has it. */
function drawHours(seed: string, hours: number): Scenario {
  const first = drawScenario(seed);
  const faults: Fault[] = [];
  for (let hour = 0; hour < hours; hour++) {
    for (const fault of drawScenario(`${seed} ${hour}`).faults) {
      const from = fault.from + hour * HOUR_MS;
      const until = fault.until + hour * HOUR_MS;
      const detail = fault.kind === 'crash' ? 'now' : fault.detail;
      faults.push({ ...fault, id: faults.length, from, until, detail });
    }
  }
  const service = { ...first.service, idempotency: 'replay' as const };
  const bot = { ...first.bot, instances: 3, activity: 1, startSkewMs: 0, market: 'wall' as const };
  const minutes = hours * 60 + 120;
  return { ...first, seed, service, bot, faults, minutes, forgets: true };
}

/** Days of trading under faults, whose only question is what is left over: memory, timers, handles. */
export async function soak(options: SoakOptions): Promise<SoakDay[]> {
  const { hoursADay = DAY_HOURS } = options;
  const scenario = drawHours(options.seed, options.days * hoursADay);
  const world = createWorld(scenario, { startTime: START_TIME, traced: false });
  const service = createSimService(world);
  const faults = createFaultPlan(world);
  const person = createPerson(world);
  const plan = planOf(
    scenario,
    service,
    createSimStrategy(world, () => false),
  );
  let sends = 0;
  let lives = 0;
  let skewMs = 0;
  let restartMs = 10_000;
  let isFull = false;
  let current: { process: SimProcess; network: SimNetwork } | null = null;
  const judge: NetworkJudge = {
    sending() {
      sends++;
      return { key: null, left: false, outcome: 'pending', sentAt: 0 };
    },
    sendingText: () => {},
    served: () => {},
    concluded: () => {},
    opened: () => {},
    lost: () => {},
    emitted: () => () => {},
    delivered: () => {},
  };

  let closeJournal = (): void => {};

  /** The real journal, in which a dead process writes nothing more. */
  function openStore(process: SimProcess): JournalStore {
    closeJournal();
    const kept = createSqliteStore(options.journal, 'process');
    closeJournal = () => void kept.close();
    return {
      ...kept,
      append(append) {
        if (!process.alive) return never();
        if (isFull) throw new Error('ENOSPC: no space left on device, write');
        return kept.append(append);
      },
      close: () => {},
    };
  }

  function start(): void {
    const process = new SimProcess(world, {
      index: ++lives,
      skewMs: () => skewMs,
      heard: () => {},
    });
    process.onKilled(() => {
      world.after(restartMs, start);
      restartMs = 10_000;
    });
    const network = createSimNetwork({ world, service, faults, judge }, process);
    const onFatal = (error: unknown): void => {
      if (process.alive && !String(error).includes('ENOSPC')) throw error;
      process.kill('fatal');
    };
    const store = openStore(process);
    const bot = assembleBot({ process, network, service, plan, store, onFatal });
    current = { process, network };
    void bot.start();
    person.follow(process, bot);
  }

  const tick = (): void => {
    service.tick();
    world.after(TICK_MS, tick);
  };
  const disk = { setFull: (full: boolean) => void (isFull = full) };
  scheduleMoments({
    world,
    service,
    disk,
    current: () => current,
    restartAfter: (delayMs) => (restartMs = delayMs),
    setSkew: (next) => (skewMs = next),
    foreignSpent: () => {},
    person,
  });
  for (const ending of ['', '-wal', '-shm', '.lock']) {
    rmSync(`${options.journal}${ending}`, { force: true });
  }
  world.after(0, tick);
  world.after(0, start);

  const days: SoakDay[] = [];
  for (let day = 1; day <= options.days; day++) {
    await runUntil(START_TIME + day * hoursADay * HOUR_MS);
    days.push(await measure(day));
    options.onDay?.(days.at(-1)!);
  }
  current!.process.kill('end');
  closeJournal();
  return days;

  async function runUntil(end: number): Promise<void> {
    const { queue } = world;
    for (let next = queue.nextTime(); next !== undefined && next <= end; next = queue.nextTime()) {
      queue.advanceTo(next);
      await drain();
    }
  }

  async function measure(day: number): Promise<SoakDay> {
    await drain();
    globalThis.gc?.();
    return {
      day,
      heapBytes: process.memoryUsage().heapUsed,
      timers: current!.process.timers,
      resources: process.getActiveResourcesInfo().length,
      sends,
      processes: lives,
    };
  }
}
