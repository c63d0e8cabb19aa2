import { ERROR_CODES, statusOf, type ErrorCode } from '../../contract/index.ts';

/**
 * A refusal by the service: a code of the contract's table, with its details.
 *
 * ```ts
 * const refusal = new ServiceError('unknown_symbol', { details: { symbol: 'NONE' } });
 * refusal.code; // => 'unknown_symbol'
 * ```
 */
export class ServiceError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(
    code: ErrorCode,
    options: {
      message?: string;
      details?: Readonly<Record<string, unknown>>;
      /** `no_position` is 422 where a position is a precondition. */
      asPrecondition?: boolean;
    } = {},
  ) {
    super(options.message ?? ERROR_CODES[code].message);
    this.name = 'ServiceError';
    this.code = code;
    this.status = statusOf(code, options.asPrecondition);
    this.details = options.details ?? {};
  }
}
