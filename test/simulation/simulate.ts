import { JournalFault, type JournalStore } from '../../src/journal/index.ts';
import type { OwnerDecision } from '../../src/runtime/control/createOwnerDecisions.ts';
import type { Bot } from '../../src/runtime/createBot.ts';
import { assembleBot } from './assembleBot.ts';
import { checkLiveness } from './checkLiveness.ts';
import { checkStops } from './checkStops.ts';
import { createPerson } from './createPerson.ts';
import { createFaultPlan } from './createFaultPlan.ts';
import type { LaneFigures } from './createLaneMeter.ts';
import { createLoadStrategy } from './createLoadStrategy.ts';
import { createSimDatabase } from './createSimDatabase.ts';
import { createSimDisk } from './createSimDisk.ts';
import { createInvariantChecker } from './createInvariantChecker.ts';
import { createSimNetwork, type SimNetwork } from './createSimNetwork.ts';
import { createSimService, START_TIME } from './createSimService.ts';
import { createSimStrategy } from './createSimStrategy.ts';
import { scheduleMoments } from './scheduleMoments.ts';
import { planOf } from './planOf.ts';
import type { Plant } from './Plant.ts';
import { HOUR_MS, type Scenario } from './Scenario.ts';
import { SimProcess } from './SimProcess.ts';
import { createSimulation, Violation, type Simulation } from './Simulation.ts';

export interface SimOptions {
  plant?: Plant;
  traced?: boolean;
  /** Receives all that the bot reports: its log, and its events as JSON. */
  onReported?(line: string): void;
  /** Called with each bot before it starts. */
  onBot?(assembled: AssembledBot): void;
  /** False for a bot whose plan the checker does not know: nothing that it finds ends the run. Default: true. */
  isChecked?: boolean;
  /** What an operator decides at the start of the next bot; default: nothing. */
  decisionsOf?(): readonly OwnerDecision[];
}

/** A bot of a simulation, and the process in which it runs. */
export interface AssembledBot {
  sim: Simulation;
  process: SimProcess;
  bot: Bot;
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
  liquidations: number;
  processes: number;
  /** How often the lease of the account went from one process to another. */
  takeovers: number;
  /** A fault, a state that an intent reached under it, and its kind. */
  covered: ReadonlySet<string>;
  exitWaits: readonly number[];
  own429s: number;
  lanes: ReadonlyMap<string, LaneFigures>;
  /** How often the bot's books were checked. */
  booksChecked: number;
  /** How often a position was checked that the bot believes protected. */
  coverChecked: number;
  /** How often the effect of an orderly stop was compared with the service. */
  stopsChecked: number;
  findings: readonly number[];
  trace: readonly string[];
}

/** Maximum time after the faults until no intent is open. */
const SETTLE_MS = 25 * 60_000;
const LAST_MS = 5_000;
const TICK_MS = 5_000;
/** Retired at a time. */
const SLICE = 100;
/** Delay of a supervisor before it restarts a bot. */
const SUPERVISOR_MS = 10_000;

/** Drains all promises that can continue: nothing in a simulation waits for the machine. */
/** Its session was lost to another process, or nothing could be written for too long. */
const isOfDatabase = (error: unknown): boolean =>
  error instanceof JournalFault && ['lease_lost', 'unreachable', 'broken'].includes(error.code);

/** The bot that has the journal. */
interface Running {
  process: SimProcess;
  network: SimNetwork;
  bot: Bot;
  host: number;
  store: JournalStore;
}

const drain = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

/** One virtual hour of faults, then recovery: one seed, one run, one digest. */
export async function simulate(scenario: Scenario, options: SimOptions = {}): Promise<SimResult> {
  const { plant, traced = false, isChecked = true, onReported, onBot } = options;
  const sim = createSimulation(scenario, { startTime: START_TIME, traced });
  const service = createSimService(sim);
  const person = createPerson(sim);
  const checker = createInvariantChecker(sim, service.dialect, person);
  checker.attach(service);
  const received = (line: string): void => {
    checker.received(line);
    onReported?.(line);
  };
  const faults = createFaultPlan(sim);
  const { standby } = scenario;
  const database = standby && createSimDatabase(sim, checker, plant);
  const disk = createSimDisk(sim, checker);
  let quiet = false;
  const hosts = [{ skewMs: scenario.bot.startSkewMs, restartMs: SUPERVISOR_MS }];
  if (standby !== undefined) hosts.push({ skewMs: standby.skewMs, restartMs: SUPERVISOR_MS });
  let current: Running | null = null;
  let lives = 0;

  const isQuiet = (): boolean => quiet;
  const { load } = scenario;
  const strategy =
    load === undefined
      ? createSimStrategy(sim, isQuiet, () => person.isArmed)
      : createLoadStrategy(sim, load, isQuiet);
  const plan = planOf(scenario, service, strategy);

  function start(at: number): void {
    lives++;
    const index = lives;
    const host = hosts[at]!;
    const process = new SimProcess(sim, {
      index,
      skewMs: () => host.skewMs,
      received,
    });
    sim.note('start', index);
    process.onKilled(() => {
      checker.crashed(index);
      sim.after(host.restartMs, () => start(at));
      host.restartMs = SUPERVISOR_MS;
    });
    if (database === undefined) return run(process, at, disk.open(process));
    const onLost = (fault: unknown): void => {
      if (current?.process === process) lost(current, fault);
    };
    database.open(process, at, onLost).then(
      (store) => run(process, at, store),
      // In use, or out of reach: its supervisor tries again.
      () => process.kill('refused'),
    );
  }

  function run(process: SimProcess, host: number, store: JournalStore): void {
    const network = createSimNetwork({ sim, service, faults, checker }, process);
    const bot = assembleBot({
      process,
      network,
      service,
      plan,
      store,
      plant,
      decisions: options.decisionsOf?.() ?? [],
      onFatal(error) {
        if (!process.alive) return;
        sim.note('fatal', String(error));
        if (database !== undefined && isOfDatabase(error)) return lost(own, error);
        const expected = String(error).includes('ENOSPC');
        if (!expected) sim.violate('fatal', String(error));
        process.kill('fatal');
      },
    });
    const own = { process, network, bot, host, store };
    current = own;
    bot.events$.subscribe((event) => {
      if (!process.alive) return;
      received(JSON.stringify(event));
      if (event.kind === 'strategy_fault') sim.violate('strategy_fault', event.fault.reason);
    });
    onBot?.({ sim, process, bot });
    bot.start().catch((error: unknown) => {
      if (process.alive) sim.violate('start_failed', String(error));
    });
    person.follow(process, bot);
  }

  /** As the program does: it stops by its policy, and its supervisor starts another process. */
  function lost({ process, bot }: { process: SimProcess; bot: Bot }, fault: unknown): void {
    checker.noticed(process.index);
    sim.note('lost', process.index, String(fault));
    if (process.isStopping) return;
    process.isStopping = true;
    const end = (): void => process.kill('lost');
    bot.stop({ policy: standby!.policy }).then(end, end);
  }

  /** As the program does, a slice after the other. */
  function compact({ process, store }: Running, keepMs: number): void {
    process.takes(() => {
      if (!process.alive || process.isStopping) return;
      const olderThan = process.env.clock.wallNow() - keepMs;
      const note = (retired: number): void => sim.note('retired', process.index, retired);
      const refused = (): void => {};
      void Promise.resolve()
        .then(() => store.compact({ olderThan, limit: SLICE }))
        .then(note, refused);
    });
  }

  function lookAtCover(): void {
    checker.stepped();
    const { process, bot } = current ?? {};
    if (process?.alive !== true || process.isSuspended || bot === undefined) return;
    if (process.isStopping) return;
    checker.taken(process.index, bot);
  }

  const tick = (): void => {
    const { process, bot } = current ?? {};
    const isAwake = process?.alive === true && !process.isSuspended && !process.isStopping;
    if (isChecked && isAwake && load === undefined) checker.look(process.index, bot!);
    service.tick();
    sim.after(TICK_MS, tick);
  };
  sim.after(0, tick);
  scheduleMoments({
    sim,
    service,
    disk: database ?? disk,
    database,
    current: () => current,
    restartAfter: (delayMs) => (hosts[current!.host]!.restartMs = delayMs),
    setSkew: (next) => (hosts[0]!.skewMs = next),
    foreignSpent: checker.foreignSpent,
    resumed: checker.resumed,
    stops: checker.stops,
    person,
    compact(keepMs) {
      if (current !== null) compact(current, keepMs);
    },
  });
  sim.after(0, () => start(0));
  if (standby !== undefined) sim.after(standby.startsAt, () => start(1));

  const hasFailed = (): boolean => isChecked && sim.violations.length > 0;
  const rejections: unknown[] = [];
  const onRejection = (error: unknown): void => void rejections.push(error);
  process.on('unhandledRejection', onRejection);
  try {
    await runUntil(START_TIME + HOUR_MS);
    quiet = true;
    faults.heal();
    service.heal();
    (database ?? disk).setFull(false);
    person.rearms();
    if (!hasFailed()) await runUntil(START_TIME + HOUR_MS + SETTLE_MS);
    service.freeze();
    if (!hasFailed()) await runUntil(START_TIME + HOUR_MS + SETTLE_MS + LAST_MS);
    if (isChecked && !hasFailed()) {
      checkLiveness({ sim, service, disk: database ?? disk, checker, bot: current });
    }
    if (isChecked && !hasFailed() && load === undefined) {
      service.thaw();
      const pass = (ms: number): Promise<void> => runUntil(sim.queue.now() + ms);
      await checkStops({ sim, service, raise: person.raises, pass });
    }
  } catch (error) {
    if (error instanceof Violation) sim.violations.push(error);
    else
      sim.violate(
        'thrown',
        error instanceof Error ? (error.stack ?? error.message) : String(error),
      );
  } finally {
    process.off('unhandledRejection', onRejection);
  }
  if (rejections.length > 0) sim.violate('unhandled_rejection', String(rejections[0]));

  async function runUntil(end: number): Promise<void> {
    const { queue } = sim;
    for (let next = queue.nextTime(); next !== undefined && next <= end; next = queue.nextTime()) {
      queue.advanceTo(next);
      await drain();
      // Under load nothing is protected, and each instant costs.
      if (load === undefined && isChecked) lookAtCover();
      if (hasFailed()) return;
    }
  }

  return {
    seed: scenario.seed,
    digest: sim.digest(),
    violation: sim.violations[0] ?? null,
    violations: sim.violations,
    decisions: checker.facts.decisions,
    sends: checker.facts.sends,
    resends: checker.facts.resends,
    executed: [...service.truth.made.values()].filter((ids) => ids.size > 0).length,
    fills: service.truth.fills.length,
    liquidations: service.truth.liquidations,
    processes: lives,
    takeovers: checker.facts.takeovers,
    covered: checker.facts.covered,
    exitWaits: checker.facts.exitWaits,
    own429s: checker.facts.own429s,
    lanes: checker.facts.lanes,
    booksChecked: checker.facts.booksChecked,
    coverChecked: checker.facts.coverChecked,
    stopsChecked: checker.facts.stopsChecked,
    findings: checker.facts.findings,
    trace: sim.trace,
  };
}
