import { getEventListeners } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { createVirtualEnv } from '../../src/env/createVirtualEnv.ts';
import { createTransport } from '../../src/wire/createTransport.ts';
import { closedPort, startHttp } from './startServer.ts';

test('a request leaves neither a timer nor a listener, however it ends', async () => {
  const env = createVirtualEnv();
  const { url } = await startHttp((_request, response) => void response.end('{}'));
  const unowned = `http://127.0.0.1:${await closedPort()}`;
  const { signal } = new AbortController();
  for (const [origin, kind] of [
    [url, 'answered'],
    [unowned, 'not_sent'],
  ] as const) {
    const transport = createTransport({ origin, env });
    onTestFinished(() => transport.close());
    const request = { method: 'GET', path: '/', headers: {}, body: '', signal };
    const sending = transport.send(request);
    expect([env.queue.nextTime(), getEventListeners(signal, 'abort').length]).toEqual([30_000, 1]);
    expect((await sending).kind).toBe(kind);
    expect([env.queue.nextTime(), getEventListeners(signal, 'abort')]).toEqual([undefined, []]);
  }
});
