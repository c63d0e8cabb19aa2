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
  /** Of this process, for those who give it orders. */
  pid: number;
  /** Resolves when the user asks to stop. */
  stopped: Promise<void>;
  /**
   * It was asked to stop, or failed, and does now what its policy asks for; where the stream was never up, by
   * what the service says when it is asked.
   */
  onStopping(wasUp: boolean): void;
  /** What a person says at this start of positions that nobody owns. */
  decisions?: readonly OwnerDecision[];
  /** What was found at work in its wallets, and whose it is. */
  onTakenOver?(takeOver: TakeOver): void;
  /** The bot listens and recovers; what it trades on. */
  onRunning(on: { kind: 'live' | 'paper_service'; baseUrl: string; wallets: string[] }): void;
}

/** What a bot ended with, after its stop policy. */
export interface ServiceRun {
  figures: ClosingFigures;
  positions: readonly string[];
  /** Its own orders and executions that go on working, each as a line. */
  working: readonly string[];
  /** What the stop policy could not end, or not find out about, each as a line. */
  unended: readonly string[];
  /** Intents that were sent and have no answer, each as a line: each may have been executed. */
  unknowns: readonly string[];
  refusals: readonly Refusal[];
  lives: readonly LifeEvent[];
  liquidations: readonly Liquidation[];
}

/** A silent loss shows within five minutes. */
const RESYNC_MS = 300_000;

/** Runs a configuration against a service elsewhere, real or paper, until it is asked to stop. */
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
    // A replay's time is what its frames say; a real venue's is the clock on the wall.
    market: kind === 'live' ? 'wall' : 'frames',
  });
  const failure = Promise.withResolvers<unknown>();
  const onLost = failure.resolve;
  // Whatever ends it: a connection that is left open would keep the process for ever.
  const open: Opened = {};
  const listening: Cancel[] = [];
  const stopListening = (): void => listening.splice(0).forEach((end) => end());
  const end = (): Promise<void> =>
    endAll([
      stopListening,
      () => open.bot?.stop(),
      // After the bot, whose stop takes a while: a watchdog must not take that for a hang.
      () => open.commands?.end('failed'),
      () => open.recording?.close(),
      () => open.shared?.close(),
      () => open.journal?.close(),
      () => link.close(),
    ]);
  return withEnding(end, async () => {
    // Before the journal, which is the account's from its first opening on: a mistaken address or wallet
    // must not make it another's.
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
      // Every wallet is named on the wire, so that no default of the key matters.
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
    // The bot closes it itself, when nothing is written any more.
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
    // A stream that never comes up must not keep it from being stopped.
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
    // What should have ended and did not is the watchdog's business still.
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

/** What ended the bot, and what it leaves behind. */
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

/** The service has refused the key for as long as the configuration bears. */
class KeyRefused extends Error {
  readonly code = 'TRIMTAB_SERVICE_KEY_REFUSED';
}

/** What is open until the run ends, however it does. */
interface Opened {
  journal?: JournalStore;
  shared?: SharedBudget;
  recording?: RecordingWriter;
  bot?: Bot;
  commands?: Listening;
}

/** The finest interval that the service serves of each symbol: what the symbol is valued by. */
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
    // The service's own word only: a proxy's 404 would leave the symbol without its finest interval. An
    // unknown symbol has its own message when the instruments are read.
    const isRefused = error instanceof InvalidRequestError || error instanceof NotFoundError;
    if (isRefused) return false;
    throw error;
  }
}

/** With what protects each, as far as the service acknowledged it. */
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
