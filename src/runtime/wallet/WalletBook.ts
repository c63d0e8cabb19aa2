import type {
  AccountRecord,
  ExecutionRecord,
  FillRecord,
  LegKind,
  MonitorRecord,
  OrderRecord,
  PositionRecord,
  Side,
  WatchRow,
} from '../../contract/index.ts';
import type { AccountModel } from '../../streams/index.ts';
import type { SpotHolding } from './createWalletValue.ts';

/** The latest state of one wallet from the streams, ready for guards, strategies and reports. */
export interface WalletBook {
  model(model: AccountModel): void;
  /**
   * A bar has closed; equity counts when no bar of the same instant is still to come.
   *
   * @param time of its close, epoch milliseconds; default: now
   */
  sample(time?: number): void;
  /** How far the equity of the last sample may fall before the day's limit is reached; see `DayLoss.headroom`. */
  dayHeadroom(): number;
  /** Adds the symbols whose price changes what the wallet is worth. */
  priced(symbols: Set<string>): void;
  fill(fill: FillRecord): void;
  /** A fill came as a frame in its turn: until its position is shown, it is still to come. */
  fillInTurn(fill: FillRecord): void;
  /** A frame shows the order of this id. */
  orderShown(id: string): void;
  /** A frame shows the position of a symbol. */
  positionShown(symbol: string): void;
  /** Positive when paid. */
  funding(amount: number): void;
  executions(executions: Iterable<ExecutionRecord>): void;
  watches(rows: Iterable<WatchRow>): void;
  monitors(monitors: Iterable<MonitorRecord>): void;
  /**
   * The account as of now: the last snapshot, with what fills, funding and prices changed since;
   * undefined before the first snapshot. What rests since then uses margin from the next snapshot on.
   */
  account(): AccountRecord | undefined;
  /** The account's equity as of now, without the rest of it. */
  equity(): number | undefined;
  /** Equity of the first snapshot, on top of which anything is earned; 0 before. */
  startEquity(): number;
  /** Equity lost since the UTC day began, deposits and withdrawals aside, quote units; 0 or more. */
  dayLoss(): number;
  /** The loss with which the day's limit was reached, quote units; undefined as long as it was not. */
  dayLimitReached(): number | undefined;
  /** Equity earned or lost since the UTC day began, transfers aside, quote units; undefined before the first bar. */
  dayResult(): number | undefined;
  runningExecutions(): number;
  /** Executions that monitors may start; what only reduces is protection, and does not count before it runs. */
  armedExecutions(): number;
  /** Trails and tracked entries that count against the wallet's twenty (LEG-11, TRK-6). */
  maintainedRows(): number;
  /** Rows of those that another attach of these kinds to the symbol's position frees (POS-2). */
  attachedTrails(symbol: string, kinds: readonly LegKind[]): number;
  /** Ids of open orders whose price follows a level. */
  trackedOrders(): ReadonlySet<string>;
  /** Signed size in base units. */
  position(symbol: string): number;
  positionRecord(symbol: string): PositionRecord | undefined;
  /** An open order by its id, or by `client:<client_order_id>`. */
  order(id: string): OrderRecord | undefined;
  /** Base units that resting orders, running executions and monitors may still add on one side. */
  resting(symbol: string, side: Side): number;
  /** Base units that reduce-only orders and executions may still take off a position that this side closes. */
  closing(symbol: string, side: Side): number;
  /** The same of what waits for a price: legs, which close whatever there is, and reduce-only monitors. */
  armed(symbol: string, side: Side): number;
  /** Highest price for which a monitor or an execution that may enter on one side waits; 0 if none does. */
  highestTrigger(symbol: string, side: Side): number;
  /** Symbols with a position, a holding or open work, each once. */
  exposedSymbols(): readonly string[];
  openOrders(): readonly OrderRecord[];
  openPositions(): readonly PositionRecord[];
  /** Every spot asset of the wallet but the cash, whoever bought it. */
  spotHoldings(): readonly SpotHolding[];
  /** Executions that are not over; one that the service gave another id appears once, by its newest. */
  liveExecutions(): readonly ExecutionRecord[];
  /** The id by which the service shows an execution of this client id now, whether over or not. */
  executionOf(clientId: string): string | undefined;
  /** Ids of all monitors that may still fire; undefined as long as the service has not shown them. */
  standingMonitors(): readonly string[] | undefined;
  /** Monitors that may add exposure when they fire. */
  entryMonitors(): readonly MonitorRecord[];
}
