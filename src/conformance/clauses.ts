/**
 * The clauses of the contract that a service has to meet, in the order of their families, each in a few
 * words. Clauses that bind only the client are not listed: they can't be observed from outside.
 *
 * ```ts
 * CLAUSES['AUTH-1'].length > 0; // => true
 * ```
 */
export const CLAUSES = {
  'AUTH-1': 'three signed headers on every request',
  'AUTH-2': 'the body that is signed is the text as sent',
  'AUTH-3': 'session credentials do not work',
  'AUTH-4': 'a call outside the scopes is refused',
  'AUTH-5': 'keys need a linked wallet; secrets are shown once',
  'AUTH-6': 'idempotency keys: mandatory on launches, kept, echoed',
  'AUTH-7': 'every response names its request',
  'AUTH-9': 'health and inbound webhooks are unsigned; nothing moves funds out',
  'AUTH-8': 'time tolerance, signed query, replays, wallet selector',
  'RULE-1': 'input is recorded as sent',
  'RULE-2': 'incoherent requests: 422, field by field',
  'RULE-3': 'preflight checks shape; live data decides on the rest',
  'RULE-4': 'reduce_only reaches every child order',
  'ORD-1': 'orders: limit, and market with slippage protection',
  'ORD-2': 'an order says whether it is queued, and how it was resolved',
  'ORD-3': 'client_order_id is kept across tracked moves',
  'ORD-4': 'place, modify, cancel, bulk cancel, history, fills',
  'ORD-5': 'symbols travel percent-encoded, signed as sent',
  'TRK-1': 'entries priced by an indicator',
  'TRK-2': 'a tracked entry follows the level, both ways',
  'TRK-3': 'min_move_bps throttles venue writes',
  'TRK-4': 'max_drift_bps ends tracking',
  'TRK-5': 'a level that would cross holds',
  'TRK-6': 'tracked entries count among 20 rows',
  'TRK-7': 'a tracked entry is immutable; cancel and fill retire it',
  'LEG-1': 'exactly one form a leg',
  'LEG-2': 'offset: anchor ± mult × value',
  'LEG-3': 'at: the level itself, prices only',
  'LEG-4': 'trail: percentage, distance, level',
  'LEG-5': 'exit style and min_move_bps',
  'LEG-6': 'series picks a line',
  'LEG-7': 'the resolution is echoed',
  'LEG-8': 'the side is checked, never clamped',
  'LEG-9': 'trails do not unwind; GhostSweep serves no level',
  'LEG-10': 'minimum values of algo exits',
  'LEG-11': 'at most 20 trailing legs a wallet',
  'LEG-12': 'the spec names of the legs are published',
  'EXE-1': 'six algorithms that work',
  'EXE-2': 'the launch request',
  'EXE-3': 'legs of a launch follow its fills',
  'EXE-4': 'sweep limits',
  'EXE-5': 'limits and stops may follow a level',
  'EXE-6': 'one vocabulary of conditions',
  'EXE-7': 'stop, pause, resume, complete-at-market, mark-complete',
  'EXE-8': 'live progress; one reason on both roads',
  'EXE-9': 'stale data warns at 30 s, pauses at 5 min',
  'POS-1': 'positions, entry fees, leverage, close, legs',
  'POS-2': 'native legs are coupled to the position',
  'POS-3': 'algo_unwind compiles into monitors',
  'POS-4': 'two compiled legs are an oco group',
  'POS-5': 'a compiled monitor is frozen',
  'MKT-1': 'closed bars, the forming one on request',
  'MKT-2': 'values bind to the last closed bar',
  'MKT-3': 'cached candles say so',
  'MKT-4': 'fourteen indicators with the published values',
  'MKT-5': 'reads stop before the venue budget is spent',
  'MKT-6': 'instruments, markets, book, price',
  'MON-1': 'monitors and groups',
  'WHK-1': 'webhooks: cooldown, cap, dry run, token',
  'BSK-1': 'baskets and templates',
  'ACC-1': 'account, balances, P&L, fills, settings',
  'ACC-2': 'fee tiers by the 14-day volume',
  'CON-1': 'connections',
  'STR-1': 'channels over WebSocket and SSE',
  'STR-2': 'account.state: snapshot, then updates',
  'STR-3': 'tpsl.watch: moves, holds, retirements',
  'STR-4': '_meta: welcome, degradation, recovery',
  'STR-5': 'every frame names its wallet',
  'STR-6': 'commands, as REST',
  'STR-7': 'message shapes and subscriptions',
  'LIM-1': 'weights and budgets',
  'LIM-2': 'rate_limited says what and how long',
  'ERR-1': 'one error vocabulary',
  'DIAL-1': 'the silent points are as the dialect says',
  'VER-1': 'everything is under /v1/',
  'VER-2': 'the core surface keeps its shapes',
} as const;

export type ClauseId = keyof typeof CLAUSES;
/**
 * Ids of {@link CLAUSES}, in their order.
 *
 * ```ts
 * CLAUSE_IDS.includes('AUTH-1'); // => true
 * ```
 */
export const CLAUSE_IDS = Object.keys(CLAUSES) as ClauseId[];
