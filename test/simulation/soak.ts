import { rmSync } from 'node:fs';
import { getHeapSpaceStatistics, type HeapSpaceInfo } from 'node:v8';
import { createSqliteStore, type JournalStore } from '../../src/journal/index.ts';
import type { Bot } from '../../src/runtime/createBot.ts';
import { assembleBot } from './assembleBot.ts';
import { createPerson } from './createPerson.ts';
import { createFaultPlan, type FaultPlan } from './createFaultPlan.ts';
import { createSimNetwork, type NetworkCheck, type SimNetwork } from './createSimNetwork.ts';
import { createSimService, START_TIME, type SimService } from './createSimService.ts';
import { createSimStrategy } from './createSimStrategy.ts';
import type { Plant } from './Plant.ts';
import { planOf } from './planOf.ts';
import { drawScenario, HOUR_MS, type Fault, type Scenario } from './Scenario.ts';
import { scheduleMoments } from './scheduleMoments.ts';
import { never, SimProcess } from './SimProcess.ts';
import { createSimulation } from './Simulation.ts';

/** The state at the end of a virtual hour. */
export interface SoakHour {
  hour: number;
  /** After garbage collection, without compiled code and required retention. */
  heapBytes: number;
  /** Client ids that the service keeps, since they must stay unique. */
  retainedIds: number;
  /** Bytes of the required retention, client ids and more. */
  retainedBytes: number;
  /** Pending timers of the bot. */
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

/** Processes die in the first half day only: accumulation shows in a long-lived process. */
const CRASHING_HOURS = 12;
/** Each fourth hour is calm and then measured, so that open or recent orders do not count. */
const MEASURED_HOURS = 4;
/** More than any hour draws, so that fault numbers do not repeat. */
const FAULTS_AN_HOUR = 1_000;
/** Unresolved intents hold their exposure; a narrow limit would soon stop all trading. */
const WIDE_NOTIONAL = 1e9;
/** The bot remembers this many for each account, and up to twice as many. */
const MOST_FILL_IDS = 65_536;
/** How long the level that cancels resting orders is in force. */
const CANCELLING_MS = 600_000;
const TICK_MS = 5_000;
const drain = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

/** Process faults discard accumulated state; silence accumulates none. */
const ENDING: ReadonlySet<string> = new Set(['crash', 'disk_full', 'kill_level']);

/** The faults of one hour; a process ends between two events, as with SIGKILL. */
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

/** Days of trading under faults, to find leaks of memory, timers and handles. */
export async function soak(options: SoakOptions): Promise<SoakHour[]> {
  const scenario = scenarioOf(options.seed, options.hours);
  const sim = createSimulation(scenario, { startTime: START_TIME, traced: false });
  const service = createSimService(sim);
  let plans = createFaultPlan(sim);
  const faults: FaultPlan = {
    heal: () => plans.heal(),
    exchange: () => plans.exchange(),
    hits: (kind) => plans.hits(kind),
    find: (kind) => plans.find(kind),
  };
  const person = createPerson(sim);
  const plan = planOf(
    { ...scenario, bot: { ...scenario.bot, maxPositionNotional: WIDE_NOTIONAL } },
    service,
    createSimStrategy(sim, () => calm),
  );
  let sends = 0;
  let lives = 0;
  let skewMs = 0;
  let restartMs = 10_000;
  let isFull = false;
  let calm = false;
  /** Of the service, when the process started. */
  let fillsBefore = 0;
  let current: { process: SimProcess; network: SimNetwork; bot: Bot } | null = null;
  const checker: NetworkCheck = {
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
    underWay: () => ({ arrived: () => {}, lost: () => {}, spoilt: () => {} }),
  };

  let closeJournal = (): void => {};

  /** The real journal; writes of a dead process are dropped. */
  function openStore(process: SimProcess): JournalStore {
    closeJournal();
    const retained = createSqliteStore(options.journal, 'process');
    closeJournal = () => void retained.close();
    return {
      ...retained,
      append(append) {
        if (!process.alive) return never();
        if (isFull) throw new Error('ENOSPC: no space left on device, write');
        return retained.append(append);
      },
      close: () => {},
    };
  }

  function start(): void {
    const process = new SimProcess(sim, {
      index: ++lives,
      skewMs: () => skewMs,
      received: () => {},
    });
    process.onKilled(() => {
      sim.after(restartMs, start);
      restartMs = 10_000;
    });
    fillsBefore = fillsOf(service);
    const network = createSimNetwork({ sim, service, faults, checker }, process);
    const onFatal = (error: unknown): void => {
      if (process.alive && !String(error).includes('ENOSPC')) throw error;
      process.kill('fatal');
    };
    const store = openStore(process);
    const { plant } = options;
    const bot = assembleBot({ process, network, service, plan, store, plant, onFatal });
    current = { process, network, bot };
    void bot.start();
    person.follow(process, bot);
  }

  const tick = (): void => {
    service.tick();
    sim.after(TICK_MS, tick);
  };
  const disk = { setFull: (full: boolean) => void (isFull = full) };

  /** Hour by hour: pending faults would take memory, and freeing it would hide a leak. */
  function beginHour(hour: number): void {
    calm = (hour + 1) % MEASURED_HOURS === 0;
    if (calm) person.throws('L2', CANCELLING_MS);
    const drawn = calm ? [] : drawHour(options.seed, hour, hour < CRASHING_HOURS);
    const part = { ...sim, scenario: { ...scenario, faults: drawn } };
    plans = createFaultPlan(part);
    scheduleMoments({
      sim: part,
      service,
      disk,
      current: () => current,
      restartAfter: (delayMs) => (restartMs = delayMs),
      setSkew: (next) => (skewMs = next),
      foreignSpent: () => {},
      resumed: () => {},
      stops: () => {},
      person,
    });
  }

  for (const ending of ['', '-wal', '-shm', '.lock']) {
    rmSync(`${options.journal}${ending}`, { force: true });
  }
  sim.after(0, tick);
  sim.after(0, start);

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
    const { queue } = sim;
    for (let next = queue.nextTime(); next !== undefined && next <= end; next = queue.nextTime()) {
      queue.advanceTo(next);
      await drain();
    }
  }

  async function measure(hour: number): Promise<SoakHour> {
    const retained = await weigh(() => copyRetained(service, fillsOf(service) - fillsBefore));
    const heapBytes = (await collected()) - retained.bytes;
    return {
      hour,
      heapBytes,
      retainedIds: retained.clientIds,
      retainedBytes: retained.bytes,
      timers: current!.process.timers,
      resources: process.getActiveResourcesInfo().length,
      sends,
      processes: lives,
    };
  }
}

/** The compiler adds and frees compiled code; it is not the bot's. */
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

/** Heap bytes of a copy, measured while it is alive. */
async function weigh(make: () => Persisted): Promise<{ clientIds: number; bytes: number }> {
  let copy: Persisted | null = make();
  const { clientIds } = copy;
  const together = await collected();
  // Used again, so that it is not collected earlier.
  copy = copy.clientIds === clientIds ? null : copy;
  return { clientIds, bytes: together - (await collected()) };
}

interface Persisted {
  clientIds: number;
  parts: unknown[];
}

/**
 * Copies the required retention entry by entry, so that its size is equal: the service's client ids and
 * fourteen days of volume; in the bot the newest fills' ids, bounded but slow to fill.
 */
function copyRetained(service: SimService, fills: number): Persisted {
  const { accounts } = service.core.save(0).engine;
  const ids = accounts
    .flatMap(({ clientOrderIds, clientExecutionIds }) => [clientOrderIds, clientExecutionIds])
    .map((pairs) => new Map(pairs.map(([clientId, id]) => [copyOf(clientId), copyOf(id)])));
  const volumes = accounts.map(({ volume }) => [pushed(volume.times), pushed(volume.notionals)]);
  const older = fills < MOST_FILL_IDS ? 0 : MOST_FILL_IDS;
  const recent = [older, fills % MOST_FILL_IDS].map(
    (size) => new Set(Array.from({ length: size }, (_, index) => copyOf(`fil_${index}`))),
  );
  const clientIds = ids.reduce((sum, { size }) => sum + size, 0);
  return { clientIds, parts: [ids, volumes, recent] };
}

const copyOf = (text: string): string => Buffer.from(text).toString();

/** With the spare capacity that growing one by one leaves. */
function pushed(numbers: readonly number[]): number[] {
  const all: number[] = [];
  for (const one of numbers) all.push(one);
  return all;
}

/** Fills of the service so far. */
const fillsOf = ({ core }: SimService): number => new Map(core.save(0).engine.ids).get('fil') ?? 0;
