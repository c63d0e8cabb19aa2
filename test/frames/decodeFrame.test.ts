import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { defaultDialect } from '../../src/contract/dialect.ts';
import {
  ackFrame,
  CHANNELS,
  CHANNEL_NAMES,
  errorFrame,
  resultFrame,
  streamFrame,
  type StreamFrame,
} from '../../src/contract/frames.ts';
import { compileCheck } from '../../src/frames/compileCheck.ts';
import { checkEnvelope, decodeFrame } from '../../src/frames/decodeFrame.ts';
import { isChannelFrame, isKnownEvent } from '../../src/frames/isChannelFrame.ts';

const decode = (text: string) => decodeFrame(text, defaultDialect);
const candle = { time: 1, open: 1, high: 2, low: 1, close: 2, volume: 3, closed: true };
const frame = (changes: Partial<Record<keyof StreamFrame, unknown>> = {}) => ({
  channel: 'candles',
  params: { symbol: 'BTC', interval: '1m' },
  event: 'bar_closed',
  wallet: 'main',
  seq: 1,
  ts: 1_700_000_000_000,
  data: candle,
  ...changes,
});

describe('frames that are read', () => {
  test('a stream frame is decoded as sent, with unknown fields (ERR-2)', () => {
    const sent = { ...frame({ data: { ...candle, trades: 7 } }), extra: { deep: [1] } };
    expect(decode(JSON.stringify(sent))).toEqual({
      ok: true,
      frame: { kind: 'stream', frame: sent },
    });
  });

  test('channels and events of a newer service pass unchanged (ERR-2)', () => {
    for (const changes of [{ channel: 'moon' }, { event: 'bar_split' }]) {
      const sent = frame({ ...changes, data: 'anything' });
      expect(decode(JSON.stringify(sent))).toMatchObject({ ok: true, frame: { frame: sent } });
      expect(isKnownEvent(sent as StreamFrame)).toBe(false);
    }
  });

  test('acks, errors and results are distinguished by type', () => {
    const ack = { type: 'ack', id: '1', wallet: 'main', channel: 'price', params: {} };
    const error = { code: 'unknown_channel', message: 'm' };
    const results = [
      { type: 'result', id: '3', ok: true, data: {}, weight: 2, request_id: 'r' },
      { type: 'result', id: '4', ok: false, error, request_id: 'r' },
    ];
    expect(decode(JSON.stringify(ack))).toMatchObject({ frame: { kind: 'ack', frame: ack } });
    expect(decode(JSON.stringify({ type: 'error', id: '2', error }))).toMatchObject({
      frame: { kind: 'error', frame: { id: '2', error } },
    });
    for (const result of results) {
      expect(decode(JSON.stringify(result))).toMatchObject({
        frame: { kind: 'result', frame: result },
      });
    }
  });

  test('a known event narrows to its channel’s type', () => {
    const decoded: StreamFrame = frame() as StreamFrame;
    expect(isChannelFrame(decoded, 'price')).toBe(false);
    expect(isChannelFrame(decoded, 'candles') && decoded.event === 'bar_closed').toBe(true);
  });

  test('DIAL-1: a dialect module may bring other shapes', () => {
    const dialect = {
      shapes: {
        ...defaultDialect.shapes,
        normaliseServerFrame: (json: unknown) => {
          const [channel, event, data] = json as [string, string, unknown];
          return frame({ channel, event, data });
        },
      },
    };
    expect(decodeFrame(JSON.stringify(['candles', 'bar_closed', candle]), dialect)).toMatchObject({
      ok: true,
      frame: { frame: { channel: 'candles', data: candle } },
    });
    expect(decodeFrame('7', dialect)).toMatchObject({
      ok: false,
      fault: { reason: 'not_normalised' },
    });
  });
});

describe('frames that are faults', () => {
  test.each([
    ['', 'not_json'],
    ['{"channel":"can', 'not_json'],
    ['null', 'bad_envelope'],
    ['[]', 'bad_envelope'],
    ['"text"', 'bad_envelope'],
    ['{}', 'bad_envelope'],
    ['{"type":"ack","id":7}', 'bad_envelope'],
    [JSON.stringify(frame({ seq: '1' })), 'bad_envelope'],
    [JSON.stringify(frame()).replace('1700000000000', '1e999'), 'bad_envelope'],
    [JSON.stringify(frame({ params: [] })), 'bad_envelope'],
    [JSON.stringify(frame({ data: null })), 'bad_data'],
    [JSON.stringify(frame()).replace('"close":2', '"close":1e999'), 'bad_data'],
    [JSON.stringify(frame({ data: { ...candle, close: '2' } })), 'bad_data'],
  ])('%s', (text, reason) => {
    expect(decode(text)).toMatchObject({ ok: false, fault: { reason } });
  });

  test('a fault names the part and quotes the beginning of the text', () => {
    const sent = frame({
      event: 'snapshot',
      data: { candles: [candle, { ...candle, high: null }], pad: 'x'.repeat(500) },
    });
    const text = JSON.stringify(sent);
    expect(decode(text)).toEqual({
      ok: false,
      fault: { reason: 'bad_data', detail: 'data.candles.1.high', text: text.slice(0, 200) },
    });
  });

  const cutJson = fc
    .tuple(fc.json(), fc.nat())
    .map(([text, at]) => text.slice(0, at % text.length));

  test('never throws, on any text', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json(), cutJson), (text) => {
        expect(typeof decode(text).ok).toBe('boolean');
      }),
    );
  });
});

// ── Checks and schemas say the same ──────────────────────────────────────────────────────────────

/** Values that fit a schema. */
function fitting(schema: z.core.$ZodType): fc.Arbitrary<unknown> {
  const { def } = schema as unknown as { def: Record<string, never> & { type: string } };
  switch (def.type) {
    case 'string':
      return fc.string();
    case 'number':
      return fc.double({ noNaN: true, noDefaultInfinity: true });
    case 'boolean':
      return fc.boolean();
    case 'unknown':
      return fc.jsonValue();
    case 'literal':
      return fc.constantFrom(...(def['values'] as unknown as unknown[]));
    case 'optional':
      return fc.option(fitting(def['innerType']!), { nil: undefined });
    case 'nullable':
      return fc.option(fitting(def['innerType']!), { nil: null });
    case 'tuple':
      return fc.tuple(...(def['items']! as z.core.$ZodType[]).map(fitting));
    case 'array':
      return fc.array(fitting(def['element']!), { maxLength: 3 });
    case 'record':
      return fc.dictionary(fc.string(), fitting(def['valueType']!), { maxKeys: 3 });
    case 'object':
      return fc.record(
        Object.fromEntries(
          Object.entries(def['shape']! as Record<string, z.core.$ZodType>).map(([key, part]) => [
            key,
            fitting(part),
          ]),
        ),
      );
    default:
      throw new Error(def.type);
  }
}

/** A JSON value with one part somewhere replaced by another. */
function spoil(value: unknown, path: number[], replacement: unknown): unknown {
  const [step, ...rest] = path;
  if (step === undefined || typeof value !== 'object' || value === null) return replacement;
  const keys = Object.keys(value);
  if (keys.length === 0) return replacement;
  const key = keys[step % keys.length]!;
  const copy: Record<string, unknown> = Array.isArray(value) ? ([...value] as never) : { ...value };
  if (replacement === undefined && rest.length === 0 && !Array.isArray(value)) delete copy[key];
  else copy[key] = spoil(copy[key], rest, replacement);
  return copy;
}

const throughJson = (value: unknown): unknown =>
  value === undefined ? undefined : (JSON.parse(JSON.stringify(value)) as unknown);

const schemas: Array<[string, z.ZodType]> = [
  ['ack', ackFrame],
  ['error', errorFrame],
  ['result', resultFrame],
  ...CHANNEL_NAMES.flatMap((channel) =>
    Object.entries(CHANNELS[channel].events as Record<string, z.ZodType>).map(
      ([event, schema]): [string, z.ZodType] => [`${channel} ${event}`, schema],
    ),
  ),
];

test.each(schemas)('the check of %s agrees with its schema', (_name, schema) => {
  const check = compileCheck(schema);
  const replacements = fc.oneof(fc.jsonValue(), fc.constantFrom(undefined, null, [], {}));
  const paths = fc.array(fc.nat(30), { maxLength: 4 });
  let refused = 0;
  fc.assert(
    fc.property(fitting(schema), paths, replacements, (value, path, replacement) => {
      for (const candidate of [value, spoil(value, path, replacement)].map(throughJson)) {
        const verdict = schema.safeParse(candidate).success;
        expect(check(candidate) === null).toBe(verdict);
        if (!verdict) refused += 1;
      }
    }),
    { numRuns: 300 },
  );
  expect(refused).toBeGreaterThan(0);
});

test.each(schemas.slice(3))(
  'a frame of %s is read if its data fits, and without data never',
  (name, schema) => {
    const [channel, event] = name.split(' ') as [string, string];
    const isRead = (data: unknown): boolean =>
      decode(JSON.stringify(frame({ channel: channel as never, event, data }))).ok;
    for (const odd of [undefined, null, [], {}, 0, '', false, 'text', [{}]])
      expect([odd, isRead(odd)]).toEqual([odd, schema.safeParse(odd).success]);
    fc.assert(
      fc.property(fitting(schema), (data) => isRead(data)),
      { numRuns: 20 },
    );
  },
);

test('the envelope’s check agrees with its schema', () => {
  const parts = fc.record(
    Object.fromEntries(
      Object.entries(frame()).map(([key, value]) => [
        key,
        fc.oneof({ weight: 6, arbitrary: fc.constant(value as unknown) }, fc.jsonValue()),
      ]),
    ),
    { requiredKeys: ['data'] },
  );
  let accepted = 0;
  fc.assert(
    fc.property(parts, (value) => {
      const verdict = streamFrame.safeParse(value).success;
      expect(checkEnvelope(value) === null).toBe(verdict);
      if (verdict) accepted += 1;
    }),
    { numRuns: 1_000 },
  );
  expect(accepted).toBeGreaterThan(10);
});
