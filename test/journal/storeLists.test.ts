import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  createMemoryStore,
  createSqliteReader,
  createSqliteStore,
  INTENT_STATES,
  isFinal,
  isLegalTransition,
  type IntentFilter,
  type IntentState,
  type JournalEntry,
  type JournalReader,
  type JournalStore,
  type Latch,
} from '../../src/journal/index.ts';
import { holdLaw } from '../holdLaw.ts';

/**
 * A journal against lists: drawn appends, latches under a clock that steps back, writes that fail before they are
 * durable, compaction, another process. The file is also read as the command line reads it, page by page.
 */

/** What SQLite reports of a disk, and whether what is on it is unknown then. */
const FAILURES: Readonly<Record<string, { errcode: number; isUnsure: boolean }>> = {
  fsync: { errcode: 1_034, isUnsure: true },
  'fsync of the folder': { errcode: 1_290, isUnsure: true },
  corrupt: { errcode: 11, isUnsure: true },
  'no database': { errcode: 26, isUnsure: true },
  full: { errcode: 13, isUnsure: false },
  write: { errcode: 778, isUnsure: false },
  busy: { errcode: 5, isUnsure: false },
};

const KEYS = ['a1', 'a2', 'b1', 'b2', 'c%', 'c_'];
const INSTANCES = ['one', 'two'];
const WALLETS = ['main', 'side'];
const NAMES = ['kill', 'pause one'];

const op = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      op: fc.constant('append' as const),
      key: fc.constantFrom(...KEYS),
      /** Which of the legal states follow. */
      picks: fc.array(fc.nat({ max: 9 }), { maxLength: 4 }),
      instance: fc.constantFrom(...INSTANCES),
      wallet: fc.constantFrom(...WALLETS),
      fails: fc.constantFrom(false, false, false, true),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      op: fc.constant('latch' as const),
      name: fc.constantFrom(...NAMES),
      value: fc.constantFrom('on', 'off'),
      fails: fc.constantFrom(false, false, true),
    }),
  },
  fc.record({
    op: fc.constant('write' as const),
    what: fc.constantFrom('meta' as const, 'state' as const),
    name: fc.constantFrom(...INSTANCES),
    value: fc.string({ maxLength: 5 }),
    fails: fc.constantFrom(false, false, true),
  }),
  fc.record({
    op: fc.constant('compact' as const),
    limit: fc.integer({ min: 1, max: 3 }),
    ageMs: fc.constantFrom(0, 5, 1e6),
  }),
  {
    weight: 3,
    arbitrary: fc.record({
      op: fc.constant('clock' as const),
      ms: fc.constantFrom(-10, -1, 1, 10),
    }),
  },
  fc.constant({ op: 'reopen' as const }),
);

interface Model {
  intents: Map<string, { instance: string; wallet: string; entries: JournalEntry[] }>;
  retired: Map<string, IntentState>;
  latches: Array<Latch & { name: string }>;
  meta: Map<string, string>;
  states: Map<string, string>;
}

const kinds = ['memory', 'file'] as const;
test.each(kinds)(
  'a journal in %s holds what was appended, and nothing of what failed',
  async (kind) => {
    await holdLaw(
      kind === 'memory' ? 100 : 40,
      fc.array(op, { minLength: 5, maxLength: 30 }),
      async (ops) => {
        const folder = mkdtempSync(join(tmpdir(), 'trimtab-store-'));
        const path = join(folder, 'journal');
        let failing = false;
        const onUncommitted = (): void => {
          if (failing) throw new Error('the process dies here');
        };
        const memory = createMemoryStore();
        const open = (): JournalStore =>
          kind === 'memory' ? memory : createSqliteStore(path, 'process', onUncommitted);
        let store = open();
        let now = 1_000;
        const model: Model = {
          intents: new Map(),
          retired: new Map(),
          latches: [],
          meta: new Map(),
          states: new Map(),
        };
        /** @returns whether it is written */
        const write = async (fails: boolean, act: () => void | Promise<void>): Promise<boolean> => {
          if (fails && kind === 'memory') return false;
          failing = fails;
          const done = await Promise.resolve()
            .then(act)
            .then(
              () => true,
              () => false,
            );
          failing = false;
          expect(done).toBe(!fails);
          return done;
        };
        try {
          for (const [at, one] of ops.entries()) {
            if (one.op === 'clock') now += one.ms;
            if (one.op === 'append') {
              const known = model.intents.get(one.key);
              const isNew = known === undefined && !model.retired.has(one.key);
              let state = known?.entries.at(-1)?.state;
              const entries: JournalEntry[] = [];
              for (const pick of isNew ? [0, ...one.picks] : one.picks) {
                const next = INTENT_STATES.filter((to) => isLegalTransition(state, to));
                if (next.length === 0) break;
                state = next[pick % next.length]!;
                entries.push({
                  key: one.key,
                  state,
                  wallTime: now,
                  marketTime: now * 2,
                  data: `{"n":${entries.length}}`,
                });
              }
              const { key, instance, wallet } = one;
              const row = {
                key,
                decisionKey: key,
                generation: 0,
                instance,
                wallet,
                kind: 'launch',
                intent: `{"k":"${key}"}`,
              };
              if (known === undefined && !isNew) {
                await expect(
                  Promise.resolve().then(() => store.append({ intent: row, entries: [] })),
                ).rejects.toMatchObject({ code: 'duplicate' });
              } else if (entries.length > 0) {
                const append = known === undefined ? { intent: row, entries } : { entries };
                if (await write(one.fails, () => store.append(append))) {
                  if (known === undefined) model.intents.set(key, { instance, wallet, entries });
                  else known.entries.push(...entries);
                }
              }
            }
            if (one.op === 'latch') {
              const latch = { value: one.value, reason: `at ${now}`, time: now };
              if (await write(one.fails, () => store.setLatch(one.name, latch)))
                model.latches.push({ name: one.name, ...latch });
            }
            if (one.op === 'write') {
              const { what, name, value } = one;
              const act = () =>
                what === 'meta' ? store.setMeta(name, value) : store.writeState(name, value);
              if (await write(one.fails, act))
                (what === 'meta' ? model.meta : model.states).set(name, value);
            }
            if (one.op === 'compact') {
              const olderThan = now - one.ageMs;
              const old = [...model.intents]
                .filter(
                  ([, { entries }]) =>
                    isFinal(entries.at(-1)!.state) && entries.at(-1)!.wallTime < olderThan,
                )
                .slice(0, one.limit);
              expect(await store.compact({ olderThan, limit: one.limit })).toBe(old.length);
              for (const [key, { entries }] of old) {
                model.retired.set(key, entries.at(-1)!.state);
                model.intents.delete(key);
              }
            }
            if (one.op === 'reopen') {
              await store.close();
              store = open();
            }
            // Reading all of it takes longer than the writes do.
            if (one.op === 'reopen' || at % 6 === 5 || at === ops.length - 1) check(store, model);
          }
          if (kind === 'file') await checkReader(path, model, now);
        } finally {
          await store.close();
          rmSync(folder, { recursive: true });
        }
      },
    );
  },
);

function check(store: JournalStore, model: Model): void {
  const rows = [...model.intents].map(([key, { instance, wallet, entries }]) => ({
    key,
    instance,
    wallet,
    state: entries.at(-1)!.state,
  }));
  const shown = (all: ReturnType<JournalStore['intents']>) =>
    all.map(({ key, instance, wallet, state }) => ({ key, instance, wallet, state }));
  expect(shown(store.intents())).toEqual(rows);
  expect(shown([...store.newestIntents()])).toEqual(rows.toReversed());
  expect(shown(store.openIntents())).toEqual(rows.filter(({ state }) => !isFinal(state)));
  for (const key of KEYS) {
    const known = model.intents.get(key);
    expect(store.holds(key)).toBe(known !== undefined || model.retired.has(key));
    expect(store.stateOf(key)).toBe(known?.entries.at(-1)?.state ?? model.retired.get(key));
    expect(store.entries(key)).toEqual(known?.entries ?? []);
    expect(store.intent(key)?.state).toBe(known?.entries.at(-1)?.state);
  }
  const last = (name: string) => model.latches.findLast((latch) => latch.name === name);
  for (const name of NAMES) {
    const { value, reason, time } = last(name) ?? {};
    const latch = value === undefined ? undefined : { value, reason, time };
    expect(store.latch(name)).toEqual(latch);
  }
  expect(store.latches()).toEqual(NAMES.flatMap((name) => last(name) ?? []));
  for (const name of INSTANCES) {
    expect(store.meta(name)).toBe(model.meta.get(name));
    expect(store.readState(name)).toBe(model.states.get(name));
  }
}

async function checkReader(path: string, model: Model, now: number): Promise<void> {
  const reader = await createSqliteReader(path);
  try {
    const lives = [...model.intents].map(([key, one]) => ({
      key,
      ...one,
      state: one.entries.at(-1)!.state,
      opened: one.entries[0]!.wallTime,
    }));
    const filters: Array<Omit<IntentFilter, 'limit'>> = [
      {},
      { states: ['emitted', 'accepted', 'denied'] },
      { instance: 'two' },
      { wallet: 'side', instance: 'one' },
      { kind: 'other' },
      { since: now },
      { until: now },
      { since: now - 10, until: now + 1, wallet: 'main' },
    ];
    for (const filter of filters) {
      const wanted = lives
        .filter(
          (one) =>
            (filter.states?.includes(one.state) ?? true) &&
            (filter.instance ?? one.instance) === one.instance &&
            (filter.wallet ?? one.wallet) === one.wallet &&
            (filter.kind ?? 'launch') === 'launch' &&
            one.opened >= (filter.since ?? -Infinity) &&
            one.opened < (filter.until ?? Infinity),
        )
        .map(({ key }) => key)
        .toReversed();
      for (const limit of [1, Math.max(2, wanted.length)])
        expect(await readAll(reader, { ...filter, limit }), JSON.stringify(filter)).toEqual(wanted);
    }
    const all: string[] = [];
    for await (const { intent, entries } of reader.lives()) {
      all.push(intent.key);
      expect(entries).toEqual(model.intents.get(intent.key)!.entries);
    }
    expect(all).toEqual(lives.map(({ key }) => key));
    for (const prefix of ['', 'a', 'b1', 'c%', 'c_', 'x']) {
      const like = lives.map(({ key }) => key).filter((key) => key.startsWith(prefix));
      expect(await reader.keysLike(prefix, 3)).toEqual(like.toReversed().slice(0, 3));
    }
    const held = KEYS.filter((key) => model.intents.has(key) || model.retired.has(key));
    expect([...(await reader.held([...KEYS, 'x']))]).toEqual(held);
    expect(await reader.retired()).toBe(model.retired.size);
    expect(await reader.latchChanges()).toEqual(model.latches);
    expect(await reader.facts()).toMatchObject(Object.fromEntries(model.meta));
    expect(await reader.problems()).toEqual([]);
  } finally {
    await reader.close();
  }
}

/** Every page, which must be full but the last one. */
async function readAll(reader: JournalReader, filter: IntentFilter): Promise<string[]> {
  const keys: string[] = [];
  for (let cursor: string | null | undefined; cursor !== null;) {
    if (keys.length > KEYS.length) throw new Error('a row is on two pages');
    const page = await reader.find({ ...filter, ...(cursor === undefined ? {} : { cursor }) });
    if (cursor !== undefined) expect(page.items).not.toEqual([]);
    keys.push(...page.items.map(({ key }) => key));
    if (page.next !== null) expect(page.items).toHaveLength(filter.limit);
    cursor = page.next;
  }
  return keys;
}

test('a byte that changes on the disk is noticed before what it says is used', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'trimtab-byte-'));
  try {
    const path = join(folder, 'journal');
    const store = createSqliteStore(path, 'process');
    for (const key of KEYS) {
      const row = {
        key,
        decisionKey: key,
        generation: 0,
        instance: 'one',
        wallet: 'main',
        kind: 'launch',
      };
      const step = {
        key,
        state: 'emitted' as const,
        wallTime: 1,
        marketTime: 2,
        data: '{"marker":"entry"}',
      };
      await store.append({ intent: { ...row, intent: '{"marker":"intent"}' }, entries: [step] });
      await store.setLatch(key, { value: 'marker-latch', reason: 'r', time: 1 });
      await store.setMeta(key, 'marker-meta');
      await store.writeState(key, 'marker-state');
    }
    await store.close();
    const whole = readFileSync(path);
    const reads: Readonly<Record<string, (one: JournalStore, key: string) => unknown>> = {
      '{"marker":"intent"}': (one) => one.intents(),
      '{"marker":"entry"}': (one, key) => one.entries(key),
      'marker-latch': (one, key) => one.latch(key),
      'marker-meta': (one, key) => one.meta(key),
      'marker-state': (one, key) => one.readState(key),
    };
    for (const [marker, read] of Object.entries(reads)) {
      await holdLaw(2, fc.nat({ max: marker.length - 3 }), async (offset) => {
        const at = whole.indexOf(marker);
        expect(at).toBeGreaterThan(0);
        const bytes = Buffer.from(whole);
        bytes[at + offset] = bytes[at + offset]! ^ 1;
        const copy = join(folder, 'copy');
        for (const end of ['', '-wal', '-shm']) rmSync(copy + end, { force: true });
        writeFileSync(copy, bytes);
        let opened: JournalStore | undefined;
        try {
          expect(() => {
            opened = createSqliteStore(copy, 'process');
            for (const key of KEYS) read(opened, key);
          }).toThrow(/not what was written|damaged|malformed/);
        } finally {
          await opened?.close();
        }
      });
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});

describe('a write that the disk refuses', () => {
  const failure = fc.record({
    code: fc.constantFrom(...Object.keys(FAILURES)),
    write: fc.constantFrom('append', 'latch', 'meta', 'state', 'compact'),
    next: fc.constantFrom('append', 'latch', 'meta', 'state', 'compact'),
  });

  test('after a failed sync nothing more is written until it is opened again; a full disk is only full', async () => {
    await holdLaw(40, failure, async ({ code, write, next }) => {
      const folder = mkdtempSync(join(tmpdir(), 'trimtab-sync-'));
      const path = join(folder, 'journal');
      let failing: number | undefined;
      const open = (): JournalStore =>
        createSqliteStore(path, 'process', () => {
          if (failing !== undefined)
            throw Object.assign(new Error('disk I/O error'), { errcode: failing });
        });
      let count = 0;
      const row = (key: string) => ({
        intent: {
          key,
          decisionKey: key,
          generation: 0,
          instance: 'one',
          wallet: 'main',
          kind: 'launch',
          intent: '{}',
        },
        entries: [{ key, state: 'emitted' as const, wallTime: 1, marketTime: 1, data: '{}' }],
      });
      const acts: Readonly<Record<string, (store: JournalStore) => unknown>> = {
        append: (store) => store.append(row(`k${count++}`)),
        latch: (store) => store.setLatch('kill', { value: `v${count++}`, reason: '', time: 1 }),
        meta: (store) => store.setMeta('m', `v${count++}`),
        state: (store) => store.writeState('s', `v${count++}`),
        compact: (store) => store.compact({ olderThan: 9 }),
      };
      const contentOf = (store: JournalStore) =>
        JSON.stringify([store.intents(), store.latches(), store.meta('m'), store.readState('s')]);
      let store = open();
      try {
        for (const act of Object.values(acts)) await act(store);
        const before = contentOf(store);
        failing = FAILURES[code]!.errcode;
        expect(() => acts[write]!(store)).toThrow();
        failing = undefined;
        expect(contentOf(store)).toBe(before);
        if (FAILURES[code]!.isUnsure) {
          expect(() => acts[next]!(store)).toThrow(expect.objectContaining({ code: 'broken' }));
          expect(contentOf(store)).toBe(before);
        } else await acts[next]!(store);
        const after = contentOf(store);
        await store.close();
        store = open();
        expect(contentOf(store)).toBe(after);
        await acts[next]!(store);
      } finally {
        await store.close();
        rmSync(folder, { recursive: true });
      }
    });
  });
});
