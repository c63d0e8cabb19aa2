import { ERROR_CODES, type ErrorCode } from '../../contract/errorCodes.ts';
import { readFieldIssues, type FieldIssue } from '../../contract/errorEnvelope.ts';
import { ServiceFaultError } from './ServiceFaultError.ts';

/** 400, 404, 405, 413, 415: the request names or contains something that doesn't exist. */
export class BadRequestError extends ServiceFaultError {
  override readonly name = 'BadRequestError';
}

/** 401: key, signature or timestamp (AUTH-1, AUTH-3). */
export class CredentialsError extends ServiceFaultError {
  override readonly name = 'CredentialsError';
}

/** 403 (AUTH-4). */
export class InsufficientScopeError extends ServiceFaultError {
  override readonly name = 'InsufficientScopeError';

  /** The scope that the key lacks. */
  get requiredScope(): string | null {
    const scope = this.details['required_scope'];
    return typeof scope === 'string' ? scope : null;
  }
}

/** 404: the resource, symbol, wallet or position doesn't exist. */
export class NotFoundError extends ServiceFaultError {
  override readonly name = 'NotFoundError';
}

/** 409: the state of the resource, key or id doesn't allow it. */
export class ConflictError extends ServiceFaultError {
  override readonly name = 'ConflictError';
}

/** 422: incoherent or invalid (RULE-2, LEG-8). */
export class InvalidRequestError extends ServiceFaultError {
  override readonly name = 'InvalidRequestError';

  /** Faults by field, those that can be read; empty for a code that concerns the whole request. */
  get fields(): readonly FieldIssue[] {
    return readFieldIssues(this.details);
  }
}

/** 429 (LIM-2). */
export class RateLimitedError extends ServiceFaultError {
  override readonly name = 'RateLimitedError';

  /** `key_minute`, `read_headroom_gate` (MKT-5), or a value of a newer service. */
  get bucketExceeded(): string | null {
    const bucket = this.details['bucket_exceeded'];
    return typeof bucket === 'string' ? bucket : null;
  }

  get retryAfterSeconds(): number | null {
    const seconds = this.details['retry_after_seconds'];
    return typeof seconds === 'number' ? seconds : null;
  }
}

/** 5xx: whether the request was executed isn't known. */
export class ServiceUnavailableError extends ServiceFaultError {
  override readonly name = 'ServiceUnavailableError';
}

/** The family of each status in the table of codes. */
const FAMILY_OF_STATUS = {
  400: BadRequestError,
  401: CredentialsError,
  403: InsufficientScopeError,
  404: NotFoundError,
  405: BadRequestError,
  409: ConflictError,
  413: BadRequestError,
  415: BadRequestError,
  422: InvalidRequestError,
  429: RateLimitedError,
  500: ServiceUnavailableError,
  503: ServiceUnavailableError,
} as const satisfies Record<(typeof ERROR_CODES)[ErrorCode]['status'], typeof ServiceFaultError>;

/**
 * The class of a known code. `no_position` is the one code with two statuses, so the answer's own status
 * decides if the table knows it.
 */
export function familyOf(code: ErrorCode, status: number): typeof ServiceFaultError {
  const known = Object.hasOwn(FAMILY_OF_STATUS, status) ? status : ERROR_CODES[code].status;
  return FAMILY_OF_STATUS[known as keyof typeof FAMILY_OF_STATUS];
}
