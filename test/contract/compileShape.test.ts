import fc from 'fast-check';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { compileShape, UNSURE } from '../../src/contract/compileShape.ts';
import { endpointSpec } from '../../src/contract/index.ts';
import { askSchema, checkShape } from '../../src/contract/validation.ts';
import { intentSchemaOf } from '../../src/intents/checkIntent.ts';
import { ruleOf } from '../../src/intents/intentRules.ts';
import { SAMPLES } from '../intents/samples.ts';
import { LAUNCHES } from './launches.ts';

type Case = readonly [schema: z.ZodType, value: unknown];

const resolve = () => 'id_1';
/** Every intent, and the request that it becomes. */
const CASES: readonly Case[] = [
  ...SAMPLES.map((intent): Case => [intentSchemaOf(intent), intent]),
  ...SAMPLES.flatMap((intent): Case[] => {
    const made = ruleOf(intent).toCall(intent, { idempotencyKey: 'key-1', resolve });
    if (!made.ok) throw new Error(made.reason);
    const { body, query } = endpointSpec(made.call.endpoint);
    const asked: Case = [query, made.call.query ?? {}];
    return body === null ? [asked] : [[body, made.call.body ?? {}], asked];
  }),
  ...LAUNCHES.map(([, request]): Case => [endpointSpec('executions.launch').body!, request]),
];

// prettier-ignore
const JUNK: readonly unknown[] = [
  undefined, null, true, 0, -0, -1, 1, 59, 1.5, 1e21, 2 ** 53, NaN, Infinity, 10_001, '', 'a',
  '\u{1F600}', 'x'.repeat(64), 'x'.repeat(65), 'y'.repeat(1_001), 'BTC', 'market', 'limit', 'buy',
  'gtc', 'socket', 'atr', 'rsi', '5m', 'a b', '1\n', [], {}, [undefined], { price: 1 },
  JSON.parse('{"__proto__":1}'), new Date(0), () => 1,
];
const NAMES = ['price', 'size', 'slippage_bps', 'time_in_force', 'reduce_only', 'ref', 'via'];
const junk = fc.constantFrom(...JUNK);
const name = fc.constantFrom(...NAMES, '__proto__', 'toString', 'unknown');

/** A value with one change: a field removed, replaced, or added. */
const change = fc.record({
  at: fc.array(fc.nat(6), { maxLength: 4 }),
  act: fc.constantFrom('set', 'drop', 'add'),
  junk,
  name,
});
type Change = typeof change extends fc.Arbitrary<infer T> ? T : never;

function apply(value: unknown, { at, act, junk, name }: Change): void {
  let whole = value as Record<string, unknown>;
  for (const step of at) {
    const inner = Object.values(whole).filter((each) => typeof each === 'object' && each !== null);
    if (inner.length === 0) break;
    whole = inner[step % inner.length] as Record<string, unknown>;
  }
  const keys = Object.keys(whole);
  const key = keys[(at[0] ?? 0) % Math.max(1, keys.length)] ?? name;
  if (act === 'drop') delete whole[key];
  else put(whole, act === 'set' ? key : name, junk);
}

/** An own field, whatever its name. */
const put = (whole: object, key: string, value: unknown): void =>
  void Object.defineProperty(whole, key, {
    value: typeof value === 'object' ? structuredClone(value) : value,
    enumerable: true,
    configurable: true,
    writable: true,
  });

/** A result with the order of its fields and values that JSON omits. */
const reported = (value: unknown): string =>
  JSON.stringify(value, (_key, part: unknown) =>
    part === undefined || typeof part === 'number' || typeof part === 'function'
      ? `${typeof part} ${Object.is(part, -0) ? '-0' : String(part)}`
      : part,
  );

test('the compiled reader and the schema agree on any input', () => {
  fc.assert(
    fc.property(fc.nat(CASES.length - 1), fc.array(change, { maxLength: 3 }), (index, changes) => {
      const [schema, sample] = CASES[index]!;
      const value: unknown = structuredClone(sample);
      for (const each of changes) apply(value, each);
      const [fast, slow] = [checkShape(schema, value), askSchema(schema, value)];
      expect(reported(fast)).toBe(reported(slow));
      expect(fast).toEqual(slow);
    }),
    { numRuns: 2_000 },
  );
});

test('fields in another order, or of an object that is no plain one, are read alike', () => {
  for (const [schema, sample] of CASES) {
    if (typeof sample !== 'object' || sample === null) continue;
    const entries = Object.entries(sample);
    const turned: unknown = Object.fromEntries(entries.toReversed());
    const [first, ...rest] = entries;
    // A field that is inherited counts, as it does for the schema.
    const inherited: unknown = Object.assign(
      Object.create(first === undefined ? {} : Object.fromEntries([first])) as object,
      Object.fromEntries(rest),
    );
    for (const value of [turned, inherited]) {
      expect(reported(checkShape(schema, value))).toBe(reported(askSchema(schema, value)));
    }
  }
});

test('a field that hangs on a list is not part of it, for both alike', () => {
  for (const [schema, sample] of CASES) {
    const value = structuredClone(sample) as Record<string, unknown>;
    const list = Object.values(value).find((each) => Array.isArray(each)) as object | undefined;
    if (list === undefined) continue;
    put(list, 'price', { ['__proto__']: 1 });
    expect(reported(checkShape(schema, value))).toBe(reported(askSchema(schema, value)));
  }
});

test('a value that is not an object is refused by both', () => {
  for (const [schema] of CASES) {
    for (const value of JUNK) expect(checkShape(schema, value)).toEqual(askSchema(schema, value));
  }
});

test('no valid sample falls back to the full schema', () => {
  const taken = CASES.filter(([schema, value]) => askSchema(schema, value).ok);
  expect(taken.length).toBeGreaterThan(CASES.length / 2);
  for (const [schema, value] of taken) expect(compileShape(schema)(value)).not.toBe(UNSURE);
});

test('the result is a copy: later changes to the original do not affect it', () => {
  const order = { symbol: 'BTC', side: 'buy', size: 1, order_type: 'market' };
  const checked = checkShape(endpointSpec('orders.place').body!, order);
  order.size = 2;
  expect(checked).toEqual({ ok: true, value: { ...order, size: 1 } });
});

test('an unsupported schema or check falls back to the schema', () => {
  const unknown: z.ZodType[] = [
    z.string().trim(),
    z.email(),
    z.coerce.number(),
    z.number().multipleOf(2),
    z.number().default(1),
    z.union([z.string(), z.number()]),
    z.string().regex(/a/g),
    z.object({ a: z.number() }).transform(({ a }) => a),
    z.float32(),
    z.record(z.string(), z.unknown()),
    z.string().refine(() => true, { when: () => false }),
    z.string().min(2).max(2),
    z.array(z.number()).min(1).max(2),
    z.object({ a: z.number().optional() }),
  ];
  for (const inner of unknown) {
    for (const schema of [inner, inner.optional(), z.strictObject({ b: inner })]) {
      for (const value of [2, 3, 'a@b.de', ' a ', [1], [], { a: 1, c: 2 }, undefined, ...JUNK]) {
        for (const each of [value, { b: value }]) {
          expect(checkShape(schema, each)).toEqual(askSchema(schema, each));
        }
      }
    }
  }
});
