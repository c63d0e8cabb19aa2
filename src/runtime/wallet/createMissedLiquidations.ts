import type { FillRecord, PositionRecord } from '../../contract/index.ts';

/**
 * Liquidations that no frame reported, because the stream was down: no list has them, and a fill does not have what made it.
 * What shows one is a fill that closes at the position's liquidation price, or beyond it, and is no order of the bot's.
 */
export interface MissedLiquidations {
  /** What the wallet shows as open. */
  shown(positions: Iterable<PositionRecord>): void;
  /** A frame reported one. */
  reported(symbol: string): void;
  /** Whether a fill of an outage shows one; true once for a position. */
  isShownBy(fill: FillRecord): boolean;
}

export interface MissedLiquidationsOptions {
  /** Whether the id of an order or an execution, or a client id, is the bot's. */
  isOwn(key: string): boolean;
}

/** Of the way from the entry to the liquidation: it is shown as of the last change, and moves with funding. */
const NEAR = 0.05;

export function createMissedLiquidations({ isOwn }: MissedLiquidationsOptions): MissedLiquidations {
  /** By symbol, the newest first: one may be open again before the fills of the outage are read. */
  const held = new Map<string, readonly PositionRecord[]>();
  /** When the position was opened that was liquidated last, by symbol. */
  const liquidated = new Map<string, number>();

  return {
    shown(positions) {
      for (const position of positions) {
        const { symbol, opened_time: opened } = position;
        const others = (held.get(symbol) ?? []).filter((one) => one.opened_time !== opened);
        held.set(symbol, [position, ...others.slice(0, 1)]);
      }
    },
    reported(symbol) {
      const [newest] = held.get(symbol) ?? [];
      if (newest !== undefined) liquidated.set(symbol, newest.opened_time);
    },
    isShownBy(fill) {
      const { symbol, order_id, client_order_id, execution_id } = fill;
      const position = held.get(symbol)?.find((one) => isLiquidationOf(one, fill));
      if (position === undefined || position.opened_time === liquidated.get(symbol)) return false;
      const keys = [order_id, client_order_id, execution_id];
      if (keys.some((key) => key != null && isOwn(key))) return false;
      liquidated.set(symbol, position.opened_time);
      return true;
    },
  };
}

function isLiquidationOf(position: PositionRecord, { side, price, time }: FillRecord): boolean {
  const { entry_price: entry, liquidation_price: liquidation, updated_time: updated } = position;
  if (liquidation == null || time < updated) return false;
  const isLong = position.side === 'long';
  if (side !== (isLong ? 'sell' : 'buy')) return false;
  const near = NEAR * Math.abs(entry - liquidation);
  return isLong ? price <= liquidation + near : price >= liquidation - near;
}
