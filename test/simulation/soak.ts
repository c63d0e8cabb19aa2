import { rmSync } from 'node:fs';
import { getHeapSpaceStatistics, type HeapSpaceInfo } from 'node:v8';
import { createSqliteStore, type JournalStore } from '../../src/journal/index.ts';
import { assembleBot } from './assembleBot.ts';
import { createPerson } from './createPerson.ts';
import { createFaultPlan, type FaultPlan } from './createFaultPlan.ts';
import { createSimNetwork, type NetworkJudge, type SimNetwork } from './createSimNetwork.ts';
import { createSimService, START_TIME, type SimService } from './createSimService.ts';
import { createSimStrategy } from './createSimStrategy.ts';
import type { Plant } from './Plant.ts';
import { planOf } from './planOf.ts';
import { drawScenario, HOUR_MS, type Fault, type Scenario } from './Scenario.ts';
import { scheduleMoments } from './scheduleMoments.ts';
import { never, SimProcess } from './SimProcess.ts';
import { createWorld } from './SimWorld.ts';

/** How things stood at the end of a virtual hour. */
export interface SoakHour {
  hour: number;
  /** After collection, without compiled code and without what must be kept. */
  heapBytes: number;
  /** Client ids that the service keeps, since they are unique for ever. */
  keptIds: number;
  /** What all that must be kept weighs, client ids and more. */
  keptBytes: number;
  /** Timers that wait in the bot. */
  timers: number;
  /** Handles of the real process. */
  resources: number;
  sends: number;
  processes: number;
}

export interface SoakOptions {
  hours: number;
  seed: string;
  /** The journal's file; deleted first. */
  journal: string;
  plant?: Plant | undefined;
  onHour?(hour: SoakHour): void;
}

/** Processes die in the first half day only: a bot shows what it piles up by living on. */
const CRASHING_HOURS = 12;
/** Each fourth hour is calm and then measured, so that what is open or fresh at the moment is no figure. */
const MEASURED_HOURS = 4;
/** More than any hour draws, so that no two faults draw the same. */
const FAULTS_AN_HOUR = 1_000;
/** What nobody resolves holds its exposure for ever; under a narrow limit the trade would stand still. */
const WIDE_NOTIONAL = 1e9;
/** As many as the bot remembers of each account, and up to twice as many. */
const FILL_IDS_KEPT = 65_536;
/** The level that cancels what rests stands for so long. */
const CANCELLING_MS = 600_000;
const TICK_MS = 5_000;
const drain = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

/** What ends a process throws away all that the bot had piled up; what silences it piles up nothing. */
const ENDING: ReadonlySet<string> = new Set(['crash', 'disk_full', 'kill_level']);

/** The faults of one hour; a process ends between two events, as SIGKILL has it. */
function drawHour(seed: string, hour: number, isEnding: boolean): Fault[] {
  const { faults } = drawScenario(`${seed} ${hour}`);
  return faults
    .filter(({ kind }) => isEnding || !ENDING.has(kind))
    .map((fault) => ({
      ...fault,
      id: hour * FAULTS_AN_HOUR + fault.id,
      from: fault.from + hour * HOUR_MS,
      until: fault.until + hour * HOUR_MS,
      detail: fault.kind === 'crash' ? 'now' : fault.detail,
    }));
}

function scenarioOf(seed: string, hours: number): Scenario {
  const first = drawScenario(seed);
  const service = { ...first.service, idempotency: 'replay' as const };
  const bot = { ...first.bot, instances: 1, activity: 6, startSkewMs: 0, market: 'wall' as const };
  return { ...first, seed, service, bot, faults: [], minutes: hours * 60 + 120, forgets: true };
}

/** Days of trading under faults, whose only question is what is left over: memory, timers, handles. */
export async function soak(options: SoakOptions): Promise<SoakHour[]> {
  const scenario = scenarioOf(options.seed, options.hours);
  const world = createWorld(scenario, { startTime: START_TIME, traced: false });
  const service = createSimService(world);
  let plans = createFaultPlan(world);
  const faults: FaultPlan = {
    heal: () => plans.heal(),
    exchange: () => plans.exchange(),
    hits: (kind) => plans.hits(kind),
  };
  const person = createPerson(world);
  const plan = planOf(
    { ...scenario, bot: { ...scenario.bot, maxPositionNotional: WIDE_NOTIONAL } },
    service,
    createSimStrategy(world, () => calm),
  );
  let sends = 0;
  let lives = 0;
  let skewMs = 0;
  let restartMs = 10_000;
  let isFull = false;
  let calm = false;
  /** Of the service, when the process started. */
  let fillsBefore = 0;
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
    fillsBefore = fillsOf(service);
    const network = createSimNetwork({ world, service, faults, judge }, process);
    const onFatal = (error: unknown): void => {
      if (process.alive && !String(error).includes('ENOSPC')) throw error;
      process.kill('fatal');
    };
    const store = openStore(process);
    const { plant } = options;
    const bot = assembleBot({ process, network, service, plan, store, plant, onFatal });
    current = { process, network };
    void bot.start();
    person.follow(process, bot);
  }

  const tick = (): void => {
    service.tick();
    world.after(TICK_MS, tick);
  };
  const disk = { setFull: (full: boolean) => void (isFull = full) };

  /** Hour by hour, so that faults to come weigh nothing, whose passing would hide a leak. */
  function beginHour(hour: number): void {
    calm = (hour + 1) % MEASURED_HOURS === 0;
    if (calm) person.throws('L2', CANCELLING_MS);
    const drawn = calm ? [] : drawHour(options.seed, hour, hour < CRASHING_HOURS);
    const part = { ...world, scenario: { ...scenario, faults: drawn } };
    plans = createFaultPlan(part);
    scheduleMoments({
      world: part,
      service,
      disk,
      current: () => current,
      restartAfter: (delayMs) => (restartMs = delayMs),
      setSkew: (next) => (skewMs = next),
      foreignSpent: () => {},
      person,
    });
  }

  for (const ending of ['', '-wal', '-shm', '.lock']) {
    rmSync(`${options.journal}${ending}`, { force: true });
  }
  world.after(0, tick);
  world.after(0, start);

  const hours: SoakHour[] = [];
  for (let hour = 0; hour < options.hours; hour++) {
    beginHour(hour);
    await runUntil(START_TIME + (hour + 1) * HOUR_MS);
    if (!calm) continue;
    hours.push(await measure(hour + 1));
    options.onHour?.(hours.at(-1)!);
  }
  current!.process.kill('end');
  closeJournal();
  return hours;

  async function runUntil(end: number): Promise<void> {
    const { queue } = world;
    for (let next = queue.nextTime(); next !== undefined && next <= end; next = queue.nextTime()) {
      queue.advanceTo(next);
      await drain();
    }
  }

  async function measure(hour: number): Promise<SoakHour> {
    const kept = await weigh(() => copyKept(service, fillsOf(service) - fillsBefore));
    const heapBytes = (await collected()) - kept.bytes;
    return {
      hour,
      heapBytes,
      keptIds: kept.clientIds,
      keptBytes: kept.bytes,
      timers: current!.process.timers,
      resources: process.getActiveResourcesInfo().length,
      sends,
      processes: lives,
    };
  }
}

/** Compiled code comes and goes as the compiler likes, and no bot piles it up. */
const isData = ({ space_name }: HeapSpaceInfo): boolean => !/code|trusted/.test(space_name);

async function collected(): Promise<number> {
  for (let round = 0; round < 2; round++) {
    await drain();
    globalThis.gc?.();
  }
  return getHeapSpaceStatistics()
    .filter(isData)
    .reduce((sum, { space_used_size }) => sum + space_used_size, 0);
}

/** What a copy takes while it is there, and nothing else happens. */
async function weigh(make: () => Persisted): Promise<{ clientIds: number; bytes: number }> {
  let copy: Persisted | null = make();
  const { clientIds } = copy;
  const together = await collected();
  // Used once more, so that it is not collected earlier.
  copy = copy.clientIds === clientIds ? null : copy;
  return { clientIds, bytes: together - (await collected()) };
}

interface Persisted {
  clientIds: number;
  parts: unknown[];
}

/**
 * What must be kept, made anew entry by entry so that it weighs the same: the service's client ids, unique
 * for ever; its fourteen days of volume; the newest fills' ids in the bot, bounded but slow to fill.
 */
function copyKept(service: SimService, fills: number): Persisted {
  const { accounts } = service.core.save(0).engine;
  const ids = accounts
    .flatMap(({ clientOrderIds, clientExecutionIds }) => [clientOrderIds, clientExecutionIds])
    .map((pairs) => new Map(pairs.map(([clientId, id]) => [copyOf(clientId), copyOf(id)])));
  const volumes = accounts.map(({ volume }) => [pushed(volume.times), pushed(volume.notionals)]);
  const older = fills < FILL_IDS_KEPT ? 0 : FILL_IDS_KEPT;
  const recent = [older, fills % FILL_IDS_KEPT].map(
    (size) => new Set(Array.from({ length: size }, (_, index) => copyOf(`fil_${index}`))),
  );
  const clientIds = ids.reduce((sum, { size }) => sum + size, 0);
  return { clientIds, parts: [ids, volumes, recent] };
}

const copyOf = (text: string): string => Buffer.from(text).toString();

/** With the room that growing one by one leaves at its end. */
function pushed(numbers: readonly number[]): number[] {
  const all: number[] = [];
  for (const one of numbers) all.push(one);
  return all;
}

/** Fills of the service so far. */
const fillsOf = ({ core }: SimService): number => new Map(core.save(0).engine.ids).get('fil') ?? 0;
