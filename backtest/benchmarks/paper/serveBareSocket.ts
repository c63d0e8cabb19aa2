import type { AddressInfo } from 'node:net';
import { WebSocketServer } from 'ws';

/** The baseline of the fan-out: `ws` sending a text of a tick's size to every client. */
const HIGH = 1_000_000;
const sockets = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: false });
let seq = 0;

function tick(): string {
  const data = {
    symbol: 'BTC',
    mark: 60_123.5,
    bid: 60_117,
    ask: 60_130,
    last: 60_123.5,
    time: 1e12,
  };
  const head = { channel: 'price', params: { symbol: 'BTC' }, event: 'tick', wallet: 'main' };
  return JSON.stringify({ ...head, seq: ++seq, ts: 1e12, data });
}

/** Bar by bar, with a pause while sockets are full, as in the paper service. */
async function send(ticks: number): Promise<void> {
  for (let sent = 0; sent < ticks; sent++) {
    const text = tick();
    for (const client of sockets.clients) client.send(text);
    const isFull = (): boolean => [...sockets.clients].some((each) => each.bufferedAmount > HIGH);
    while (sent % 4 === 3 && isFull()) await new Promise((resolve) => setImmediate(resolve));
  }
}

async function obey(order: Record<string, unknown>): Promise<void> {
  if (order['do'] === 'send') await send(Number(order['ticks']));
  process.send?.({ cpu: process.cpuUsage() });
}

sockets.on('listening', () => process.send?.({ port: (sockets.address() as AddressInfo).port }));
process.on('message', (order: Record<string, unknown>) => void obey(order));
process.on('disconnect', () => process.exit(0));
