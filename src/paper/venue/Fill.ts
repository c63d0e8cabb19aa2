import type { Side } from '../../contract/index.ts';

/** A fill as it is recorded and returned (conventions §3); fees and prices in quote units. */
export interface Fill {
  fill_id: string;
  order_id: string;
  client_order_id: string | null;
  execution_id: string | null;
  symbol: string;
  side: Side;
  price: number;
  size: number;
  notional: number;
  /** Venue and service fee together. */
  fee: number;
  venue_fee: number;
  service_fee: number;
  liquidity: 'maker' | 'taker';
  reduce_only: boolean;
  /** Profit of what it closed, before fees; 0 if it opened. */
  closed_pnl: number;
  time: number;
}
