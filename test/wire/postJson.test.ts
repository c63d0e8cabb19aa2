import { expect, test } from 'vitest';
import { createLiveEnv } from '../../src/env/createLiveEnv.ts';
import { postJson } from '../../src/wire/postJson.ts';
import { startHttp } from './startServer.ts';

const env = createLiveEnv();

test('a post goes to the whole address with its body, and says how long it shall wait', async () => {
  const seen: unknown[] = [];
  const { url, sockets } = await startHttp((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method, url: path, headers } = request;
      seen.push([method, path, headers['content-type'], Buffer.concat(chunks).toString()]);
      response.writeHead(429, { 'Retry-After': '7' }).end('later');
    });
  });
  const body = { text: 'ü' };
  const address = `${url}/hook/a%20b?key=1&to=x`;
  const answer = await postJson({ url: address, body, timeoutMs: 10_000, env });
  expect(seen).toEqual([
    ['POST', '/hook/a%20b?key=1&to=x', 'application/json', JSON.stringify(body)],
  ]);
  expect(answer).toEqual({ kind: 'answered', status: 429, retryAfter: '7', text: 'later' });
  await expect.poll(() => sockets.size).toBe(0);
});

test('of a reply that does not end the start is enough', async () => {
  const { url, sockets } = await startHttp((_request, response) => {
    response.writeHead(200);
    for (let at = 0; at < 20; at++) response.write('x'.repeat(1_000));
  });
  const answer = await postJson({ url, body: {}, timeoutMs: 30_000, env });
  expect(answer).toMatchObject({ kind: 'answered', text: 'x'.repeat(16 * 1_024) });
  await expect.poll(() => sockets.size).toBe(0);
});
