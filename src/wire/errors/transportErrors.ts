import type { EndpointId } from '../../contract/endpoints.ts';

/** A reason is one of our words; the system's own (`connect ECONNREFUSED 127.0.0.1:80`) say where. */
function withCause(reason: string, cause: unknown): string {
  return cause instanceof Error && cause.message !== '' ? `${reason} (${cause.message})` : reason;
}

/** The request failed before its first byte left: sending it again is safe. */
export class NotSentError extends Error {
  override readonly name = 'NotSentError';
  readonly endpoint: EndpointId;
  readonly reason: string;

  constructor(endpoint: EndpointId, reason: string, cause?: unknown) {
    super(`${endpoint} was not sent: ${withCause(reason, cause)}`, { cause });
    this.endpoint = endpoint;
    this.reason = reason;
  }
}

/** The request left and no readable answer came: it may have been executed. */
export class NoAnswerError extends Error {
  override readonly name = 'NoAnswerError';
  readonly endpoint: EndpointId;
  readonly reason: string;

  constructor(endpoint: EndpointId, reason: string, cause?: unknown) {
    super(`${endpoint} got no answer and may have been executed: ${withCause(reason, cause)}`, {
      cause,
    });
    this.endpoint = endpoint;
    this.reason = reason;
  }
}

/** The service said yes, in a shape that v1 doesn't have. What it did is done; `body` is what it said. */
export class UnexpectedResponseError extends Error {
  override readonly name = 'UnexpectedResponseError';
  readonly endpoint: EndpointId;
  readonly status: number;
  readonly body: unknown;
  /** Dotted paths of what doesn't fit. */
  readonly paths: readonly string[];

  constructor(facts: {
    endpoint: EndpointId;
    status: number;
    body: unknown;
    paths: readonly string[];
  }) {
    super(
      `${facts.endpoint} answered ${facts.status} in an unexpected shape: ${facts.paths.join(', ')}`,
    );
    this.endpoint = facts.endpoint;
    this.status = facts.status;
    this.body = facts.body;
    this.paths = facts.paths;
  }
}
