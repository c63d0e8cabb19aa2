import { describe, expect, test } from 'vitest';
import { paperVenue, startPaper } from '../../backtest/programs/index.ts';
import {
  COMMAND_NAMES,
  defaultDialect,
  ENDPOINT_IDS,
  ENDPOINTS,
} from '../../src/contract/index.ts';
import {
  createClient,
  createCommands,
  createEventStream,
  createHttpClient,
  createSigner,
  createSocket,
  openService,
} from '../../src/service.ts';

const endpoints = ENDPOINT_IDS.filter((id) => !id.startsWith('streams.'));
type Method = (...input: unknown[]) => Promise<unknown>;
const methodOf = (client: object, id: string): Method => {
  const [family = '', method = ''] = id.split('.');
  return (client as Record<string, Record<string, Method>>)[family]![method]!;
};
const unsent = createClient(
  { request: () => Promise.reject(new Error('It was sent.')) },
  defaultDialect,
);

const listener = { onFrame() {}, onFault() {}, onStatus() {} };

describe.each<[string, readonly string[], (given: never) => unknown]>([
  ['createClient', ['request'], (given) => createClient(given, defaultDialect)],
  ['createCommands', ['command'], (given) => createCommands(given, defaultDialect)],
  ['createHttpClient', ['baseUrl', 'dialect', 'signer', 'env'], createHttpClient],
  ['createSigner', ['keyId', 'secret', 'dialect', 'clock'], createSigner],
  ['createSocket', ['wsUrl', 'dialect', 'signer', 'env', 'decode'], createSocket],
  [
    'createEventStream',
    ['baseUrl', 'subscriptions', 'dialect', 'signer', 'env', 'decode'],
    (given) => createEventStream(given, listener),
  ],
])('%s, of a program without types', (name, fields, make) => {
  const whole = Object.fromEntries(fields.map((field) => [field, 'x']));

  test.each([undefined, null, 42, 'text'])('refuses %o in place of an object', (given) => {
    expect(() => make(given as never)).toThrow(`${name} takes an object with ${fields.join(', ')}`);
  });

  test.each(fields)('says that %s is missing', (field) => {
    const given = { ...whole, [field]: undefined };
    expect(() => make(given as never)).toThrow(`: ${field} is missing.`);
  });
});

describe.each(endpoints)('client.%s, of a program without types', (id) => {
  const call = methodOf(unsent, id);
  const refusal = { code: 'TRIMTAB_WIRE_UNSENDABLE' };
  const params = [...ENDPOINTS[id].path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const whole = Object.fromEntries(params.map((name) => [name, 'x']));

  test.each([null, 42, '', 'text', [], () => {}])(
    'refuses %o in place of an object',
    async (input) => {
      const { message, ...rest } = (await call(input).catch((error: unknown) => error)) as Error;
      expect(message).toMatch(new RegExp(`^client\\.${id} takes an object with .*wallet`));
      expect(rest).toMatchObject({ code: refusal.code });
    },
  );

  test.each([
    [{ ...whole, query: 42 }, 'query'],
    [{ ...whole, wallet: 42 }, 'wallet'],
    [{ ...whole, wallet: '' }, 'wallet'],
    [{ ...whole, idempotencyKey: {} }, 'idempotencyKey'],
    [{ ...whole, id_of_order: 'x' }, 'id_of_order'],
    ...params.flatMap((name) =>
      [undefined, null, '', 42, {}].map((value) => [{ ...whole, [name]: value }, name] as const),
    ),
  ] as [object, string][])('refuses %o with the name of %s', async (input, name) => {
    const error = await call(input).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject(refusal);
    expect(error).toBeInstanceOf(TypeError);
    expect((error as Error).message).toMatch(new RegExp(`(^client\\.${id} .*|^)\\b${name}\\b`));
  });
});

test.each([
  undefined,
  null,
  {},
  42,
  '',
  { endpoint: 'orders.cansel' },
  { endpoint: 'orders.cancel' },
])('client.request refuses %o before anything is sent', async (request) => {
  const error = await unsent.request(request as never).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: 'TRIMTAB_WIRE_UNSENDABLE' });
});

test('commands refuse what is no object', async () => {
  const socket = { command: () => Promise.reject(new Error('It was sent.')) };
  const commands = Object.entries(createCommands(socket, defaultDialect)) as [string, Method][];
  expect(commands).toHaveLength(COMMAND_NAMES.length);
  for (const [name, command] of commands)
    for (const given of [null, 42, '', []])
      for (const input of [[given], [{}, given]])
        await expect(command(...input)).rejects.toThrow(`commands.${name} takes an object as`);
});

test('no call of a client ends in an internal error of the service or of the engine', async () => {
  const feeds = [{ symbol: 'BTC', interval: '1h', generate: { bars: 700 } }] as const;
  const options = { feeds, limits: 'off' } as const;
  const direct = await paperVenue(options);
  const paper = await startPaper(options);
  const service = openService(paper);
  const inputs = [
    undefined,
    null,
    {},
    42,
    '',
    { body: null },
    { body: 42 },
    { body: {} },
    { query: {} },
  ];
  const params = { id: 'x', symbol: 'BTC', token: 'x' };
  for (const id of endpoints) {
    const names = [...ENDPOINTS[id].path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
    const own = Object.fromEntries(Object.entries(params).filter(([name]) => names.includes(name)));
    const all = [
      ...inputs,
      ...[{}, { body: {} }, { body: 42 }, { body: [] }].map((one) => ({ ...own, ...one })),
    ];
    for (const client of [direct.client, service.client])
      for (const input of all) {
        const error = await methodOf(
          client,
          id,
        )(input).then(
          () => undefined,
          (thrown: unknown) => thrown as Error & { code?: unknown },
        );
        if (error === undefined) continue;
        expect(error.code, `${id}(${JSON.stringify(input)}): ${error.message}`).toBeTypeOf(
          'string',
        );
        expect(error.message).not.toMatch(/internal error|Cannot read|destructure/i);
      }
  }
  await Promise.all([direct.close(), service.close()]);
  await paper.close();
}, 60_000);
