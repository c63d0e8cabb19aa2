import type { FillRecord } from '../../contract/index.ts';
import type { StrategyNotice } from '../../strategy/index.ts';
import type { Bot } from '../Bot.ts';
import type { BotEvent } from '../BotEvent.ts';
import type { LifeEvent } from '../RestartPolicy.ts';
import type { Liquidation } from '../wallet/index.ts';
import { createCutOrders } from './createCutOrders.ts';
import { createDigest } from './createDigest.ts';
import { createEquity } from './createEquity.ts';
import { createIntentLog } from './createIntentLog.ts';
import { createLevelLog } from './createLevelLog.ts';
import { createOriginLog } from './createOriginLog.ts';
import type { PlotLog } from './createPlotLog.ts';
import { createRowLog } from './createRowLog.ts';
import type { RecordedExecution, RecordedFill, RunRecord } from './RunRecord.ts';

export interface RunRecordOptions {
  instances: readonly string[];
  /** The symbols that they trade, each once. */
  wallets: readonly string[];
  /** False for a bot that runs for months: figures only, and intents that are not over. */
  keepAll: boolean;
  /** Receives what the bot's strategies compute; left out, neither that nor levels are recorded. */
  plots?: PlotLog | undefined;
}

/** Follows a bot from before its start. */
export function createRunRecord(
  bot: Bot,
  { instances, wallets, keepAll, plots }: RunRecordOptions,
): RunRecord {
  const digest = createDigest();
  const intents = createIntentLog({ instances, keepAll, digest, now: () => bot.instant });
  const equity = createEquity(bot, instances, wallets);
  const fills = createRowLog<RecordedFill>({
    time: 'number',
    symbol: 'word',
    side: 'word',
    price: 'number',
    size: 'number',
    fee: 'number',
    liquidity: 'word',
    reduce_only: 'word',
    order_id: 'text',
    execution_id: 'word',
    closed_pnl: 'number',
    instance: 'word',
    cause: 'word',
    tag: 'word',
  });
  /** Fills that came before what made them was known. */
  const unexplained: { place: number; ids: Pick<FillRecord, 'order_id' | 'execution_id'> }[] = [];
  const levels = createLevelLog();
  const origins = createOriginLog();
  const executions = new Map<string, RecordedExecution>();
  const lives: LifeEvent[] = [];
  const notices: Array<{ instance: string; notice: StrategyNotice }> = [];
  const liquidations: Liquidation[] = [];
  const cutOrders = createCutOrders();

  function recordFill(event: Extract<BotEvent, { kind: 'fill' }>): void {
    const { instance, wallet, fill } = event;
    const origin = origins.fill(wallet, fill);
    const { order_id, execution_id } = fill;
    const place = fills.add({
      time: fill.time,
      symbol: fill.symbol,
      side: fill.side,
      price: fill.price,
      size: fill.size,
      fee: fill.fee,
      liquidity: fill.liquidity,
      reduce_only: fill.reduce_only,
      order_id,
      execution_id,
      closed_pnl: fill.closed_pnl,
      instance,
      cause: origin?.cause,
      tag: origin?.tag,
    });
    if (origin === undefined) unexplained.push({ place, ids: { order_id, execution_id } });
  }

  function followFill({ fill }: Extract<BotEvent, { kind: 'fill' }>): void {
    const { fill_id, order_id, symbol, side, price, size, fee, time } = fill;
    digest.add([fill_id, order_id, symbol, side, price, size, fee, time]);
  }

  /** A bot that runs for months reports no trades. */
  function followOrigin(event: BotEvent): void {
    if (event.kind === 'intent') origins.intent(event.event);
    else if (event.kind === 'watch') origins.watch(event.wallet, event.event, event.row);
    else if (event.kind === 'liquidation') origins.liquidation(event.liquidation);
    else if (event.kind === 'execution') origins.execution(event.wallet, event.execution);
    else if (event.kind === 'fill') recordFill(event);
  }

  bot.onInstant(equity.follow, equity.followColumns);

  bot.events$.subscribe((event: BotEvent) => {
    if (keepAll) followOrigin(event);
    if (event.kind === 'intent') {
      intents.follow(event.event);
      cutOrders.follow(event.event);
    } else if (event.kind === 'fill') followFill(event);
    else if (event.kind === 'execution') {
      const { instance, execution } = event;
      if (keepAll) executions.set(execution.execution_id, { instance, execution });
    } else if (event.kind === 'strategy_fault') intents.followFault(event.fault);
    else if (event.kind === 'strategy_life') lives.push(event.life);
    else if (event.kind === 'strategy_notice') {
      notices.push({ instance: event.instance, notice: event.notice });
    } else if (event.kind === 'watch') {
      if (plots !== undefined) levels.take(event.instance, event.event, event.row, event.time);
    } else if (event.kind === 'liquidation') liquidations.push(event.liquidation);
  });

  return {
    get plots() {
      return plots?.list() ?? [];
    },
    levels: levels.levels,
    get intents() {
      return intents.list();
    },
    get malformed() {
      return intents.malformed;
    },
    get cutOrders() {
      return cutOrders.cut;
    },
    get refusals() {
      return intents.refusals();
    },
    lives,
    notices,
    liquidations,
    get delays() {
      return intents.delays();
    },
    get fills() {
      for (const { place, ids } of unexplained) {
        const origin = origins.of(ids);
        fills.set(place, 'cause', origin?.cause);
        fills.set(place, 'tag', origin?.tag);
      }
      return fills.list();
    },
    get executions() {
      return [...executions.values()];
    },
    curve: equity.curve,
    get total() {
      return equity.total();
    },
    hourly: equity.hourly,
    get hourlyTotal() {
      return equity.hourlyTotal();
    },
    get drawdown() {
      return equity.drawdown();
    },
    drawdownTimes: equity.drawdownTimes,
    averageDrawdown: equity.averageDrawdown,
    counts: intents.counts,
    get rateLimited() {
      return intents.rateLimited;
    },
    hash: digest.hex,
  };
}
