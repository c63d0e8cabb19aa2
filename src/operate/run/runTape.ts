import { SCOPES } from '../../contract/index.ts';
import { openThread, watchHostTimers, type Env, type WatchedTimers } from '../../env/index.ts';
import {
  type BotPlan,
  createBot,
  type Bot,
  createPlotLog,
  createRunRecord,
  type Delay,
  type Refusal,
  type RunRecord,
  endAll,
  type LifeEvent,
  tradedWallets,
} from '../../runtime/index.ts';
import { startedByPlugin } from '../../strategy/index.ts';
import { meterLink, meterStore } from '../metrics/index.ts';
import type { Progress } from '../progress/index.ts';
import { openRecording, recordTo, type RecordingWriter } from '../recording/index.ts';
import { recordViews, type ViewRecording } from '../travel/index.ts';
import type { ReportAbout, ReportData } from '../report/index.ts';
import { aboutRun } from './aboutRun.ts';
import { createProgressReporter } from './createProgressReporter.ts';
import { describeFunding } from './describeFunding.ts';
import { describeNotice } from './describeNotice.ts';
import { equityOf, startEquityOf } from './equityOf.ts';
import { followBot } from './followBot.ts';
import { inMarketTime } from './inMarketTime.ts';
import type { LoadedTape } from './loadTape.ts';
import { openJournal } from './openJournal.ts';
import { refusedStates } from './refusedStates.ts';
import type { OutsideTurn } from './outsideTurnOf.ts';
import { paperAssumptions } from './paperAssumptions.ts';
import type { PaperVenue } from './PaperVenue.ts';
import { planBot } from './planBot.ts';
import { failed, type RunResult } from './RunFailure.ts';
import { stepMsOf } from './stepMsOf.ts';
import { toReportData } from './toReportData.ts';
import { endedStrategies, watchEarlyEnd } from './watchEarlyEnd.ts';
import { explainCutOrders } from './explainCutOrders.ts';
import { explainNoFills } from './explainNoFills.ts';
import { explainGaps } from './explainGaps.ts';
import { explainUnequalFeeds } from './explainUnequalFeeds.ts';
import { watchOwnErrors } from './watchOwnErrors.ts';
import { openShadows, type ShadowCourse, type Shadows } from '../shadow/index.ts';
import { traceIntents } from '../trace/index.ts';
import { withEnding } from './withEnding.ts';

export interface RunTapeOptions {
  tape: LoadedTape;
  venue: PaperVenue;
  progress: Progress;
  /** True once the user requested a stop. */
  isStopped(): boolean;
  /** Whether a decision outside of a turn ends the run; else it is listed as a fault. Default: it does. */
  endsOutsideTurn?: boolean;
  /** Whether a report will be made: what strategies compute and the levels of legs are recorded. Default: no. */
  charts?: boolean;
  /** Whether the run continues the journal of an earlier one. Default: no; that journal is moved aside. */
  keepsJournal?: boolean;
  /** Whether the shadows of strategies run beside them. Default: they do. */
  shadows?: boolean;
  /** Receives the bot before it starts, which waits for it. */
  onBot?(bot: Bot, plan: BotPlan, shadows: Shadows): void | Promise<RunResult<unknown>>;
}

/** The result of a paper run. */
export interface PaperRun {
  data: ReportData;
  /** What it was made of; reads every bar, so only a report asks for it. */
  about(): ReportAbout;
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
  /** Shadows of strategies, beside the versions that traded. */
  shadows: readonly ShadowCourse[];
  /** Notices about an instance. */
  notices: RunRecord['notices'];
  /** Why nothing was filled although intents were accepted; undefined where something was. */
  unfilled: string | undefined;
  /** That market orders were filled in part, if some were. */
  cut: string | undefined;
  /** That feeds begin or end far apart, or lack bars. */
  unequal: readonly string[];
  /** Market time at which the user requested a stop; undefined if the tape ran to its end. */
  interruptedAt: number | undefined;
}

/** What a run has opened, and has to close. */
interface OpenRun {
  bot?: Bot;
  recording?: RecordingWriter;
  shadows?: Shadows;
  views?: ViewRecording;
  timers?: WatchedTimers;
  stopWatching?: () => void;
}

/** Runs a bot through a replay to its end: journal → plan → bot → replay → figures. */
export async function runTape(options: RunTapeOptions): Promise<RunResult<PaperRun>> {
  const { tape, venue, progress } = options;
  const { config } = tape.loaded;
  const { time: startTime, end_time: tapeEnd } = await venue.position();
  // Before its first frame a link has no time.
  const market = { now: () => venue.link.market.now() || startTime };
  const env: Env = { ...venue.env, log: inMarketTime(venue.env.log, market) };
  let fatal: unknown;
  const onLost = (fault: unknown): void => void (fatal ??= fault);
  const { keepsJournal = false } = options;
  const journal = await openJournal({ config, env, startsOver: !keepsJournal, onLost });
  if (!journal.ok) return journal;
  const open: OpenRun = {};
  const end = (): Promise<void> =>
    endAll([
      () => open.views?.write(),
      // The bot closes the journal itself when nothing more is written.
      () => open.shadows?.close(),
      () => (open.bot === undefined ? journal.value.close() : open.bot.stop()),
      () => open.views?.close(),
      () => open.recording?.close(),
      () => open.timers?.restore(),
      () => open.stopWatching?.(),
    ]);
  return withEnding(end, async () => {
    const planned = await planReplay(tape, venue);
    if (!planned.ok) return planned;
    const plan = planned.value;
    const refused = refusedStates(plan.strategies, journal.value);
    if (refused.length > 0) return failed('TRIMTAB_STATE_REFUSED', refused.join('\n'));
    const recording = openRecording(config, plan, env, false);
    if (!recording.ok) return recording;
    if (recording.value !== null) open.recording = recording.value;
    const plots = options.charts === true ? createPlotLog() : undefined;
    const shadows = openShadows({
      config,
      plan,
      paper: tape.paper,
      funding: tape.data.funding,
      // Of the machine, whose time a thread takes.
      env: { timers: venue.timers, log: env.log },
      openThread,
      areOn: options.shadows !== false,
      waits: venue.isStepped,
      keepAll: true,
    });
    open.shadows = shadows;
    const bot = createBot({
      plan,
      link: shadows.tap(meterLink(venue.link, env)),
      env,
      store: meterStore(journal.value, env),
      // If the order of sends must be reproducible, so must the order of turns.
      threads: { openThread, waits: venue.isStepped },
      defaultWallet: 'main',
      ...recordTo(recording.value),
      onPlot: plots?.take,
      onFatal: (error) => (fatal ??= error),
    });
    open.bot = bot;
    open.stopWatching = watchOwnErrors({
      config,
      hosts: () => bot.hosts,
      log: env.log,
    });
    shadows.follow(bot);
    const record = createRunRecord(bot, {
      instances: config.strategies.map(({ name }) => name),
      wallets: tradedWallets(plan.strategies),
      keepAll: true,
      plots,
    });
    if (recording.value !== null) {
      const watched = { bot, config, plan, env, now: () => market.now(), service: null };
      open.views = recordViews(watched, recording.value);
    }
    await traceIntents(bot, env);
    followBot(bot, env.log, { known: { config, plan } });
    const prepared = await options.onBot?.(bot, plan, shadows);
    if (prepared?.ok === false) return prepared;

    const early = watchEarlyEnd({
      bot,
      config,
      plan,
      fatal: () => fatal,
      isStopped: () => options.isStopped(),
      endsOutsideTurn: options.endsOutsideTurn !== false,
    });
    const ahead = describeFunding(tape.data, { from: startTime, until: tapeEnd });
    for (const { text, isWhole } of ahead) if (!isWhole) env.log.warn(text);
    const reportProgress = createProgressReporter(progress, {
      bot,
      plan,
      startTime,
      stepMs: stepMsOf(tape.paper),
    });
    const uses = config.strategies.map(({ use }) => use);
    const timers = watchHostTimers(startedByPlugin(uses, config.directory));
    open.timers = timers;
    await bot.start();
    const endTime = await venue.drive({ bot, onStep: reportProgress, isOver: early.isOver });
    if (!early.isOver()) {
      for (const host of bot.hosts) host.settle?.();
      await timers.flush(() => bot.hosts.some(({ emitted }) => emitted === 0) && !early.isOver());
    }
    progress.finish();
    const inOrder = early.toResult();
    if (!inOrder.ok) return inOrder;
    await shadows.close();
    const value = toPaperRun(options, {
      bot,
      plan,
      record,
      startTime,
      endTime,
      outside: early.outside,
      shadows: shadows.courses(),
    });
    return { ok: true, value };
  });
}

function planReplay(tape: LoadedTape, venue: PaperVenue): Promise<RunResult<BotPlan>> {
  const { loaded, dialect, strategies, paper } = tape;
  const intervals = new Map(paper.feeds.map(({ symbol, interval }) => [symbol, interval]));
  return planBot({
    config: loaded.config,
    dialect,
    strategies,
    client: venue.client,
    budgetClock: venue.budgetClock,
    concurrency: venue.concurrency,
    scopes: SCOPES,
    // A check by wall time would make a replay depend on its speed.
    resyncMs: null,
    markInterval: (symbol) => intervals.get(symbol) ?? '1m',
  });
}

interface EndedRun {
  bot: Bot;
  plan: BotPlan;
  record: RunRecord;
  startTime: number;
  endTime: number;
  outside: readonly OutsideTurn[];
  shadows: readonly ShadowCourse[];
}

function toPaperRun(options: RunTapeOptions, run: EndedRun): PaperRun {
  const { bot, plan, record, startTime, endTime, outside } = run;
  const { loaded, paper, data: tapeData } = options.tape;
  const { config } = loaded;
  const gaps = explainGaps(tapeData.feeds, { from: startTime, until: endTime });
  const data = toReportData({
    config,
    bot,
    record,
    startTime,
    endTime,
    startEquity: startEquityOf(paper, plan),
    endEquity: equityOf(bot, plan),
    feeds: tapeData.feeds,
    shadows: run.shadows,
    assumptions: [
      ...shortfalls(record),
      ...paperAssumptions(options.tape, { from: startTime, until: endTime }),
      ...gaps,
    ],
  });
  const { malformed, refusals, delays, lives, notices } = record;
  const quarantined = endedStrategies(bot, config);
  return {
    data,
    about: () => aboutRun(options.tape),
    quarantined,
    outsideTurn: outside,
    suppressed: bot.hosts.reduce((sum, host) => sum + host.suppressed, 0),
    unfilled: explainNoFills({
      totals: data.totals,
      isTroubled: quarantined.length + outside.length + malformed > 0,
      feeds: tapeData.feeds,
      from: startTime,
      until: endTime,
    }),
    cut: explainCutOrders(record.cutOrders),
    unequal: [
      ...explainUnequalFeeds({
        feeds: tapeData.feeds,
        from: startTime,
        until: endTime,
        warmup: paper.warmup,
      }),
      ...gaps.map((gap) => `feeds: ${gap}`),
    ],
    interruptedAt: options.isStopped() ? endTime : undefined,
    malformed,
    refusals,
    delays,
    lives,
    shadows: run.shadows,
    notices,
  };
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
