import type { Dialect } from '../contract/dialect.ts';
import { isErrorCode, statusOf } from '../contract/errorCodes.ts';
import type { Exchange } from '../contract/exchange.ts';
import type { ResultFrame } from '../contract/frames.ts';

/**
 * A command's result in the shape of an HTTP answer, so that the reader of outcomes knows one shape (STR-6,
 * ERR-1). A refusal with an unknown code counts as 500: nothing is concluded from it.
 */
export function readResult(frame: ResultFrame, names: Dialect['headers']): Exchange {
  const headers = readHeaders(frame, names);
  if (frame.ok) {
    return { kind: 'answered', response: { status: 200, headers, body: frame.data } };
  }
  const code = frame.error?.code ?? '';
  const status = isErrorCode(code) ? statusOf(code, true) : 500;
  const requestId = typeof frame.request_id === 'string' ? { request_id: frame.request_id } : {};
  return {
    kind: 'answered',
    response: { status, headers, body: { error: frame.error, ...requestId } },
  };
}

function readHeaders(frame: ResultFrame, names: Dialect['headers']): Record<string, string> {
  const pairs: Array<[string, string | number | null | undefined]> = [
    [names.requestId, frame.request_id],
    [names.weight, frame.weight],
    [names.walletResolved, frame.wallet],
  ];
  const headers: Record<string, string> = {};
  for (const [name, value] of pairs) {
    if (value !== null && value !== undefined) headers[name.toLowerCase()] = String(value);
  }
  return headers;
}
