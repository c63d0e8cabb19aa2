import { resolve } from 'node:path';
import type { ServiceLinkConfig, LoadedConfig } from '../../config/index.ts';
import type { SharedBudget } from '../../budget/index.ts';
import { INTERVALS, type Interval } from '../../contract/index.ts';
import { openThread, reasonOf, type Cancel, type Env } from '../../env/index.ts';
import type { JournalStore } from '../../journal/index.ts';
import {
  type Liquidation,
  type BotPlan,
  type PlannedStrategy,
  createBot,
  type Bot,
  endAll,
  type WorkingOrders,
  describeExecution,
  describeOrder,
  type OwnerDecision,
  type TakeOver,
  type Unanswered,
  createRunRecord,
  type Refusal,
  type LifeEvent,
  tradedWallets,
} from '../../runtime/index.ts';
import { InvalidRequestError, NotFoundError, type Client } from '../../wire/index.ts';
import type { ClosingFigures } from '../progress/index.ts';
import {
  controlFilesOfBot,
  pollCommands,
  pollSettlements,
  type Listening,
} from '../control/index.ts';
import { formatNumber } from '../journal/formatFields.ts';
import { checkpointJournal } from '../journal/checkpointJournal.ts';
import { keepJournalSmall } from '../journal/keepJournalSmall.ts';
import { openRecording, recordTo, type RecordingWriter } from '../recording/index.ts';
import { createStartReads, type Ask } from './createStartReads.ts';
import { endOnRefusedKey } from './endOnRefusedKey.ts';
import { followBot } from './followBot.ts';
import { loadDialect } from './loadDialect.ts';
import { loadStrategies } from './loadStrategies.ts';
import { openJournal } from './openJournal.ts';
import { openService } from './openService.ts';
import { openSharedBudget } from './openSharedBudget.ts';
import { planBot } from './planBot.ts';
import { refusedStates } from './refusedStates.ts';
import { isKeyRefused, reachAccount } from './reachAccount.ts';
import { failed, type RunResult } from './RunFailure.ts';
import { toClosingFigures } from './toClosingFigures.ts';
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
  /** The bot polls for commands and recovers; the service and wallets on which it trades. */
  onRunning(on: { kind: 'live' | 'paper_service'; baseUrl: string; wallets: string[] }): void;
}

/** The final state of a bot, after its stop policy. */
export interface ServiceRun {
  figures: ClosingFigures;
  positions: readonly string[];
  /** Its orders and executions that keep working, each as a line. */
  working: readonly string[];
  /** What the stop policy could not end or confirm, each as a line. */
  unended: readonly string[];
  /** Intents that were sent and have no response, each as a line: each may have been executed. */
  unknowns: readonly string[];
  refusals: readonly Refusal[];
  lives: readonly LifeEvent[];
  liquidations: readonly Liquidation[];
}

/** A silent loss shows within five minutes. */
const RESYNC_MS = 300_000;

/** Runs a configuration against a separate service, real or paper, until it is asked to stop. */
export async function runService(options: RunServiceOptions): Promise<RunResult<ServiceRun>> {
  const { loaded, env, stopped } = options;
  const { config } = loaded;
  const { kind, baseUrl, wsUrl, keyId, secret, budgetClock, startRetrySeconds, authRetrySeconds } =
    config.link as ServiceLinkConfig;
  const strategies = await loadStrategies(loaded);
  if (!strategies.ok) return strategies;
  const mistaken = whyNotAdopted(options.decisions ?? [], strategies.value);
  if (mistaken !== undefined) return failed('TRIMTAB_ADOPT_REFUSED', mistaken);
  const spoken = await loadDialect(config);
  if (!spoken.ok) return spoken;
  const dialect = spoken.value;
  const address = { baseUrl, wsUrl, keyId, secret: secret.reveal() };
  const { link, client } = openService(address, {
    dialect,
    env,
    // A replay's time comes from its frames; a real venue's is wall time.
    market: kind === 'live' ? 'wall' : 'frames',
  });
  const failure = Promise.withResolvers<unknown>();
  const onLost = failure.resolve;
  // In every case: a connection that is left open would keep the process alive for ever.
  const open: Opened = {};
  const listening: Cancel[] = [];
  const stopListening = (): void => listening.splice(0).forEach((end) => end());
  const end = (): Promise<void> =>
    endAll([
      stopListening,
      () => open.bot?.stop(),
      // After the bot, because its stop takes a while and a watchdog must not treat that as a hang.
      () => open.commands?.end('failed'),
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
    const refused = refusedStates(strategies.value, journal.value);
    if (refused.length > 0) return failed('TRIMTAB_STATE_REFUSED', refused.join('\n'));
    const planned = await reads.toResult(async () => {
      const marks = await readMarkIntervals(client, ask, strategies.value);
      return planBot({
        config,
        dialect,
        strategies: strategies.value,
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
    if (shared.value !== undefined) open.shared = shared.value;
    const recording = openRecording(config, plan, env.log);
    if (!recording.ok) return recording;
    if (recording.value !== null) open.recording = recording.value;
    const bot = createBot({
      plan,
      link,
      env,
      store: journal.value,
      threads: { openThread, waits: false },
      // Every wallet is named on the wire, so that the key's default does not matter.
      defaultWallet: '',
      ...recordTo(recording.value),
      ...(shared.value === undefined ? {} : { budget: shared.value }),
      ...(options.decisions === undefined ? {} : { decisions: options.decisions }),
      onFatal: failure.resolve,
    });
    bot.events$.subscribe((event) => {
      if (event.kind === 'taken_over') options.onTakenOver?.(event.takeOver);
    });
    open.bot = bot;
    listening.push(checkpointJournal({ store: journal.value, env }));
    // The bot closes it itself when nothing more is written.
    delete open.journal;
    exitWeight = () => bot.exitWeight();
    const instances = config.strategies.map(({ name }) => name);
    const wallets = tradedWallets(plan.strategies);
    const record = createRunRecord(bot, { instances, wallets, keepAll: false });
    followBot(bot, env.log, {
      config: resolve(config.file),
      address: new URL(baseUrl).host,
      known: { config, plan },
    });
    const files = controlFilesOfBot(config);
    if (files) open.commands = pollCommands({ bot, env, files, pid: options.pid });
    if (files) listening.push(pollSettlements({ bot, env, files }));
    listening.push(
      endOnRefusedKey({
        bot,
        env,
        retrySeconds: authRetrySeconds,
        isRefused: () => isKeyRefused(client, dialect),
        onState: (problem) => open.commands?.tell(problem === undefined ? [] : [problem]),
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
    stopListening();
    open.commands?.closeCommands();
    options.onStopping(isUp);
    let ended: Omit<ServiceRun, 'refusals' | 'lives' | 'liquidations'> | undefined;
    delete open.bot;
    const stop = (): Promise<void> =>
      bot.stop({
        policy: config.stopPolicy,
        limitMs: config.stopMs,
        onEnded({ working, unended, unanswered }) {
          const figures = toClosingFigures({ config, bot, record, unanswered });
          const positions = openPositions(bot, plan);
          const unknowns = unanswered.map(unknownLine);
          ended = { figures, positions, working: working.flatMap(workLines), unended, unknowns };
        },
      });
    const why = async (): Promise<RunResult<void>> =>
      fatal === undefined
        ? { ok: true, value: undefined }
        : failed(
            fatal instanceof KeyRefused ? fatal.code : 'TRIMTAB_BOT_FATAL',
            whyEnded(fatal, ended),
          );
    const inOrder = await withEnding(stop, why);
    if (!inOrder.ok) return inOrder;
    // The watchdog must still handle what should have ended and did not.
    open.commands?.end(ended!.unended.length === 0 ? 'in_order' : 'failed');
    const { refusals, lives, liquidations } = record;
    return { ok: true, value: { ...ended!, refusals, lives, liquidations } };
  });
}

/** A position is adopted by a strategy that may trade it, or by none. */
function whyNotAdopted(
  decisions: readonly OwnerDecision[],
  strategies: readonly PlannedStrategy[],
): string | undefined {
  for (const decision of decisions) {
    if (decision.kind !== 'adopt') continue;
    const { symbol, strategy } = decision;
    const said = `--adopt ${symbol}=${strategy}`;
    const found = strategies.find(({ name }) => name === strategy);
    const names = strategies.map(({ name }) => name).join(', ');
    if (found === undefined) return `${said}: no strategy is named so; there are ${names}.`;
    if (found.symbols.includes(symbol)) continue;
    const remedy = `Add ${symbol} to its symbols, or name a strategy that has it.`;
    return `${said}: ${strategy} trades ${found.symbols.join(', ')} only.\n  ${remedy}`;
  }
  return undefined;
}

/** Logs why the bot ended, and what it leaves behind. */
function whyEnded(
  fatal: unknown,
  left: Pick<ServiceRun, 'unended' | 'unknowns'> | undefined,
): string {
  const { unended = [], unknowns = [] } = left ?? {};
  const lines = [
    ...unended.map((line) => `NOT ENDED: ${line}`),
    ...unknowns.map((line) => `UNKNOWN: ${line}`),
  ];
  return [reasonOf(fatal), ...lines].join('\n  ');
}

/** The service has refused the key for longer than the configuration allows. */
class KeyRefused extends Error {
  readonly code = 'TRIMTAB_SERVICE_KEY_REFUSED';
}

/** Resources that are open until the run ends, in whatever way. */
interface Opened {
  journal?: JournalStore;
  shared?: SharedBudget;
  recording?: RecordingWriter;
  bot?: Bot;
  commands?: Listening;
}

/** The finest interval that the service serves of each symbol: the source of the symbol's marks. */
async function readMarkIntervals(
  client: Client,
  ask: Ask,
  strategies: readonly PlannedStrategy[],
): Promise<Map<string, Interval>> {
  const found = new Map<string, Interval>();
  for (const symbol of new Set(strategies.flatMap(({ symbols }) => symbols))) {
    for (const interval of INTERVALS) {
      if (!(await ask(() => isServed(client, symbol, interval)))) continue;
      found.set(symbol, interval);
      break;
    }
  }
  return found;
}

async function isServed(client: Client, symbol: string, interval: Interval): Promise<boolean> {
  try {
    await client.market.candles({ symbol, query: { interval, limit: 1 } });
    return true;
  } catch (error) {
    // Only the service's own response counts: a proxy's 404 would leave the symbol without its finest
    // interval. An unknown symbol has its own message when the instruments are read.
    const isRefused = error instanceof InvalidRequestError || error instanceof NotFoundError;
    if (isRefused) return false;
    throw error;
  }
}

/** Each with its protection, as far as the service acknowledged it. */
function openPositions(bot: Bot, plan: BotPlan): string[] {
  const wallets = tradedWallets(plan.strategies);
  const bare = bot.coverage.uncovered();
  return wallets.flatMap((wallet) =>
    bot
      .book(wallet)
      .openPositions()
      .map(({ symbol, side, size, entry_price }) => {
        const isBare = bare.some((one) => one.wallet === wallet && one.symbol === symbol);
        const cover = isBare ? 'without a stop of its size' : 'with its stop';
        return `${wallet}: ${side} ${size} ${symbol} at ${formatNumber(entry_price)}, ${cover}`;
      }),
  );
}

function workLines({ wallet, orders, executions }: WorkingOrders): string[] {
  const lines = [...orders.map(describeOrder), ...executions.map(describeExecution)];
  return lines.map((line) => `${wallet}: ${line}`);
}

/** The key is whole, so that `trimtab journal explain` and `trimtab settle` take it. */
function unknownLine({ key, kind, instance, wallet, state }: Unanswered): string {
  return `${wallet}: ${kind} of ${instance}, ${state}: it was sent and may have been executed, key ${key}`;
}
