/** What a server of routes answers, for drawn routes and requests, against a second reading of the same rules. */
import { request as httpRequest, type Server } from 'node:http';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { Secret } from '../../../src/config/index.ts';
import { createVirtualEnv } from '../../../src/env/index.ts';
import { sendJson } from '../../../src/operate/serve/answer.ts';
import { createAdmission } from '../../../src/operate/serve/createAdmission.ts';
import {
  addressOf,
  closeServer,
  createRouteServer,
  listen,
} from '../../../src/operate/serve/createRouteServer.ts';
import type { Route } from '../../../src/operate/serve/Route.ts';
import { holdLaw, Tried } from '../../holdLaw.ts';
import { isFull } from '../../tiers.ts';

const TOKENS = { read: 'read-token-0123456789', control: 'control-token-0123456789' } as const;
const JSON_TYPE = 'application/json';

interface Asked {
  method: string;
  path: string;
  token?: string | undefined;
  type?: string | undefined;
  /** Without a length it is sent in chunks. */
  hasLength?: boolean;
  parts?: readonly Buffer[];
}

interface Answered {
  status: number;
  headers: Readonly<Record<string, unknown>>;
  body: Record<string, unknown>;
}

/** A server of these routes on a socket of its own, and a way to ask it. */
async function openRoutes(routes: readonly Route[]) {
  const folder = mkdtempSync(join(tmpdir(), 'trimtab-routes-'));
  const socket = join(folder, 'bot.sock');
  let now = 0;
  const operate = {
    listen: { socket },
    hosts: [],
    readToken: new Secret(TOKENS.read),
    controlToken: new Secret(TOKENS.control),
    notify: null,
  };
  const admission = createAdmission(operate, () => (now += 61_000));
  const server = createRouteServer({ routes, admission, env: createVirtualEnv() });
  await listen(server, operate.listen);
  const ask = (asked: Asked): Promise<Answered> =>
    new Promise((resolve, reject) => {
      const { method, path, token, type, hasLength = true, parts = [] } = asked;
      const length = parts.reduce((sum, part) => sum + part.length, 0);
      const headers = {
        host: 'localhost',
        connection: 'keep-alive',
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(type !== undefined && { 'content-type': type }),
        ...(hasLength && method === 'POST' && { 'content-length': length }),
        ...(!hasLength && { 'transfer-encoding': 'chunked' }),
      };
      const sent = httpRequest(
        { socketPath: socket, method, path, headers, agent: false },
        (response) => {
          let text = '';
          response.setEncoding('utf8').on('data', (part: string) => (text += part));
          response.on('end', () => {
            const body = text === '' ? {} : (JSON.parse(text) as Record<string, unknown>);
            resolve({ status: response.statusCode!, headers: response.headers, body });
          });
        },
      );
      // Once it has refused, the server reads no more: a later part may break the connection before the answer is read.
      sent.on('error', (error: NodeJS.ErrnoException) => {
        const isBroken = ['EPIPE', 'ECONNRESET'].includes(error.code ?? '') && parts.length > 1;
        if (!isBroken) return reject(error);
        ask({ ...asked, parts: [Buffer.concat(parts)] }).then(resolve, reject);
      });
      void (async () => {
        for (const part of parts) {
          sent.write(part);
          // What is written in one turn leaves as one part.
          await new Promise(setImmediate);
        }
        sent.end();
      })();
    });
  const close = async (): Promise<void> => {
    await closeServer(server);
    rmSync(folder, { recursive: true });
  };
  return { ask, close };
}

const part = fc.constantFrom('a', 'b', ':x', ':y');
const route = fc.record({
  method: fc.constantFrom('GET', 'POST'),
  parts: fc.array(part, { minLength: 1, maxLength: 2 }),
  access: fc.constantFrom('open', 'read', 'control'),
  does: fc.constantFrom('answers', 'answers', 'answers', 'refuses', 'throws'),
});
const ask = fc.record({
  method: fc.constantFrom('GET', 'GET', 'POST', 'POST', 'HEAD', 'PUT', 'DELETE', 'OPTIONS'),
  parts: fc.array(fc.constantFrom('a', 'b', 'c', '%61', 'x%2Fy', '', '..', '.', '%zz'), {
    minLength: 1,
    maxLength: 3,
  }),
  query: fc.constantFrom('', '', '?a', '?x=1&x=2', '?x=%2F/a'),
  token: fc.constantFrom(undefined, 'read', 'control', 'control', 'wrong'),
});

/** The segments of a path once `.` and `..` are walked, as a browser does. */
function walk(parts: readonly string[]): string[] {
  const walked: string[] = [];
  for (const [at, one] of parts.entries()) {
    if (one === '..') walked.pop();
    else if (one !== '.') walked.push(one);
    if ((one === '..' || one === '.') && at === parts.length - 1) walked.push('');
  }
  return walked;
}

test('a request is answered by its route, and by no other, to whom that route is for', async () => {
  const tried = new Tried();
  const routesAndAsks = fc.tuple(
    fc.array(route, { minLength: 1, maxLength: 5 }),
    fc.array(ask, { minLength: 4, maxLength: 12 }),
  );
  await holdLaw(25, routesAndAsks, async ([routes, asks]) => {
    const opened = await openRoutes(
      routes.map(({ method, parts, access, does }, index): Route => ({
        method: method as 'GET',
        path: `/${parts.join('/')}`,
        access: access as 'open',
        handle({ response, params, query }) {
          if (does === 'throws') throw new Error('a broken route');
          if (does === 'refuses') return { status: 418, code: 'teapot', message: 'No.' };
          return sendJson(response, { index, params, query: [...query] });
        },
      })),
    );
    try {
      for (const { method, parts, query, token } of asks) {
        const given = walk(parts);
        // Two slashes are followed by the name of a host.
        const isElsewhere = parts[0] === '' && parts.length > 1;
        const answer = await opened.ask({
          method,
          path: `/${parts.join('/')}${query}`,
          token: token === 'wrong' ? 'guess' : token && TOKENS[token],
          ...(method === 'POST' && { type: JSON_TYPE, parts: [Buffer.from('{}')] }),
        });
        const found = routes.flatMap((each, index) => {
          if (isElsewhere || each.parts.length !== given.length) return [];
          const params: Record<string, string> = {};
          for (const [at, one] of each.parts.entries()) {
            if (!one.startsWith(':')) {
              if (one !== given[at]) return [];
            } else if (given[at] === '' || given[at] === '%zz') return [];
            else params[one.slice(1)] = decodeURIComponent(given[at]!);
          }
          return [{ ...each, index, params }];
        });
        const { status, headers, body } = answer;
        if (found.length === 0) {
          expect(status).toBe(404);
          continue;
        }
        const own = found.find((each) => each.method === (method === 'HEAD' ? 'GET' : method));
        const { access } = own ?? found[0]!;
        const may =
          access === 'open' || token === 'control' || (access === 'read' && token === 'read');
        if (!may) {
          expect([status, headers['www-authenticate'], headers['allow']]).toEqual([
            401,
            'Bearer',
            undefined,
          ]);
          tried.take(own === undefined ? 'another method without its access' : 'no access');
        } else if (own === undefined) {
          const allow = found.map((each) => each.method).join(', ');
          expect([status, headers['allow']]).toEqual([405, allow]);
          tried.take('another method');
        } else if (own.does === 'throws') {
          expect(status).toBe(500);
        } else if (own.does === 'refuses') {
          expect(status).toBe(418);
        } else {
          expect(status).toBe(200);
          tried.take(method);
          if (method === 'HEAD') continue;
          const asked = [...new URLSearchParams(query)];
          expect(body).toEqual({ index: own.index, params: own.params, query: asked });
        }
      }
    } finally {
      await opened.close();
    }
  });
  const all = ['another method without its access', 'no access', 'another method', 'HEAD', 'POST'];
  if (isFull) expect(tried.rare(all, 1)).toEqual([]);
});

const LIMIT = 16 * 1_024;

/** The JSON of a text of signs of one to four bytes, of this many bytes as a whole. */
function jsonOf(bytes: number, sign: string): Buffer {
  const room = bytes - 2;
  const many = Math.floor(room / Buffer.byteLength(sign));
  const rest = room - many * Buffer.byteLength(sign);
  return Buffer.from(`"${sign.repeat(many)}${'x'.repeat(rest)}"`);
}

test('a body is taken up to its limit, whole and as text, however it arrives', async () => {
  const got: unknown[] = [];
  const { ask: send, close } = await openRoutes([
    {
      method: 'POST',
      path: '/take',
      access: 'open',
      handle: ({ body, response }) => (got.push(body), sendJson(response, {})),
    },
  ]);
  onTestFinished(close);
  const drawn = fc.record({
    bytes: fc.oneof(
      fc.constantFrom(LIMIT - 1, LIMIT, LIMIT + 1),
      fc.integer({ min: 2, max: 40 }),
      fc.integer({ min: LIMIT + 2, max: 2 * LIMIT }),
    ),
    sign: fc.constantFrom('a', 'é', '漢', '🜛'),
    hasLength: fc.boolean(),
    cuts: fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 3 }),
    type: fc.constantFrom(
      JSON_TYPE,
      JSON_TYPE,
      `${JSON_TYPE}; charset=utf-8`,
      'Application/JSON',
      'text/plain',
      undefined,
    ),
    spoils: fc.constantFrom('nothing', 'nothing', 'nothing', 'a byte', 'the JSON'),
  });
  const tried = new Tried();
  await holdLaw(60, drawn, async ({ bytes, sign, hasLength, cuts, type, spoils }) => {
    const whole = jsonOf(bytes, sign);
    expect(whole.length).toBe(bytes);
    if (spoils === 'a byte' && bytes > 2) whole[1] = 0xff;
    if (spoils === 'the JSON') whole[0] = 'x'.charCodeAt(0);
    const places = [0, ...cuts.map((cut) => Math.floor(cut * bytes)).toSorted((a, b) => a - b)];
    const parts = places
      .map((at, index) => whole.subarray(at, places[index + 1] ?? bytes))
      .filter(({ length }) => length > 0);
    got.length = 0;
    const { status, headers } = await send({
      method: 'POST',
      path: '/take',
      type,
      hasLength,
      parts,
    });
    const isJson = type !== undefined && type !== 'text/plain';
    const isRead = spoils === 'nothing' || (spoils === 'a byte' && bytes === 2);
    const wanted = !isJson ? 415 : bytes > LIMIT ? 413 : isRead ? 200 : 400;
    expect(status).toBe(wanted);
    expect(got).toEqual(wanted === 200 ? [JSON.parse(whole.toString('utf8'))] : []);
    // What follows on a connection whose body was not read would be read as a request.
    if (wanted === 413) expect(headers['connection']).toBe('close');
    tried.take(`${bytes - LIMIT} ${hasLength}`);
  });
  const edges = [-1, 0, 1].flatMap((beyond) => [`${beyond} true`, `${beyond} false`]);
  if (isFull) expect(tried.rare(edges, 1)).toEqual([]);
});

test('an address is one that a browser takes', () => {
  const server = { address: () => ({ port: 9_464 }) } as Server;
  const addresses = ['127.0.0.1', 'localhost', '::1'].map((host) =>
    addressOf(server, { host, port: 0 }),
  );
  expect(addresses).toEqual([
    'http://127.0.0.1:9464/',
    'http://localhost:9464/',
    'http://[::1]:9464/',
  ]);
  for (const address of addresses) expect(URL.parse(address)?.href).toBe(address);
  expect(addressOf(server, { socket: '/run/bot.sock' })).toBe('/run/bot.sock');
});
