import type { ChannelName, Interval } from '../../contract/index.ts';
import { ServiceError } from '../core/ServiceError.ts';
import { executionRecord } from '../algos/publishExecution.ts';
import { entryRow, legRow } from '../legs/publishLeg.ts';
import { monitorRecord } from '../monitors/publishMonitor.ts';
import type { Account } from '../venue/Account.ts';
import { bookRecord, marketRecord, STREAMED_DEPTH } from '../market/marketRecords.ts';
import { accountRecord, balanceRecords, orderRecord, positionRecord } from '../venue/publish.ts';
import type { EngineState } from './EngineState.ts';

type Snapshot = Readonly<Record<string, unknown>>;
type Params = Readonly<Record<string, unknown>>;

const DEFAULT_BARS = 100;

/** Data of a channel's `snapshot` event at the current time (STR-2); null if a channel has none. */
export function snapshotOf(
  engine: EngineState,
  channel: ChannelName,
  wallet: string,
  params: Params,
): Snapshot | null {
  switch (channel) {
    case 'account.state':
      return accountSnapshot(engine, accountOf(engine, wallet));
    case 'candles':
      return candlesSnapshot(engine, params);
    case 'monitors':
      return monitorsSnapshot(accountOf(engine, wallet));
    case 'tpsl.watch':
      return watchSnapshot(accountOf(engine, wallet), params);
    case 'executions':
      return executionsSnapshot(accountOf(engine, wallet), params);
    case 'markets':
      return marketRecord(engine.market, params['symbol'] as string, engine.market.now);
    case 'orderbook': {
      const { symbol, depth = STREAMED_DEPTH } = params as { symbol: string; depth?: number };
      return bookRecord(engine.market, symbol, { depth, now: engine.market.now });
    }
    default:
      return null;
  }
}

export function accountOf(engine: EngineState, wallet: string): Account {
  const account = engine.accounts.get(wallet);
  if (account === undefined) throw new ServiceError('unknown_wallet', { details: { wallet } });
  return account;
}

function accountSnapshot(engine: EngineState, account: Account): Snapshot {
  return {
    positions: [...account.positions.values()].map((each) => positionRecord(engine, account, each)),
    balances: balanceRecords(engine, account),
    open_orders: [...account.openOrders.values()].map((order) => orderRecord(account, order)),
    account: accountRecord(engine, account),
  };
}

/** The rows that the service maintains: queued and armed legs, and entries that follow a level. */
function watchSnapshot(account: Account, params: Params): Snapshot {
  const rows = [
    ...[...account.liveLegs.values()].map((leg) => legRow(leg)),
    ...[...account.entryWatches.values()].map((watch) => entryRow(watch)),
  ];
  const symbol = params['symbol'];
  return { rows: symbol === undefined ? rows : rows.filter((row) => row.symbol === symbol) };
}

/** Executions that have not ended; a named one in any state. */
function executionsSnapshot(account: Account, params: Params): Snapshot {
  const id = params['execution_id'];
  const named = typeof id === 'string' ? [account.executions.get(id)] : null;
  const listed = named ?? [...account.liveExecutions.values()];
  const found = listed.filter((execution) => execution !== undefined);
  return { executions: found.map((execution) => executionRecord(account, execution)) };
}

/** All monitors that were not stopped, oldest first. */
function monitorsSnapshot(account: Account): Snapshot {
  const all = [...account.monitors.newest()].map(({ item }) => item).toReversed();
  const standing = all.filter(({ record }) => record.status !== 'stopped');
  return { monitors: standing.map((monitor) => monitorRecord(monitor)) };
}

function candlesSnapshot(engine: EngineState, params: Params): Snapshot {
  const bars = engine.market.closedBars(params['symbol'] as string, params['interval'] as Interval);
  const limit = (params['limit'] as number | undefined) ?? DEFAULT_BARS;
  const candles = [];
  for (let index = Math.max(0, bars.length - limit); index < bars.length; index++) {
    candles.push({
      time: bars.time[index]!,
      open: bars.open[index]!,
      high: bars.high[index]!,
      low: bars.low[index]!,
      close: bars.close[index]!,
      volume: bars.volume[index]!,
      closed: true,
    });
  }
  return { candles };
}
