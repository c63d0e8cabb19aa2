import type { z } from 'zod';
import {
  ackFrame,
  CHANNELS,
  CHANNEL_NAMES,
  COMMANDS,
  errorFrame,
  resultFrame,
  type ChannelName,
  type CommandName,
  type Dialect,
} from '../../../contract/index.ts';
import { createComponents, type Components, type JsonObject } from './createComponents.ts';

/** The streams as AsyncAPI 3.0, generated from the tables of channels and commands (STR-1, STR-6). */
export function createAsyncApi(dialect: Dialect, wsUrl: string): JsonObject {
  const components = createComponents(dialect.limits);
  const { host, protocol, pathname: address } = new URL(wsUrl);
  const channels: Record<string, JsonObject> = {};
  const operations: Record<string, JsonObject> = {};
  for (const name of CHANNEL_NAMES) {
    channels[name] = { address, title: name, messages: eventMessages(name, components) };
    operations[`send ${name}`] = { action: 'send', channel: { $ref: `#/channels/${name}` } };
  }
  channels['answers'] = { address, messages: answerMessages(components) };
  const args = commandArgs(dialect, components);
  const schemas = components.schemas();
  channels['client'] = { address, messages: clientMessages(dialect, args, schemas) };
  operations['receive client'] = {
    action: 'receive',
    channel: { $ref: '#/channels/client' },
    reply: { channel: { $ref: '#/channels/answers' } },
  };
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Execution service streams',
      version: 'v1',
      description:
        'The upgrade is signed like GET of its path. The first frame is `_meta` welcome.',
    },
    servers: { paper: { host, protocol: protocol.replace(':', '') } },
    defaultContentType: 'application/json',
    channels,
    operations,
    components: { schemas },
  };
}

/** One message per event: the frame around its data. */
function eventMessages(name: ChannelName, components: Components): JsonObject {
  const { params, events } = CHANNELS[name] as {
    params: z.ZodType;
    events: Record<string, z.ZodType>;
  };
  const title = pascal(name);
  return Object.fromEntries(
    Object.entries(events).map(([event, data]) => [
      event,
      {
        name: event,
        payload: object({
          channel: { const: name },
          params: components.ref(params, `${title}Params`),
          event: { const: event },
          wallet: { type: 'string' },
          seq: { type: 'integer', minimum: 1 },
          ts: { type: 'integer', description: 'Epoch milliseconds.' },
          data: components.ref(data, `${title}${pascal(event)}`),
        }),
      },
    ]),
  );
}

type ArgsRefs = ReadonlyMap<CommandName, { $ref: string }>;

/** The input of a command besides its path's parameters: the REST body, or the query of a read. */
function commandArgs(dialect: Dialect, components: Components): ArgsRefs {
  const commands = Object.keys(COMMANDS) as CommandName[];
  return new Map(
    commands.map((command) => {
      const { body, query } = dialect.endpoints[COMMANDS[command]];
      return [command, components.ref(body ?? query, `${pascal(COMMANDS[command])}Args`)];
    }),
  );
}

function clientMessages(
  dialect: Dialect,
  args: ArgsRefs,
  schemas: Readonly<Record<string, JsonObject>>,
): JsonObject {
  const subscription = object(
    {
      id: { type: 'string' },
      op: { enum: ['subscribe', 'unsubscribe'] },
      channel: { enum: CHANNEL_NAMES },
      params: { type: 'object' },
    },
    ['params'],
  );
  const commands = [...args].map(([command, ref]) => {
    const { path } = dialect.endpoints[COMMANDS[command]];
    const names = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '');
    const schema = names.length === 0 ? ref : withNames(names, schemas[idOf(ref)] ?? {});
    return [command, { name: command, payload: commandPayload(command, schema, dialect) }];
  });
  return {
    subscription: { name: 'subscription', payload: subscription },
    ...(Object.fromEntries(commands) as JsonObject),
  };
}

const idOf = ({ $ref }: { $ref: string }): string => $ref.slice($ref.lastIndexOf('/') + 1);

/** Path parameters join the body's fields; the body is closed, so the two are written as one. */
function withNames(names: readonly string[], body: JsonObject): JsonObject {
  const own = Object.fromEntries(names.map((name) => [name, { type: 'string' }]));
  const { properties = {}, required = [] } = body;
  return {
    ...body,
    properties: { ...own, ...(properties as JsonObject) },
    required: [...names, ...(required as string[])],
  };
}

function commandPayload(command: CommandName, args: JsonObject, dialect: Dialect): JsonObject {
  const endpoint = COMMANDS[command];
  const { scope, weight } = dialect.endpoints[endpoint];
  const properties = {
    id: { type: 'string', description: 'Correlation id of the result.' },
    op: { const: 'command' },
    command: { const: command },
    args,
    wallet: { type: 'string' },
    idempotency_key: { type: 'string' },
  };
  const optional = ['args', 'wallet', ...(command === 'execute' ? [] : ['idempotency_key'])];
  const origin = { 'x-endpoint': endpoint, 'x-scope': scope, 'x-weight': weight };
  return { ...object(properties, optional), ...origin };
}

function answerMessages(components: Components): JsonObject {
  const frames = { ack: ackFrame, error: errorFrame, result: resultFrame };
  return Object.fromEntries(
    Object.entries(frames).map(([name, schema]) => [
      name,
      { name, payload: components.ref(schema, `${pascal(name)}Frame`) },
    ]),
  );
}

function object(properties: JsonObject, optional: readonly string[] = []): JsonObject {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { type: 'object', properties, required };
}

function pascal(name: string): string {
  return name
    .split(/[._]/)
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join('');
}
