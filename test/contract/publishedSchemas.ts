import { z } from 'zod';
import * as contract from '../../src/contract/index.ts';
import { createSigner } from '../../src/wire/createSigner.ts';
import { LAUNCHES } from './launches.ts';

type Json = Record<string, unknown>;

/**
 * All that we publish of v1, as plain JSON, by the name of its frozen file (VER-2). `core` is the
 * surface that the spec states not to break; `schemas` holds what the others refer to by name, each
 * record, request and frame once.
 */
export function publishedSchemas(): Record<'core' | 'schemas' | 'endpoints' | 'streams', Json> {
  const named = nameSchemas();
  const isCore = (id: string): boolean => id.startsWith('executions.');
  const endpoints = (wanted: (id: string) => boolean): Json =>
    Object.fromEntries(
      contract.ENDPOINT_IDS.filter(wanted).map((id) => [id, endpointOf(id, named)]),
    );
  const core = {
    authentication: authentication(),
    error_codes: Object.fromEntries(
      Object.entries(contract.ERROR_CODES).map(([code, { status }]) => [code, status]),
    ),
    error_envelope: show(contract.errorEnvelope, named),
    endpoints: endpoints(isCore),
    algorithms: contract.algoRecords(contract.defaultDialect.limits.pacemakerMinSeconds),
    launches: LAUNCHES.map(([name, request]) => ({ name, request, verdict: verdictOf(request) })),
  };
  const others = endpoints((id) => !isCore(id));
  const streams = {
    channels: Object.fromEntries(
      contract.CHANNEL_NAMES.map((name) => [name, channelOf(name, named)]),
    ),
    commands: contract.COMMANDS,
  };
  return asPlainJson({ core, schemas: named.definitions(), endpoints: others, streams });
}

interface NamedSchemas {
  registry: z.core.$ZodRegistry<{ id: string }>;
  definitions(): Json;
}

/** Every schema that the contract exports, under its export's name (LEG-12); configuration is not published. */
function nameSchemas(): NamedSchemas {
  const registry = z.registry<{ id: string }>();
  for (const [name, value] of Object.entries(contract)) {
    if (name === 'dialectValues') continue;
    if (value instanceof z.ZodType && !registry.has(value)) {
      registry.add(value, { id: name.charAt(0).toUpperCase() + name.slice(1) });
    }
  }
  const definitions = (): Json => {
    const { schemas } = z.toJSONSchema(registry, { ...STYLE, uri: (id) => `#/${id}` });
    const sorted = Object.entries(schemas).sort(([a], [b]) => (a < b ? -1 : 1));
    return Object.fromEntries(sorted.map(([name, schema]) => [name, withoutHeaders(schema)]));
  };
  return { registry, definitions };
}

/** What is sent is what counts: a query's text is described, not the number that is read from it. */
const { pacemakerMinSeconds } = contract.defaultDialect.limits;
const STYLE = {
  io: 'input',
  unrepresentable: 'any',
  override: contract.publishPacemakerMinimum(pacemakerMinSeconds),
} as const;

/** A schema by its name where it has one, else written out. */
function show(schema: z.ZodType, { registry }: NamedSchemas): unknown {
  const id = registry.get(schema)?.id;
  if (id !== undefined) return { $ref: `#/${id}` };
  const written = z.toJSONSchema(schema, {
    ...STYLE,
    metadata: registry as unknown as typeof z.globalRegistry,
  });
  const { $defs: _definitions, ...own } = withoutHeaders(written);
  return JSON.parse(JSON.stringify(own).replaceAll('#/$defs/', '#/')) as unknown;
}

function withoutHeaders(schema: object): Json {
  const { $schema: _dialect, $id: _name, id: _own, ...rest } = schema as Json;
  return rest;
}

function endpointOf(id: contract.EndpointId, named: NamedSchemas): Json {
  const { query, body, response, summary: _words, ...row } = contract.endpointSpec(id);
  return {
    ...row,
    query: show(query, named),
    body: body === null ? null : show(body, named),
    response: show(response, named),
  };
}

function channelOf(name: contract.ChannelName, named: NamedSchemas): Json {
  const { params, sse, events } = contract.CHANNELS[name];
  const shown = Object.entries(events).map(([event, data]) => [event, show(data, named)]);
  return { params: show(params, named), sse, events: Object.fromEntries(shown) };
}

/** AUTH-1 by example: the same time, secret and request must always give the same three headers. */
function authentication(): Json {
  const clock = { wallNow: () => 1_735_689_600_000 };
  const dialect = contract.defaultDialect;
  const signer = createSigner({ keyId: 'vk_frozen', secret: 'vs_frozen', dialect, clock });
  const requests = [
    { method: 'POST', path: '/v1/execute', body: '{"algo":"pacemaker"}' },
    { method: 'GET', path: '/v1/executions?limit=5', body: '' },
  ];
  return {
    examples: requests.map((request) => ({ request, headers: signer.sign(request) })),
    headers: dialect.headers,
  };
}

/** What JSON Schema can't say, the rules across fields, is frozen as verdicts on examples. */
function verdictOf(request: unknown): unknown {
  const checked = contract.checkRequest('executions.launch', request, contract.defaultDialect);
  if (checked.ok) return 'taken';
  const { code, details } = checked.fault;
  return { code, fields: details.fields.map(({ path, code: word }) => ({ path, code: word })) };
}

function asPlainJson<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}
