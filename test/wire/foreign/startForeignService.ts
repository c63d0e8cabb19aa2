import { createHmac } from 'node:crypto';
import {
  createServer,
  request as httpRequest,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { ENDPOINT_IDS, ENDPOINTS, type EndpointId } from '../../../src/contract/index.ts';
import {
  CHANNEL_NAMES_THERE,
  CODES,
  COMMANDS_THERE,
  EVENTS,
  FIELDS,
  foreignDialect,
  QUERY,
  WORDS,
} from './foreignDialect.ts';

/**
 * A service that does everything that the spec leaves open in another way than the default dialect: a
 * translator before the paper service, written without the code that it is there to test.
 */

// oxlint-disable-next-line typescript/no-explicit-any -- a translator looks into whatever comes
type Loose = Record<string, any>;
type Names = Readonly<Record<string, string>>;

const turned = (names: Names): Names =>
  Object.fromEntries(Object.entries(names).map(([ours, theirs]) => [theirs, ours]));

const WORDS_HERE: Readonly<Record<string, Names>> = {
  ...WORDS,
  channel: CHANNEL_NAMES_THERE,
  event: EVENTS,
  command: COMMANDS_THERE,
};

/** One value from our names to theirs; `error.code`s are left to who knows them for such. */
function toTheirs(value: unknown, parent = ''): unknown {
  if (Array.isArray(value)) return value.map((item) => toTheirs(item, parent));
  if (typeof value === 'string') return WORDS_HERE[parent]?.[value] ?? value;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => {
      const isCode = key === 'code' && ['error', 'last_error', 'fields'].includes(parent);
      if (isCode && typeof item === 'string') return ['code', CODES[item] ?? item];
      const name = FIELDS[`${parent}.${key}`] ?? FIELDS[key] ?? key;
      return [name, toTheirs(item, key)];
    }),
  );
}

function toOurs(value: unknown, parent = ''): unknown {
  if (Array.isArray(value)) return value.map((item) => toOurs(item, parent));
  if (typeof value === 'string') return turned(WORDS_HERE[parent] ?? {})[value] ?? value;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => {
      const pair = Object.entries(FIELDS).find(([ours, theirs]) => {
        const [field, inside] = ours.split('.').toReversed();
        return theirs === key && (inside === undefined || inside === parent) && field !== undefined;
      });
      const ours = pair?.[0].split('.').at(-1) ?? key;
      return [ours, toOurs(item, ours)];
    }),
  );
}

interface Route {
  id: EndpointId;
  pattern: RegExp;
  method: string;
}

const ROUTES: readonly Route[] = ENDPOINT_IDS.map((id) => {
  const { path, method } = foreignDialect.endpoints[id];
  return { id, method, pattern: new RegExp(`^/v1${path.replace(/\{\w+\}/g, '([^/]+)')}$`) };
});

/** The address at the paper service. */
function translatePath(method: string, url: string): { id: EndpointId; path: string } | undefined {
  const [path = '', query = ''] = url.split('?');
  const route = ROUTES.find((one) => one.method === method && one.pattern.test(path));
  if (route === undefined) return undefined;
  const values = route.pattern.exec(path)!.slice(1);
  const filled = ENDPOINTS[route.id].path.replace(/\{\w+\}/g, () => {
    const value = decodeURIComponent(values.shift() ?? '');
    return encodeURIComponent(value.startsWith('own-') ? `client:${value.slice(4)}` : value);
  });
  const names = turned(QUERY);
  const pairs = [...new URLSearchParams(query)].map(([name, value]): [string, string] => {
    const ours = names[name] ?? turned(FIELDS)[name] ?? name;
    return [ours, ours === 'channels' ? toSse(value) : String(toOurs(value, ours))];
  });
  const tail = pairs.length === 0 ? '' : `?${new URLSearchParams(pairs).toString()}`;
  return { id: route.id, path: `/v1${filled}${tail}` };
}

/** `quotes?{"symbol":"BTC"}|…` → `price:BTC,…` */
function toSse(text: string): string {
  const channels = text.split('|').map((wish) => {
    const at = wish.indexOf('?');
    const channel = turned(CHANNEL_NAMES_THERE)[wish.slice(0, at)] ?? wish.slice(0, at);
    const params = toOurs(JSON.parse(wish.slice(at + 1))) as Loose;
    const order = ['symbol', 'interval', 'include_forming', 'limit'];
    const values = order.map((name) =>
      params[name] === undefined ? '' : String(params[name]).replace(/[%:,]/g, encodeURIComponent),
    );
    while (values.at(-1) === '') values.pop();
    return [channel, ...values].join(':');
  });
  return channels.join(',');
}

interface Upstream {
  baseUrl: string;
  wsUrl: string;
  keyId: string;
  secret: string;
}

export async function startForeignService(
  paper: Upstream,
): Promise<{ baseUrl: string; wsUrl: string }> {
  const secrets = new Map([[paper.keyId, paper.secret]]);
  const upstream = new URL(paper.baseUrl);

  /** Checks what the client signed, and signs again; what is wrong stays wrong. */
  const credentials = (
    incoming: IncomingMessage,
    { path, body, sent }: { path: string; body: string; sent: string },
  ): Record<string, string> => {
    const keyId = incoming.headers['x-service-api-key-id'];
    const timestamp = incoming.headers['x-service-timestamp'];
    const signature = incoming.headers['x-service-signature'];
    if (typeof keyId !== 'string' || typeof timestamp !== 'string') return {};
    const secret = secrets.get(keyId) ?? 'nobody';
    const hmac = (text: string): string => createHmac('sha256', secret).update(text).digest('hex');
    // The query is not part of the signed path here.
    const [theirs = ''] = (incoming.url ?? '').split('?');
    const isRight = hmac(`${timestamp}${incoming.method}${theirs}${sent}`) === signature;
    const method = /^(\w+) /.exec(path)?.[1] ?? 'GET';
    const target = path.slice(method.length + 1);
    return {
      'X-Service-Api-Key-Id': keyId,
      'X-Service-Timestamp': timestamp,
      'X-Service-Signature': isRight
        ? hmac(`${timestamp}${method}${target}${body}`)
        : '0'.repeat(64),
    };
  };

  const forwarded = (incoming: IncomingMessage): Record<string, string> => {
    const headers: Record<string, string> = {};
    const take = (from: string, to: string): void => {
      const value = incoming.headers[from];
      if (typeof value === 'string') headers[to] = value;
    };
    take('idempotency-key', 'Idempotency-Key');
    take('x-account', 'X-Service-Wallet');
    take('content-type', 'Content-Type');
    take('accept', 'Accept');
    return headers;
  };

  async function serve(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const sent = Buffer.concat(chunks).toString();
    const url = incoming.url ?? '';
    if (url.startsWith('/paper')) return pass({ incoming, outgoing, sent });
    const route = translatePath(incoming.method ?? '', url);
    const wrapped = sent === '' ? undefined : (JSON.parse(sent) as Loose)['input'];
    const body = wrapped === undefined ? '' : JSON.stringify(toOurs(wrapped));
    const method = route === undefined ? 'GET' : ENDPOINTS[route.id].method;
    const path = route?.path ?? '/v1/unknown';
    const signed = credentials(incoming, { path: `${method} ${path}`, body, sent });
    const headers = { ...forwarded(incoming), ...signed };
    const answer = httpRequest({
      host: upstream.hostname,
      port: upstream.port,
      method,
      path,
      headers,
    });
    answer.on('error', () => outgoing.destroy());
    answer.on('response', (response) => {
      const isStream = String(response.headers['content-type']).startsWith('text/event-stream');
      if (isStream) return stream(response, outgoing);
      void answerAs(response, outgoing);
    });
    answer.end(body);
  }

  function stream(response: IncomingMessage, outgoing: ServerResponse): void {
    outgoing.writeHead(200, { 'Content-Type': 'text/event-stream' });
    response.on('data', (chunk: Buffer) => {
      const text = chunk.toString().replace(/^data: ?(.*)$/gm, (_line, data: string) => {
        return `data: ${JSON.stringify(frameThere(JSON.parse(data) as Loose))}`;
      });
      outgoing.write(text.replace(/^(event|id):.*\n/gm, ''));
    });
    response.on('close', () => outgoing.end());
    outgoing.on('close', () => response.destroy());
  }

  const server = createServer((incoming, outgoing) => void serve(incoming, outgoing));
  const sockets = new WebSocketServer({ noServer: true });
  server.on('upgrade', (incoming, socket, head) => {
    const path = '/v1/stream';
    const signed = credentials(incoming, { path: `GET ${path}`, body: '', sent: '' });
    const up = new WebSocket(paper.wsUrl, { headers: { ...forwarded(incoming), ...signed } });
    const early: string[] = [];
    up.on('message', (data: Buffer) => early.push(data.toString()));
    up.on('unexpected-response', (_request, response) => {
      void textOf(response).then((text) => {
        const body = bodyThere(response.statusCode ?? 500, JSON.parse(text) as Loose);
        const head = `HTTP/1.1 ${response.statusCode} No\r\nContent-Length: ${Buffer.byteLength(body)}`;
        socket.end(`${head}\r\nDate: ${response.headers.date}\r\n\r\n${body}`);
      });
    });
    up.on('error', () => socket.destroy());
    up.on('open', () => {
      sockets.handleUpgrade(incoming, socket, head, (down) => {
        const deliver = (text: string): void =>
          down.send(JSON.stringify(frameThere(JSON.parse(text) as Loose)));
        for (const text of early) deliver(text);
        up.removeAllListeners('message');
        up.on('message', (data: Buffer) => deliver(data.toString()));
        down.on('message', (data: Buffer) => up.send(JSON.stringify(messageHere(data.toString()))));
        up.on('close', () => down.close());
        down.on('close', () => up.close());
      });
    });
  });

  function pass({
    incoming,
    outgoing,
    sent,
  }: {
    incoming: IncomingMessage;
    outgoing: ServerResponse;
    sent: string;
  }): void {
    const { method, url: path } = incoming;
    const headers = { 'Content-Type': 'application/json' };
    const options = { host: upstream.hostname, port: upstream.port, method, path, headers };
    const answer = httpRequest(options);
    const finish = async (response: IncomingMessage): Promise<void> => {
      const text = await textOf(response);
      if (method === 'POST' && path === '/paper/keys') {
        const { key_id: keyId, secret } = JSON.parse(text) as { key_id: string; secret: string };
        secrets.set(keyId, secret);
      }
      outgoing.writeHead(response.statusCode ?? 500, { 'Content-Type': 'application/json' });
      outgoing.end(text);
    };
    answer.on('response', (response) => void finish(response));
    answer.on('error', () => outgoing.destroy());
    answer.end(sent);
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const client of sockets.clients) client.terminate();
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const path = foreignDialect.endpoints['streams.websocket'].path;
  return { baseUrl: `http://127.0.0.1:${port}`, wsUrl: `ws://127.0.0.1:${port}/v1${path}` };
}

async function textOf(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

const HEADERS: Names = {
  'x-service-wallet-resolved': 'X-Account-Used',
  'x-request-id': 'X-Trace',
  'idempotency-replayed': 'X-Repeated',
  'x-service-weight': 'X-Cost',
  'x-service-weight-remaining': 'X-Left',
  'retry-after': 'X-Wait',
  'idempotency-key': 'Idempotency-Key',
  date: 'Date',
};

async function answerAs(response: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const text = await textOf(response);
  const headers: Record<string, string> = { 'Content-Type': 'application/json' };
  for (const [ours, theirs] of Object.entries(HEADERS)) {
    const value = response.headers[ours];
    if (typeof value === 'string') headers[theirs] = value;
  }
  const status = response.statusCode ?? 500;
  outgoing.writeHead(status, headers).end(bodyThere(status, JSON.parse(text) as Loose));
}

const explain = (error: Loose): unknown[] => [
  CODES[error['code']] ?? error['code'],
  error['message'],
  toTheirs(error['details'], 'details'),
];

function bodyThere(status: number, body: Loose): string {
  if (status >= 300) {
    return JSON.stringify({ good: false, why: explain(body['error']), trace: body['request_id'] });
  }
  const { next_cursor: next, ...rest } = body;
  const out = toTheirs(rest);
  return JSON.stringify({
    good: true,
    out,
    ...(next === undefined ? {} : { next: { row: next } }),
  });
}

/** A frame of the paper service as this service sends it. */
function frameThere(frame: Loose): unknown {
  const { type, id, error, data, weight, request_id: trace, ...rest } = frame;
  if (type === undefined) {
    const named = toTheirs(frame) as Loose;
    const { channel, event, seq, ts, params } = named;
    return [channel, event, named['acct'], seq, ts, params, named['data']];
  }
  return {
    ...(toTheirs(rest) as Loose),
    re: id,
    as: type,
    out: toTheirs(data, 'data'),
    cost: weight,
    trace,
    ...(error === undefined ? {} : { why: explain(error as Loose) }),
  };
}

function messageHere(text: string): unknown {
  const [op, id, rest] = JSON.parse(text) as [string, string, Loose];
  const message = toOurs(rest) as Loose;
  const named = message['args']?.['id'];
  if (typeof named === 'string' && named.startsWith('own-')) {
    message['args']['id'] = `client:${named.slice(4)}`;
  }
  return { op, id, ...message };
}
