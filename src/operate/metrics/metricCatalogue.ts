/** The labels that a metric may have. Their values are few: names of the plan, and fixed terms. */
export type MetricLabel =
  'wallet' | 'strategy' | 'symbol' | 'state' | 'lane' | 'guard' | 'kind' | 'version';

export interface MetricDefinition {
  /** Without the prefix `trimtab_`. */
  name: string;
  type: 'gauge' | 'counter' | 'histogram';
  /** Beside `bot`, which every metric has. */
  labels: readonly MetricLabel[];
  help: string;
  /** Upper bounds of a histogram's buckets, seconds. */
  buckets?: readonly number[];
  /** `state`: read from the bot's state with each scrape; `port`: counted while the bot runs. */
  from: 'state' | 'port';
}

export const PREFIX = 'trimtab_';

const DECISION_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 30, 300];
const REQUEST_BUCKETS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const APPEND_BUCKETS = [0.00005, 0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.01, 0.05, 0.25, 1];

const gauge = (name: string, labels: readonly MetricLabel[], help: string): MetricDefinition => ({
  name,
  type: 'gauge',
  labels,
  help,
  from: 'state',
});

const counter = (
  name: string,
  labels: readonly MetricLabel[],
  help: string,
  from: MetricDefinition['from'] = 'port',
): MetricDefinition => ({ name, type: 'counter', labels, help, from });

const histogram = (
  name: string,
  labels: readonly MetricLabel[],
  help: string,
  buckets: readonly number[],
): MetricDefinition => ({ name, type: 'histogram', labels, help, buckets, from: 'port' });

/** Every metric of a bot, in the order of its page. Money is in quote units, times are seconds. */
export const METRICS: readonly MetricDefinition[] = [
  gauge(
    'build_info',
    ['version', 'kind'],
    'Always 1; version of Trimtab, and what the bot trades on.',
  ),
  gauge('up', [], '1 while the stream is open and the service accepts the key, else 0.'),
  gauge('kill_level', [], 'Kill level, 0 to 4; only an operator lowers it.'),
  gauge('entries_open', [], '1 if entries may be sent on every wallet, else 0.'),
  gauge(
    'wallet_entries_open',
    ['wallet'],
    "0 if something closes this wallet's entries alone: the day's loss limit, a position without an owner or a stop, a refused scope.",
  ),
  gauge(
    'closed_symbols',
    ['wallet'],
    'Symbols to which no exposure is added: a doubted position, or no new bars.',
  ),
  gauge('key_refused', [], "1 if the service refuses the bot's key."),
  gauge(
    'equity',
    ['wallet'],
    'Equity of a wallet: cash, open profit and every spot asset, by the closes of the newest closed bars (mostly `1m`): a move within a bar is not in it yet.',
  ),
  gauge(
    'day_pnl',
    ['wallet'],
    'Equity earned or lost since the UTC day began, deposits and withdrawals aside, valued as `equity`; absent before the first bar.',
  ),
  gauge(
    'day_loss_limit',
    ['wallet'],
    'Loss of the day at which entries end; absent without a limit.',
  ),
  gauge(
    'position_notional',
    ['wallet', 'strategy', 'symbol'],
    'Notional of a position or a spot holding at the close of the newest closed bar, negative if short; 0 when flat. No strategy if it has no owner.',
  ),
  gauge(
    'uncovered_seconds',
    ['wallet', 'symbol'],
    'For how long any part of a position has been without an acknowledged stop, in market time; 0 if covered, or ignored by an operator.',
  ),
  gauge(
    'uncovered_limit_seconds',
    [],
    'After how long that is an alert: `warn_uncovered_seconds`, or 60; absent with `max_uncovered_seconds: off`.',
  ),
  gauge(
    'orphan_positions',
    ['wallet'],
    'Positions without an owner, spot holdings that the bot bought included.',
  ),
  gauge('ignored_positions', ['wallet'], 'Positions that an operator has the bot ignore.'),
  gauge('strategy_paused', ['strategy'], '1 if an operator has paused it, also before a restart.'),
  gauge(
    'strategy_throttled',
    ['strategy'],
    '1 if it entered too often and waits for an operator, also since before a restart.',
  ),
  gauge('strategy_quarantined', ['strategy'], '1 if it ended by its own fault.'),
  gauge(
    'strategy_stage',
    ['strategy'],
    'Which version trades: 0 that of the file, 1 the new one with its canary share, 2 the new one with all.',
  ),
  counter('intents_total', ['kind', 'state'], 'Steps that intents took.', 'state'),
  counter(
    'denied_total',
    ['guard'],
    'Intents that a guard denied. `malformed` and `malformed_exit`: they never were valid, and were dropped.',
    'state',
  ),
  histogram(
    'decision_age_seconds',
    ['strategy'],
    'Market time from the event that caused a decision to its first sending.',
    DECISION_BUCKETS,
  ),
  counter('fills_total', ['wallet', 'strategy', 'symbol'], 'Fills.'),
  counter(
    'fees_total',
    ['wallet', 'strategy', 'symbol'],
    'Fees paid with fills. Rebates are left out: a counter never falls.',
  ),
  histogram(
    'request_seconds',
    [],
    'Time from a request to its answer, or to its end without one.',
    REQUEST_BUCKETS,
  ),
  counter('http_429_total', [], 'Answers with status 429.'),
  gauge(
    'budget_used_ratio',
    ['lane'],
    'Weight in the window by what this lane may fill; at 1 it waits.',
  ),
  gauge(
    'deferred',
    ['lane'],
    'Intents that wait: for the budget or the connection by lane, others by what they wait for.',
  ),
  gauge('unknown_intents', [], 'Intents that were sent and are being looked up.'),
  gauge('unresolved_intents', [], 'Intents whose outcome only an operator can settle.'),
  gauge('stream_connected', [], '1 if the stream is open.'),
  counter(
    'stream_reconnects_total',
    [],
    'How often the stream was opened again after a loss.',
    'state',
  ),
  gauge(
    'market_data_age_seconds',
    ['symbol'],
    'Market time since the newest close; before the first, time since the start.',
  ),
  gauge(
    'clock_offset_seconds',
    [],
    "The service's clock minus this machine's; absent in one process.",
  ),
  histogram('journal_append_seconds', [], 'Time of an append until it is durable.', APPEND_BUCKETS),
  gauge('journal_bytes', [], 'Size of the journal with its log; absent unless it is a file.'),
  gauge('disk_free_bytes', [], 'Free space where the journal is; absent unless it is a file.'),
  gauge(
    'disk_size_bytes',
    [],
    'Size of the disk where the journal is; absent unless it is a file.',
  ),
  counter('quarantines_total', ['strategy'], 'How often a strategy ended by its own fault.'),
  gauge('event_loop_lag_seconds', [], 'The longest delay of the main loop since the last scrape.'),
  gauge(
    'watchdog_pulse_age_seconds',
    [],
    'Age of the pulse that the main loop writes for its watchdog; absent if it writes none.',
  ),
];
