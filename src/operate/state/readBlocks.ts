import { isAbsolute, relative } from 'node:path';
import type { BotConfig } from '../../config/index.ts';
import type { PositionRecord, WatchRow } from '../../contract/index.ts';
import {
  uncoveredSize,
  type Bot,
  type BotPlan,
  type OwnerStanding,
  type SpotPosition,
} from '../../runtime/index.ts';
import type {
  Blocks,
  BudgetBlock,
  ExecutionRow,
  FeedRow,
  OrderRow,
  PositionRow,
  ShadowRow,
  StrategyRow,
  WalletRow,
} from './BotView.ts';
import type { Comparison } from '../shadow/index.ts';
import type { IntentTrack } from './createIntentTrack.ts';

/** What the blocks are read from; nothing here changes it. */
export interface BlockSources {
  bot: Bot;
  config: Pick<BotConfig, 'strategies' | 'guards' | 'directory'>;
  plan: Pick<BotPlan, 'markInterval'>;
  wallets: readonly string[];
  symbols: readonly string[];
  intents: IntentTrack;
  /** Rows of `tpsl.watch` of a wallet. */
  rowsOf(wallet: string): Iterable<WatchRow>;
  /** Comparisons with the shadows of strategies. */
  comparisons(): readonly Comparison[];
}

export function readFeeds({ bot, symbols }: BlockSources): FeedRow[] {
  return symbols.map((symbol) => {
    const mark = bot.mark(symbol);
    return {
      symbol,
      price: mark?.price ?? null,
      close_time: mark?.time ?? null,
      interval_ms: mark?.intervalMs ?? null,
    };
  });
}

export function readWallets({ bot, config, wallets }: BlockSources): WalletRow[] {
  return wallets.flatMap((wallet) => {
    const book = bot.book(wallet);
    const account = book.account();
    if (account === undefined) return [];
    const { equity } = account;
    const notionals = [
      ...book
        .openPositions()
        .map(({ symbol, size, mark_price }) => size * priceOf(bot, symbol, mark_price)),
      ...book.spotHoldings().map(({ size, price = 0 }) => size * price),
    ];
    const gross = notionals.reduce((sum, one) => sum + one, 0);
    return [
      {
        wallet,
        equity,
        day_pnl: book.dayResult() ?? null,
        day_loss_limit: config.guards.daily_loss_limit ?? null,
        day_loss_reached: book.dayLimitReached() ?? null,
        leverage: gross === 0 ? 0 : equity > 0 ? gross / equity : null,
        used_margin: account.used_margin,
        available_margin: account.available_margin,
        unrealized_pnl: account.unrealized_pnl,
        realized_pnl: account.realized_pnl,
        fees: account.fees_paid,
        funding: account.funding_paid,
      },
    ];
  });
}

export function readPositions(sources: BlockSources): PositionRow[] {
  const { bot, wallets, rowsOf } = sources;
  const bare = bot.coverage.uncovered();
  return wallets.flatMap((wallet) => {
    const positions = bot.book(wallet).openPositions();
    const spots = bot.spotPositions(wallet);
    if (positions.length + spots.length === 0) return [];
    const rows = [...rowsOf(wallet)];
    const perps = positions.map((position): PositionRow => {
      const { symbol, side, size, entry_price, liquidation_price } = position;
      const mark = priceOf(bot, symbol, position.mark_price);
      const signed = side === 'short' ? -size : size;
      const stop = nearestStop(position, rows, mark);
      const spell = bare.find((one) => one.wallet === wallet && one.symbol === symbol);
      const standing = bot.ownerOf(wallet, symbol);
      return {
        wallet,
        symbol,
        side,
        size,
        entry_price,
        mark_price: mark,
        notional: size * mark,
        unrealized_pnl: signed * (mark - entry_price),
        liquidation_price: liquidation_price ?? null,
        stop_price: stop,
        stop_distance: stop === null ? null : Math.abs(stop - mark) / mark,
        uncovered: spell === undefined ? 0 : uncoveredSize(spell),
        uncovered_since: spell?.since ?? null,
        owner: strategyOf(standing),
        ownership: standing.kind,
      };
    });
    return [...perps, ...spots.map((spot) => toSpotRow(wallet, spot, rows))];
  });
}

/** A holding has no stop that a leg of a position could be, and none is asked of it. */
function toSpotRow(
  wallet: string,
  { symbol, size, price, entryPrice, unrealizedPnl, standing }: SpotPosition,
  rows: readonly WatchRow[],
): PositionRow {
  const mark = price ?? null;
  const stop = mark === null ? null : nearestStop({ symbol, side: 'long' }, rows, mark);
  return {
    wallet,
    symbol,
    side: 'long',
    size,
    entry_price: entryPrice ?? null,
    mark_price: mark,
    notional: mark === null ? null : size * mark,
    unrealized_pnl: unrealizedPnl ?? null,
    liquidation_price: null,
    stop_price: stop,
    stop_distance: stop === null || mark === null ? null : Math.abs(stop - mark) / mark,
    uncovered: 0,
    uncovered_since: null,
    owner: strategyOf(standing),
    ownership: standing.kind,
  };
}

export function readStrategies(sources: BlockSources): StrategyRow[] {
  const { bot, config, intents } = sources;
  const comparisons = sources.comparisons();
  const pluginOf = (use: string): string =>
    isAbsolute(use) ? relative(config.directory, use) : use;
  return config.strategies.map(({ name, use, wallet, symbols, shadow }) => {
    const compared = comparisons.find(({ instance }) => instance === name);
    const status = bot.hosts.find(({ instance }) => instance === name)?.status;
    const { netPnl, realizedPnl, unrealizedPnl, fees, funding, fills } = bot
      .ledgerOf(name)
      .summary();
    const counts = intents.of(name);
    const newest = symbols
      .map((symbol) => ({ symbol, time: bot.mark(symbol)?.time ?? null }))
      .reduce((best, one) => ((one.time ?? 0) > (best.time ?? 0) ? one : best));
    return {
      name,
      plugin: pluginOf(use),
      wallet,
      symbols,
      life: status?.state ?? 'idle',
      fault: status !== undefined && 'fault' in status ? status.fault.reason : null,
      paused: bot.paused(name) ?? null,
      stage: (shadow ?? null) === null ? null : bot.stageOf(name),
      throttled: bot.throttled(name) ?? null,
      bar_symbol: newest.time === null ? null : newest.symbol,
      bar_time: newest.time,
      intent: counts.newest,
      emitted: counts.emitted,
      accepted: counts.accepted,
      denied: { ...counts.denied },
      net_pnl: netPnl,
      realized_pnl: realizedPnl,
      unrealized_pnl: unrealizedPnl,
      fees,
      funding,
      fills,
      shadow: compared === undefined ? null : toShadowRow(compared, pluginOf),
    };
  });
}

function toShadowRow(compared: Comparison, pluginOf: (use: string) => string): ShadowRow {
  const { use, state, reason, until, counts, same, parted, shadow, live } = compared;
  return {
    plugin: pluginOf(use),
    state,
    reason,
    until,
    intents: counts.shadow.intents,
    denied: counts.shadow.denied,
    same,
    parted,
    net_pnl: shadow?.netPnl ?? 0,
    live_pnl: live?.netPnl ?? 0,
  };
}

function readOrders({ bot, wallets }: BlockSources): OrderRow[] {
  return wallets.flatMap((wallet) =>
    bot
      .book(wallet)
      .openOrders()
      .map((order) => ({
        wallet,
        order_id: order.order_id,
        execution_id: order.execution_id ?? null,
        symbol: order.symbol,
        side: order.side,
        order_type: order.order_type,
        size: order.size,
        filled_size: order.filled_size,
        price: order.price ?? null,
        reduce_only: order.reduce_only,
        status: order.status,
        created_time: order.created_time,
        owner: strategyOf(bot.ownerOf(wallet, order.symbol)),
      })),
  );
}

function readExecutions({ bot, wallets }: BlockSources): ExecutionRow[] {
  return wallets.flatMap((wallet) =>
    bot
      .book(wallet)
      .liveExecutions()
      .map((execution) => ({
        wallet,
        execution_id: execution.execution_id,
        algo: execution.algo,
        symbol: execution.symbol,
        side: execution.side,
        total_size: execution.total_size,
        filled_size: execution.filled_size,
        progress: execution.progress,
        status: execution.status,
        phase: execution.phase,
        reduce_only: execution.reduce_only,
        created_time: execution.created_time,
        owner: strategyOf(bot.ownerOf(wallet, execution.symbol)),
      })),
  );
}

export function readBudget({ bot, intents }: BlockSources, budgetNow: number): BudgetBlock {
  const { used, limit, allowance, heldForMs } = bot.budget();
  const { spent, peak } = bot.budgetUse();
  return {
    used,
    limit,
    allowance,
    peak,
    // Whole seconds: two clocks that are added up jitter by less, and each change goes to every reader.
    held_until: heldForMs > 0 ? Math.ceil((budgetNow + heldForMs) / 1_000) * 1_000 : null,
    spent,
    deferred: intents.deferred(),
  };
}

/** Everything but the bot's own block and its connection, which are followed by events. */
export function readBlocks(
  sources: BlockSources,
  budgetNow: number,
): Omit<Blocks, 'bot' | 'connection'> {
  return {
    feeds: readFeeds(sources),
    wallets: readWallets(sources),
    positions: readPositions(sources),
    strategies: readStrategies(sources),
    orders: readOrders(sources),
    executions: readExecutions(sources),
    unanswered: sources.intents.unanswered(),
    budget: readBudget(sources, budgetNow),
  };
}

const strategyOf = (standing: OwnerStanding): string | null =>
  standing.kind === 'owned' ? standing.strategy : null;

const priceOf = (bot: Bot, symbol: string, otherwise: number): number =>
  bot.mark(symbol)?.price ?? otherwise;

/** The armed stop on the losing side that the price would reach first. */
function nearestStop(
  { symbol, side }: Pick<PositionRecord, 'symbol' | 'side'>,
  rows: readonly WatchRow[],
  mark: number,
): number | null {
  const prices = rows
    .filter(
      (row) =>
        row.symbol === symbol &&
        row.watch_kind === 'leg' &&
        row.kind === 'stop_loss' &&
        row.status === 'armed' &&
        typeof row.trigger_price === 'number',
    )
    .map((row) => row.trigger_price!);
  if (prices.length === 0) return null;
  const distance = (price: number): number => (side === 'short' ? price - mark : mark - price);
  return prices.reduce((best, price) => (distance(price) < distance(best) ? price : best));
}
