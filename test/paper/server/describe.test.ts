import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  CHANNELS,
  COMMANDS,
  ENDPOINTS,
  ERROR_CODES,
  type EndpointSpec,
} from '../../../src/contract/index.ts';
import { openTestServer, type TestServer } from './openTestServer.ts';

// oxlint-disable-next-line typescript/no-explicit-any -- tests read fields of a document by path
type Doc = any;

let server: TestServer;
let openapi: Doc;
let asyncapi: Doc;
beforeAll(async () => {
  server = await openTestServer();
  openapi = (await server.control('GET', '/paper/openapi.json')).body;
  asyncapi = (await server.control('GET', '/paper/asyncapi.json')).body;
});
afterAll(() => server.close());

/** Dangling references of a document. */
function danglingIn(document: Doc): string[] {
  const refs = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(
    ([, ref]) => ref!,
  );
  const leads = (ref: string): boolean =>
    ref.split('/').reduce((place, name) => place?.[name], document) !== undefined;
  return [...new Set(refs)].filter((ref) => !leads(ref));
}

const SPEC_NAMES = ['TpSlOffsetSpec', 'TpSlAtSpec', 'TpSlTrailSpec', 'UnwindParamsSpec'];

describe('OpenAPI', () => {
  test('is 3.1 and serves this address', () => {
    expect(openapi).toMatchObject({ openapi: '3.1.0', servers: [{ url: server.baseUrl }] });
  });

  test('describes exactly the endpoints of the table', () => {
    const described = Object.entries<Doc>(openapi.paths).flatMap(([path, methods]) =>
      Object.entries<Doc>(methods).map(([method, { operationId, 'x-weight': weight }]) => [
        operationId,
        method.toUpperCase(),
        path,
        weight,
      ]),
    );
    const table = Object.entries(ENDPOINTS).map(([id, spec]) => [
      id,
      spec.method,
      `/v1${spec.path}`,
      spec.weight,
    ]);
    expect(described.toSorted()).toEqual(table.toSorted());
  });

  test('a list has the filters that apply to it, and a range of time', () => {
    const filtersOf = (path: string): string[] =>
      openapi.paths[path].get.parameters
        .filter((each: Doc) => each['in'] === 'query')
        .map(({ name }: Doc) => name)
        .filter((name: string) => name !== 'limit' && name !== 'cursor');
    const range = ['start_time', 'end_time'];
    expect(filtersOf('/v1/orders')).toEqual(['symbol', 'status', ...range]);
    expect(filtersOf('/v1/positions')).toEqual(['symbol', ...range]);
    expect(filtersOf('/v1/account/balances')).toEqual(range);
    expect(filtersOf('/v1/candles/{symbol}')).toEqual(['interval', ...range, 'include_forming']);
  });

  test('LEG-12: it contains the schema names of the spec, and its legs use them', () => {
    expect(Object.keys(openapi.components.schemas)).toEqual(expect.arrayContaining(SPEC_NAMES));
    const { properties } = openapi.components.schemas.PositionLeg;
    expect(properties.offset.$ref).toBe('#/components/schemas/TpSlOffsetSpec');
    expect(properties.unwind_params.$ref).toBe('#/components/schemas/UnwindParamsSpec');
  });

  test('every reference resolves, and every path parameter is described', () => {
    expect(danglingIn(openapi)).toEqual([]);
    for (const [path, methods] of Object.entries<Doc>(openapi.paths)) {
      const names = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]);
      for (const { parameters } of Object.values<Doc>(methods)) {
        const described = parameters.filter((one: Doc) => one.in === 'path');
        expect(described.map(({ name }: Doc) => name)).toEqual(names);
      }
    }
  });

  test('AUTH-6, AUTH-9: the launch needs its key; unsigned endpoints need nothing', () => {
    const { parameters } = openapi.paths['/v1/execute'].post;
    const key = parameters.find(({ name }: Doc) => name === 'Idempotency-Key');
    expect(key).toMatchObject({ in: 'header', required: true });
    expect(openapi.paths['/v1/health'].get.security).toEqual([]);
    expect(openapi.security).toEqual([{ keyId: [], timestamp: [], signature: [] }]);
  });

  test('ERR-1: every error code is named under its status', () => {
    for (const [code, { status }] of Object.entries(ERROR_CODES)) {
      const { description } = openapi.components.responses[`Error${status}`];
      expect(description).toContain(`\`${code}\``);
    }
    expect(openapi.components.responses.Error422.description).toContain('`no_position`');
  });

  test('a body is described for endpoints that take one', () => {
    for (const [id, spec] of Object.entries<EndpointSpec>(ENDPOINTS)) {
      const { requestBody } = openapi.paths[`/v1${spec.path}`][spec.method.toLowerCase()];
      expect([id, requestBody !== undefined]).toEqual([id, spec.body !== null]);
    }
  });
});

describe('AsyncAPI', () => {
  test('is 3.0, and describes every channel and event', () => {
    expect(asyncapi.asyncapi).toBe('3.0.0');
    for (const [channel, { events }] of Object.entries(CHANNELS)) {
      expect(Object.keys(asyncapi.channels[channel].messages)).toEqual(Object.keys(events));
    }
  });

  test('STR-6: every command, with scope, weight and path parameters among its args', () => {
    const { messages } = asyncapi.channels.client;
    expect(Object.keys(messages)).toEqual(['subscription', ...Object.keys(COMMANDS)]);
    const { payload } = messages.modify_order;
    expect(payload).toMatchObject({ 'x-scope': 'trade', 'x-weight': 2 });
    expect(Object.keys(payload.properties.args.properties)).toEqual(['id', 'price', 'size']);
    expect(payload.properties.args.required).toEqual(['id']);
    expect(messages.execute.payload.required).toContain('idempotency_key');
  });

  test('every reference resolves; LEG-12: commands take the same leg forms', () => {
    expect(danglingIn(asyncapi)).toEqual([]);
    expect(Object.keys(asyncapi.components.schemas)).toEqual(expect.arrayContaining(SPEC_NAMES));
  });
});
