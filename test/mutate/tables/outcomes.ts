import { tableOf } from '../Patch.ts';

// prettier-ignore
export const outcomes = tableOf('outcomes', [
['classify.ts', 'silence is a rejection', "return { kind: 'unknown', reason: withRequestId(exchange.reason, exchange.requestId) };", "return { kind: 'rejected', fault: { code: 'internal', message: exchange.reason, details: {} } as never, status: 0 };"],
['classify.ts', 'an order is sent again instead of looked up', "endpoint === 'orders.place' ? 'lookup' : 'resend'", "endpoint === 'orders.place' ? 'resend' : 'resend'"],
['classify.ts', 'a page of a proxy is a success', 'endpoint === undefined || isRecordOf(endpoint, body)', 'true'],
['classify.ts', 'a 3xx is a success', 'status < 300', 'status < 400'],
['classify.ts', 'a taken client id is a rejection', "fault.code === 'duplicate_client_order_id' ||", ''],
['classify.ts', 'a taken client id of an execution is a rejection', "|| fault.code === 'duplicate_client_execution_id'", ''],
['classify.ts', 'a wrong clock is a rejection', "if (fault.code === 'timestamp_out_of_window') return { kind: 'clock', fault };", ''],
['classify.ts', 'an unknown code is a rejection', "if (refusal.kind === 'doubtful') return { kind: 'doubtful', fault, status };", ''],
['classify.ts', 'a 429 is a rejection', 'if (status === 429) {', 'if (status === 430) {'],
['classify.ts', 'a 429 does not bind the budget', "reason: fault.code, rateLimited: true", "reason: fault.code, rateLimited: false"],
['classify.ts', 'the header counts before the envelope', "details?.['retry_after_seconds'] ?? headers['retry-after']", "headers['retry-after'] ?? details?.['retry_after_seconds']"],
['classify.ts', 'a 429 without a figure is sent again at once', 'const DEFAULT_RETRY_MS = 1_000;', 'const DEFAULT_RETRY_MS = 0;'],
['classify.ts', 'a close is sent again however late', "  'executions.stop',\n", "  'executions.stop',\n  'positions.close',\n"],
['classify.ts', 'a resume is sent again however late', "  'executions.pause',\n", "  'executions.pause',\n  'executions.resume',\n"],
['classify.ts', 'a bulk cancel is sent again however late', "  'orders.cancel',\n", "  'orders.cancel',\n  'orders.bulkCancel',\n"],
['classify.ts', 'a cancel expires', "  'orders.cancel',\n", ''],
['classify.ts', 'what never left counts as unknown', "    case 'not_sent':\n      return {\n        kind: 'again',\n        afterMs: RETRY_NOT_SENT_MS,\n        reason: exchange.reason,\n        rateLimited: false,\n      };", "    case 'not_sent':\n      return { kind: 'unknown', reason: exchange.reason };"],
['isRecordOf.ts', 'an empty id is a record', "value !== undefined && value !== null && value !== ''", 'value !== undefined && value !== null'],
['isRecordOf.ts', 'null is a record\'s id', "value !== undefined && value !== null && value !== ''", "value !== undefined && value !== ''"],
['isRecordOf.ts', 'a close needs both ids', 'names.some((name)', 'names.every((name)'],
['backoffMs.ts', 'waits grow without an end', 'Math.min(CAP_MS, BASE_MS * 2 ** Math.min(attempt, 10))', 'BASE_MS * 2 ** attempt * 10'],
['backoffMs.ts', 'waits do not grow', '2 ** Math.min(attempt, 10)', '2 ** 1'],
['backoffMs.ts', 'all wait equally long', 'random.next() * (ceiling', '1 * (ceiling'],
]);
