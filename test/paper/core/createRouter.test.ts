import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  defaultDialect,
  ENDPOINT_IDS,
  endpointSpec,
  fillPath,
} from '../../../src/contract/index.ts';
import { createRouter } from '../../../src/paper/core/createRouter.ts';

const route = createRouter(defaultDialect.endpoints);

test('ORD-5: every endpoint is found by its own path, whatever its parameters hold', () => {
  const taken = /^(\.|\.\.|history|batch|groups|templates|stop-all|pause-all|resume-all|sse)$/;
  const text = fc.string({ minLength: 1, unit: 'grapheme' }).filter((value) => !taken.test(value));
  fc.assert(
    fc.property(fc.constantFrom(...ENDPOINT_IDS), text, (endpoint, value) => {
      const { path, method } = endpointSpec(endpoint);
      const names = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!);
      const pathParams = Object.fromEntries(names.map((name) => [name, value]));
      const found = route(method, `/v1${fillPath(path, pathParams)}`);
      expect(found).toEqual({ kind: 'endpoint', endpoint, pathParams });
    }),
  );
});

test('a literal segment wins over a parameter, whatever the method', () => {
  expect(route('GET', '/v1/orders/history')).toMatchObject({ endpoint: 'orders.history' });
  const literals = Object.values(defaultDialect.endpoints)
    .map(({ path }) => path)
    .filter((path) => !path.includes('{'));
  for (const path of new Set(literals)) {
    const own = Object.values(defaultDialect.endpoints)
      .filter((spec) => spec.path === path)
      .map(({ method }) => method);
    for (const method of ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'] as const) {
      const found = route(method, `/v1${path}`);
      if (own.includes(method)) expect(found).toMatchObject({ kind: 'endpoint', pathParams: {} });
      else expect(found, `${method} ${path}`).toEqual({ kind: 'wrong_method', allow: own });
    }
  }
  // Of a template's id `stop`, and not of a basket's id `templates`.
  expect(route('POST', '/v1/baskets/templates/stop')).toEqual({
    kind: 'wrong_method',
    allow: ['DELETE'],
  });
});

test('a literal segment from which no path goes on is a parameter’s value as any other', () => {
  for (const id of ['batch', 'sse', 'stop'])
    expect(route('POST', `/v1/executions/${id}/pause`)).toEqual({
      kind: 'endpoint',
      endpoint: 'executions.pause',
      pathParams: { id },
    });
  expect(route('POST', '/v1/monitors/stop-all/rearm')).toEqual({
    kind: 'endpoint',
    endpoint: 'monitors.rearm',
    pathParams: { id: 'stop-all' },
  });
});

test.each(['', 'v1/order', '/v1/orders/', '/v1/price/%zz', '/v1//order', '/v1/price/BTC/x'])(
  '%j names nothing',
  (path) => {
    expect(route('GET', path)).toEqual({ kind: 'unknown_path' });
  },
);
