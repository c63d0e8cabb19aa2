import type { ErrorCode } from '../../contract/errorCodes.ts';
import type { OpenEnum } from '../../contract/openEnum.ts';

/** The content of an error answer, by REST or WebSocket. */
export interface FaultFacts {
  code: OpenEnum<ErrorCode>;
  message: string;
  status: number;
  details: Readonly<Record<string, unknown>>;
  /** null if the service named none. */
  requestId: string | null;
}

/**
 * A refusal as the service sent it (ERR-1, spec §7). Unknown codes stay in `code` and arrive as this class
 * itself; known ones arrive as a subclass by family (ERR-2).
 *
 * ```ts
 * const { client, close } = openService(paper);
 * try {
 *   await client.orders.place({ body: { symbol: 'NONE', side: 'buy', size: 1, order_type: 'market' } });
 * } catch (error) {
 *   if (!(error instanceof ServiceFaultError)) throw error;
 *   error.code; // => 'unknown_symbol'
 * }
 * await close();
 * ```
 */
export class ServiceFaultError extends Error {
  override readonly name: string = 'ServiceFaultError';
  readonly code: OpenEnum<ErrorCode>;
  readonly status: number;
  readonly details: Readonly<Record<string, unknown>>;
  readonly requestId: string | null;

  /** @param cause the answer as it came */
  constructor(facts: FaultFacts, cause?: unknown) {
    super(`${facts.code}: ${facts.message}`, { cause });
    this.code = facts.code;
    this.status = facts.status;
    this.details = facts.details;
    this.requestId = facts.requestId;
  }
}
