import { NEVER } from 'rxjs';
import { describe, expect, expectTypeOf, test } from 'vitest';
import { z } from 'zod';
import { createState } from '../../src/strategy/createState.ts';
import {
  createMemoryState,
  defineStrategy,
  openState,
  type PersistedState,
  type StateDefinition,
} from '../../src/strategy/index.ts';

const schema = z.object({ bars: z.int(), since: z.number().default(0) });
const second: StateDefinition = {
  version: 2,
  schema,
  initial: { bars: 7 },
  migrate: (old) => ({ bars: (old as { count: number }).count }),
};
const first: PersistedState = { version: 1, state: { count: 3 } };

/** Opens a state with the reason it was refused, or what it became. */
function open(definition: Parameters<typeof openState>[0], retained?: PersistedState): unknown {
  const opened = openState(definition, retained);
  return opened.ok ? opened.value : `${opened.reason}\n${opened.remedy}`;
}

describe('a state of an older version', () => {
  test('is migrated, checked and given defaults', () => {
    expect(open(second, first)).toEqual({ bars: 3, since: 0 });
  });

  test('is reported with its version', () => {
    const asked: unknown[] = [];
    const migrate = (old: unknown, from: number): unknown => {
      asked.push([old, from]);
      return { bars: 0 };
    };
    open({ version: 4, schema, migrate }, { version: 2, state: 'old' });
    expect(asked).toEqual([['old', 2]]);
  });

  test('is unchanged until the plugin sets its state, and then has its version', () => {
    const store = createMemoryState(first);
    const handle = createState(second, store);
    expect(store.read()).toBe(first);
    handle.set({ bars: 4, since: 1 });
    expect(store.read()).toEqual({ version: 2, state: { bars: 4, since: 1 } });
  });

  test.each<[string, StateDefinition, string]>([
    ['without a migration', { version: 2, schema }, 'which has no `migrate`'],
    [
      'with a migration that throws',
      {
        version: 2,
        schema,
        migrate: () => {
          throw new Error('no idea');
        },
      },
      'its `migrate` threw: no idea',
    ],
    [
      'with a migration that gives another shape',
      { version: 2, schema, migrate: () => ({ bars: 'many' }) },
      'What `migrate` made of version 1, for version 2, does not fit its schema: bars',
    ],
    [
      'with a migration that only promises',
      { version: 2, schema, migrate: () => Promise.resolve({ bars: 1 }) },
      'does not fit its schema',
    ],
  ])('%s is refused with both versions and a remedy', (_name, definition, reason) => {
    const words = open(definition, first);
    expect(words).toContain(reason);
    expect(words).toMatch(/version 1\b[^]*\b2\b/);
    expect(words).toContain('Nothing was changed');
  });
});

test('a state of a newer version is refused: an older plugin would lose data', () => {
  const words = open(second, { version: 3, state: { bars: 1 } });
  expect(words).toContain("The persisted state is of version 3, and the plugin's is 2.");
  expect(words).toContain('Run the newer plugin again');
});

test('a persisted state that changed its shape without a version is refused', () => {
  expect(open(schema, { version: 1, state: { bars: 'many' } })).toContain('Raise `state.version`');
});

test('an instance starts with `initial`, or with {}', () => {
  expect(open(second)).toEqual({ bars: 7, since: 0 });
  expect(open(z.object({ n: z.int().default(1) }))).toEqual({ n: 1 });
  expect(open(z.object({ n: z.int() }))).toContain('The first state does not fit its schema: n');
});

test('the type of ctx.state is that of the schema, with and without a version', () => {
  const about = { name: 'typed', contract: 1, description: 'Typed.', scopes: [] } as const;
  const params = z.object({});
  defineStrategy({
    ...about,
    params,
    state: schema,
    setup(ctx) {
      expectTypeOf(ctx.state.get()).toEqualTypeOf<{ bars: number; since: number }>();
      return NEVER;
    },
  });
  defineStrategy({
    ...about,
    params,
    state: {
      version: 2,
      schema,
      initial: { bars: 1 },
      migrate(old, fromVersion) {
        expectTypeOf(old).toEqualTypeOf<unknown>();
        expectTypeOf(fromVersion).toEqualTypeOf<number>();
        return { bars: 1 };
      },
    },
    setup(ctx) {
      expectTypeOf(ctx.state.get()).toEqualTypeOf<{ bars: number; since: number }>();
      return NEVER;
    },
  });
  defineStrategy({
    ...about,
    params,
    setup(ctx) {
      expectTypeOf(ctx.state.get()).toEqualTypeOf<undefined>();
      return NEVER;
    },
  });
});

test('what is set is what its schema makes of it, and what is refused changes nothing', () => {
  const store = createMemoryState();
  let isRefused = false;
  const handle = createState({ version: 1, schema, initial: { bars: 0 } }, store, ({ version }) => {
    expect(version).toBe(1);
    if (isRefused) throw new Error('not in warm-up');
  });
  handle.set({ bars: 4 });
  const retained = { bars: 4, since: 0 };
  expect([handle.get(), store.read()]).toEqual([retained, { version: 1, state: retained }]);
  for (const wrong of [{ bars: 1.5 }, { since: 1 }, null, 'text']) {
    expect(() => handle.set(wrong)).toThrow('The new state does not fit its schema');
    expect([handle.get(), store.read()]).toEqual([retained, { version: 1, state: retained }]);
  }
  isRefused = true;
  expect(() => handle.set({ bars: 9 })).toThrow('not in warm-up');
  expect([handle.get(), store.read()]).toEqual([retained, { version: 1, state: retained }]);
});

describe('what a state gives out', () => {
  const nested = z.object({
    count: z.int().default(0),
    list: z.array(z.object({ price: z.number() })).default([{ price: 1 }]),
    free: z.unknown().optional(),
  });
  type Nested = z.output<typeof nested>;

  test('is frozen to its depths, at first and once it was set', () => {
    const store = createMemoryState();
    const handle = createState(nested, store);
    const changes: Array<(state: Nested) => unknown> = [
      (state) => (state.count += 1),
      (state) => state.list.push({ price: 2 }),
      (state) => (state.list[0]!.price = 3),
    ];
    const throwsAtAll = (): void => {
      for (const change of changes) {
        expect(() => change(handle.get() as Nested)).toThrow(TypeError);
      }
    };
    throwsAtAll();
    handle.set({ count: 1, list: [{ price: 4 }], free: undefined });
    throwsAtAll();
    expect(handle.get()).toEqual({ count: 1, list: [{ price: 4 }], free: undefined });
    expect(store.read()?.state).toEqual(handle.get());
  });

  test("leaves the plugin's own objects as they are, and is apart from them", () => {
    const own = { fills: [1], inner: Object.freeze({ deep: [1] }) };
    const handle = createState(nested, createMemoryState());
    handle.set({ count: 1, list: [], free: own });
    own.fills.push(2);
    own.inner.deep.push(2);
    const { free } = handle.get() as { free: typeof own };
    expect(free).toEqual({ fills: [1], inner: { deep: [1] } });
    expect(() => free.fills.push(3)).toThrow(TypeError);
    expect(() => free.inner.deep.push(3)).toThrow(TypeError);
    // What was frozen before is the same object afterwards: it is not walked or copied again.
    handle.set({ ...(handle.get() as Nested), count: 2 });
    expect((handle.get() as { free: unknown }).free).toBe(free);
  });

  test('an initial state can be changed by its definition alone', () => {
    const initial = { items: [1] };
    const handle = createState({ version: 1, schema: z.unknown(), initial }, createMemoryState());
    expect(() => (handle.get() as typeof initial).items.push(2)).toThrow(TypeError);
    initial.items.push(3);
    expect(handle.get()).toEqual({ items: [1] });
  });

  test('a date stays a date', () => {
    const handle = createState(
      z.object({ at: z.coerce.date().default(new Date(0)) }),
      createMemoryState(),
    );
    handle.set({ at: new Date(5) });
    expect(handle.get()).toEqual({ at: new Date(5) });
  });
});

describe('a state that a restart would change', () => {
  const of = (fields: z.ZodRawShape): z.ZodType =>
    z.object({ n: z.number().default(0), ...fields });
  const free = of({ free: z.unknown().optional() });
  const rising = z.number().transform((value) => value + 1);

  test.each<[string, z.ZodType, unknown]>([
    ['since', of({ since: z.date().optional() }), { since: new Date(5) }],
    ['seen', of({ seen: z.set(z.string()).optional() }), { seen: new Set(['a']) }],
    ['by', of({ by: z.map(z.string(), z.int()).optional() }), { by: new Map([['a', 1]]) }],
    ['BigInt', of({ id: z.bigint().optional() }), { id: 5n }],
    ['up', of({ up: rising.optional() }), { up: 1 }],
    ['size', of({ size: z.string().transform(Number).optional() }), { size: '5' }],
    ['free.0', free, { free: [undefined] }],
    ['free.0', free, { free: Array(1) }],
    ['free.at', free, { free: { at: Number.NaN } }],
    ['free.0', free, { free: [new Date(5)] }],
    ['free', free, { free: () => 1 }],
  ])('is refused when it is set, and nothing changes: %s', (where, schema, next) => {
    const store = createMemoryState();
    const handle = createState(schema, store);
    const before = handle.get();
    const set = (): void => handle.set(next);
    expect(set).toThrow('The new state would be another one after a restart');
    expect(set).toThrow(where);
    expect(set).toThrow(expect.objectContaining({ code: 'TRIMTAB_STATE_INVALID' }));
    expect([handle.get(), store.read()]).toEqual([before, undefined]);
  });

  test('is refused for a field that may be undefined and must be there', () => {
    const schema = z.object({ free: z.unknown() });
    const handle = createState({ version: 1, schema, initial: { free: 1 } }, createMemoryState());
    expect(() => handle.set({ free: undefined })).toThrow('free changes');
  });

  test('is refused as the first one, and as what a migration made', () => {
    const dated = of({ since: z.date().default(new Date(0)) });
    expect(open(dated)).toContain('The first state would be another one after a restart');
    expect(() => createState(dated, createMemoryState())).toThrow(
      expect.objectContaining({ code: 'TRIMTAB_PLUGIN_DEFINITION' }),
    );
    const migrate = (): unknown => ({ since: new Date(5) });
    expect(open({ version: 2, schema: dated, migrate }, first)).toMatch(
      /What `migrate` made .* would be another one after a restart.* since /,
    );
  });

  test.each<[z.ZodType, unknown]>([
    [of({ at: z.number().optional() }), { n: -0, at: undefined }],
    [of({ at: z.coerce.date().optional() }), { at: new Date(5) }],
    [of({ name: z.string().trim().optional() }), { name: ' a ' }],
    [of({ list: z.array(z.int()).default([]) }), {}],
    [free, { free: [{ a: [null, true, 'b', 1.5] }] }],
    [z.number().default(0), 4],
  ])('is not one that comes back as it is', (schema, next) => {
    const store = createMemoryState();
    const handle = createState({ version: 1, schema, initial: next }, store);
    handle.set(next);
    const text = JSON.stringify(store.read());
    const again = createState(schema, createMemoryState(JSON.parse(text) as PersistedState));
    expect(JSON.stringify(again.get())).toBe(JSON.stringify(handle.get()));
  });
});
