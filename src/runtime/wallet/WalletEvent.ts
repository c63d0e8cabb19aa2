import type { ExecutionRecord, FillRecord, WatchRow } from '../../contract/index.ts';

/** A position that the venue took over for lack of margin; market time. */
export interface Liquidation {
  time: number;
  wallet: string;
  symbol: string;
  /** The instance that owns the symbol; undefined if none of this bot does. */
  instance: string | undefined;
  /** No frame reported it: a fill of an outage shows it, by its price. */
  isMissed?: true;
}

/** What happens on a wallet. */
export type WalletEvent =
  | { kind: 'fill'; instance: string | undefined; wallet: string; fill: FillRecord }
  /** A leg or a tracked entry is armed, moves, or ends; market time. */
  | {
      kind: 'watch';
      instance: string | undefined;
      wallet: string;
      event: string;
      row: WatchRow;
      time: number;
    }
  | { kind: 'execution'; instance: string | undefined; wallet: string; execution: ExecutionRecord }
  /** Before the fill that it brings, which looks like any other. */
  | { kind: 'liquidation'; liquidation: Liquidation };
