import { toValidPrice, toValidSize, type InstrumentRecord } from '../contract/index.ts';
import type { InstrumentView } from './StrategyContext.ts';

/**
 * An instrument with its rounding. NaN stays NaN, so that the intent made of it is refused and named; a size
 * below zero leaves nothing to trade.
 */
export function toInstrumentView(record: InstrumentRecord): InstrumentView {
  return {
    ...record,
    roundSize: (size) => {
      if (!Number.isFinite(size)) return Number.NaN;
      return size > 0 ? toValidSize(size, record) : 0;
    },
    roundPrice: (price, mode) => {
      if (!Number.isFinite(price) || price <= 0) return Number.NaN;
      return toValidPrice(price, record, mode);
    },
  };
}
