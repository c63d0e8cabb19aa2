import { createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * The baseline of the paper service: `node:http` and nothing else. It reads the body and responds with a
 * fixed one, the paper service's. Under `/signed` it also parses the body, computes the signature that it
 * is to have, and serialises its response, which any signed JSON service must do.
 */
const SECRET = 'vs_bench';
const PRICE = {
  symbol: 'BTC',
  mark: 60_123.5,
  bid: 60_117,
  ask: 60_130,
  last: 60_123.5,
  time: 1e12,
};
const REQUEST = {
  symbol: 'BTC',
  side: 'buy',
  size: 0.001,
  order_type: 'limit',
  price: 20_000,
  time_in_force: 'gtc',
};
const ORDER = {
  order_id: 'ord_12345',
  client_order_id: null,
  idempotency_key: null,
  execution_id: null,
  symbol: 'BTC',
  side: 'buy',
  size: 0.001,
  filled_size: 0,
  average_price: null,
  price: 20_000,
  order_type: 'limit',
  time_in_force: 'gtc',
  reduce_only: false,
  status: 'open',
  created_time: 1_700_000_000_000,
  updated_time: 1_700_000_000_000,
  reject_reason: null,
  request: REQUEST,
  queued: false,
  price_from_resolution: null,
  entry_track: null,
  take_profit: null,
  stop_loss: null,
};
const FIXED = { price: JSON.stringify(PRICE), order: JSON.stringify(ORDER) };

function answer(request: IncomingMessage, response: ServerResponse, body: string): void {
  const isOrder = request.method === 'POST';
  let text = isOrder ? FIXED.order : FIXED.price;
  if (request.url!.startsWith('/signed')) {
    const stamp = String(request.headers['x-service-timestamp']);
    const signed = `${stamp}${request.method}${request.url}${body}`;
    createHmac('sha256', SECRET).update(signed).digest('hex');
    if (body !== '') JSON.parse(body);
    text = JSON.stringify(isOrder ? ORDER : PRICE);
  }
  response.writeHead(isOrder ? 201 : 200, {
    'content-type': 'application/json',
    'content-length': text.length,
  });
  response.end(text);
}

const server = createServer((request, response) => {
  if (request.method === 'GET') {
    answer(request, response, '');
    return;
  }
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => answer(request, response, Buffer.concat(chunks).toString('utf8')));
});
// Its connections are idle while the others have their turn, on a slow machine for longer than Node's 5 s.
server.keepAliveTimeout = 75_000;
server.listen(0, '127.0.0.1', () => {
  process.send?.({ port: (server.address() as AddressInfo).port });
});
process.on('message', () => process.send?.({ cpu: process.cpuUsage() }));
process.on('disconnect', () => process.exit(0));
