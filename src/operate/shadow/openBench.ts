import { SCOPES, type Dialect } from '../../contract/index.ts';
import { reasonOf, type Log } from '../../env/index.ts';
import { createPassingStore, createSqliteStore } from '../../journal/index.ts';
import { createGrowingFeed, MAIN_WALLET } from '../../paper/index.ts';
import { createBot, createRunRecord, runReplay, type BotPlan } from '../../runtime/index.ts';
import type { Strategy } from '../../strategy/index.ts';
import { openVenueLink } from '../directLink/index.ts';
import type { ComparedIntent } from './ComparedIntent.ts';
import { createIntentRows } from './createIntentRows.ts';
import {
  shortestBarMs,
  type Figures,
  type ShadowSpec,
  type SymbolBars,
  type ToShadow,
} from './ShadowMessage.ts';

export interface BenchOptions {
  spec: ShadowSpec;
  strategy: Strategy;
  /** With defaults filled in. */
  params: Record<string, unknown>;
  dialect: Dialect;
  begin: Extract<ToShadow, { kind: 'begin' }>;
  log: Log;
}

/** A bot with one strategy on a virtual account. */
export interface Bench {
  /** Goes on to the close of these bars, and concludes what follows from them. */
  advance(bars: readonly SymbolBars[]): Promise<void>;
  /** Market time that it has reached, epoch milliseconds. */
  now(): number;
  figures(): Figures;
  /** Intents that are new, or of which more is known, since the last call. */
  takeIntents(): ComparedIntent[];
  /** Why its strategy or its journal ended; undefined while they go on. */
  problem(): string | undefined;
  /** Over its intents and fills. */
  hash(): string;
  close(): Promise<void>;
}

/** Nothing is spent at a service: the shadow has no place in its budget. */
const NO_BUDGET = 1_000_000_000;

/** The second bot: a whole one, over the direct link to a paper core whose feeds grow with the live market. */
export async function openBench(options: BenchOptions): Promise<Bench> {
  const { spec, dialect, begin, log } = options;
  const { instance, seed } = spec;
  const feeds = new Map(
    spec.symbols.map(({ symbol, interval }) => [symbol, createGrowingFeed(symbol, interval)]),
  );
  const append = (all: readonly SymbolBars[]): void => {
    for (const { symbol, bars } of all) for (const bar of bars) feeds.get(symbol)?.append(bar);
  };
  append(begin.history);
  const { core, env, link } = openVenueLink({
    paper: {
      ...spec.paper,
      balance: begin.capital,
      connections: [],
      instruments: Object.fromEntries(
        spec.instruments.map(({ symbol, ...record }) => [symbol, record]),
      ) as ShadowSpec['paper']['instruments'],
      limits: 'off',
      warmup: 0,
    },
    data: { feeds: [...feeds.values()].map(({ feed }) => feed), funding: { ...spec.funding } },
    dialect,
    seed,
    startTime: begin.startTime,
    grows: true,
    log,
  });
  let fatal: unknown;
  const plan = toPlan(options, core.engine.market.instruments);
  const store =
    spec.journal === null ? createPassingStore() : createSqliteStore(spec.journal, 'process');
  const onFatal = (error: unknown): void => void (fatal ??= error);
  const bot = createBot({ plan, link, env, store, defaultWallet: MAIN_WALLET, onFatal });
  const rows = createIntentRows(instance);
  bot.events$.subscribe(rows.follow);
  const from = { instances: [instance], wallets: [MAIN_WALLET], keepAll: false };
  const record = createRunRecord(bot, from);
  await bot.start();
  const stepMs = shortestBarMs(spec);
  const replay = (): Promise<unknown> => runReplay({ controls: link.controls, link, stepMs, bot });
  await replay();

  return {
    async advance(bars) {
      append(bars);
      core.engine.feedsGrew();
      await replay();
    },
    now: () => core.engine.now,
    figures: () => bot.ledgerOf(instance).summary(),
    takeIntents: rows.takeChanged,
    problem() {
      if (fatal !== undefined) return `Its journal failed: ${reasonOf(fatal)}`;
      const { status } = bot.hosts[0]!;
      return status.state === 'quarantined'
        ? `${status.fault.kind}: ${status.fault.reason}`
        : undefined;
    },
    hash: record.hash,
    close: () => bot.stop(),
  };
}

/** Its guards are those of the bot, and its share is all of its own account. */
function toPlan(
  { spec, strategy, params, dialect }: BenchOptions,
  instruments: BotPlan['instruments'],
): BotPlan {
  const intervals = new Map(spec.symbols.map(({ symbol, interval }) => [symbol, interval]));
  const symbols = [...intervals.keys()];
  const name = spec.instance;
  return {
    dialect,
    seed: spec.seed,
    strategies: [{ strategy, params, name, symbols, wallet: MAIN_WALLET, capitalShare: 1 }],
    guards: spec.guards,
    protection: spec.protection,
    budget: { limit: NO_BUDGET, share: 1, reserveShare: 0, reserveFloor: 0, clock: 'market' },
    concurrency: 1,
    instruments,
    scopes: SCOPES,
    resyncMs: null,
    markInterval: (symbol) => intervals.get(symbol)!,
  };
}
