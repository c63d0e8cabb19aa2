import { createDirectLink } from '../../backtest/directLink/createDirectLink.ts';
import { checkParams, type Strategy } from '../../src/strategy/index.ts';
import { defaultDialect, SCOPES } from '../../src/contract/index.ts';
import { createLiveEnv, createVirtualEnv, openThread, type Env } from '../../src/env/index.ts';
import { createMemoryStore, type IntentRow } from '../../src/journal/index.ts';
import { openService } from '../../src/operate/run/openService.ts';
import {
  createPaperService,
  paperSettings,
  startPaperServer,
  type MarketData,
  type PaperSettings,
  type PaperSettingsInput,
} from '../../src/paper/index.ts';
import type { BotPlan } from '../../src/runtime/BotPlan.ts';
import { createBarrierLink, type BarrierLink } from '../../src/runtime/createBarrierLink.ts';
import { createBot } from '../../src/runtime/createBot.ts';
import { createRunRecord, type RecordedFill } from '../../src/runtime/createRunRecord.ts';
import type { LifeEvent, RestartPolicy } from '../../src/runtime/RestartPolicy.ts';
import { tradedWallets } from '../../src/runtime/tradedWallets.ts';
import { runReplay, type ReplayControls } from '../../src/runtime/runReplay.ts';
import { createPaperControls } from '../../src/wire/index.ts';
import { root } from '../sourceFiles.ts';

/** A strategy as a test wants it run. */
export interface Member {
  strategy: Strategy;
  symbols: readonly string[];
  wallet: string;
  params?: Record<string, unknown>;
  restart?: RestartPolicy;
  /** Runs in a thread of its own, from this file. */
  file?: string;
  /** Wall milliseconds that a turn may take there; default 20,000. */
  turnDeadlineMs?: number;
}

export interface ParityTape {
  data: MarketData;
  settings: PaperSettingsInput;
  members: readonly Member[];
  /** Weight a minute that the bot believes it has; default: the service's. */
  budgetLimit?: number;
}

/** What a run left behind, in the order in which it happened. */
export interface ParityRun {
  hash: string;
  intents: Array<Pick<IntentRow, 'key' | 'decisionKey' | 'intent'> & { states: string[] }>;
  fills: readonly RecordedFill[];
  /** The exact bodies that were sent. */
  bodies: string[];
  /** Ends by a strategy's own fault, and restarts. */
  lives: readonly LifeEvent[];
  latches: ReadonlyArray<{ name: string; value: string; reason: string }>;
}

function settingsOf(tape: ParityTape): PaperSettings {
  const base = { port: 0, paused: true, budget_clock: 'replay' as const };
  return paperSettings.parse({ ...tape.settings, ...base });
}

function planOf({ members, data, budgetLimit }: ParityTape, instruments: BotPlan['instruments']) {
  const intervals = new Map(data.feeds.map(({ symbol, interval }) => [symbol, interval]));
  const strategies = members.map((member, index) => {
    const { strategy, symbols, wallet, params, restart } = member;
    const checked = checkParams(strategy, params);
    if (!checked.ok) throw new Error(checked.fault.reason);
    const name = `${strategy.name}-${index}`;
    const isolation = isolationOf(member);
    const about = { name, symbols, wallet, capitalShare: 1, restart, isolation };
    return { ...about, strategy, params: checked.value };
  });
  const plan: BotPlan = {
    dialect: defaultDialect,
    seed: 1,
    strategies,
    guards: { max_position_notional: 60_000, max_intents_per_minute: 30 },
    budget: {
      limit: budgetLimit ?? defaultDialect.budget.standard,
      share: 0.9,
      reserveShare: 0.3,
      reserveFloor: 40,
      clock: 'market',
    },
    concurrency: 1,
    instruments,
    resyncMs: null,
    scopes: SCOPES,
    markInterval: (symbol) => intervals.get(symbol) ?? '1m',
  };
  return plan;
}

function isolationOf({ file, params = {}, turnDeadlineMs = 20_000 }: Member) {
  if (file === undefined) return undefined;
  return { use: file, directory: root, params, turnDeadlineMs, memoryMb: 256 };
}

async function run(
  plan: BotPlan,
  ports: { link: BarrierLink; controls: ReplayControls; env: Env },
): Promise<ParityRun> {
  const { link, controls, env } = ports;
  const store = createMemoryStore();
  const bodies: string[] = [];
  const heard: BarrierLink = {
    ...link,
    request(request) {
      if (request.idempotencyKey !== undefined) bodies.push(`${request.endpoint} ${request.body}`);
      return link.request(request);
    },
  };
  const bot = createBot({
    plan,
    link: heard,
    env,
    store,
    threads: { openThread, waits: true },
    defaultWallet: 'main',
    onFatal(error) {
      throw error;
    },
  });
  const names = plan.strategies.map(({ name }) => name);
  const record = createRunRecord(bot, {
    instances: names,
    wallets: tradedWallets(plan.strategies),
    keepAll: true,
  });
  await bot.start();
  await runReplay({ controls, link: heard, stepMs: 60_000, bot });
  const intents = store.intents().map(({ key, decisionKey, intent }) => {
    const states = store.entries(key).map((entry) => `${entry.state} ${entry.marketTime}`);
    return { key, decisionKey, intent, states };
  });
  const latches = store.latches().map(({ name, value, reason }) => ({ name, value, reason }));
  const { fills, lives } = record;
  const result = { hash: record.hash(), intents, fills, bodies, lives, latches };
  await bot.stop();
  return result;
}

/** The tape through the direct link: one process, no text, virtual time. */
export async function runDirect(tape: ParityTape): Promise<ParityRun> {
  const settings = settingsOf(tape);
  const env = createVirtualEnv({ startTime: tape.data.feeds[0]!.time[settings.warmup]! });
  const core = createPaperService({ settings, data: tape.data }, env);
  const credentials = { keyId: 'vk_direct', secret: 'vs_direct' };
  core.addKey({ label: 'direct', scopes: SCOPES }, credentials, env.clock.wallNow());
  const link = createDirectLink({ core, keyId: credentials.keyId, env });
  const plan = planOf(tape, core.engine.market.instruments);
  return run(plan, { link, controls: link.controls, env });
}

/** The same tape through the service over real sockets, as fast as it goes. */
export async function runSockets(tape: ParityTape): Promise<ParityRun> {
  const env = createLiveEnv();
  const server = await startPaperServer({ settings: settingsOf(tape), data: tape.data }, env);
  const controls = createPaperControls(server.baseUrl, env);
  const service = openService(server, { dialect: defaultDialect, env, market: 'frames' });
  const link = createBarrierLink(service.link);
  const plan = planOf(tape, server.core.engine.market.instruments);
  const steps: ReplayControls = {
    position: () => controls.replay(),
    advanceTo: (toTime) => controls.advance({ to_time: toTime }),
  };
  try {
    return await run(plan, { link, controls: steps, env });
  } finally {
    await controls.close();
    await server.close();
  }
}
