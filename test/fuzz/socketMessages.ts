import {
  CHANNEL_NAMES,
  CHANNELS,
  COMMANDS,
  defaultDialect,
  type CommandName,
  type EndpointId,
} from '../../src/contract/index.ts';
import type { Draw } from './Draw.ts';
import { encodeJson, RawJson } from './encodeJson.ts';
import { fromSchema } from './fromSchema.ts';
import type { Known } from './Known.ts';
import { validRequest, type ShapedRequest } from './ShapedRequest.ts';
import { spoil } from './spoil.ts';

/** A message for the socket, and the expected answer. */
export interface SocketMessage {
  how: string;
  /** Row of the statistics. */
  name: string;
  data: string | Buffer;
  /** Correlation id that the answer must carry; null: no particular one. */
  id: string | null;
  /** Set for a command of the table, whose data is checked against it. */
  endpoint: EndpointId | null;
  /** The connection may be closed instead. */
  mayClose: boolean;
}

interface Bench {
  id: string;
  draw: Draw;
  known: Known;
  idempotencyKey: string;
}

/** A command in its valid shape, or with one thing wrong. */
export function commandMessage(
  command: CommandName,
  bench: Bench,
  spoiled: boolean,
): SocketMessage {
  const { id, draw, known } = bench;
  const endpoint = COMMANDS[command];
  const request = validRequest(endpoint, draw, known);
  const how = spoiled ? spoil(request, draw) : 'valid';
  const args = { ...request.query, ...request.pathParams, ...bodyFields(request) };
  const needsKey = endpoint === 'executions.launch';
  const message = {
    id,
    op: 'command',
    command,
    args: isPlain(request.body) ? args : request.body,
    ...(draw.chance(0.2) ? { wallet: draw.pick(known.wallets) } : {}),
    ...(needsKey || draw.chance(0.1) ? { idempotency_key: bench.idempotencyKey } : {}),
  };
  return { how, name: `ws ${command}`, data: encodeJson(message), id, endpoint, mayClose: false };
}

const isPlain = (body: unknown): boolean =>
  body === undefined ||
  (typeof body === 'object' && body !== null && Object.getPrototypeOf(body) === Object.prototype);

function bodyFields({ body, endpoint }: ShapedRequest): object {
  if (!isPlain(body) || defaultDialect.endpoints[endpoint].body === null) return {};
  return body as object;
}

/** A subscription or its end, valid or with one thing wrong. */
export function subscriptionMessage(bench: Bench, spoiled: boolean): SocketMessage {
  const { id, draw, known } = bench;
  const channel = draw.pick(CHANNEL_NAMES);
  const symbol = draw.pick(known.symbols);
  const params = fromSchema(CHANNELS[channel].params, {
    draw,
    known,
    surface: 'stream',
    symbol,
    side: 'buy',
    path: [],
  }) as Record<string, unknown>;
  if ('wallet' in params) params['wallet'] = draw.pick(known.wallets);
  if ('execution_id' in params) params['execution_id'] = known.id('execution_id', draw);
  const op = draw.pick(['subscribe', 'subscribe', 'unsubscribe']);
  // The message is changed as a body would be.
  const message = { op, channel, params };
  const request: ShapedRequest = {
    endpoint: 'account.get',
    pathParams: {},
    query: {},
    body: message,
  };
  const how = spoiled ? spoil(request, draw) : 'valid';
  const whole = isPlain(request.body) ? { id, ...(request.body as object) } : request.body;
  return {
    how,
    name: `ws ${op}`,
    data: encodeJson(whole),
    id: isPlain(request.body) && !spoiled ? id : null,
    endpoint: null,
    mayClose: false,
  };
}

/** Texts and bytes that are not messages of the contract. */
export function hostileMessage({ id, draw }: Bench): SocketMessage {
  const head = { how: 'hostile', name: 'ws hostile', id: null, endpoint: null };
  if (draw.chance(0.03)) {
    const how = 'oversized';
    return { ...head, how, data: 'x'.repeat(300_000), mayClose: true };
  }
  if (draw.chance(0.1)) {
    const data = Buffer.from(draw.pick([[0xff, 0xfe], [0x7b, 0x7d], [0], [0xc3, 0x28]]));
    return { ...head, how: 'binary', data, mayClose: true };
  }
  return { ...head, data: draw.pick(TEXTS)(id), mayClose: false };
}

const envelope = (fields: Record<string, unknown>): string => encodeJson(fields);

const TEXTS: ReadonlyArray<(id: string) => string> = [
  () => '',
  () => ' ',
  () => '{',
  () => 'null',
  () => '[]',
  () => '"text"',
  () => '7',
  () => '{}',
  () => '['.repeat(50_000),
  () => '{"a":'.repeat(50_000),
  (id) => envelope({ id }),
  (id) => envelope({ id, op: 'nothing' }),
  (id) => envelope({ id, op: '__proto__' }),
  (id) => envelope({ id, op: null }),
  (id) => envelope({ id, op: 'command' }),
  (id) => envelope({ id, op: 'command', command: '__proto__' }),
  (id) => envelope({ id, op: 'command', command: 'constructor', args: {} }),
  (id) => envelope({ id, op: 'command', command: 'toString', args: {} }),
  (id) => envelope({ id, op: 'command', command: 'get_orders', args: null }),
  (id) => envelope({ id, op: 'command', command: 'get_orders', args: [] }),
  (id) => envelope({ id, op: 'command', command: 'get_orders', args: { limit: '1' } }),
  (id) => envelope({ id, op: 'command', command: 'get_orders', wallet: '__proto__' }),
  (id) => envelope({ id, op: 'command', command: 'cancel_order', args: { id: 7 } }),
  (id) => envelope({ id, op: 'command', command: 'cancel_order', args: { id: ['ord_1'] } }),
  (id) => envelope({ id, op: 'command', command: 'cancel_order', args: { id: '__proto__' } }),
  (id) => envelope({ id, op: 'command', command: 'set_leverage', args: { symbol: 'BTC' } }),
  (id) => envelope({ id, op: 'command', command: 'execute', args: {} }),
  (id) => envelope({ id, op: 'command', command: 'execute', args: {}, idempotency_key: '' }),
  (id) => envelope({ id, op: 'command', command: 'place_order', idempotency_key: '__proto__' }),
  (id) => envelope({ id, op: 'subscribe' }),
  (id) => envelope({ id, op: 'subscribe', channel: '__proto__' }),
  (id) => envelope({ id, op: 'subscribe', channel: 'constructor', params: {} }),
  (id) => envelope({ id, op: 'subscribe', channel: 'price', params: { symbol: '__proto__' } }),
  (id) => envelope({ id, op: 'subscribe', channel: 'price', params: [] }),
  (id) => envelope({ id, op: 'subscribe', channel: 'account.state', params: { wallet: 'x' } }),
  (id) => envelope({ id, op: 'subscribe', channel: 'executions', params: { execution_id: '' } }),
  () => envelope({ id: 7, op: 'subscribe', channel: 'price' }),
  () => envelope({ id: '', op: 'subscribe', channel: 'price' }),
  () => envelope({ id: 'x'.repeat(10_000), op: 'subscribe', channel: 'price' }),
  () => envelope({ id: { a: new RawJson('1e400') }, op: 'subscribe' }),
  () => '{"id":"a","id":"b","op":"subscribe","channel":"_meta"}',
  () => '{"__proto__":{"id":"a","op":"subscribe","channel":"price"}}',
];
