/**
 * A running bot as an operator sees it: plain values, ready for JSON. Times named `…_time` or `…_since` are market
 * time, those named `wall_…` wall time; both are epoch milliseconds. Money is in quote units, sizes are base units.
 * Ages are left to the reader, so that a view changes only if the bot does.
 */
export interface BotView {
  /** Number of the newest change in it; grows by one with each, and beyond that of every earlier process. */
  sequence: number;
  /** Market time of the view. */
  time: number;
  wall_time: number;
  blocks: Blocks;
}

/** The parts of a view; each is replaced as a whole. */
export interface Blocks {
  bot: BotBlock;
  connection: ConnectionBlock;
  feeds: readonly FeedRow[];
  wallets: readonly WalletRow[];
  positions: readonly PositionRow[];
  strategies: readonly StrategyRow[];
  orders: readonly OrderRow[];
  executions: readonly ExecutionRow[];
  /** Intents that were sent and whose outcome is not known. */
  unanswered: readonly UnansweredRow[];
  budget: BudgetBlock;
}

export type BlockName = keyof Blocks;

export interface BotBlock {
  name: string;
  /** Of its link; null if only a journal says what it was. */
  kind: 'live' | 'paper_service' | 'paper' | null;
  /** Version of Trimtab. */
  version: string;
  /** SHA-256 of the checked configuration, secrets left out; hexadecimal. */
  config_hash: string;
  /** Host and port of the service; null if it is in the same process. */
  service: string | null;
  wall_started: number;
  kill_level: string;
  /** Why the level was entered; null at L0. */
  kill_reason: string | null;
  /** Why no entry may be sent; empty when entries are open. */
  gate: readonly string[];
  /** Wallets to which no exposure is added, a row for each reason, such as the day's loss limit. */
  closed_wallets: readonly { wallet: string; reason: string }[];
  /** Symbols to which no exposure is added, with the reason. */
  closed_symbols: readonly { wallet: string; symbol: string; reason: string }[];
  /** The service refuses the bot's key; the code, which may be empty, or null. */
  key_refused: string | null;
}

export interface ConnectionBlock {
  state: 'connecting' | 'open' | 'lost' | 'closed';
  /** Why it was lost; null if it is open. */
  reason: string | null;
  wall_since: number;
  /** How often it was opened again after a loss. */
  reconnects: number;
}

/** Market data of a symbol. */
export interface FeedRow {
  symbol: string;
  /** The newest close, and when its bar closed; null before the first. */
  price: number | null;
  close_time: number | null;
  /** Length of its bars, milliseconds; null before the first. */
  interval_ms: number | null;
}

export interface WalletRow {
  wallet: string;
  equity: number;
  /** Equity earned or lost since the UTC day began, deposits and withdrawals aside; null before the first bar. */
  day_pnl: number | null;
  /** Loss of the day at which entries end; null without a limit. */
  day_loss_limit: number | null;
  /** The loss with which that limit was reached today, after which entries have ended; null as long as it was not. */
  day_loss_reached: number | null;
  /** Gross notional by equity, spot holdings included, as the guards count it; 0 when flat, null without equity. */
  leverage: number | null;
  used_margin: number;
  available_margin: number;
  unrealized_pnl: number;
  realized_pnl: number;
  fees: number;
  /** Positive when paid. */
  funding: number;
}

/** A position, or a spot holding, which is always long. */
export interface PositionRow {
  wallet: string;
  symbol: string;
  side: string;
  /** Of spot all that the wallet holds, whoever bought it. */
  size: number;
  /** Of spot what its owner paid on average; null if that is not known. */
  entry_price: number | null;
  /** Null, as its notional, for a spot asset of which nothing says what it is worth. */
  mark_price: number | null;
  notional: number | null;
  /** Of spot that of what its owner bought; null without an entry price. */
  unrealized_pnl: number | null;
  liquidation_price: number | null;
  /** The nearest armed stop; null without one. */
  stop_price: number | null;
  /** Its distance from the mark as a share of the mark (0.02 = 2 %). */
  stop_distance: number | null;
  /** Base units without an acknowledged stop. */
  uncovered: number;
  /** Since when any part of it has been uncovered; null if it is covered. */
  uncovered_since: number | null;
  /** The strategy that owns it; null if none does. */
  owner: string | null;
  /**
   * `orphan`: it has no owner; `ignored`: by an operator's decision; `unmanaged`: a spot asset that the bot never
   * traded, or too little of one to be sold, which it leaves alone.
   */
  ownership: 'owned' | 'ignored' | 'orphan' | 'unmanaged';
}

export interface StrategyRow {
  name: string;
  /** The configuration's `use`: a path from its folder, or a package. */
  plugin: string;
  wallet: string;
  symbols: readonly string[];
  life: 'idle' | 'running' | 'stopped' | 'quarantined' | 'waiting';
  /** Why it ended, if it did by its own fault; null otherwise. */
  fault: string | null;
  /** Why an operator has paused it, so that it adds no exposure; null if it is not paused. */
  paused: string | null;
  /** How far its new version has come: at `shadow` the version of the file trades; null without a new one. */
  stage: 'shadow' | 'canary' | 'live' | null;
  /** Why it may no longer enter; null if it may. */
  throttled: string | null;
  /** The newest bar of its symbols. */
  bar_symbol: string | null;
  bar_time: number | null;
  /** The newest of its intents. */
  intent: IntentSummary | null;
  emitted: number;
  accepted: number;
  /** By guard, or by the service's code. */
  denied: Readonly<Record<string, number>>;
  /** This and what follows since the process began, quote units; of an adopted position all that it has earned. */
  net_pnl: number;
  realized_pnl: number;
  unrealized_pnl: number;
  fees: number;
  funding: number;
  fills: number;
  /** The version beside it that sends nothing; null without one. */
  shadow: ShadowRow | null;
}

/** A shadow beside the version that trades: the newest intents of both, and what each has earned. */
export interface ShadowRow {
  plugin: string;
  state: 'waiting' | 'running' | 'quarantined' | 'ended';
  /** Why it was ended; null if it was not. */
  reason: string | null;
  /** Market time that it has reached, epoch milliseconds; 0 before its first bar. */
  until: number;
  intents: number;
  denied: number;
  /** Intents of both that are the same, and those in which they differ. */
  same: number;
  parted: number;
  /** Since both run, quote units. */
  net_pnl: number;
  live_pnl: number;
}

export interface IntentSummary {
  /** Idempotency key. */
  key: string;
  kind: string;
  symbol: string;
  state: string;
  time: number;
}

export interface OrderRow {
  wallet: string;
  order_id: string;
  /** Of the execution that placed it; null if it is an order of its own. */
  execution_id: string | null;
  symbol: string;
  side: string;
  order_type: string;
  size: number;
  filled_size: number;
  price: number | null;
  reduce_only: boolean;
  status: string;
  created_time: number;
  owner: string | null;
}

export interface ExecutionRow {
  wallet: string;
  execution_id: string;
  algo: string;
  symbol: string;
  side: string;
  total_size: number;
  filled_size: number;
  /** 0 to 1. */
  progress: number;
  status: string;
  phase: string;
  reduce_only: boolean;
  created_time: number;
  owner: string | null;
}

export interface UnansweredRow extends IntentSummary {
  strategy: string;
  wallet: string;
  state: 'unknown' | 'unresolved';
  reason: string;
  /** The command that settles it. */
  command: string;
}

/** Weights of the service's rate budget. */
export interface BudgetBlock {
  used: number;
  limit: number;
  /** What the bot allows itself of the limit. */
  allowance: number;
  /** Most that was used in any one window. */
  peak: number;
  /**
   * End of a pause that the service asked for, epoch milliseconds in whole seconds: wall time, or market time where the
   * budget counts it; null if there is none.
   */
  held_until: number | null;
  /** Weight spent since the start. */
  spent: Readonly<Record<string, number>>;
  /** Intents that wait: for the budget or the connection by lane, others by what they wait for. */
  deferred: Readonly<Record<string, number>>;
}

/** A view with the newest lines about the bot, with which a reader begins. */
export interface WholeView extends BotView {
  /** Whether the server takes commands for this bot, from those with the control token. */
  control: boolean;
  /** Oldest first. */
  events: readonly EventRow[];
  /** Set where this is not a running bot; `unknown` are the parts that its source does not know. */
  past?: { unknown: readonly BlockName[] };
}

/** A line about the bot, with the sequence at which it came. */
export interface EventRow {
  sequence: number;
  time: number;
  wall_time: number;
  level: 'info' | 'warn' | 'error';
  text: string;
  /** Key of the intent that it is about. */
  key?: string;
  fields: Readonly<Record<string, string | number | boolean>>;
}

/** What a reader that has the view of `sequence` − 1 lacks. */
export interface ViewChange {
  sequence: number;
  time: number;
  wall_time: number;
  blocks: Partial<Blocks>;
  events: readonly EventRow[];
}

/** Closed bars of one symbol, with what happened on them; columns, ascending. */
export interface CandlesView {
  symbol: string;
  interval_ms: number;
  /** Open times. */
  time: number[];
  open: number[];
  high: number[];
  low: number[];
  close: number[];
  fills: readonly FillMark[];
  intents: readonly IntentMark[];
}

/** An intent where a strategy emitted it, with its newest state. */
export interface IntentMark extends IntentSummary {
  strategy: string;
}

export interface FillMark {
  time: number;
  wallet: string;
  side: string;
  price: number;
  size: number;
  owner: string | null;
}
