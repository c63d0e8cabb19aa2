import { Subscription } from 'rxjs';
import type { Comparison } from '../shadow/index.ts';
import type { BotConfig } from '../../config/index.ts';
import { INTERVAL_MS, type WatchRow } from '../../contract/index.ts';
import type { Cancel, Env } from '../../env/index.ts';
import { symbolOf } from '../../intents/index.ts';
import {
  tradedWallets,
  type Bot,
  type BotEvent,
  type BotPlan,
  type PipeEvent,
} from '../../runtime/index.ts';
import { settleCommand } from '../journal/settleCommand.ts';
import { ownVersion } from '../../env/index.ts';
import { followBot } from '../run/followBot.ts';
import type {
  Blocks,
  BlockName,
  BotBlock,
  BotView,
  CandlesView,
  EventRow,
  ViewChange,
} from './BotView.ts';
import { createCandleTrack, MOST_BARS, type CandleListener } from './createCandleTrack.ts';
import { createConnectionTrack } from './createConnectionTrack.ts';
import { createEventList } from './createEventList.ts';
import { createIntentTrack, type IntentTrack } from './createIntentTrack.ts';
import { createRing } from './createRing.ts';
import { hashOfConfig } from './hashOfConfig.ts';
import { readBlocks, type BlockSources } from './readBlocks.ts';

export interface BotStateOptions {
  bot: Bot;
  config: BotConfig;
  plan: BotPlan;
  env: Env;
  /** Market time, epoch milliseconds. */
  now(): number;
  /** Host and port of the service; null if it is in the same process. */
  service: string | null;
  /** Receives every closed bar and what is drawn on it, also what is no longer retained. */
  onCandles?: CandleListener | undefined;
  /** Comparisons with the shadows of strategies; default: there are none. */
  comparisons?: () => readonly Comparison[];
}

/** Receives a change, or null with each beat at which nothing has changed. */
export type StateListener = (change: ViewChange | null) => void;

/**
 * What an operator can know of a running bot, from its events and books alone. Nothing is read without a request, and
 * what is retained is bounded: a reader costs the bot one comparison every half second, however many there are.
 */
export interface BotState {
  /** The view as of now. */
  view(): BotView;
  /**
   * The changes after a sequence, oldest first; undefined if they are no longer known, and a reader must begin with
   * {@link BotState.view}.
   */
  since(sequence: number): readonly ViewChange[] | undefined;
  /** Calls a listener with each change; never with one that {@link BotState.view} returned before. */
  listen(listener: StateListener): Cancel;
  /** The newest lines about the bot, oldest first; at most 500 are retained. */
  events(limit: number): EventRow[];
  /** The newest bars of a symbol that a strategy trades, at most 500, with their fills. */
  candles(symbol: string): CandlesView | undefined;
  /** How often each step was taken, and why intents were denied, since the start. */
  readonly intents: Pick<IntentTrack, 'steps' | 'denied'>;
  close(): void;
}

const TICK_MS = 500;
const MOST_CHANGES = 240;

/** Must be created before the bot starts. */
export function createBotState(options: BotStateOptions): BotState {
  const { bot, config, plan, env, now } = options;
  const wallNow = (): number => env.clock.wallNow();
  const wallets = tradedWallets(plan.strategies);
  const symbols = [...new Set(plan.strategies.flatMap((one) => one.symbols))];
  const intents = createIntentTrack((key) => settleCommand(key, config));
  const connection = createConnectionTrack(wallNow);
  const candles = createCandleTrack(
    new Map(symbols.map((symbol) => [symbol, INTERVAL_MS[plan.markInterval(symbol)]])),
  );
  const drawn: readonly CandleListener[] =
    options.onCandles === undefined ? [candles] : [candles, options.onCandles];
  const rows = new Map<string, ReadonlyMap<string, WatchRow>>();
  const subscriptions = new Subscription();
  const own = createOwnBlock(options);

  // Begun at wall time, so that a reader of an earlier process is not mistaken for one of this.
  let sequence = Math.floor(wallNow());
  const events = createEventList({ now, wallNow, sequence: () => sequence + 1 });
  followBot(bot, events.log, { config, known: { config, plan } });
  subscriptions.add(
    bot.streams.status$.subscribe((status) => {
      connection.follow(status);
      if (status.state === 'open') own.opened();
    }),
  );
  subscriptions.add(bot.events$.subscribe(follow));

  function follow(event: BotEvent): void {
    own.follow(event);
    if (event.kind === 'strategy_fault') {
      if (event.fault.kind === 'malformed_intent') intents.refuse(event.fault);
    } else if (event.kind === 'intent') {
      intents.follow(event.event);
      markIntent(event.event);
    } else if (event.kind === 'fill') {
      const { wallet, instance } = event;
      const { symbol, time, side, price, size } = event.fill;
      const mark = { time, wallet, side, price, size, owner: instance ?? null };
      for (const each of drawn) each.fill(symbol, mark);
    } else if (event.kind === 'recovered') begin();
  }

  function markIntent({ state, key, emission }: PipeEvent): void {
    if (state === 'duplicate') return;
    const { intent, instance: strategy, marketTime: time } = emission;
    const mark = { key, kind: intent.kind, symbol: symbolOf(intent), state, time, strategy };
    for (const each of drawn) each.intent(mark);
  }

  /** The bot has every subscription by now: these share its own, and change nothing that it sends. */
  function begin(): void {
    intents.recover(bot.unanswered());
    for (const wallet of wallets)
      subscriptions.add(
        bot.streams.wallet(wallet).watchModel$.subscribe((model) => rows.set(wallet, model)),
      );
    for (const symbol of symbols) {
      const options = { history: MOST_BARS, passive: true };
      const bars$ = bot.streams.candles(symbol, plan.markInterval(symbol), options);
      subscriptions.add(
        bars$.subscribe((event) => {
          if (event.kind === 'closed') for (const each of drawn) each.bar(symbol, event.bar);
        }),
      );
    }
  }

  const sources: BlockSources = {
    comparisons: options.comparisons ?? (() => []),
    bot,
    config,
    plan,
    wallets,
    symbols,
    intents,
    rowsOf: (wallet) => rows.get(wallet)?.values() ?? [],
  };
  const read = (): Blocks => ({
    bot: own.block(),
    connection: connection.block(),
    ...readBlocks(sources, plan.budget.clock === 'market' ? now() : wallNow()),
  });

  const changes = createRing<ViewChange>(MOST_CHANGES);
  const texts = new Map<BlockName, string>();
  let blocks = read();
  let shownEvents = sequence;

  /** What is new since the last call, as a change. */
  function collect(): ViewChange | null {
    const next = read();
    const changed: Partial<Record<BlockName, unknown>> = {};
    for (const name of Object.keys(next) as BlockName[]) {
      const text = JSON.stringify(next[name]);
      if (texts.get(name) === text) continue;
      texts.set(name, text);
      changed[name] = next[name];
    }
    const news = events.after(shownEvents);
    if (Object.keys(changed).length === 0 && news.length === 0) return null;
    blocks = next;
    sequence += 1;
    shownEvents = sequence;
    const change: ViewChange = {
      sequence,
      time: now(),
      wall_time: wallNow(),
      blocks: changed as Partial<Blocks>,
      events: news,
    };
    changes.add(change);
    return change;
  }

  const listeners = new Set<StateListener>();
  let cancel: Cancel | undefined;

  const publish = (): void => {
    const change = collect();
    for (const listener of listeners) listener(change);
  };
  /** A change that a reader has caused reaches the others, too. */
  const refresh = (): void => {
    const change = collect();
    if (change !== null) for (const listener of listeners) listener(change);
  };
  const tick = (): void => {
    publish();
    cancel = listeners.size === 0 ? undefined : env.timers.after(TICK_MS, tick);
  };

  return {
    view() {
      refresh();
      return { sequence, time: now(), wall_time: wallNow(), blocks };
    },
    since(after) {
      refresh();
      const known = changes.list();
      const first = known[0]?.sequence ?? sequence + 1;
      if (after > sequence || after < first - 1) return undefined;
      return known.filter((change) => change.sequence > after);
    },
    listen(listener) {
      listeners.add(listener);
      cancel ??= env.timers.after(TICK_MS, tick);
      return () => {
        listeners.delete(listener);
        if (listeners.size > 0) return;
        cancel?.();
        cancel = undefined;
      };
    },
    events: events.newest,
    candles: candles.of,
    intents,
    close() {
      cancel?.();
      listeners.clear();
      subscriptions.unsubscribe();
    },
  };
}

/** The bot's own block: its level, its gate, its key. */
function createOwnBlock({ bot, config, env, plan, service }: BotStateOptions) {
  const about = {
    name: config.name,
    kind: config.link.kind,
    version: ownVersion(),
    config_hash: hashOfConfig(config),
    service,
    wall_started: env.clock.wallNow(),
  };
  const wallets = tradedWallets(plan.strategies);
  let gate: readonly string[] = [];
  let killReason: string | null = null;
  let keyRefused: string | null = null;
  return {
    follow(event: BotEvent): void {
      if (event.kind === 'gate') gate = event.reasons;
      else if (event.kind === 'kill')
        killReason = event.latch.level === 'L0' ? null : event.latch.reason;
      else if (event.kind === 'key_refused') keyRefused = event.code;
      else if (event.kind === 'key_rotated' || event.kind === 'key_accepted') keyRefused = null;
      else if (event.kind === 'intent' && event.event.state === 'accepted') keyRefused = null;
    },
    /** The service has accepted the key. */
    opened: () => void (keyRefused = null),
    block: (): BotBlock => ({
      ...about,
      kill_level: bot.killLevel,
      kill_reason: killReason,
      gate,
      closed_wallets: wallets.flatMap((wallet) =>
        bot.closedWallet(wallet).map((reason) => ({ wallet, reason })),
      ),
      closed_symbols: wallets.flatMap((wallet) =>
        [...bot.closedSymbols(wallet)].map(([symbol, reason]) => ({ wallet, symbol, reason })),
      ),
      key_refused: keyRefused,
    }),
  };
}
