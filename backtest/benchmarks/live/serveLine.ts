import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocketServer, type WebSocket } from 'ws';
import { MINUTE_MS } from '../../../src/contract/durations.ts';

/**
 * The peer of a connection: sends one bar and reports the time until the signed request that it causes
 * has arrived completely. It validates nothing, so that the client is what is measured.
 */
const BARS_AHEAD = 20_000;

interface Client {
  socket: WebSocket;
  seqs: Map<string, number>;
  nextTime: number;
}

/** By path of the upgrade: `/v1/stream` is `/bot`. */
const clients = new Map<string, Client>();
let waiting: { sentAt: bigint; path: string } | null = null;
let made = 0;

const SNAPSHOTS: Readonly<Record<string, object>> = {
  'account.state': {
    positions: [],
    balances: [{ asset: 'USDC', total: 1e9, available: 1e9, held: 0 }],
    open_orders: [],
    account: {
      wallet: 'main',
      equity: 1e9,
      available_margin: 1e9,
      used_margin: 0,
      unrealized_pnl: 0,
      realized_pnl: 0,
      fees_paid: 0,
      funding_paid: 0,
      time: 1,
    },
  },
  'tpsl.watch': { rows: [] },
  executions: { executions: [] },
  monitors: { monitors: [] },
};

function sendFrame(
  client: Client,
  channel: string,
  params: object,
  [event, data]: [string, object],
): void {
  const key = `${channel} ${JSON.stringify(params)}`;
  const seq = event === 'snapshot' || event === 'welcome' ? 1 : (client.seqs.get(key) ?? 0) + 1;
  client.seqs.set(key, seq);
  const frame = { channel, params, event, wallet: 'main', seq, ts: Date.now(), data };
  client.socket.send(JSON.stringify(frame));
}

function bar(client: Client): object {
  const time = client.nextTime;
  client.nextTime += MINUTE_MS;
  return { time, open: 60_000, high: 60_010, low: 59_990, close: 60_001, volume: 3, closed: true };
}

function subscribe(client: Client, text: string): void {
  const message = JSON.parse(text) as { id: string; op: string; channel: string; params: object };
  const { id, op, channel, params } = message;
  client.socket.send(JSON.stringify({ type: 'ack', id, wallet: 'main', channel, params }));
  if (op !== 'subscribe') return;
  const data = channel === 'candles' ? { candles: [bar(client)] } : SNAPSHOTS[channel];
  if (data !== undefined) sendFrame(client, channel, params, ['snapshot', data]);
}

function answer(body: string, response: ServerResponse): void {
  const asked = waiting;
  const elapsed = asked === null ? null : Number(process.hrtime.bigint() - asked.sentAt);
  waiting = null;
  const sent = JSON.parse(body) as { total_size: number };
  const now = Date.now();
  const record = {
    execution_id: `exe_${++made}`,
    algo: 'pacemaker',
    symbol: 'BTC',
    side: 'buy',
    total_size: sent.total_size,
    filled_size: 0,
    remaining_size: sent.total_size,
    status: 'active',
    phase: 'working',
    progress: 0,
    fees: 0,
    reduce_only: false,
    wallet: 'main',
    created_time: now,
    updated_time: now,
    request: {},
  };
  response.writeHead(201, { 'content-type': 'application/json' }).end(JSON.stringify(record));
  const client = clients.get('/bot')!;
  if (asked === null || asked.path === '/bot') {
    const ended = { ...record, status: 'completed', phase: 'done', ended_time: now };
    sendFrame(client, 'executions', {}, ['started', record]);
    sendFrame(client, 'executions', {}, ['ended', ended]);
  }
  // After the client had time to record the outcome.
  if (elapsed !== null) setTimeout(() => process.send?.({ nanoseconds: elapsed }), 3);
}

const http = createServer((request, response) => {
  let body = '';
  request.on('data', (chunk: Buffer) => (body += chunk.toString()));
  request.on('end', () => {
    if (request.method === 'POST') return answer(body, response);
    response.writeHead(404, { 'content-type': 'application/json' });
    response.end('{"error":{"code":"not_found","message":""}}');
  });
});

const sockets = new WebSocketServer({ server: http, perMessageDeflate: false });
sockets.on('connection', (socket, { url = '' }) => {
  const firstTime = Math.floor(Date.now() / MINUTE_MS - BARS_AHEAD) * MINUTE_MS;
  const client: Client = { socket, seqs: new Map(), nextTime: firstTime };
  clients.set(url === '/v1/stream' ? '/bot' : url, client);
  const connectivity = { market_data: 'ok', orders: 'ok', account: 'ok', executions: 'ok' };
  sendFrame(client, '_meta', {}, ['welcome', { connectivity, server_time: Date.now() }]);
  socket.on('message', (data: Buffer) => subscribe(client, data.toString()));
});

process.on('message', ({ path, params }: { path: string; params: object }) => {
  const client = clients.get(path)!;
  const data = bar(client);
  waiting = { sentAt: process.hrtime.bigint(), path };
  sendFrame(client, 'candles', params, ['bar_closed', data]);
});
process.on('disconnect', () => process.exit(0));
http.listen(0, '127.0.0.1', () => {
  process.send?.({ port: (http.address() as AddressInfo).port });
});
