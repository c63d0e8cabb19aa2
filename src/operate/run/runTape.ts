import { walletsOf, type BotConfig } from '../../config/index.ts';
import { SCOPES } from '../../contract/index.ts';
import {
  openThread,
  reasonOf,
  watchHostTimers,
  type Env,
  type WatchedTimers,
} from '../../env/index.ts';
import type { PaperSettings } from '../../paper/server/PaperSettings.ts';
import {
  type BotPlan,
  createBot,
  type Bot,
  createRunRecord,
  type Delay,
  type Refusal,
  type RunRecord,
  endAll,
  type LifeEvent,
  type ReplayPosition,
  tradedWallets,
} from '../../runtime/index.ts';
import { startedByPlugin, type StrategyHost } from '../../strategy/index.ts';
import type { Progress } from '../progress/index.ts';
import { openRecording, recordTo, type RecordingWriter } from '../recording/index.ts';
import type { ReportData } from '../report/index.ts';
import { describeFault } from './describeFault.ts';
import { describeFunding } from './describeFunding.ts';
import { describeNotice } from './describeNotice.ts';
import { describeRefused, type KnownOfBot } from './describeRefused.ts';
import { followBot } from './followBot.ts';
import { inMarketTime } from './inMarketTime.ts';
import type { LoadedTape } from './loadTape.ts';
import { outsideTurnOf, type OutsideTurn } from './outsideTurnOf.ts';
import { openJournal } from './openJournal.ts';
import { paperAssumptions } from './paperAssumptions.ts';
import type { PaperVenue } from './PaperVenue.ts';
import { planBot } from './planBot.ts';
import { failed, type RunResult } from './RunFailure.ts';
import { stepMsOf } from './stepMsOf.ts';
import { withEnding } from './withEnding.ts';
import { toReportData } from './toReportData.ts';

export interface RunTapeOptions {
  tape: LoadedTape;
  venue: PaperVenue;
  progress: Progress;
  /** True once the user requested a stop. */
  isStopped(): boolean;
  /** Whether a decision outside of a turn ends the run; else it is listed as a fault. Default: it does. */
  endsOutsideTurn?: boolean;
  /** Receives the bot before it starts. */
  onBot?(bot: Bot): void;
}

/** The result of a paper run. */
export interface PaperRun {
  data: ReportData;
  /** Strategies that ended through their own fault, each as a message. */
  quarantined: readonly string[];
  /** Strategies that decided outside of a turn, each as a message with its place. */
  outsideTurn: readonly OutsideTurn[];
  /** Malformed intents. */
  malformed: number;
  /** Intents that were decided in warm-up and not sent. */
  suppressed: number;
  /** Why intents were not accepted, most frequent first. */
  refusals: readonly Refusal[];
  /** What intents waited for, most frequent first. */
  delays: readonly Delay[];
  lives: readonly LifeEvent[];
  /** Notices about an instance. */
  notices: RunRecord['notices'];
  /** Market time at which the user requested a stop; undefined if the tape ran to its end. */
  interruptedAt: number | undefined;
}

/** Runs a bot through a replay to its end: journal → plan → bot → replay → figures. */
export async function runTape(options: RunTapeOptions): Promise<RunResult<PaperRun>> {
  const { tape, venue, progress } = options;
  const { loaded, dialect, paper } = tape;
  const { config } = loaded;
  const { time: startTime, end_time: tapeEnd } = await venue.position();
  // Before its first frame a link has no time.
  const market = { now: () => venue.link.market.now() || startTime };
  const env: Env = { ...venue.env, log: inMarketTime(venue.env.log, market) };
  let fatal: unknown;
  const onLost = (fault: unknown): void => void (fatal ??= fault);
  const journal = await openJournal({ config, env, startsOver: true, onLost });
  if (!journal.ok) return journal;
  const open: { bot?: Bot; recording?: RecordingWriter; timers?: WatchedTimers } = {};
  const end = (): Promise<void> =>
    endAll([
      // The bot closes the journal itself when nothing more is written.
      () => (open.bot === undefined ? journal.value.close() : open.bot.stop()),
      () => open.recording?.close(),
      () => open.timers?.restore(),
    ]);
  return withEnding(end, async () => {
    const intervals = new Map(paper.feeds.map(({ symbol, interval }) => [symbol, interval]));
    const planned = await planBot({
      config,
      dialect,
      strategies: tape.strategies,
      client: venue.client,
      budgetClock: venue.budgetClock,
      concurrency: venue.concurrency,
      scopes: SCOPES,
      // A check by wall time would make a replay depend on its speed.
      resyncMs: null,
      markInterval: (symbol) => intervals.get(symbol) ?? '1m',
    });
    if (!planned.ok) return planned;
    const plan = planned.value;
    const recording = openRecording(config, plan, env.log);
    if (!recording.ok) return recording;
    if (recording.value !== null) open.recording = recording.value;
    const bot = createBot({
      plan,
      link: venue.link,
      env,
      store: journal.value,
      // If the order of sends must be reproducible, so must the order of turns.
      threads: { openThread, waits: venue.isStepped },
      defaultWallet: 'main',
      ...recordTo(recording.value),
      onFatal: (error) => (fatal ??= error),
    });
    open.bot = bot;
    const record = createRunRecord(bot, {
      instances: config.strategies.map(({ name }) => name),
      wallets: tradedWallets(plan.strategies),
      keepAll: true,
    });
    const known = { config, plan };
    const refused = firstRefusal(bot, known);
    followBot(bot, env.log, { known });
    options.onBot?.(bot);

    const outside = outsideTurnOf(bot, config);
    const isOutside = (): boolean => options.endsOutsideTurn !== false && outside.length > 0;
    const isOver = (): boolean =>
      isOutside() ||
      fatal !== undefined ||
      options.isStopped() ||
      refused() !== undefined ||
      bot.hosts.some(isBroken);
    const ahead = describeFunding(tape.data, { from: startTime, until: tapeEnd });
    for (const { text, isWhole } of ahead) if (!isWhole) env.log.warn(text);
    const tell = progressTeller(progress, { bot, plan, startTime, stepMs: stepMsOf(paper) });
    const timers = watchHostTimers(startedByPlugin(config.strategies.map(({ use }) => use)));
    open.timers = timers;
    await bot.start();
    const endTime = await venue.drive({ bot, onStep: tell, isOver });
    if (!isOver()) {
      for (const host of bot.hosts) host.settle?.();
      await timers.flush(() => bot.hosts.some(({ emitted }) => emitted === 0) && !isOver());
    }
    progress.finish();
    if (fatal !== undefined)
      return failed(
        'TRIMTAB_JOURNAL_FAILED',
        `The journal failed, so nothing more was sent: ${reasonOf(fatal)}`,
      );
    if (isOutside())
      return failed(
        'TRIMTAB_STRATEGY_OUTSIDE_TURN',
        outside.map(({ message }) => message).join('\n'),
      );
    if (bot.hosts.some(isBroken))
      return failed('TRIMTAB_STRATEGY_ENDED', quarantined(bot, config).join('\n'));
    if (refused() !== undefined) return failed('TRIMTAB_STREAM_REFUSED', refused()!);
    const data = toReportData({
      config,
      bot,
      record,
      startTime,
      endTime,
      startEquity: startEquityOf(paper, plan),
      endEquity: equityOf(bot, plan),
      feeds: tape.data.feeds,
      assumptions: [
        ...shortfalls(record),
        ...paperAssumptions(tape, { from: startTime, until: endTime }),
      ],
    });
    const suppressed = bot.hosts.reduce((sum, host) => sum + host.suppressed, 0);
    const { malformed, refusals, delays, lives, notices } = record;
    const interruptedAt = options.isStopped() ? endTime : undefined;
    const ends = {
      quarantined: quarantined(bot, config),
      outsideTurn: outside,
      suppressed,
      interruptedAt,
    };
    return { ok: true, value: { data, ...ends, malformed, refusals, delays, lives, notices } };
  });
}

/**
 * Warm-ups for which the tape is too short, so that trading begins later, and fractions given as
 * percentages.
 */
function shortfalls({ notices }: RunRecord): string[] {
  return notices
    .filter(({ notice }) => notice.kind !== 'state_in_warm_up')
    .map(({ instance, notice }) => describeNotice(instance, notice));
}

/** A subscription that the service refuses: a strategy would wait for it for ever. */
function firstRefusal(bot: Bot, known: KnownOfBot): () => string | undefined {
  let message: string | undefined;
  bot.events$.subscribe((event) => {
    if (event.kind !== 'stream_fault' || event.fault.kind !== 'refused') return;
    const lines = describeRefused(event.fault, event.askers, known);
    message ??= lines.map(({ text }) => text).join('\n');
  });
  return () => message;
}

/** A strategy that never started: there is nothing to run. */
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

function progressTeller(
  progress: Progress,
  run: { bot: Bot; plan: BotPlan; startTime: number; stepMs: number },
): (position: ReplayPosition) => void {
  const { bot, plan, startTime, stepMs } = run;
  const wallets = tradedWallets(plan.strategies);
  return ({ time, end_time }) => {
    const { used, limit } = bot.budget();
    progress.update({
      barsDone: Math.round((time - startTime) / stepMs),
      barsTotal: Math.round((end_time - startTime) / stepMs),
      marketTime: time,
      equity: equityOf(bot, plan),
      runningExecutions: wallets.reduce((sum, id) => sum + bot.book(id).runningExecutions(), 0),
      budgetUsed: used,
      budgetLimit: limit,
    });
  };
}

function equityOf(bot: Bot, plan: BotPlan): number {
  return tradedWallets(plan.strategies).reduce(
    (sum, wallet) => sum + (bot.book(wallet).account()?.equity ?? 0),
    0,
  );
}

/** Cash of the wallets that the strategies trade on, before anything happened. */
function startEquityOf(paper: PaperSettings, plan: BotPlan): number {
  const cash = [paper.balance, ...paper.connections.map(({ balance }) => balance)];
  const traded = tradedWallets(plan.strategies);
  return walletsOf(paper).reduce(
    (sum, wallet, at) => sum + (traded.includes(wallet) ? cash[at]! : 0),
    0,
  );
}
