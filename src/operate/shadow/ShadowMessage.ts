import { INTERVAL_MS, type InstrumentRecord, type Interval } from '../../contract/index.ts';
import type { BotConfig } from '../../config/index.ts';
import type { LogFields } from '../../env/index.ts';
import type { GuardLimits } from '../../guards/index.ts';
import type { FeedBar, PaperSettings, SymbolFunding } from '../../paper/index.ts';
import type { LedgerSummary } from '../../runtime/index.ts';
import type { ComparedIntent } from './ComparedIntent.ts';

/** What a shadow's thread gets to begin with. There is no address, no key and no secret in it. */
export interface ShadowSpec {
  /** Of the strategy whose other version this is. */
  instance: string;
  /** The plugin, as a configuration names it, and the folder to which that name is relative. */
  use: string;
  directory: string;
  /** As configured; the thread's copy of the plugin checks them. */
  params: Readonly<Record<string, unknown>>;
  /** The strategy's symbols, each with the interval of the bars that it is fed with. */
  symbols: ReadonlyArray<{ symbol: string; interval: Interval }>;
  instruments: readonly InstrumentRecord[];
  guards: GuardLimits;
  protection: 'reattach' | 'off';
  dialect: Pick<BotConfig, 'file' | 'dialect' | 'dialectModule'>;
  seed: number;
  /** Fees, spreads and latencies of its venue; its feeds and wallets are not read. */
  paper: PaperSettings;
  funding: Readonly<Record<string, SymbolFunding>>;
  /** Megabytes that it may use at the end of a turn. */
  memoryMb: number;
  /** Its own journal; null for none. */
  journal: string | null;
}

export const shortestBarMs = ({ symbols }: Pick<ShadowSpec, 'symbols'>): number =>
  Math.min(...symbols.map(({ interval }) => INTERVAL_MS[interval]));

/** Closed bars of a symbol, oldest first. */
export interface SymbolBars {
  symbol: string;
  bars: readonly FeedBar[];
}

/** Messages into the thread; each is one turn there, and is answered by `done`. */
export type ToShadow =
  | {
      kind: 'begin';
      /** Cash of its virtual account, quote units. */
      capital: number;
      /** Market time at which it starts, epoch milliseconds. */
      startTime: number;
      history: readonly SymbolBars[];
    }
  /** Its time goes on to the close of these bars. */
  | { kind: 'bars'; bars: readonly SymbolBars[] }
  | { kind: 'end' };

/** What a shadow's account shows. */
export type Figures = LedgerSummary;

/** Messages out of the thread. */
export type FromShadow =
  /** No content: a wait until everything before it was processed. */
  | { kind: 'sync' }
  /** It has begun: plugin and history are loaded. */
  | { kind: 'ready' }
  /** New intents, and those of which more is known. */
  | { kind: 'intents'; intents: readonly ComparedIntent[] }
  | {
      kind: 'done';
      /** Market time that it has reached, epoch milliseconds. */
      at: number;
      figures?: Figures;
      /** Over its intents and fills, in their order; with the last turn. */
      hash?: string;
    }
  /** It can't go on. */
  | { kind: 'fault'; reason: string }
  | { kind: 'log'; level: 'info' | 'warn' | 'error'; message: string; fields: LogFields };
