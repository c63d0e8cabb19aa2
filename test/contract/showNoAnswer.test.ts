import { expect, test } from 'vitest';
import { showNoAnswer } from '../../src/contract/index.ts';
import { createLiveEnv } from '../../src/env/index.ts';
import { classify } from '../../src/outcomes/index.ts';
import { NoAnswerError } from '../../src/wire/index.ts';
import { createTransport } from '../../src/wire/createTransport.ts';
import { startHttp } from '../wire/startServer.ts';

const PORTAL = '<html>Please log in to the network of this hotel</html>';

test.each<[number, Record<string, string>, string, string]>([
  [429, { 'content-type': 'text/html' }, PORTAL, '429 text/html'],
  [502, { 'content-type': 'text/html; charset=utf-8' }, PORTAL, '502 text/html'],
  [404, { 'content-type': 'Text/HTML' }, PORTAL, '404 text/html'],
  [400, { 'content-type': 'text/plain' }, 'Bad Request', '400 text/plain'],
  [200, { 'content-type': 'text/html' }, PORTAL, '200 text/html'],
  [200, {}, '', '200 with an empty body'],
  [503, {}, PORTAL, '503 without a content type'],
  [503, { 'content-type': 'text/html\u00a0\u202e' }, PORTAL, '503 of an odd content type'],
  [200, { 'content-type': 'text/<script>' }, PORTAL, '200 of an odd content type'],
])(
  'an answer of %i with %j is named by status and type in log, journal and error',
  async (status, headers, body, start) => {
    const { url } = await startHttp((_request, response) => {
      for (const [name, value] of Object.entries(headers)) {
        response.setHeader(name, Buffer.from(value).toString('latin1'));
      }
      response.writeHead(status).end(body);
    });
    const transport = createTransport({ origin: url, env: createLiveEnv() });
    const exchange = await transport.send({ method: 'GET', path: '/', headers: {}, body: '' });
    await transport.close();
    // The code is for programs, and stays.
    expect(exchange).toMatchObject({ kind: 'no_answer', reason: 'unreadable_body' });
    if (exchange.kind !== 'no_answer') return;
    const shown = `${start}, which is not the service's answer`;
    expect(showNoAnswer(exchange)).toBe(shown);
    expect(classify(exchange)).toEqual({ kind: 'unknown', reason: shown });
    const { message, reason } = new NoAnswerError({ endpoint: 'orders.place' }, exchange);
    expect(message).toBe(`orders.place got no answer and may have been executed: ${shown}`);
    // Of a read there is nothing to look for.
    const read = new NoAnswerError({ endpoint: 'account.get' }, exchange);
    expect(read.message).toBe(`account.get got no answer: ${shown}`);
    expect(reason).toBe('unreadable_body');
  },
);

test('other answers that can’t be read are named, too; a lost connection keeps its code', () => {
  const json = { 'content-type': 'application/json' };
  const of = (reason: string, status: number, headers = {}) =>
    showNoAnswer({ reason, unread: { status, headers, isEmpty: false } });
  expect(of('unreadable_body', 200, json)).toBe(
    '200 application/json, which is cut off or is not JSON',
  );
  expect(of('redirected', 307)).toBe('307 to another address, which is not followed');
  expect(of('not_normalised', 200, json)).toBe(
    "200 application/json, which the dialect can't read",
  );
  expect(of('connection_lost', 200, json)).toBe('connection_lost');
  expect(showNoAnswer({ reason: 'timeout' })).toBe('timeout');
});
