import { resolve } from 'node:path';
import type { ServiceLinkConfig, LoadedConfig } from '../../config/index.ts';
import { createReplaceableBudget, type ReplaceableBudget } from '../../budget/index.ts';
import { openThread, reasonOf, type Cancel, type Env } from '../../env/index.ts';
import { paperSettings } from '../../paper/index.ts';
import type { JournalStore } from '../../journal/index.ts';
import {
  createBot,
  type Bot,
  endAll,
  type OwnerDecision,
  type TakeOver,
  createRunRecord,
  tradedWallets,
} from '../../runtime/index.ts';
import {
  controlFilesOfBot,
  pollCommands,
  pollSettlements,
  pollStrategyCommands,
  type Listening,
} from '../control/index.ts';
import { watchOwnErrors } from './watchOwnErrors.ts';
import { checkpointJournal } from '../journal/checkpointJournal.ts';
import { keepJournalSmall } from '../journal/keepJournalSmall.ts';
import { loadMetrics, meterLink, meterStore, withMetrics } from '../metrics/index.ts';
import { openRecording, recordTo, type RecordingWriter } from '../recording/index.ts';
import { recordViews, type ViewRecording } from '../travel/index.ts';
import type { Operator } from '../serve/index.ts';
import { adoptionRefusal } from './adoptionRefusal.ts';
import { createStartReads } from './createStartReads.ts';
import { endOnRefusedKey } from './endOnRefusedKey.ts';
import { endServiceRun, KeyRefused, type ServiceRun } from './endServiceRun.ts';
import { followBot } from './followBot.ts';
import { loadDialect } from './loadDialect.ts';
import { loadStrategies } from './loadStrategies.ts';
import { openKeyRotation } from './openKeyRotation.ts';
import { openJournal } from './openJournal.ts';
import { openService } from './openService.ts';
import { openSharedBudget } from './openSharedBudget.ts';
import { planBot } from './planBot.ts';
import { readMarkIntervals } from './readMarkIntervals.ts';
import { refusedStates } from './refusedStates.ts';
import { reachAccount } from './reachAccount.ts';
import { readKeyStanding } from './readKeyStanding.ts';
import { failed, type RunResult } from './RunFailure.ts';
import { serveOperator } from './serveOperator.ts';
import { openShadows, type Shadows } from '../shadow/index.ts';
import { settleStages } from './settleStages.ts';
import { traceIntents } from '../trace/index.ts';
import { withEnding } from './withEnding.ts';

export interface RunServiceOptions {
  loaded: LoadedConfig;
  env: Env;
  /** Id of this process, for callers that send it commands. */
  pid: number;
  /** Resolves when the user requests a stop. */
  stopped: Promise<void>;
  /**
   * It was asked to stop, or failed, and applies its stop policy now; if the stream was never up, it uses
   * the service's current data.
   */
  onStopping(wasUp: boolean): void;
  /** The operator's decisions at this start on positions without an owner. */
  decisions?: readonly OwnerDecision[];
  /** Working orders and executions found in its wallets, and their owners. */
  onTakenOver?(takeOver: TakeOver): void;
  /** The operator's server answers at this address. */
  onServed?(address: string): void;
  /** The bot polls for commands and recovers; the service and wallets on which it trades. */
  onRunning(on: { kind: 'live' | 'paper_service'; baseUrl: string; wallets: string[] }): void;
}

/** A silent loss shows within five minutes. */
const RESYNC_MS = 300_000;

/** Runs a configuration against a separate service, real or paper, until it is asked to stop. */
export async function runService(options: RunServiceOptions): Promise<RunResult<ServiceRun>> {
  const { loaded, stopped } = options;
  const { config } = loaded;
  const metrics = await loadMetrics(config);
  const env = withMetrics(options.env, metrics);
  const { kind, baseUrl, wsUrl, keyId, secret, budgetClock, startRetrySeconds, authRetrySeconds } =
    config.link as ServiceLinkConfig;
  const strategies = await loadStrategies(loaded);
  if (!strategies.ok) return strategies;
  const mistaken = adoptionRefusal(options.decisions ?? [], strategies.value);
  if (mistaken !== undefined) return failed('TRIMTAB_ADOPT_REFUSED', mistaken);
  const spoken = await loadDialect(config);
  if (!spoken.ok) return spoken;
  const dialect = spoken.value;
  const address = { baseUrl, wsUrl, keyId, secret: secret.reveal() };
  const { link, client, clockOffsetMs, key } = openService(address, {
    dialect,
    env,
    // A replay's time comes from its frames; a real venue's is wall time.
    market: kind === 'live' ? 'wall' : 'frames',
  });
  const failure = Promise.withResolvers<unknown>();
  const onLost = failure.resolve;
  // In every case: a connection that is left open would keep the process alive.
  const open: Opened = {};
  const listening: Cancel[] = [];
  const stopListening = (): void => listening.splice(0).forEach((end) => end());
  const end = (): Promise<void> =>
    endAll([
      stopListening,
      () => open.bot?.stop(),
      () => open.shadows?.close(),
      // After the bot, because its stop takes a while and a watchdog must not treat that as a hang.
      () => open.commands?.end('failed'),
      () => open.operator?.close(),
      () => open.views?.close(),
      () => open.recording?.close(),
      () => open.shared?.close(),
      () => open.journal?.close(),
      () => link.close(),
    ]);
  return withEnding(end, async () => {
    // Before the journal, which belongs to the account from its first opening: a mistaken address or
    // wallet must not bind it to another one.
    const reads = createStartReads({ env, baseUrl, retrySeconds: startRetrySeconds, stopped });
    const { ask } = reads;
    const known = await reachAccount({ client, dialect, reads, strategies: strategies.value });
    if (!known.ok) return known;
    const journal = await openJournal({ config, env, startsOver: false, onLost });
    if (!journal.ok) return journal;
    open.journal = journal.value;
    const settled = await settleStages({
      config,
      strategies: strategies.value,
      store: journal.value,
      env,
    });
    if (!settled.ok) return settled;
    const refused = refusedStates(settled.value, journal.value);
    if (refused.length > 0) return failed('TRIMTAB_STATE_REFUSED', refused.join('\n'));
    const planned = await reads.toResult(async () => {
      const marks = await readMarkIntervals(client, ask, strategies.value);
      return planBot({
        config,
        dialect,
        strategies: settled.value,
        client,
        ask,
        budgetClock: budgetClock === 'replay' ? 'market' : 'wall',
        scopes: null,
        resyncMs: RESYNC_MS,
        markInterval: (symbol) => marks.get(symbol) ?? '1m',
      });
    });
    if (!planned.ok) return planned;
    const plan = planned.value;
    let exitWeight = (): number => 0;
    const parts = { config, plan, env, pid: options.pid, exitWeight: () => exitWeight() };
    const shared = await openSharedBudget(parts);
    if (!shared.ok) return shared;
    if (shared.value !== undefined) open.shared = createReplaceableBudget(shared.value);
    const recording = openRecording(config, plan, env.log);
    if (!recording.ok) return recording;
    if (recording.value !== null) open.recording = recording.value;
    const shadows = openShadows({
      config,
      plan,
      // A service does not publish how it fills and charges: the defaults of the paper service stand for it.
      paper: paperSettings.parse({ feeds: [{ symbol: 'NONE', interval: '1m', generate: {} }] }),
      funding: {},
      env,
      openThread,
      waits: false,
      keepAll: false,
    });
    open.shadows = shadows;
    const bot = createBot({
      plan,
      link: shadows.tap(meterLink(link, env)),
      env,
      store: meterStore(journal.value, env),
      threads: { openThread, waits: false },
      // Every wallet is named on the wire, so that the key's default does not matter.
      defaultWallet: '',
      ...recordTo(recording.value),
      ...(open.shared === undefined ? {} : { budget: open.shared }),
      keyInUse: () => key.keyId,
      ...(options.decisions === undefined ? {} : { decisions: options.decisions }),
      onFatal: failure.resolve,
    });
    bot.events$.subscribe((event) => {
      if (event.kind === 'taken_over') options.onTakenOver?.(event.takeOver);
    });
    open.bot = bot;
    shadows.follow(bot);
    const own = { config, hosts: () => bot.hosts, log: env.log };
    listening.push(watchOwnErrors(own));
    listening.push(checkpointJournal({ store: journal.value, env }));
    // The bot closes it itself when nothing more is written.
    delete open.journal;
    exitWeight = () => bot.exitWeight();
    const instances = config.strategies.map(({ name }) => name);
    const wallets = tradedWallets(plan.strategies);
    const record = createRunRecord(bot, { instances, wallets, keepAll: false });
    await traceIntents(bot, env);
    followBot(bot, env.log, {
      config: resolve(config.file),
      address: new URL(baseUrl).host,
      known: { config, plan },
    });
    const watched = { bot, config, plan, env, now: () => link.market.now() };
    const service = new URL(baseUrl).host;
    if (recording.value !== null)
      open.views = recordViews({ ...watched, service }, recording.value);
    const operator = await serveOperator({
      ...watched,
      service,
      takesCommands: true,
      comparisons: shadows.comparisons,
      metrics,
      clockOffsetMs,
    });
    if (!operator.ok) return operator;
    if (operator.value !== undefined) {
      open.operator = operator.value;
      const { address: served } = operator.value;
      if (served !== null) options.onServed?.(served);
    }
    const files = controlFilesOfBot(config);
    if (files)
      open.commands = pollCommands({ bot, env, files, pid: options.pid, instances, wallets });
    if (files) listening.push(pollSettlements({ bot, env, files }));
    if (files) listening.push(pollStrategyCommands({ bot, env, files, instances }));
    listening.push(
      openKeyRotation({
        bot,
        env,
        loaded,
        plan,
        key,
        files,
        hide: (hidden) => open.operator?.hide(hidden),
        shared: open.shared,
        openShared: (id, limit) => openSharedBudget({ ...parts, keyId: id, limit }),
      }),
      endOnRefusedKey({
        bot,
        env,
        retrySeconds: authRetrySeconds,
        read: () => readKeyStanding(client),
        onState: (problem) => open.commands?.reportProblems(problem === undefined ? [] : [problem]),
        onEnd: (message) => failure.resolve(new KeyRefused(message)),
      }),
    );
    const ending = Promise.race([stopped, failure.promise]);
    // A stream that never comes up must not prevent a stop.
    const isUp = await Promise.race([bot.start().then(() => true), ending.then(() => false)]);
    if (isUp) {
      const keepDays = config.journal.keep_days;
      listening.push(keepJournalSmall({ store: journal.value, env, keepDays }));
      options.onRunning({ kind, baseUrl, wallets });
    }
    const fatal = await ending;
    open.operator?.ending(fatal === undefined ? undefined : reasonOf(fatal));
    stopListening();
    open.commands?.closeCommands();
    open.views?.write();
    options.onStopping(isUp);
    // Beside the stop: a shadow that does not return must not delay the exits of the live version.
    const shadowsClosed = shadows.close();
    delete open.bot;
    const ended = await endServiceRun({
      bot,
      config,
      plan,
      record,
      fatal,
      commands: open.commands,
    });
    await shadowsClosed;
    return ended;
  });
}

/** Resources that are open until the run ends, in whatever way. */
interface Opened {
  journal?: JournalStore;
  shared?: ReplaceableBudget;
  recording?: RecordingWriter;
  views?: ViewRecording;
  operator?: Operator;
  bot?: Bot;
  commands?: Listening;
  shadows?: Shadows;
}
