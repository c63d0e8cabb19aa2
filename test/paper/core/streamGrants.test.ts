import { expect, test } from 'vitest';
import { frameText, type StreamPort } from '../../../src/paper/core/StreamPort.ts';
import { openTestService, signed } from './openTestService.ts';
import { openTestSession } from './openTestSession.ts';

const SSE = '/v1/stream/sse?channels=price:BTC';

test('a stream is granted with its 200 and with no refusal, whatever refuses it', () => {
  const service = openTestService();
  const reader = service.addKey('vk_reader', ['read']);
  const trader = service.addKey('vk_trader', ['trade']);
  const seen = new Set<number>();
  const ask = (keyId: string): void => {
    const { status, grant } = service.core.handleHttp(signed(SSE, { keyId }, service.wall.now));
    seen.add(status);
    expect([status, grant !== undefined]).toEqual([status, status === 200]);
  };
  ask(trader);
  // Until its budget is spent.
  for (let count = 0; count < 2_000 && !seen.has(429); count++) ask(reader);
  expect(seen).toEqual(new Set([200, 403, 429]));
});

test('a stream whose second channel is refused leaves no subscription of its first', () => {
  const service = openTestService();
  const frames: string[] = [];
  const port: StreamPort = {
    frame: (...frame) => void frames.push(frameText(...frame)),
    control: () => {},
    close: () => {},
  };
  const open = (...symbols: string[]) => {
    const subscriptions = symbols.map((symbol) => ({ channel: 'price', params: { symbol } }));
    const grant = { kind: 'sse', keyId: 'vk_test', wallet: 'main', subscriptions } as const;
    return service.core.openSession(grant as never, port, service.wall.now);
  };
  const pass = (): number => {
    frames.length = 0;
    service.core.engine.advanceTo(service.core.engine.now + 60_000);
    return frames.length;
  };
  expect(() => open('BTC', 'NONE')).toThrow();
  expect(pass()).toBe(0);
  open('BTC');
  expect(pass()).toBeGreaterThan(0);
});

test('a book that was asked for without a depth has ten levels in each frame, beside books of any depth', () => {
  const service = openTestService();
  const { send, messages } = openTestSession(service);
  const depths = [undefined, 5, 20];
  for (const depth of depths) {
    const params = depth === undefined ? { symbol: 'BTC' } : { symbol: 'BTC', depth };
    send({ id: `d${depth}`, op: 'subscribe', channel: 'orderbook', params });
  }
  service.core.engine.advanceTo(service.core.engine.now + 180_000);
  for (const depth of depths) {
    const own = messages.filter(
      (one) => one.channel === 'orderbook' && 'event' in one && one.params.depth === depth,
    );
    expect(own.length).toBeGreaterThan(1);
    for (const { data } of own) expect(data.bids).toHaveLength(depth ?? 10);
  }
});
