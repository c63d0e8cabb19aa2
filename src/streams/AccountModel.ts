import type {
  AccountRecord,
  BalanceRecord,
  OrderRecord,
  PositionRecord,
} from '../contract/records.ts';
import type { ChannelFrame } from '../contract/frames.ts';
import { ENDED_ORDERS } from '../contract/vocabulary.ts';

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
  switch (frame.event) {
    case 'position': {
      const { data } = frame;
      const changed = next(model, frame.ts);
      changed.positions = put(model.positions, data.symbol, data.size === 0 ? null : data);
      return changed;
    }
    case 'balance': {
      const changed = next(model, frame.ts);
      changed.balances = put(model.balances, frame.data.asset, frame.data);
      return changed;
    }
    case 'order': {
      const { data } = frame;
      const rest = ENDED_ORDERS.includes(data.status) ? null : data;
      const changed = next(model, frame.ts);
      changed.openOrders = put(model.openOrders, data.order_id, rest);
      return changed;
    }
    default:
      return model;
  }
}

/** A model of its own with the same content; a spread of it would cost several times as much. */
function next(model: AccountModel, time: number): AccountModel {
  return {
    wallet: model.wallet,
    version: model.version + 1,
    time,
    complete: model.complete,
    account: model.account,
    positions: model.positions,
    balances: model.balances,
    openOrders: model.openOrders,
  };
}

function put<T>(map: ReadonlyMap<string, T>, key: string, value: T | null): ReadonlyMap<string, T> {
  const isKnown = map.has(key);
  if (value === null && !isKnown) return map;
  const changed = new Map<string, T>();
  // Most wallets have one position and one asset.
  if (isKnown && map.size === 1) return value === null ? changed : changed.set(key, value);
  map.forEach((known, name) => changed.set(name, known));
  if (value === null) changed.delete(key);
  else changed.set(key, value);
  return changed;
}
