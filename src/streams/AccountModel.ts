import type {
  AccountRecord,
  BalanceRecord,
  OrderRecord,
  PositionRecord,
} from '../contract/records.ts';
import type { ChannelFrame } from '../contract/frames.ts';

/** A wallet as the stream shows it. Immutable: each frame creates a new one (STR-2). */
export interface AccountModel {
  wallet: string;
  /** Grows by one with each change. */
  version: number;
  /** Epoch milliseconds of the frame that created it. */
  time: number;
  /** False while frames may be missing, until the next snapshot. */
  complete: boolean;
  /** As of the last snapshot. */
  account: AccountRecord;
  /** By symbol; flat positions are absent. */
  positions: ReadonlyMap<string, PositionRecord>;
  /** By asset. */
  balances: ReadonlyMap<string, BalanceRecord>;
  /** By order id. */
  openOrders: ReadonlyMap<string, OrderRecord>;
}

type AccountFrame = ChannelFrame<'account.state'>;
type Snapshot = Extract<AccountFrame, { event: 'snapshot' }>;

const ENDED_ORDERS: ReadonlySet<string> = new Set(['filled', 'cancelled', 'rejected', 'expired']);

/** A snapshot replaces whatever was known. */
export function fromSnapshot(frame: Snapshot, version: number): AccountModel {
  const { positions, balances, open_orders: orders, account } = frame.data;
  const held = positions.filter((position) => position.size !== 0);
  return {
    wallet: frame.wallet,
    version,
    time: frame.ts,
    complete: true,
    account,
    positions: new Map(held.map((position) => [position.symbol, position])),
    balances: new Map(balances.map((balance) => [balance.asset, balance])),
    openOrders: new Map(orders.map((order) => [order.order_id, order])),
  };
}

/** Records are cumulative, so applying one twice changes nothing more. */
export function applyToAccount(model: AccountModel, frame: AccountFrame): AccountModel {
  const base = { ...model, version: model.version + 1, time: frame.ts };
  switch (frame.event) {
    case 'position': {
      const { data } = frame;
      const positions = put(model.positions, data.symbol, data.size === 0 ? null : data);
      return { ...base, positions };
    }
    case 'balance':
      return { ...base, balances: put(model.balances, frame.data.asset, frame.data) };
    case 'order': {
      const { data } = frame;
      const rest = ENDED_ORDERS.has(data.status) ? null : data;
      return { ...base, openOrders: put(model.openOrders, data.order_id, rest) };
    }
    default:
      return model;
  }
}

function put<T>(map: ReadonlyMap<string, T>, key: string, value: T | null): ReadonlyMap<string, T> {
  if (value === null && !map.has(key)) return map;
  const changed = new Map(map);
  if (value === null) changed.delete(key);
  else changed.set(key, value);
  return changed;
}
