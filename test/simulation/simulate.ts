import { SCOPES } from '../../src/contract/index.ts';
import { decodeFrame } from '../../src/frames/index.ts';
import type { BotPlan } from '../../src/runtime/BotPlan.ts';
import { createBot, type Bot } from '../../src/runtime/createBot.ts';
import { createWireLink } from '../../src/runtime/createWireLink.ts';
import {
  createClockOffset,
  createHttpClient,
  createSigner,
  createSocket,
} from '../../src/wire/index.ts';
import { createFaultPlan } from './createFaultPlan.ts';
import { createSimDisk } from './createSimDisk.ts';
import { createSimJudge } from './createSimJudge.ts';
import { createSimNetwork, type SimNetwork } from './createSimNetwork.ts';
import { createSimService, START_TIME, type SimService } from './createSimService.ts';
import { createSimStrategy } from './createSimStrategy.ts';
import { createLoadStrategy } from './createLoadStrategy.ts';
import { BUDGET, type LaneFigures } from './createLaneMeter.ts';
import { checkLiveness } from './checkLiveness.ts';
import type { Plant } from './Plant.ts';
import { HOUR_MS, type Fault, type Scenario } from './Scenario.ts';
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
  const judge = createSimJudge(world, service.dialect);
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
    const bot = assemble(process, network);
    current = { process, network, bot };
    bot.events$.subscribe((event) => {
      if (!process.alive) return;
      judge.heard(JSON.stringify(event));
      if (event.kind === 'strategy_fault') world.violate('strategy_fault', event.fault.reason);
    });
    bot.start().catch((error: unknown) => {
      if (process.alive) world.violate('start_failed', String(error));
    });
  }

  function assemble(process: SimProcess, network: SimNetwork): Bot {
    const env = plant?.env?.(process.env) ?? process.env;
    const { dialect, keyId, secret } = service;
    const clockOffset = createClockOffset();
    const offsetMs = (): number => clockOffset.offsetMs();
    const signer = createSigner({ keyId, secret, dialect, clock: env.clock, offsetMs });
    const transport = plant?.transport?.(network.transport) ?? network.transport;
    const connect = plant?.connect?.(network.connect) ?? network.connect;
    const baseUrl = 'http://127.0.0.1:1';
    const http = createHttpClient({ baseUrl, dialect, signer, env, clockOffset, transport });
    const decode = (text: string) => decodeFrame(text, dialect);
    const wsUrl = 'ws://127.0.0.1:1/v1/stream';
    const socket = createSocket({ wsUrl, dialect, signer, env, decode, clockOffset, connect });
    const wire = createWireLink({ http, socket, env, market: scenario.bot.market, clockOffset });
    const store = disk.open(process);
    return createBot({
      plan: plant?.plan?.(plan) ?? plan,
      link: plant?.link?.(wire) ?? wire,
      env,
      store: plant?.store?.(store) ?? store,
      defaultWallet: 'main',
      onFatal(error) {
        if (!process.alive) return;
        world.note('fatal', String(error));
        const expected = String(error).includes('ENOSPC');
        if (!expected) world.violate('fatal', String(error));
        process.kill('fatal');
      },
    });
  }

  function strike(fault: Fault): void {
    world.note('fault', fault.kind, fault.size, fault.detail);
    switch (fault.kind) {
      case 'crash': {
        const victim = current?.process;
        if (victim === undefined || !victim.alive) return;
        restartMs = fault.size;
        if (fault.detail === 'now') return victim.kill('crash');
        victim.arm(fault.detail);
        return world.after(120_000, () => victim.kill('crash'));
      }
      case 'clock_step':
        skewMs = fault.size;
        return;
      case 'service_restart':
        return service.restart(fault.size);
      case 'service_outage':
        return service.outage(fault.size);
      case 'socket_cut':
        return current?.network.cut('connection_failed_ECONNRESET');
      case 'socket_stall':
        return current?.network.stall(fault.size);
      case 'disk_full':
        disk.setFull(true);
        return world.after(fault.size, () => disk.setFull(false));
      case 'degrade_layer':
        return service.degrade(fault.detail as 'orders', fault.size);
      case 'foreign_weight':
        judge.foreignSpent();
        return service.spendForeign(fault.size);
      default:
    }
  }

  const tick = (): void => {
    service.tick();
    world.after(TICK_MS, tick);
  };
  world.after(0, tick);
  for (const fault of scenario.faults) {
    if (fault.until === fault.from) world.after(fault.from, () => strike(fault));
  }
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

function planOf(
  { bot, seed, load }: Scenario,
  service: SimService,
  strategy: BotPlan['strategies'][number]['strategy'],
): BotPlan {
  return {
    dialect: service.dialect,
    seed,
    strategies: service.symbols.map((symbol) => ({
      strategy,
      params: {},
      name: `sim-${symbol}`,
      symbols: [symbol],
      wallet: 'main',
      capitalShare: 1 / service.symbols.length,
    })),
    guards: {
      max_position_notional: bot.maxPositionNotional,
      max_intents_per_minute: load === undefined ? 60 : undefined,
    },
    budget: {
      limit: service.dialect.budget.standard,
      ...BUDGET,
      clock: 'wall',
    },
    concurrency: bot.concurrency,
    resyncMs: 60_000,
    instruments: service.core.engine.market.instruments,
    scopes: SCOPES,
    markInterval: () => '1m',
  };
}
