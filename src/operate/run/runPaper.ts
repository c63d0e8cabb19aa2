import type { BotConfig, LoadedConfig, PaperLinkConfig } from '../../config/index.ts';
import { INTERVAL_MS, SCOPES, type Dialect, type Interval } from '../../contract/index.ts';
import { reasonOf, type Env } from '../../env/index.ts';
import { describeFeedProblem } from '../../paper/feed/index.ts';
import { loadMarketData, type MarketData } from '../../paper/server/loadMarketData.ts';
import type { PaperSettings } from '../../paper/server/PaperSettings.ts';
import { startPaperServer, type PaperServer } from '../../paper/server/startPaperServer.ts';
import type { BotPlan, PlannedStrategy } from '../../runtime/BotPlan.ts';
import { createBarrierLink, type BarrierLink } from '../../runtime/createBarrierLink.ts';
import { createBot, type Bot } from '../../runtime/createBot.ts';
import { createRunRecord, type Refusal } from '../../runtime/createRunRecord.ts';
import type { LifeEvent } from '../../runtime/RestartPolicy.ts';
import { runReplay } from '../../runtime/runReplay.ts';
import type { StrategyHost } from '../../strategy/index.ts';
import { createPaperControls, type PaperControls } from '../../wire/index.ts';
import type { Progress } from '../progress/index.ts';
import type { ReportData } from '../report/index.ts';
import { whyNothingToReplay } from './checkTape.ts';
import { describeFault } from './describeFault.ts';
import { describeRefused } from './describeRefused.ts';
import { followBot } from './followBot.ts';
import { loadDialect } from './loadDialect.ts';
import { loadStrategies } from './loadStrategies.ts';
import { openJournal } from './openJournal.ts';
import { openService } from './openService.ts';
import { paperAssumptions } from './paperAssumptions.ts';
import { planBot } from './planBot.ts';
import { failed, type RunResult } from './RunFailure.ts';
import { toReportData } from './toReportData.ts';

export interface RunPaperOptions {
  loaded: LoadedConfig;
  env: Env;
  progress: Progress;
  /** True once the user asked to stop. */
  isStopped(): boolean;
}

/** What a run on paper ended with. */
export interface PaperRun {
  data: ReportData;
  /** Strategies that ended by their own fault, each as a message. */
  quarantined: readonly string[];
  /** Intents that were none. */
  malformed: number;
  /** Intents that were decided upon warm-up and not sent. */
  suppressed: number;
  /** Why intents were not accepted, most frequent first. */
  refusals: readonly Refusal[];
  lives: readonly LifeEvent[];
  /** Market time at which the user asked to stop; undefined when the tape ran to its end. */
  interruptedAt: number | undefined;
}

/**
 * Runs a configuration on the embedded paper service, over real sockets, to the end of its tape:
 * configuration → plugins → service → bot → replay → figures.
 */
export async function runPaper(options: RunPaperOptions): Promise<RunResult<PaperRun>> {
  const { loaded, env } = options;
  const { paper } = loaded.config.link as PaperLinkConfig;
  const strategies = await loadStrategies(loaded);
  if (!strategies.ok) return strategies;
  const data = await loadMarketData(paper);
  if (!data.ok) return failed(describeFeedProblem(data.problem));
  const nothing = whyNothingToReplay(data.value.feeds, paper.warmup);
  if (nothing !== undefined) return failed(nothing);

  const spoken = await loadDialect(loaded.config);
  if (!spoken.ok) return spoken;
  const dialect = spoken.value;
  // The bot subscribes before the tape moves, so the service starts paused whatever its speed.
  // Its journal starts over with every run, and so does its service.
  const { state: _state, ...fresh } = paper;
  const settings: PaperSettings = { ...fresh, port: 0, paused: true };
  const server = await startPaperServer({ settings, data: data.value, dialect }, env);
  const controls = createPaperControls(server.baseUrl, env);
  try {
    const from = { ...options, dialect, paper, data: data.value, strategies: strategies.value };
    return await runOn(server, controls, from);
  } finally {
    await controls.close();
    await server.close();
  }
}

interface Prepared extends RunPaperOptions {
  dialect: Dialect;
  paper: PaperSettings;
  data: MarketData;
  strategies: PlannedStrategy[];
}

async function runOn(
  server: PaperServer,
  controls: PaperControls,
  prepared: Prepared,
): Promise<RunResult<PaperRun>> {
  const { loaded, env, dialect, paper } = prepared;
  const { config } = loaded;
  let fatal: unknown;
  const onLost = (fault: unknown): void => void (fatal ??= fault);
  const journal = await openJournal({ config, env, startsOver: true, onLost });
  if (!journal.ok) return journal;
  const service = openService(server, { dialect, env, market: 'frames' });
  const intervals = new Map(paper.feeds.map(({ symbol, interval }) => [symbol, interval]));
  const planned = await planBot({
    config,
    dialect,
    strategies: prepared.strategies,
    client: service.client,
    budgetClock: paper.budget_clock === 'replay' ? 'market' : 'wall',
    concurrency: paper.speed === 'max' ? 1 : undefined,
    scopes: SCOPES,
    // A check by the wall clock would make a replay depend on how fast it runs.
    resyncMs: null,
    markInterval: (symbol) => intervals.get(symbol) ?? '1m',
  });
  if (!planned.ok) {
    await Promise.all([service.link.close(), journal.value.close()]);
    return planned;
  }
  const plan = planned.value;
  const link = createBarrierLink(service.link);
  const atMaximum = paper.speed === 'max';
  const bot = createBot({
    plan,
    link: atMaximum ? link : service.link,
    env,
    store: journal.value,
    defaultWallet: 'main',
    onFatal: (error) => (fatal ??= error),
  });
  const record = createRunRecord(bot, {
    instances: config.strategies.map(({ name }) => name),
    keepAll: true,
  });
  const refused = firstRefusal(bot);
  followBot(bot, env.log);

  const isOver = (): boolean =>
    fatal !== undefined ||
    prepared.isStopped() ||
    refused() !== undefined ||
    bot.hosts.some(isBroken);
  const drive = { bot, controls, prepared, plan, isOver };
  const { time: startTime } = await controls.replay();
  try {
    await bot.start();
    const endTime = await (atMaximum ? runStepped({ ...drive, link }) : runPaced(drive));
    prepared.progress.finish();
    if (fatal !== undefined)
      return failed(`The journal failed, so nothing more was sent: ${reasonOf(fatal)}`);
    if (bot.hosts.some(isBroken)) return failed(quarantined(bot, config).join('\n'));
    if (refused() !== undefined) return failed(refused()!);
    const data = toReportData({
      config,
      bot,
      record,
      startTime,
      endTime,
      startEquity: startEquityOf(paper),
      endEquity: equityOf(bot, plan),
      intervalOf: plan.markInterval,
      assumptions: paperAssumptions(paper),
    });
    const suppressed = bot.hosts.reduce((sum, host) => sum + host.suppressed, 0);
    const { malformed, refusals, lives } = record;
    const interruptedAt = prepared.isStopped() ? endTime : undefined;
    const ends = { quarantined: quarantined(bot, config), suppressed, malformed, refusals, lives };
    return { ok: true, value: { data, ...ends, interruptedAt } };
  } finally {
    await bot.stop();
  }
}

/** A subscription that the service refuses: a strategy that waits for it would wait for ever. */
function firstRefusal(bot: Bot): () => string | undefined {
  let message: string | undefined;
  bot.events$.subscribe((event) => {
    if (event.kind !== 'stream_fault' || event.fault.kind !== 'refused') return;
    message ??= describeRefused(event.fault);
  });
  return () => message;
}

/** A strategy that never came to life: there is nothing to run. */
function isBroken({ status }: StrategyHost): boolean {
  return status.state === 'quarantined' && status.fault.kind === 'setup_failed';
}

function quarantined(bot: Bot, config: BotConfig): string[] {
  return bot.hosts.flatMap(({ instance, status }) => {
    if (status.state !== 'quarantined' && status.state !== 'waiting') return [];
    const file = config.strategies.find(({ name }) => name === instance)?.use ?? instance;
    return [describeFault(status.fault, file)];
  });
}

interface Drive {
  bot: Bot;
  controls: PaperControls;
  prepared: Prepared;
  plan: BotPlan;
  isOver(): boolean;
}

/** The bar of the finest feed: what a step of the replay is. */
function stepMsOf({ feeds }: PaperSettings): number {
  return Math.min(...feeds.map(({ interval }) => INTERVAL_MS[interval as Interval]));
}

function tellProgress(drive: Drive, time: number, span: { start: number; end: number }): void {
  const { bot, plan, prepared } = drive;
  const stepMs = stepMsOf(prepared.paper);
  const { used, limit } = bot.budget();
  const wallets = [...new Set(plan.strategies.map(({ wallet }) => wallet))];
  prepared.progress.update({
    barsDone: Math.round((time - span.start) / stepMs),
    barsTotal: Math.round((span.end - span.start) / stepMs),
    marketTime: time,
    equity: equityOf(bot, plan),
    openExecutions: wallets.reduce((sum, id) => sum + bot.book(id).runningExecutions, 0),
    budgetUsed: used,
    budgetLimit: limit,
  });
}

/** At maximum speed, bar by bar, as reproducible as a run without sockets. */
async function runStepped(drive: Drive & { link: BarrierLink }): Promise<number> {
  const { controls, bot, link, prepared, isOver } = drive;
  const { time: start } = await controls.replay();
  const end = await runReplay({
    controls: {
      position: () => controls.replay(),
      advanceTo: (toTime) => controls.advance({ to_time: toTime }),
    },
    link,
    stepMs: stepMsOf(prepared.paper),
    bot,
    onStep: ({ time, end_time }) => tellProgress(drive, time, { start, end: end_time }),
    isStopped: isOver,
  });
  return end.time;
}

const POLL_MS = 250;

/** At a pace of wall time, as a bot would run live. */
async function runPaced(drive: Drive): Promise<number> {
  const { controls, bot, prepared, isOver } = drive;
  const { env, paper } = prepared;
  const { time: start } = await controls.replay();
  let position = await controls.speed(paper.speed);
  while (position.state !== 'ended' && !isOver()) {
    await new Promise<void>((resolve) => void env.timers.after(POLL_MS, resolve));
    position = await controls.replay();
    tellProgress(drive, position.time, { start, end: position.end_time });
  }
  await bot.settled();
  return position.time;
}

function equityOf(bot: Bot, plan: BotPlan): number {
  const wallets = [...new Set(plan.strategies.map(({ wallet }) => wallet))];
  return wallets.reduce((sum, wallet) => sum + (bot.book(wallet).account()?.equity ?? 0), 0);
}

/** Cash of the wallets that the strategies trade on, before anything happened. */
function startEquityOf({ balance, connections }: PaperSettings): number {
  return connections.reduce((sum, connection) => sum + connection.balance, balance);
}
