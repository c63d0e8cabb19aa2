/**
 * The shared vocabulary of the service and its clients. Each list is the only place with its words;
 * schemas, types and documents are generated from it.
 */
export const SIDES = ['buy', 'sell'] as const;
export type Side = (typeof SIDES)[number];

export const SCOPES = ['read', 'trade', 'algo'] as const;
export type Scope = (typeof SCOPES)[number];

export const TIERS = ['standard', 'professional', 'institutional', 'elite'] as const;
export type Tier = (typeof TIERS)[number];

export const ORDER_TYPES = ['limit', 'market'] as const;
export const TIMES_IN_FORCE = ['gtc', 'ioc', 'post_only'] as const;
export const ORDER_STATUSES = ['open', 'filled', 'cancelled', 'rejected', 'expired'] as const;
export type OrderStatus = (typeof ORDER_STATUSES)[number];
/** Of an order that fills no more. */
export const ENDED_ORDERS: readonly string[] = ['filled', 'cancelled', 'rejected', 'expired'];

/**
 * EXE-1.
 *
 * ```ts
 * ALGOS.includes('pacemaker'); // => true
 * ```
 */
export const ALGOS = [
  'glidemaker',
  'pacemaker',
  'ghostsweep',
  'flowscale',
  'flowband',
  'smartexit',
] as const;
export type AlgoId = (typeof ALGOS)[number];

/** EXE-6: one vocabulary on REST and WebSocket. */
export const EXECUTION_STATUSES = [
  'running',
  'paused',
  'interrupted',
  'completed',
  'stopped',
] as const;
export type ExecutionStatus = (typeof EXECUTION_STATUSES)[number];
/** Of an execution that may still trade. */
export const LIVE_EXECUTIONS: readonly string[] = ['running', 'paused', 'interrupted'];

export const EXECUTION_PHASES = ['armed', 'working', 'sweeping', 'done'] as const;
export type ExecutionPhase = (typeof EXECUTION_PHASES)[number];

export const EXECUTION_REASONS = [
  'filled',
  'user_stop',
  'complete_at_market',
  'mark_complete',
  'sweep_limit',
  'time_limit',
  'insufficient_margin',
  'nothing_to_reduce',
  'stale_data',
  'venue_lost',
  'liquidated',
] as const;
export type ExecutionReason = (typeof EXECUTION_REASONS)[number];

/** EXE-7. */
export const EXECUTION_ACTIONS = [
  'stop',
  'pause',
  'resume',
  'complete-at-market',
  'mark-complete',
] as const;
export type ExecutionAction = (typeof EXECUTION_ACTIONS)[number];

export const LEG_KINDS = ['take_profit', 'stop_loss'] as const;
export type LegKind = (typeof LEG_KINDS)[number];
export const LEG_FORMS = ['price', 'offset', 'at', 'trail'] as const;
export type LegForm = (typeof LEG_FORMS)[number];
export const LEG_STATUSES = ['queued', 'armed', 'triggered', 'retired', 'rejected'] as const;
export type LegStatus = (typeof LEG_STATUSES)[number];
export const EXIT_STYLES = ['native', 'algo_unwind'] as const;

/**
 * Algorithms that can unwind a position (LEG-10); the others follow volume and can't guarantee an exit.
 */
export const UNWIND_ALGOS = ['glidemaker', 'smartexit', 'pacemaker', 'ghostsweep'] as const;
export type UnwindAlgo = (typeof UNWIND_ALGOS)[number];

export const POSITION_SIDES = ['long', 'short'] as const;
export const MARGIN_MODES = ['cross', 'isolated'] as const;
export const INSTRUMENT_KINDS = ['perp', 'spot', 'third_party_perp'] as const;
export const CONNECTION_STATUSES = ['active', 'unlinked', 'degraded'] as const;
export const LAYERS = ['market_data', 'orders', 'account', 'executions'] as const;
export type Layer = (typeof LAYERS)[number];
export const LAYER_STATUSES = ['ok', 'degraded', 'down'] as const;
export type LayerStatus = (typeof LAYER_STATUSES)[number];
export const MONITOR_STATUSES = ['armed', 'paused', 'fired', 'stopped', 'failed'] as const;
export const MONITOR_DIRECTIONS = ['above', 'below'] as const;
export const GROUP_MODES = ['none', 'oco'] as const;
export const DELIVERY_OUTCOMES = [
  'accepted',
  'dry_run',
  'cooldown',
  'daily_cap',
  'invalid',
  'failed',
] as const;
export const LIQUIDITIES = ['maker', 'taker'] as const;
export const WATCH_KINDS = ['leg', 'entry'] as const;
