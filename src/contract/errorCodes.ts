/**
 * Every error code of the service: one row a code (spec §7, conventions §1). REST and WebSocket share
 * it (ERR-1); the client's error classes, the paper service's answers and the docs test read it.
 */
export const ERROR_CODES = {
  invalid_json: { status: 400, message: 'The body is not JSON.' },
  idempotency_key_required: { status: 400, message: 'Idempotency-Key is required here.' },
  missing_credentials: { status: 401, message: 'The three signing headers are required.' },
  unknown_key: { status: 401, message: 'No such API key.' },
  invalid_signature: { status: 401, message: 'The signature does not match the request.' },
  timestamp_out_of_window: { status: 401, message: 'The timestamp is too far from server time.' },
  session_credentials_refused: {
    status: 401,
    message: 'Dashboard session credentials do not work here; sign the request.',
  },
  insufficient_scope: { status: 403, message: 'The key lacks the scope for this call.' },
  not_found: { status: 404, message: 'No such resource.' },
  unknown_symbol: { status: 404, message: 'No such symbol.' },
  unknown_wallet: { status: 404, message: 'No such wallet among your connections.' },
  unknown_channel: { status: 404, message: 'No such channel.' },
  unknown_command: { status: 404, message: 'No such command.' },
  no_position: { status: 404, message: 'There is no open position on the symbol.' },
  method_not_allowed: { status: 405, message: 'The path does not take this method.' },
  wallet_not_linked: { status: 409, message: 'The connection has no linked wallet.' },
  tracked_entry_immutable: { status: 409, message: 'A tracked entry cannot be modified.' },
  invalid_transition: { status: 409, message: 'The state does not allow this action.' },
  idempotency_conflict: {
    status: 409,
    message: 'The Idempotency-Key was used for a different request.',
  },
  duplicate_client_order_id: { status: 409, message: 'The client_order_id was used before.' },
  duplicate_client_execution_id: {
    status: 409,
    message: 'The client_execution_id was used before.',
  },
  template_limit: { status: 409, message: 'The wallet has its full number of templates.' },
  payload_too_large: { status: 413, message: 'The body is too large.' },
  unsupported_media_type: { status: 415, message: 'Send Content-Type: application/json.' },
  validation_failed: { status: 422, message: 'The request is not valid.' },
  oscillator_level: { status: 422, message: 'The series is not a price and cannot be a level.' },
  wrong_side_trigger: { status: 422, message: 'The leg resolves on the wrong side.' },
  trailing_limit: { status: 422, message: 'The wallet has its full number of maintained rows.' },
  absolute_sweep_limit_on_tracked_trigger: {
    status: 422,
    message: 'A tracked trigger takes sweep_limit_bps, not an absolute sweep_limit.',
  },
  trail_cannot_unwind: { status: 422, message: 'A trail cannot be an algo unwind.' },
  unwind_cannot_serve_level: { status: 422, message: 'GhostSweep cannot serve an `at` leg.' },
  unsupported_unwind_algo: { status: 422, message: 'The algorithm cannot unwind a position.' },
  below_algo_minimum: { status: 422, message: 'The value is below the algo minimum.' },
  below_order_minimum: { status: 422, message: 'The value is below the minimum order value.' },
  indicator_not_ready: { status: 422, message: 'The indicator needs more closed bars.' },
  would_cross: { status: 422, message: 'The order would cross the book.' },
  insufficient_margin: { status: 422, message: 'The margin does not suffice.' },
  insufficient_balance: { status: 422, message: 'The balance does not suffice.' },
  leverage_out_of_range: { status: 422, message: 'The leverage is out of range.' },
  too_many_legs: { status: 422, message: 'A basket takes at most 10 legs.' },
  rate_limited: { status: 429, message: 'The rate budget is spent.' },
  internal: { status: 500, message: 'Internal error.' },
  venue_unavailable: { status: 503, message: 'The venue is unavailable.' },
  service_starting: { status: 503, message: 'The service is starting.' },
} as const satisfies Record<string, { status: number; message: string }>;

export type ErrorCode = keyof typeof ERROR_CODES;

/**
 * Status of a code that depends on the call: `no_position` is 404 on `GET /positions/{symbol}` and 422
 * where a position is a precondition (conventions §1).
 */
export function statusOf(code: ErrorCode, asPrecondition = false): number {
  return code === 'no_position' && asPrecondition ? 422 : ERROR_CODES[code].status;
}

/** Whether a code read from the wire is known (ERR-2). */
export function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(ERROR_CODES, code);
}

/** Whether the same request may be taken a while later: the budget was spent (LIM-2), or the service was in trouble. */
export function isTransient(code: string): boolean {
  if (!isErrorCode(code)) return false;
  const { status } = ERROR_CODES[code];
  return status === 429 || status >= 500;
}
