import type { Bot } from '../../src/runtime/createBot.ts';
import { assembleBot } from './assembleBot.ts';
import { checkLiveness } from './checkLiveness.ts';
import { createPerson } from './createPerson.ts';
import { createFaultPlan } from './createFaultPlan.ts';
import type { LaneFigures } from './createLaneMeter.ts';
import { createLoadStrategy } from './createLoadStrategy.ts';
import { createSimDisk } from './createSimDisk.ts';
import { createSimJudge } from './createSimJudge.ts';
import { createSimNetwork, type SimNetwork } from './createSimNetwork.ts';
import { createSimService, START_TIME } from './createSimService.ts';
import { createSimStrategy } from './createSimStrategy.ts';
import { scheduleMoments } from './scheduleMoments.ts';
import { planOf } from './planOf.ts';
import type { Plant } from './Plant.ts';
import { HOUR_MS, type Scenario } from './Scenario.ts';
import { SimProcess } from './SimProcess.ts';
import { createWorld, Violation } from './SimWorld.ts';

export interface SimOptions {
  plant?: Plant;
  traced?: boolean;
}

export interface SimResult {
  seed: string;
  digest: string;
  violation: Violation | null;
  violations: readonly Violation[];
  decisions: number;
  sends: number;
  /** Sends under a key that was sent before. */
  resends: number;
  /** Intents that became an order or an execution. */
  executed: number;
  fills: number;
  processes: number;
  exitWaits: readonly number[];
  own429s: number;
  lanes: ReadonlyMap<string, LaneFigures>;
  findings: readonly number[];
  trace: readonly string[];
}

/** How long a healed system may take until nothing is open any more. */
const SETTLE_MS = 25 * 60_000;
const LAST_MS = 5_000;
const TICK_MS = 5_000;
/** What a supervisor waits before it starts a bot that ended by itself. */
const SUPERVISOR_MS = 10_000;

/** Every promise that can go on has gone on: nothing in a simulation waits for the machine. */
const drain = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

/** One virtual hour of faults, then peace: one seed, one run, one digest. */
export async function simulate(scenario: Scenario, options: SimOptions = {}): Promise<SimResult> {
  const { plant, traced = false } = options;
  const world = createWorld(scenario, { startTime: START_TIME, traced });
  const service = createSimService(world);
  const person = createPerson(world);
  const judge = createSimJudge(world, service.dialect, person);
  judge.attach(service);
  const faults = createFaultPlan(world);
  const disk = createSimDisk(world, judge);
  let quiet = false;
  let skewMs = scenario.bot.startSkewMs;
  let current: { process: SimProcess; network: SimNetwork; bot: Bot } | null = null;
  let lives = 0;
  let restartMs = SUPERVISOR_MS;

  const isQuiet = (): boolean => quiet;
  const { load } = scenario;
  const strategy =
    load === undefined
      ? createSimStrategy(world, isQuiet)
      : createLoadStrategy(world, load, isQuiet);
  const plan = planOf(scenario, service, strategy);

  function start(): void {
    lives++;
    const index = lives;
    const process = new SimProcess(world, { index, skewMs: () => skewMs, heard: judge.heard });
    world.note('start', index);
    process.onKilled(() => {
      judge.crashed();
      world.after(restartMs, start);
      restartMs = SUPERVISOR_MS;
    });
    const network = createSimNetwork({ world, service, faults, judge }, process);
    const bot = assembleBot({
      process,
      network,
      service,
      plan,
      store: disk.open(process),
      plant,
      onFatal(error) {
        if (!process.alive) return;
        world.note('fatal', String(error));
        const expected = String(error).includes('ENOSPC');
        if (!expected) world.violate('fatal', String(error));
        process.kill('fatal');
      },
    });
    current = { process, network, bot };
    bot.events$.subscribe((event) => {
      if (!process.alive) return;
      judge.heard(JSON.stringify(event));
      if (event.kind === 'strategy_fault') world.violate('strategy_fault', event.fault.reason);
    });
    bot.start().catch((error: unknown) => {
      if (process.alive) world.violate('start_failed', String(error));
    });
    person.follow(process, bot);
  }

  const tick = (): void => {
    service.tick();
    world.after(TICK_MS, tick);
  };
  world.after(0, tick);
  scheduleMoments({
    world,
    service,
    disk,
    current: () => current,
    restartAfter: (delayMs) => (restartMs = delayMs),
    setSkew: (next) => (skewMs = next),
    foreignSpent: judge.foreignSpent,
    person,
  });
  world.after(0, start);

  const rejections: unknown[] = [];
  const onRejection = (error: unknown): void => void rejections.push(error);
  process.on('unhandledRejection', onRejection);
  try {
    await runUntil(START_TIME + HOUR_MS);
    quiet = true;
    faults.heal();
    service.heal();
    disk.setFull(false);
    person.rearms();
    if (world.violations.length === 0) await runUntil(START_TIME + HOUR_MS + SETTLE_MS);
    service.freeze();
    if (world.violations.length === 0) await runUntil(START_TIME + HOUR_MS + SETTLE_MS + LAST_MS);
    if (world.violations.length === 0) {
      checkLiveness({ world, service, disk, judge, bot: current, isOneLife: lives === 1 });
    }
  } catch (error) {
    if (error instanceof Violation) world.violations.push(error);
    else
      world.violate(
        'thrown',
        error instanceof Error ? (error.stack ?? error.message) : String(error),
      );
  } finally {
    process.off('unhandledRejection', onRejection);
  }
  if (rejections.length > 0) world.violate('unhandled_rejection', String(rejections[0]));

  async function runUntil(end: number): Promise<void> {
    const { queue } = world;
    for (let next = queue.nextTime(); next !== undefined && next <= end; next = queue.nextTime()) {
      queue.advanceTo(next);
      await drain();
      if (world.violations.length > 0) return;
    }
  }

  return {
    seed: scenario.seed,
    digest: world.digest(),
    violation: world.violations[0] ?? null,
    violations: world.violations,
    decisions: judge.facts.decisions,
    sends: judge.facts.sends,
    resends: judge.facts.resends,
    executed: [...service.truth.made.values()].filter((ids) => ids.size > 0).length,
    fills: service.truth.fills.length,
    processes: lives,
    exitWaits: judge.facts.exitWaits,
    own429s: judge.facts.own429s,
    lanes: judge.facts.lanes,
    findings: judge.facts.findings,
    trace: world.trace,
  };
}
