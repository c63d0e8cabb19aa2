import { resolve } from 'node:path';
import type { ServiceLinkConfig, LoadedConfig } from '../../config/index.ts';
import type { SharedBudget } from '../../budget/index.ts';
import { INTERVALS, type Dialect, type Interval } from '../../contract/index.ts';
import { openThread, reasonOf, type Cancel, type Env } from '../../env/index.ts';
import type { JournalStore } from '../../journal/index.ts';
import type { Liquidation } from '../../runtime/BotEvent.ts';
import type { BotPlan, PlannedStrategy } from '../../runtime/BotPlan.ts';
import { createBot, type Bot } from '../../runtime/createBot.ts';
import { endAll } from '../../runtime/endAll.ts';
import type { Works } from '../../runtime/whatWorks.ts';
import { createRunRecord, type Refusal } from '../../runtime/createRunRecord.ts';
import type { LifeEvent } from '../../runtime/RestartPolicy.ts';
import { NoAnswerError, NotSentError, ServiceFaultError, type Client } from '../../wire/index.ts';
import type { ClosingFigures } from '../progress/index.ts';
import { tradedWallets } from '../../runtime/tradedWallets.ts';
import { controlFilesOfBot, obeyOrders, obeySettlements } from '../control/index.ts';
import { formatNumber } from '../journal/formatFields.ts';
import { keepJournalSmall } from '../journal/keepJournalSmall.ts';
import { openRecording, recordTo, type RecordingWriter } from '../recording/index.ts';
import { followBot } from './followBot.ts';
import { loadDialect } from './loadDialect.ts';
import { loadStrategies } from './loadStrategies.ts';
import { openJournal } from './openJournal.ts';
import { openService } from './openService.ts';
import { openSharedBudget } from './openSharedBudget.ts';
import { planBot } from './planBot.ts';
import { refusedStates } from './refusedStates.ts';
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
   * It was asked to stop, or failed, and does now what its policy asks for; or, where the stream was
   * never up, leaves everything as it is: it knows of nothing that it could end.
   */
  onStopping(wasUp: boolean): void;
  /** The bot listens and recovers; what it trades on. */
  onRunning(on: { kind: 'live' | 'paper_service'; baseUrl: string; wallets: string[] }): void;
}

/** What a bot ended with, after its stop policy. */
export interface ServiceRun {
  figures: ClosingFigures;
  positions: readonly string[];
  /** Its own orders and executions that go on working, each as a line. */
  working: readonly string[];
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
  const { kind, baseUrl, wsUrl, keyId, secret, budgetClock } = config.link as ServiceLinkConfig;
  const strategies = await loadStrategies(loaded);
  if (!strategies.ok) return strategies;
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
      () => open.recording?.close(),
      () => open.shared?.close(),
      () => open.journal?.close(),
      () => link.close(),
    ]);
  return withEnding(end, async () => {
    // Before the journal, which is the account's from its first opening on: a mistaken address or wallet
    // must not make it another's.
    const known = await checkWallets(client, dialect, { baseUrl, strategies: strategies.value });
    if (!known.ok) return known;
    const journal = await openJournal({ config, env, startsOver: false, onLost });
    if (!journal.ok) return journal;
    open.journal = journal.value;
    const refused = refusedStates(strategies.value, journal.value);
    if (refused.length > 0) return failed(refused.join('\n'));
    const marks = await readMarkIntervals(client, strategies.value);
    const planned = await planBot({
      config,
      dialect,
      strategies: strategies.value,
      client,
      budgetClock: budgetClock === 'replay' ? 'market' : 'wall',
      scopes: null,
      resyncMs: RESYNC_MS,
      markInterval: (symbol) => marks.get(symbol) ?? '1m',
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
      onFatal: failure.resolve,
    });
    open.bot = bot;
    // The bot closes it itself, when nothing is written any more.
    delete open.journal;
    exitWeight = () => bot.exitWeight();
    const instances = config.strategies.map(({ name }) => name);
    const wallets = tradedWallets(plan.strategies);
    const record = createRunRecord(bot, { instances, wallets, keepAll: false });
    followBot(bot, env.log, resolve(config.file));
    const files = controlFilesOfBot(config);
    if (files) listening.push(obeyOrders({ bot, env, files, pid: options.pid }));
    if (files) listening.push(obeySettlements({ bot, env, files }));
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
    options.onStopping(isUp);
    let ended: Pick<ServiceRun, 'figures' | 'positions' | 'working'> | undefined;
    delete open.bot;
    const stop = (): Promise<void> =>
      bot.stop({
        policy: isUp ? config.stopPolicy : 'leave',
        onEnded(left) {
          const figures = toClosingFigures({ config, bot, record });
          const working = left.flatMap(workLines);
          ended = { figures, positions: openPositions(bot, plan), working };
        },
      });
    const why = async (): Promise<RunResult<void>> =>
      fatal === undefined ? { ok: true, value: undefined } : failed(reasonOf(fatal));
    const inOrder = await withEnding(stop, why);
    if (!inOrder.ok) return inOrder;
    const { refusals, lives, liquidations } = record;
    return { ok: true, value: { ...ended!, refusals, lives, liquidations } };
  });
}

/** What is open until the run ends, however it does. */
interface Opened {
  journal?: JournalStore;
  shared?: SharedBudget;
  recording?: RecordingWriter;
  bot?: Bot;
}

/** A wallet that the key does not have would fail at the first order; it fails here instead. */
async function checkWallets(
  client: Client,
  dialect: Dialect,
  { baseUrl, strategies }: { baseUrl: string; strategies: readonly PlannedStrategy[] },
): Promise<RunResult<void>> {
  const page = { query: { limit: dialect.limits.pageMax } };
  const refused = (error: unknown): string => whyNoAccount(error, baseUrl);
  const listed = await client.connections.list(page).then(({ items }) => items, refused);
  if (typeof listed === 'string') return failed(listed);
  const ids = listed.map(({ id }) => id);
  const unknown = strategies.find(({ wallet }) => !ids.includes(wallet));
  if (unknown === undefined) return { ok: true, value: undefined };
  const { name, wallet } = unknown;
  return failed(`${name}: the key has no wallet ${wallet}; it has ${ids.join(', ')}.`);
}

/** The first signed request: what is wrong with the address or the key shows here. */
function whyNoAccount(error: unknown, baseUrl: string): string {
  if (error instanceof NotSentError || error instanceof NoAnswerError) {
    const remedy = 'Is the service up, and link.base_url right?';
    return `The service at ${baseUrl} does not answer: ${reasonOf(error)}\n  ${remedy}`;
  }
  if (!(error instanceof ServiceFaultError) || error.status !== 401) throw error;
  const remedy =
    'Do link.key_id and link.secret belong together? Is the clock of this machine right?';
  return `The service refused the key of this configuration: ${error.message}\n  ${remedy}`;
}

/** The finest interval that the service serves of each symbol: what the symbol is valued by. */
async function readMarkIntervals(
  client: Client,
  strategies: readonly PlannedStrategy[],
): Promise<Map<string, Interval>> {
  const found = new Map<string, Interval>();
  for (const symbol of new Set(strategies.flatMap(({ symbols }) => symbols))) {
    for (const interval of INTERVALS) {
      if (!(await isServed(client, symbol, interval))) continue;
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
    if (error instanceof ServiceFaultError && error.status === 422) return false;
    // An unknown symbol has its own message when the instruments are read.
    if (error instanceof ServiceFaultError && error.status === 404) return false;
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

function workLines({ wallet, orders, executions }: Works): string[] {
  return [
    ...orders.map(({ order_id, order_type, side, size, symbol, price }) => {
      const at = price == null ? '' : ` at ${formatNumber(price)}`;
      return `${wallet}: ${order_id}, ${order_type} ${side} ${size} ${symbol}${at}`;
    }),
    ...executions.map(({ execution_id, algo, side, total_size, symbol, status }) => {
      return `${wallet}: ${execution_id}, ${algo} ${side} ${total_size} ${symbol}, ${status}`;
    }),
  ];
}
