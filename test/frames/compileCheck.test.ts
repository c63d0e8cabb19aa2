import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { CHANNELS } from '../../src/contract/frames.ts';
import { compileCheck } from '../../src/frames/compileCheck.ts';
import { isChannelFrame, isKnownEvent } from '../../src/frames/index.ts';

describe('a check accepts and refuses what its schema does, and names the first part', () => {
  const pair = z.tuple([z.number(), z.number()]);
  const record = z.looseObject({
    a: z.number(),
    b: z.string().optional(),
    c: z.null().or(z.any()),
  });
  test.each<[string, z.ZodType, unknown, string | null]>([
    ['a level', pair, [1, 2], null],
    ['a level of three parts', pair, [1, 2, 3], ''],
    ['a level of one part', pair, [1], ''],
    ['a bad part of a level', pair, [1, 'x'], '1'],
    [
      'the last of a list',
      z.array(pair),
      [
        [1, 2],
        [3, 4],
        [5, null],
      ],
      '2.1',
    ],
    ['an empty list', z.array(pair), [], null],
    ['a value of a record', z.record(z.string(), z.number()), { a: 1, b: '2' }, 'b'],
    ['a list for a record', z.record(z.string(), z.number()), [], ''],
    ['null for a record', z.record(z.string(), z.number()), null, ''],
    ['what may be absent', z.object({ b: z.string().optional() }), {}, null],
    ['null for what may be absent', z.object({ b: z.string().optional() }), { b: null }, 'b'],
    ['what may be null', z.object({ b: z.string().nullable() }), { b: null }, null],
    ['nothing for what may be null', z.object({ b: z.string().nullable() }), {}, 'b'],
    ['a literal', z.literal(['x', 'y']), 'y', null],
    ['another literal', z.literal(['x', 'y']), 'z', ''],
    ['infinity', z.number(), Number.POSITIVE_INFINITY, ''],
    ['a truth', z.boolean(), 0, ''],
    ['anything', z.unknown(), undefined, null],
    ['more than the shape', z.looseObject({ a: z.number() }), { a: 1, x: 2 }, null],
  ])('%s', (_what, schema, value, fault) => {
    expect(schema.safeParse(value).success).toBe(fault === null);
    expect(compileCheck(schema)(value)).toBe(fault);
  });

  test('a kind that no frame uses is refused at the start', () => {
    expect(() => compileCheck(record)).toThrow('No check is written for schemas of type union');
  });
});

test('a frame is of a channel by its name and a known event of it', () => {
  const channels = Object.entries(CHANNELS);
  const frame = { wallet: 'main', params: {}, seq: 1, ts: 1, data: {} };
  for (const [channel, { events }] of channels) {
    for (const event of [...Object.keys(events), 'of_tomorrow']) {
      const one = { ...frame, channel, event };
      const isKnown = Object.hasOwn(events, event);
      expect(isKnownEvent(one)).toBe(isKnown);
      for (const [name] of channels) {
        expect(isChannelFrame(one, name as 'price')).toBe(isKnown && name === channel);
      }
    }
  }
  expect(isKnownEvent({ ...frame, channel: 'of_tomorrow', event: 'snapshot' })).toBe(false);
});
