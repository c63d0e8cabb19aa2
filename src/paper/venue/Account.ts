import type { Leg } from '../legs/Leg.ts';
import type { EntryWatch } from '../tracking/EntryWatch.ts';
import type { Execution } from '../algos/Execution.ts';
import type { Basket, BasketTemplate } from '../baskets/Basket.ts';
import type { Delivery, Webhook } from '../webhooks/Webhook.ts';
import type { Monitor, MonitorGroup } from '../monitors/Monitor.ts';
import type { PriceWatch } from '../market/PriceWatches.ts';
import type { Fill } from './Fill.ts';
import { Ledger } from './Ledger.ts';
import { OpenOrders } from './OpenOrders.ts';
import { isOpen, type Order } from './Order.ts';
import { VolumeWindow } from './VolumeWindow.ts';

/** A net position, or a spot holding; `size` is signed. */
export interface Position {
  symbol: string;
  size: number;
  entryPrice: number;
  /** Realized profit since it was opened, before fees. */
  realizedPnl: number;
  openedTime: number;
  updatedTime: number;
  /** Entry cost of the current size. */
  entryFees: number;
  entryNotional: number;
  makerNotional: number;
  /** Margin allocated to an isolated position, quote units; null: cross. */
  margin: number | null;
  /** Set if the account's margin must be checked again. */
  marginWatch: PriceWatch | null;
}

/** One day and symbol; amounts in quote units, fees and funding positive when paid. */
export interface PnlRow {
  day: string;
  symbol: string;
  realized_pnl: number;
  unrealized_pnl: number;
  fees: number;
  funding: number;
  volume: number;
}

/** One wallet: its money, its positions, and its whole history. */
export interface Account {
  readonly wallet: string;
  /** USDC. */
  cash: number;
  realizedPnl: number;
  feesPaid: number;
  fundingPaid: number;
  readonly positions: Map<string, Position>;
  readonly holdings: Map<string, Position>;
  readonly leverage: Map<string, number>;
  /** Symbols whose positions have isolated margin. */
  readonly isolated: Set<string>;
  readonly settings: { default_slippage_bps: number; default_leverage: number };
  /** What its orders and positions held when its balances were last published; a new object each time. */
  published: { readonly held: number };
  readonly volume: VolumeWindow;
  readonly pnl: Map<string, PnlRow>;
  readonly orders: Ledger<Order>;
  readonly openOrders: OpenOrders;
  readonly fills: Ledger<Fill>;
  readonly legs: Ledger<Leg>;
  /** Queued and armed legs. */
  readonly liveLegs: Map<string, Leg>;
  /** Entries that still track their level. */
  readonly entryWatches: Map<string, EntryWatch>;
  readonly executions: Ledger<Execution>;
  /** Executions that are not terminal. */
  readonly liveExecutions: Map<string, Execution>;
  readonly monitors: Ledger<Monitor>;
  readonly monitorGroups: Ledger<MonitorGroup>;
  readonly baskets: Ledger<Basket>;
  readonly basketTemplates: Ledger<BasketTemplate>;
  readonly webhooks: Ledger<Webhook>;
  readonly deliveries: Ledger<Delivery>;
  /** Unique permanently, even after the record is gone. */
  readonly clientOrderIds: Map<string, string>;
  readonly clientExecutionIds: Map<string, string>;
}

export function createAccount(
  wallet: string,
  balance: number,
  settings: { defaultSlippageBps: number; defaultLeverage: number; retention: number },
): Account {
  const { retention } = settings;
  const monitors = new Ledger<Monitor>(retention, ({ record }) => record.status === 'stopped');
  return {
    wallet,
    cash: balance,
    realizedPnl: 0,
    feesPaid: 0,
    fundingPaid: 0,
    positions: new Map(),
    holdings: new Map(),
    leverage: new Map(),
    isolated: new Set(),
    settings: {
      default_slippage_bps: settings.defaultSlippageBps,
      default_leverage: settings.defaultLeverage,
    },
    published: { held: 0 },
    volume: new VolumeWindow(),
    pnl: new Map(),
    orders: new Ledger(retention, (order) => !isOpen(order)),
    openOrders: new OpenOrders(),
    fills: new Ledger(retention, () => true),
    legs: new Ledger(
      retention,
      ({ record }) => record.status !== 'queued' && record.status !== 'armed',
    ),
    liveLegs: new Map(),
    entryWatches: new Map(),
    executions: new Ledger(retention, ({ record }) => record.ended_time !== null),
    liveExecutions: new Map(),
    monitors,
    // As long as one of its monitors acts, or may be armed again, a group has others to stop.
    monitorGroups: new Ledger(retention, ({ monitor_ids: ids }) =>
      ids.every((id) => (monitors.get(id)?.record.status ?? 'stopped') === 'stopped'),
    ),
    baskets: new Ledger(retention, ({ legs }) => legs.every(({ endedAs }) => endedAs !== null)),
    basketTemplates: new Ledger(retention, () => false),
    webhooks: new Ledger(retention, () => false),
    deliveries: new Ledger(retention, () => true),
    clientOrderIds: new Map(),
    clientExecutionIds: new Map(),
  };
}
