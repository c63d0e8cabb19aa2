import type { Execution } from '../algos/Execution.ts';
import type { Basket, BasketLeg, BasketTemplate } from '../baskets/Basket.ts';
import type { Leg } from '../legs/Leg.ts';
import type { Monitor, MonitorGroup } from '../monitors/Monitor.ts';
import type { EntryWatch } from '../tracking/EntryWatch.ts';
import type { Account, Position } from '../venue/Account.ts';
import type { Ledger } from '../venue/Ledger.ts';
import type { Order } from '../venue/Order.ts';
import type { SavedVolume } from '../venue/VolumeWindow.ts';

export type SavedOrder = Omit<Order, 'watch' | 'waiting' | 'placing'>;
export type SavedLeg = Omit<Leg, 'watch' | 'hook'>;
export type SavedMonitor = Omit<Monitor, 'watch' | 'bundle' | 'hook'>;
export type SavedEntryWatch = Omit<EntryWatch, 'hook'>;
export type SavedPosition = Omit<Position, 'marginWatch'>;

/** A file that was written before these were kept lacks them. */
type Lacking<T, K extends keyof T> = Omit<T, K> & Partial<Pick<T, K>>;

/** JSON has no infinity: null means "never yet" or "none scheduled". */
export type SavedExecution = Lacking<
  Omit<Execution, 'timer' | 'staleTimer' | 'watches' | 'barHook' | 'staleSince' | 'resumedTime'>,
  'unwinds'
> & { staleSince: number | null; resumedTime: number | null };

export type SavedMonitorGroup = Lacking<MonitorGroup, 'createdTime'>;
export type SavedBasketTemplate = Lacking<BasketTemplate, 'createdTime'>;
export type SavedBasketLeg = Lacking<BasketLeg, 'endedAs'>;
export type SavedBasket = Omit<Basket, 'legs'> & { legs: readonly SavedBasketLeg[] };

/** Rows of a ledger, oldest first. */
export type SavedRows<T> = Array<[id: string, item: T]>;

type RowsOf<L> = L extends Ledger<infer T> ? SavedRows<T> : never;

/** A wallet as plain data. What follows from the rows (what is open, what is live) is left out. */
export interface SavedAccount {
  wallet: string;
  cash: number;
  realizedPnl: number;
  feesPaid: number;
  fundingPaid: number;
  positions: SavedPosition[];
  holdings: SavedPosition[];
  leverage: Array<[symbol: string, leverage: number]>;
  isolated: string[];
  settings: Account['settings'];
  volume: SavedVolume;
  pnl: Array<[key: string, row: ReturnType<Account['pnl']['get']> & {}]>;
  orders: SavedRows<SavedOrder>;
  fills: RowsOf<Account['fills']>;
  legs: SavedRows<SavedLeg>;
  entryWatches: SavedEntryWatch[];
  executions: SavedRows<SavedExecution>;
  monitors: SavedRows<SavedMonitor>;
  monitorGroups: SavedRows<SavedMonitorGroup>;
  baskets: SavedRows<SavedBasket>;
  basketTemplates: SavedRows<SavedBasketTemplate>;
  webhooks: RowsOf<Account['webhooks']>;
  deliveries: RowsOf<Account['deliveries']>;
  clientOrderIds: Array<[clientId: string, id: string]>;
  clientExecutionIds: Array<[clientId: string, id: string]>;
}
