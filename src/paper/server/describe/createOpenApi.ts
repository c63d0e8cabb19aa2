import { z } from 'zod';
import {
  ERROR_CODES,
  errorEnvelope,
  MOST_KEY_CHARACTERS,
  statusOf,
  type Dialect,
  type EndpointId,
  type EndpointSpec,
  type ErrorCode,
} from '../../../contract/index.ts';
import { knownStatuses, takesFilter } from '../../core/listFilters.ts';
import { createComponents, type Components, type JsonObject } from './createComponents.ts';

/** The REST interface as OpenAPI 3.1, generated from the endpoint table, so the two can't differ. */
export function createOpenApi(dialect: Dialect, baseUrl: string): JsonObject {
  const components = createComponents(dialect.limits);
  const paths: Record<string, JsonObject> = {};
  for (const [id, spec] of Object.entries(dialect.endpoints)) {
    const path = `/v1${spec.path}`;
    paths[path] = {
      ...paths[path],
      [spec.method.toLowerCase()]: operation(id as EndpointId, spec, dialect, components),
    };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Execution service',
      version: 'v1',
      description:
        'Every request is signed over timestamp + method + path with query + body (spec §5).',
    },
    servers: [{ url: baseUrl }],
    security: [{ keyId: [], timestamp: [], signature: [] }],
    paths,
    components: {
      schemas: components.schemas(),
      responses: errorResponses(),
      securitySchemes: {
        keyId: headerScheme('X-Service-Api-Key-Id', 'Public identifier, `vk_…`.'),
        timestamp: headerScheme('X-Service-Timestamp', 'UNIX epoch seconds, decimal.'),
        signature: headerScheme(
          'X-Service-Signature',
          'Lowercase hex HMAC-SHA256, keyed with the secret (`vs_…`).',
        ),
      },
    },
  };
}

function operation(
  id: EndpointId,
  spec: EndpointSpec,
  dialect: Dialect,
  components: Components,
): JsonObject {
  const name = pascal(id);
  const json = (schema: z.ZodType, as: string): JsonObject => ({
    'application/json': { schema: components.ref(schema, as) },
  });
  const { scope, weight, body, summary } = spec;
  return {
    operationId: id,
    tags: [id.split('.')[0] ?? id],
    summary,
    'x-scope': scope,
    'x-weight': weight,
    ...(scope === null ? { security: [] } : {}),
    parameters: [
      ...pathParameters(spec.path),
      ...queryParameters(id, spec.query),
      ...headerParameters(id, spec, dialect),
    ],
    ...(body === null ? {} : { requestBody: { content: json(body, `${name}Request`) } }),
    responses: {
      [spec.success]: {
        description: summary,
        headers: { [dialect.headers.requestId]: { schema: { type: 'string' } } },
        content: json(spec.response, `${name}Response`),
      },
      ...errorReferences(spec, components),
    },
  };
}

function pathParameters(path: string): JsonObject[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
}

function queryParameters(id: EndpointId, query: z.ZodType): JsonObject[] {
  const { properties = {}, required = [] } = z.toJSONSchema(query, { io: 'input' });
  const statuses = knownStatuses(id);
  return Object.entries(properties)
    .filter(([name]) => takesFilter(id, name))
    .map(([name, schema]) => ({
      name,
      in: 'query',
      required: required.includes(name),
      schema:
        name === 'status' && statuses !== undefined ? { type: 'string', enum: statuses } : schema,
    }));
}

function headerParameters(id: string, spec: EndpointSpec, dialect: Dialect): JsonObject[] {
  if (spec.scope === null) return [];
  const text = { type: 'string' };
  const wallet = { name: dialect.headers.wallet, in: 'header', required: false, schema: text };
  if (!['POST', 'PATCH', 'DELETE'].includes(spec.method)) return [wallet];
  const required = id === 'executions.launch';
  const schema = { ...text, maxLength: MOST_KEY_CHARACTERS };
  return [wallet, { name: 'Idempotency-Key', in: 'header', required, schema }];
}

const STATUSES = [...new Set(Object.values(ERROR_CODES).map(({ status }) => status))].sort(
  (a, b) => a - b,
);
/** Errors that an unsigned endpoint can't return: it has no key, no scope and no budget. */
const SIGNED_ONLY: ReadonlySet<number> = new Set([401, 403, 429]);

function errorReferences(spec: EndpointSpec, components: Components): JsonObject {
  components.ref(errorEnvelope, 'ErrorEnvelope');
  const statuses = STATUSES.filter((status) => spec.scope !== null || !SIGNED_ONLY.has(status));
  return Object.fromEntries(
    statuses.map((status) => [status, { $ref: `#/components/responses/Error${status}` }]),
  );
}

function errorResponses(): JsonObject {
  const codes = Object.keys(ERROR_CODES) as ErrorCode[];
  return Object.fromEntries(
    STATUSES.map((status) => {
      const here = codes.filter((code) => ERROR_CODES[code].status === status);
      const also = codes.filter((code) => statusOf(code, true) === status && !here.includes(code));
      const schema = { $ref: '#/components/schemas/ErrorEnvelope' };
      const description = [...here, ...also].map((code) => `\`${code}\``).join(', ');
      return [`Error${status}`, { description, content: { 'application/json': { schema } } }];
    }),
  );
}

const headerScheme = (name: string, description: string): JsonObject => ({
  type: 'apiKey',
  in: 'header',
  name,
  description,
});

function pascal(id: string): string {
  return id
    .split('.')
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join('');
}
