import { test } from 'vitest';
import {
  CHANNEL_NAMES,
  CHANNELS,
  createDialect,
  defaultDialect,
  ENDPOINT_IDS,
  ERROR_CODES,
  type Exchange,
} from '../../src/contract/index.ts';
import { createRandom } from '../../src/env/index.ts';
import { decodeFrame } from '../../src/frames/index.ts';
import { isChannelFrame, isKnownEvent } from '../../src/frames/isChannelFrame.ts';
import {
  backoffMs,
  classify,
  endsById,
  opensAnew,
  readHold,
  resolutionOf,
} from '../../src/outcomes/index.ts';
import { createDraw } from '../fuzz/Draw.ts';
import { createKnown } from '../fuzz/Known.ts';
import { encodeJson } from '../fuzz/encodeJson.ts';
import { fromSchema } from '../fuzz/fromSchema.ts';
import { spoil } from '../fuzz/spoil.ts';
import { openTestService, testFeed } from '../paper/core/openTestService.ts';
import { GATEWAY_BODIES, STATUSES } from '../runtime/gateways.ts';
import { expectRecorded, type Outcome } from './expectRecorded.ts';
import { resultText, valueText } from './resultText.ts';

/** Records that endpoints answer with, by the fields that name them. */
const RECORDS: readonly unknown[] = [
  { order_id: 'ord_1' },
  { execution_id: 'exe_1' },
  { monitor_id: '' },
  { monitor_id: 'mon_1' },
  { basket_id: null },
  { basket_id: 'bas_1' },
  { webhook_id: 'hook_1' },
  { leverage: 3 },
  { results: [] },
  { group_id: 'g' },
  { template_id: 't' },
  { legs: [] },
  {},
  null,
  'text',
  [],
];

test('what an exchange means', async () => {
  const answered = (status: number, body: unknown, headers = {}): Exchange => ({
    kind: 'answered',
    response: { status, headers, body },
  });
  const refused = (code: string, details: object = {}): unknown => ({
    error: { code, message: 'no', details },
    request_id: 'req_1',
  });
  const records = ENDPOINT_IDS.flatMap((endpoint) =>
    RECORDS.map((record) => valueText([endpoint, classify(answered(200, record), endpoint).kind])),
  );
  const codes = [...Object.keys(ERROR_CODES), 'of_a_newer_service'].flatMap((code) =>
    STATUSES.map(
      (status) => `${status} ${code} ${valueText(classify(answered(status, refused(code))))}`,
    ),
  );
  const gateways = Object.entries(GATEWAY_BODIES).flatMap(([name, body]) =>
    STATUSES.map((status) =>
      valueText([name, status, classify(answered(status, body), 'orders.place')]),
    ),
  );
  const date = 'Thu, 01 Jan 2026 00:00:00 GMT';
  const later = 'Thu, 01 Jan 2026 00:00:09 GMT';
  const asked = [undefined, '0', '2', '1.5', '-3', 'x', '100000', later, date];
  const holds = [429, 503, 200].flatMap((status) =>
    asked.flatMap((after) =>
      [
        {},
        refused('rate_limited'),
        refused('rate_limited', { retry_after_seconds: 4 }),
        refused('rate_limited', { retry_after_seconds: '5000' }),
        null,
      ].flatMap((body) =>
        [{}, { date }, { date: 'never' }].flatMap((own) => {
          const headers = { ...own, ...(after !== undefined && { 'retry-after': after }) };
          const exchange = answered(status, body, headers);
          const unread = {
            kind: 'no_answer',
            reason: 'unreadable_body',
            unread: { status, headers, isEmpty: true },
          };
          return [
            valueText([readHold(exchange), readHold(exchange, () => Date.parse(date) + 3_000)]),
            valueText([readHold(unread as never), classify(exchange)]),
          ];
        }),
      ),
    ),
  );
  const others = [
    { kind: 'not_sent', reason: 'not_connected', cause: { code: 'ENOTFOUND' } },
    { kind: 'not_sent', reason: 'aborted' },
    { kind: 'no_answer', reason: 'timeout' },
    { kind: 'no_answer', reason: 'timeout', requestId: 'req_3' },
    {
      kind: 'no_answer',
      reason: 'redirected',
      unread: { status: 302, headers: {}, isEmpty: true },
    },
  ].flatMap((exchange) => [
    resultText(() => classify(exchange as never)),
    resultText(() => readHold(exchange as never)),
  ]);
  const endpoints = ENDPOINT_IDS.map((id) =>
    valueText([id, resolutionOf(id), endsById(id), opensAnew(id)]),
  );
  const random = createRandom('backoff');
  const waits = Array.from({ length: 30 }, (_none, attempt) =>
    valueText(backoffMs(attempt, random)),
  );
  await expectRecorded(
    'outcomes',
    new Map([
      [
        'exchanges',
        new Map([
          ['records', records],
          ['codes', codes],
          ['gateways', gateways],
          ['holds', holds],
          ['others', others],
          ['endpoints', endpoints],
          ['waits', waits],
        ]),
      ],
    ]),
  );
});

test('what is read of frames', async () => {
  const draw = createDraw('frames');
  const { instruments } = openTestService({}, { feeds: [testFeed('BTC', 600)] }).core.engine.market;
  const known = createKnown(instruments, ['main']);
  const setting = { draw, known, surface: 'frames', symbol: 'BTC', side: 'buy' as const, path: [] };
  const dialects = {
    plain: defaultDialect,
    thrower: createDialect(
      {},
      {
        shapes: {
          normaliseServerFrame(json) {
            if (draw.chance(0.1)) throw new Error('of the module');
            return json;
          },
        },
      },
    ),
  };
  const outcomes = new Map<string, Outcome>();
  for (const [name, dialect] of Object.entries(dialects)) {
    const lines = new Map<string, string[]>();
    for (const channel of CHANNEL_NAMES) {
      const read: string[] = [];
      for (const [event, schema] of Object.entries(CHANNELS[channel].events))
        for (let at = 0; at < 14; at++) {
          const data = fromSchema(schema, setting);
          const frame = {
            channel,
            event,
            params: {},
            wallet: 'main',
            seq: at,
            ts: 1_000 + at,
            data,
          };
          const request = {
            endpoint: 'account.get' as const,
            pathParams: {},
            query: {},
            body: frame,
          };
          const how = at < 2 ? 'whole' : spoil(request, draw);
          const text = encodeJson(request.body);
          read.push(`${how} ${resultText(() => decodeFrame(text.slice(0, 5_000), dialect))}`);
        }
      lines.set(channel, read);
    }
    const controls = [
      { type: 'ack', id: '1', wallet: 'main', channel: 'price', params: {} },
      {
        type: 'error',
        id: '1',
        wallet: 'main',
        error: { code: 'c', message: 'm' },
        request_id: 'r',
      },
      { type: 'result', id: '1', wallet: 'main', ok: true, data: {}, weight: 2, request_id: 'r' },
      { type: 'result', id: '1', ok: false, error: { code: 'c', message: 'm', details: null } },
      { type: 'other', channel: 1 },
    ].flatMap((frame) =>
      Array.from({ length: 20 }, (_none, at) => {
        const body = structuredClone(frame);
        const request = { endpoint: 'account.get' as const, pathParams: {}, query: {}, body };
        const how = at === 0 ? 'whole' : spoil(request, draw);
        return `${how} ${resultText(() => decodeFrame(encodeJson(request.body).slice(0, 5_000), dialect))}`;
      }),
    );
    const texts = ['', '{', 'null', '7', '[]', '"x"', '{}', `{"a":"${'x'.repeat(400)}`].map(
      (text) => resultText(() => decodeFrame(text, dialect)),
    );
    const known = [...CHANNEL_NAMES, 'moon'].flatMap((channel) =>
      ['snapshot', 'tick', 'fill', 'ended', 'split'].map((event) => {
        const frame = { channel, event } as never;
        return valueText([channel, event, isKnownEvent(frame), isChannelFrame(frame, 'price')]);
      }),
    );
    lines.set('controls', [...controls, ...texts, ...known]);
    outcomes.set(name, lines);
  }
  await expectRecorded('frames', outcomes);
});
