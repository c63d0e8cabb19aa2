import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { defaultDialect } from '../../src/contract/index.ts';
import { check } from '../../src/conformance/Check.ts';
import { CHECKS } from '../../src/conformance/checks.ts';
import {
  accepted,
  equal,
  near,
  refused,
  refusedField,
  shaped,
  that,
} from '../../src/conformance/kit/claims.ts';
import { Difference } from '../../src/conformance/kit/Difference.ts';
import { Inconclusive } from '../../src/conformance/kit/Inconclusive.ts';
import { holdLaw } from '../holdLaw.ts';

/** What a claim says of it: nothing, or the difference. */
function differenceOf(claim: () => unknown): Difference | undefined {
  try {
    claim();
    return undefined;
  } catch (thrown) {
    if (thrown instanceof Difference) return thrown;
    throw thrown;
  }
}
const answer = (status: number, body: unknown, endpoint?: string) =>
  ({ status, body, headers: {}, ...(endpoint === undefined ? {} : { endpoint }) }) as never;

describe('a claim that fails is a difference', () => {
  test('that', () => {
    expect(differenceOf(() => that(true, 'x', 1))).toBeUndefined();
    expect(differenceOf(() => that(false, 'x', 1))).toMatchObject({ expected: 'x', got: '1' });
  });

  test('equal: the values of JSON, in any order of keys', async () => {
    const value = fc.jsonValue({ maxDepth: 2 });
    await holdLaw(500, fc.tuple(value, value), ([one, other]) => {
      const sorted = (of: unknown): unknown =>
        of === null || typeof of !== 'object' || Array.isArray(of)
          ? Array.isArray(of)
            ? of.map(sorted)
            : of
          : Object.entries(of)
              .toSorted(([a], [b]) => (a < b ? -1 : 1))
              .map(([key, part]) => ['key', key, sorted(part)]);
      const text = (of: unknown): string =>
        JSON.stringify(sorted(of), (_key, part: unknown) => (Object.is(part, -0) ? '-0' : part));
      const isSame = text(one) === text(other) && Array.isArray(one) === Array.isArray(other);
      expect(differenceOf(() => equal(one, other, 'it')) === undefined).toBe(isSame);
      expect(differenceOf(() => equal(one, structuredClone(one), 'it'))).toBeUndefined();
    });
    for (const [one, other] of [
      [{ a: 1 }, { a: 1, b: undefined }],
      [{ a: 1, b: 2 }, { a: 1 }],
      [
        [1, 2],
        [2, 1],
      ],
      [[], {}],
      [null, undefined],
      [0, '0'],
    ]) {
      expect(
        differenceOf(() => equal(one, other, 'it')),
        JSON.stringify([one, other]),
      ).toBeDefined();
    }
    expect(differenceOf(() => equal({ a: 1, b: 2 }, { b: 2, a: 1 }, 'it'))).toBeUndefined();
  });

  test('near: up to its share of what is expected', () => {
    for (const [actual, expected, share, isNear] of [
      [1 + 5e-10, 1, undefined, true],
      [1 + 5e-9, 1, undefined, false],
      [1 - 5e-9, 1, undefined, false],
      [110, 100, 0.1, true],
      [110.1, 100, 0.1, false],
      [-110, 100, 0.1, false],
      [-95, -100, 0.1, true],
      ['1', 1, undefined, false],
      [undefined, 1, undefined, false],
      [Number.NaN, 1, undefined, false],
    ] as const) {
      const difference = differenceOf(() => near(actual, expected, 'it', share));
      expect(difference === undefined, `${actual} ~ ${expected}`).toBe(isNear);
    }
  });

  test('accepted: the status of the endpoint and its shape', () => {
    expect(accepted(answer(200, { any: 1 }))).toEqual({ any: 1 });
    expect(differenceOf(() => accepted(answer(201, {})))).toBeDefined();
    expect(differenceOf(() => accepted(answer(422, {})))).toBeDefined();
    const clock = { time: 5 };
    expect(differenceOf(() => accepted(answer(200, 'nothing of it', 'orders.list')))).toBeDefined();
    expect(differenceOf(() => accepted(answer(200, clock, 'orders.list')))).toBeDefined();
    expect(differenceOf(() => accepted(answer(500, { items: [] }, 'orders.list')))).toBeDefined();
  });

  test('refused: status, code and, of a field, its path', () => {
    const error = (code: string, fields: string[]) => ({
      error: { code, details: { fields: fields.map((path) => ({ path })) } },
    });
    const right = answer(422, error('validation_failed', ['a', 'size']));
    expect(refused(right, 422, 'validation_failed')).toEqual({
      fields: [{ path: 'a' }, { path: 'size' }],
    });
    expect(differenceOf(() => refusedField(right, 'size'))).toBeUndefined();
    expect(differenceOf(() => refusedField(right, 'side'))).toBeDefined();
    expect(differenceOf(() => refused(right, 400, 'validation_failed'))).toBeDefined();
    expect(differenceOf(() => refused(right, 422, 'no_position'))).toBeDefined();
    expect(differenceOf(() => refused(answer(422, null), 422, 'no_position'))).toBeDefined();
    expect(
      differenceOf(() => refusedField(answer(422, error('other', ['size'])), 'size')),
    ).toBeDefined();
  });

  test('shaped', () => {
    expect(differenceOf(() => shaped(z.object({ a: z.number() }), { a: 1 }, 'it'))).toBeUndefined();
    const difference = differenceOf(() => shaped(z.object({ a: z.number() }), { a: '1' }, 'it'));
    expect(difference?.expected).toContain('a:');
  });
});

describe('the verdict of a check', () => {
  const stage = { trace: { describe: () => 'GET /v1/x' } } as never;
  const verdictOf = (body: () => Promise<string | void>) =>
    check('RULE-1', 'read', 'a title', body).run(stage);

  test.each([
    ['nothing', undefined, { result: 'holds' }],
    ['a note', 'seen', { result: 'holds', note: 'seen' }],
    [
      'a difference',
      new Difference('one', 2),
      { result: 'differs', expected: 'one', got: '2', request: 'GET /v1/x' },
    ],
    ['something missing', new Inconclusive('why'), { result: 'inconclusive', why: 'why' }],
    [
      'something that may come',
      new Inconclusive('why', true),
      { result: 'inconclusive', why: 'why', mayCome: true },
    ],
    [
      'a field of nothing',
      new TypeError('no such field'),
      {
        result: 'differs',
        expected: 'an answer with the fields of the contract',
        got: 'no such field',
        request: 'GET /v1/x',
      },
    ],
    [
      'a broken line',
      new Error('reset'),
      { result: 'inconclusive', why: 'The check broke: Error: reset' },
    ],
  ])('of %s', async (_what, end, verdict) => {
    const body = async (): Promise<string | void> => {
      if (end instanceof Error) throw end;
      return end;
    };
    expect(await verdictOf(body)).toEqual(verdict);
  });
});

/** A service of which every answer is this one, and every stream ends at once. */
function stageOf(status: number, body: unknown): never {
  const given = answer(status, body) as object;
  const nothing = (): Promise<object> => Promise.resolve(given);
  const actor = new Proxy({}, { get: (_of, name) => (name === 'then' ? undefined : nothing) });
  const stage: Record<string, unknown> = {
    dialect: defaultDialect,
    env: {
      clock: { wallNow: () => 0, monotonicNow: () => 0 },
      timers: { after: (_ms: number, call: () => void) => (queueMicrotask(call), () => {}) },
      random: { next: () => 0.5 },
    },
    trace: { describe: () => '', note: () => {} },
    isPaper: true,
    isReadOnly: false,
    me: actor,
    actor: async () => actor,
    cast: async () => actor,
    plain: nothing,
    stream: async () => {
      throw new Inconclusive('no stream');
    },
    events: async () => ({ status, text: '' }),
    tape: actor,
    paper: actor,
    instrument: { symbol: 'BTC', size_decimals: 3, min_order_value: 10, algo_min_value: 100 },
    scale: 1,
    instruments: [{ symbol: 'BTC/USDC', kind: 'spot', base: 'BTC', size_decimals: 3 }],
    unique: () => 'u',
    found: () => {},
    findings: [],
  };
  return stage as never;
}

test('no check holds upon a service that answers everything alike', async () => {
  const held: string[] = [];
  for (const one of CHECKS) {
    const verdicts = [];
    for (const [status, body] of [
      [200, {}],
      [500, { error: { code: 'internal_error', details: {} } }],
    ] as const) {
      verdicts.push((await one.run(stageOf(status, body))).result);
    }
    if (verdicts.every((result) => result === 'holds')) held.push(`${one.clause} ${one.title}`);
    if (verdicts[1] === 'holds') held.push(`${one.clause} ${one.title}: 500`);
  }
  expect(CHECKS.length).toBeGreaterThan(50);
  expect(held).toEqual([]);
});
