import { createDirectLink } from '../../src/operate/directLink/index.ts';
import { driveReplay, type DirectDrive } from '../../backtest/driveReplay.ts';
import { checkParams, type Strategy } from '../../src/strategy/index.ts';
import { defaultDialect, SCOPES, type Dialect } from '../../src/contract/index.ts';
import { createLiveEnv, createVirtualEnv, openThread, pause } from '../../src/env/index.ts';
import type { Env, Link } from '../../src/env/index.ts';
import { createMemoryStore, type IntentRow, type JournalStore } from '../../src/journal/index.ts';
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
import { createBarrierLink, type BarrierLink } from '../../src/runtime/links/createBarrierLink.ts';
import { createDelayedLink, hasRequestDelay } from '../../src/runtime/links/createDelayedLink.ts';
import { createBot, type Bot } from '../../src/runtime/createBot.ts';
import { createRunRecord } from '../../src/runtime/record/createRunRecord.ts';
import type { RecordedFill } from '../../src/runtime/record/RunRecord.ts';
import type { LifeEvent, RestartPolicy } from '../../src/runtime/RestartPolicy.ts';
import { tradedWallets } from '../../src/runtime/wallet/tradedWallets.ts';
import { runReplay, type ReplayControls } from '../../src/runtime/links/runReplay.ts';
import { createPaperControls } from '../../src/wire/index.ts';
import { root } from '../sourceFiles.ts';
import { describeRun } from './walks/describeRun.ts';

/** A strategy and how a test runs it. */
export interface Member {
  strategy: Strategy;
  /** Of its instance; default: the strategy's, with its place. */
  name?: string;
  symbols: readonly string[];
  wallet: string;
  params?: Record<string, unknown>;
  restart?: RestartPolicy;
  /** Runs in its own thread, from this file. */
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
  /** Default: small ones. */
  guards?: BotPlan['guards'];
  /** Seed of random delays; default: 1. */
  seed?: number;
  /** Channels that the bot reads by requests instead; default: none. */
  lacks?: Dialect['stream']['lacks'];
  /** Bar of the finest feed, milliseconds; default: a minute. */
  stepMs?: number;
  /** Whether the run is described in {@link ParityRun.lines}. */
  isDescribed?: boolean;
  /** Receives the bot before it starts. */
  onBot?: (watched: WatchedBot) => void | Promise<void>;
  /** Called when everything is done, before the bot stops. */
  onEnd?: () => Promise<void>;
  /** Receives each frame, and each request with its answer, as they pass the link. */
  onPassed?: (passed: Passed) => void;
}

/** A bot before it starts, and what it is made of. */
export interface WatchedBot {
  bot: Bot;
  plan: BotPlan;
  env: Env;
  store: JournalStore;
  link: Link;
}

/** What passed between a bot and its service. */
export interface Passed {
  /** Market time, epoch milliseconds. */
  time: number;
  what: 'frame' | 'request' | 'answer';
  value: unknown;
}

/** Records of a run, in order. */
export interface ParityRun {
  hash: string;
  intents: Array<Pick<IntentRow, 'key' | 'decisionKey' | 'intent'> & { states: string[] }>;
  fills: readonly RecordedFill[];
  /** The exact bodies that were sent. */
  bodies: string[];
  /** Failures and restarts of strategies. */
  lives: readonly LifeEvent[];
  latches: ReadonlyArray<{ name: string; value: string; reason: string }>;
  /** Everything that the run left, a line each; only of a tape that asks for it. */
  lines?: readonly string[];
}

function settingsOf(tape: ParityTape): PaperSettings {
  const base = { port: 0, paused: true, budget_clock: 'replay' as const };
  return paperSettings.parse({ ...tape.settings, ...base });
}

function planOf(
  { members, data, budgetLimit, settings, guards, lacks = [] }: ParityTape,
  instruments: BotPlan['instruments'],
) {
  const intervals = new Map(data.feeds.map(({ symbol, interval }) => [symbol, interval]));
  const strategies = members.map((member, index) => {
    const { strategy, symbols, wallet, params, restart } = member;
    const checked = checkParams(strategy, params);
    if (!checked.ok) throw new Error(checked.fault.reason);
    const name = member.name ?? `${strategy.name}-${index}`;
    const isolation = isolationOf(member);
    const about = { name, symbols, wallet, capitalShare: 1, restart, isolation };
    return { ...about, strategy, params: checked.value };
  });
  const plan: BotPlan = {
    dialect: { ...defaultDialect, stream: { ...defaultDialect.stream, lacks } },
    seed: 1,
    strategies,
    guards: guards ?? { max_position_notional: 60_000, max_intents_per_minute: 30 },
    budget: {
      limit: budgetLimit ?? defaultDialect.budget.standard,
      share: 0.9,
      reserveShare: 0.3,
      reserveFloor: 40,
      clock: 'market',
    },
    concurrency: hasRequestDelay(paperSettings.parse(settings).latency) ? 8 : 1,
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

/** The same link, whose traffic is passed on to the tape's listener. */
function overheard<L extends Link>(link: L, { onPassed }: ParityTape): L {
  if (onPassed === undefined) return link;
  const note = (what: Passed['what'], value: unknown): void =>
    onPassed({ time: link.market.now(), what, value });
  return {
    ...link,
    open: (listener) =>
      link.open({
        ...listener,
        onFrame(frame) {
          note('frame', frame);
          listener.onFrame(frame);
        },
      }),
    request(request) {
      note('request', [request.endpoint, request.pathParams, request.query, request.body]);
      const answered = link.request(request);
      const take = (answer: Awaited<typeof answered>) => (note('answer', answer), answer);
      return answered instanceof Promise ? answered.then(take) : take(answered);
    },
  };
}

interface Ports<L extends Link> extends Pick<ParityTape, 'isDescribed' | 'onBot' | 'onEnd'> {
  link: L;
  env: Env;
  drive(bot: Bot, link: L): Promise<unknown>;
}

async function run<L extends Link>(
  plan: BotPlan,
  { link, env, drive, isDescribed = false, onBot, onEnd }: Ports<L>,
): Promise<ParityRun> {
  const store = createMemoryStore();
  const bodies: string[] = [];
  const received: L = {
    ...link,
    request(request) {
      if (request.idempotencyKey !== undefined) bodies.push(`${request.endpoint} ${request.body}`);
      return link.request(request);
    },
  };
  const bot = createBot({
    plan,
    link: received,
    env,
    store,
    threads: { openThread, waits: true },
    defaultWallet: 'main',
    onFatal(error) {
      throw error;
    },
  });
  const instances = plan.strategies.map(({ name }) => name);
  const wallets = tradedWallets(plan.strategies);
  const record = createRunRecord(bot, { instances, wallets, keepAll: true });
  await onBot?.({ bot, plan, env, store, link });
  await bot.start();
  const startTime = link.market.now();
  await drive(bot, received);
  const intents = store.intents().map(({ key, decisionKey, intent }) => {
    const states = store.entries(key).map((entry) => `${entry.state} ${entry.marketTime}`);
    return { key, decisionKey, intent, states };
  });
  const latches = store.latches().map(({ name, value, reason }) => ({ name, value, reason }));
  const { fills, lives } = record;
  const result = { hash: record.hash(), intents, fills, bodies, lives, latches };
  const ended = { bot, record, store, instances, wallets, startTime, endTime: link.market.now() };
  const symbols = plan.instruments.map(({ symbol }) => symbol);
  const described = isDescribed ? { lines: describeRun({ ...ended, symbols }) } : {};
  await onEnd?.();
  await bot.stop();
  return { ...result, ...described };
}

const stepThrough =
  ({ stepMs = 60_000 }: ParityTape, controls: ReplayControls) =>
  (bot: Bot, link: BarrierLink) =>
    runReplay({ controls, link, stepMs, bot });

const seedOf = ({ seed = 1 }: ParityTape): number => seed;

function withDelay<L extends BarrierLink>(link: L, tape: ParityTape, endTime: number): L {
  const { latency } = settingsOf(tape);
  if (!hasRequestDelay(latency)) return link;
  const delays = { order: latency.order_ms, cancel: latency.cancel_ms };
  return createDelayedLink(link, { delays, seed: seedOf(tape), endTime });
}

/** The tape through the direct link: one process, no text, virtual time. */
export function runDirect(tape: ParityTape): Promise<ParityRun> {
  return runInProcess(tape, ({ bot, link }) => stepThrough(tape, link.controls)(bot, link));
}

/** The same tape as a backtest drives it. */
export function runDriven(tape: ParityTape, drive = driveReplay): Promise<ParityRun> {
  const { stepMs = 60_000 } = tape;
  const live = createLiveEnv();
  const rest = { live, stepMs, onStep: () => {}, isOver: () => false };
  return runInProcess(tape, (driven) => drive({ ...driven, ...rest }));
}

type Driven = Pick<DirectDrive, 'bot' | 'core' | 'link'>;

async function runInProcess(
  tape: ParityTape,
  drive: (driven: Driven) => Promise<unknown>,
): Promise<ParityRun> {
  const settings = settingsOf(tape);
  const env = createVirtualEnv({ startTime: tape.data.feeds[0]!.time[settings.warmup]! });
  const core = createPaperService({ settings, data: tape.data, seed: seedOf(tape) }, env);
  const credentials = { keyId: 'vk_direct', secret: 'vs_direct' };
  const { tier } = settings;
  core.addKey({ label: 'direct', scopes: SCOPES, tier }, credentials, env.clock.wallNow());
  const direct = createDirectLink({ core, keyId: credentials.keyId, env });
  const link = overheard(withDelay(direct, tape, core.engine.endTime), tape);
  const plan = planOf(tape, core.engine.market.instruments);
  const driveBot = (bot: Bot, received: typeof link) => drive({ bot, core, link: received });
  const { isDescribed = false, onBot = () => {}, onEnd = async () => {} } = tape;
  return run(plan, { link, env, drive: driveBot, isDescribed, onBot, onEnd });
}

/** The same tape through the service over real sockets, as fast as it goes. */
export async function runSockets(tape: ParityTape): Promise<ParityRun> {
  const env = createLiveEnv();
  const { latency, ...rest } = settingsOf(tape);
  const settings = { ...rest, latency: { ...latency, order_ms: 0, cancel_ms: 0 } };
  const server = await startPaperServer({ settings, data: tape.data, seed: seedOf(tape) }, env);
  const controls = createPaperControls(server.baseUrl, env);
  const service = openService(server, { dialect: defaultDialect, env, market: 'frames' });
  const link = withDelay(createBarrierLink(service.link), tape, server.core.engine.endTime);
  const plan = planOf(tape, server.core.engine.market.instruments);
  const steps: ReplayControls = {
    position: () => controls.replay(),
    advanceTo: (toTime, apartFrom = []) =>
      controls.advance({ to_time: toTime, until: 'event', apart_from: apartFrom }),
  };
  const { stepMs = 60_000 } = tape;
  const isLate = hasRequestDelay(latency) || latency.data_ms !== 0;
  // As the command runs it: bars by which nothing is decided get no steps of their own.
  const drive = (bot: Bot, driven: BarrierLink) =>
    runReplay({
      controls: steps,
      link: driven,
      stepMs,
      bot,
      ...(isLate ? {} : { passive: bot.streams.passive }),
    });
  try {
    return await run(plan, { link, env, drive, isDescribed: tape.isDescribed === true });
  } finally {
    await controls.close();
    await server.close();
  }
}

/** The same tape at a pace of wall time, as a bot runs live: `speed` seconds of it a second. */
export async function runPaced(tape: ParityTape, speed: number): Promise<ParityRun> {
  const env = createLiveEnv();
  const settings = settingsOf(tape);
  const server = await startPaperServer({ settings, data: tape.data, seed: seedOf(tape) }, env);
  const controls = createPaperControls(server.baseUrl, env);
  const service = openService(server, { dialect: defaultDialect, env, market: 'frames' });
  const wire = service.link;
  // Without a barrier: frames are seen as they come.
  const link: Link = {
    market: wire.market,
    open: (listener) => wire.open(listener),
    subscribe: (subscription) => wire.subscribe(subscription),
    unsubscribe: (subscription) => wire.unsubscribe(subscription),
    request: (request) => wire.request(request),
    close: () => wire.close(),
  };
  const plan = { ...planOf(tape, server.core.engine.market.instruments), concurrency: 8 };
  const drive = async (bot: Bot): Promise<void> => {
    let { state } = await controls.speed(speed);
    while (state !== 'ended') {
      await pause(env.timers, 100);
      ({ state } = await controls.replay());
    }
    await bot.settled();
  };
  try {
    return await run(plan, { link, env, drive });
  } finally {
    await controls.close();
    await server.close();
  }
}
