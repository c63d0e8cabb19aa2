import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createVirtualEnv } from '../../src/env/index.ts';
import {
  createJournal,
  createMemoryStore,
  createSqliteReader,
  createSqliteStore,
  INTENT_STATES,
  isFinal,
  isLegalTransition,
  JournalFault,
  type IntentState,
  type JournalStore,
} from '../../src/journal/index.ts';

/** What may follow each state, as the life cycle is drawn in the documents. */
const FOLLOWS: Readonly<Record<string, readonly IntentState[]>> = {
  begin: ['emitted'],
  emitted: ['denied', 'guarded', 'deferred'],
  denied: [],
  guarded: ['deferred', 'sending', 'expired'],
  deferred: ['deferred', 'denied', 'guarded', 'sending', 'expired'],
  sending: ['sending', 'deferred', 'accepted', 'rejected', 'unknown', 'expired'],
  unknown: ['sending', 'accepted', 'rejected', 'absent', 'unresolved'],
  accepted: [],
  rejected: [],
  absent: [],
  unresolved: ['unknown', 'accepted', 'rejected', 'absent'],
  expired: [],
};

test('each state is followed by those of its life, and by no other', () => {
  for (const to of INTENT_STATES) {
    expect(isLegalTransition(undefined, to)).toBe(to === 'emitted');
    for (const from of INTENT_STATES)
      expect([from, to, isLegalTransition(from, to)]).toEqual([
        from,
        to,
        FOLLOWS[from]!.includes(to),
      ]);
    expect(isFinal(to)).toBe(FOLLOWS[to]!.length === 0);
  }
});

describe('a journal', () => {
  const setUp = (store: JournalStore = createMemoryStore()) => {
    const env = createVirtualEnv();
    const journal = createJournal(store, { clock: env.clock, market: { now: () => 77 } });
    const row = {
      key: 'k',
      decisionKey: 'd',
      generation: 0,
      instance: 'a',
      wallet: 'main',
      kind: 'x',
      intent: '{}',
    };
    return { journal, row, store };
  };

  test('writes no step that does not follow, within one append either', () => {
    const { journal, row, store } = setUp();
    expect(() => journal.open(row, [{ state: 'guarded' }])).toThrow('Illegal transition');
    expect(() => journal.open(row, [{ state: 'emitted' }, { state: 'sending' }])).toThrow(
      'emitted → sending',
    );
    expect(store.holds('k')).toBe(false);
    void journal.open(row, [{ state: 'emitted' }, { state: 'guarded' }, { state: 'sending' }]);
    expect(() => journal.record('k', [{ state: 'unknown' }, { state: 'expired' }])).toThrow(
      'unknown → expired',
    );
    expect(journal.stateOf('k')).toBe('sending');
    void journal.record('k', [{ state: 'accepted' }]);
    expect(() => journal.record('k', [{ state: 'unknown' }])).toThrow('accepted → unknown');
    expect(store.entries('k').map(({ marketTime }) => marketTime)).toEqual([77, 77, 77, 77]);
  });

  test('counts at once what a remote store still writes, and no longer what it refused', async () => {
    const store = createMemoryStore();
    let answer = Promise.withResolvers<void>();
    const { journal, row } = setUp({ ...store, append: () => answer.promise });
    const opened = journal.open(row, [{ state: 'emitted' }, { state: 'guarded' }]);
    expect([journal.holds('k'), journal.stateOf('k')]).toEqual([true, 'guarded']);
    answer.resolve();
    await opened;
    answer = Promise.withResolvers<void>();
    const recorded = journal.record('k', [{ state: 'sending' }]);
    expect(journal.stateOf('k')).toBe('sending');
    answer.reject(new Error('away'));
    await expect(recorded).rejects.toThrow('away');
    expect(journal.stateOf('k')).toBe('guarded');
  });
});

interface Life {
  decision: string;
  states: IntentState[];
  last: number;
}

const op = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('open' as const),
      key: fc.nat(12),
      decision: fc.nat(12),
      time: fc.nat(100),
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('step' as const),
      key: fc.nat(12),
      pick: fc.nat(5),
      time: fc.nat(100),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('latch' as const),
      name: fc.constantFrom('kill', 'pause a'),
      value: fc.constantFrom('on', 'off', 'L2'),
      time: fc.nat(100),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('fact' as const),
      key: fc.constantFrom('account', 'x'),
      value: fc.string(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('compact' as const),
      olderThan: fc.nat(100),
      limit: fc.integer({ min: 1, max: 4 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('reopen' as const) }) },
);

/** Every read of a store against what was written, in order. */
function holdToModel(
  ops: readonly (typeof op extends fc.Arbitrary<infer T> ? T : never)[],
  open: () => JournalStore,
  reopens: boolean,
  read?: () => void,
): void {
  let store = open();
  const lives = new Map<string, Life>();
  const retired = new Map<string, IntentState>();
  const latches = new Map<string, { value: string; reason: string; time: number }>();
  const facts = new Map<string, string>();
  const fails = (act: () => unknown): boolean => {
    try {
      void act();
      return false;
    } catch (error) {
      if (error instanceof JournalFault) expect(error.code).toBe('duplicate');
      return true;
    }
  };
  const decisions = new Set<string>();
  for (const one of ops) {
    if (one.kind === 'reopen' && reopens) {
      void store.close();
      store = open();
      // A decision that was compacted is known by its key.
      decisions.clear();
      for (const { decision } of lives.values()) decisions.add(decision);
    } else if (one.kind === 'open') {
      const [key, decision] = [`k${one.key}`, `d${one.decision}`];
      const row = {
        key,
        decisionKey: decision,
        generation: 0,
        instance: 'a',
        wallet: 'main',
        kind: 'x',
        intent: `{"n":${one.time}}`,
      };
      const entry = {
        key,
        state: 'emitted' as const,
        wallTime: one.time,
        marketTime: one.time,
        data: '{}',
      };
      const isKnown = lives.has(key) || retired.has(key);
      // Whether the decision of a compacted key is still known depends on the store: the key is what counts.
      if (
        !isKnown &&
        decisions.has(decision) &&
        ![...lives.values()].some((life) => life.decision === decision)
      )
        continue;
      const isRefused = fails(() => store.append({ intent: row, entries: [entry] }));
      expect(isRefused).toBe(isKnown || decisions.has(decision));
      if (isRefused) continue;
      decisions.add(decision);
      lives.set(key, { decision, states: ['emitted'], last: one.time });
    } else if (one.kind === 'step') {
      const key = `k${one.key}`;
      const life = lives.get(key);
      const next =
        life === undefined
          ? 'sending'
          : FOLLOWS[life.states.at(-1)!]![
              one.pick % Math.max(1, FOLLOWS[life.states.at(-1)!]!.length)
            ];
      if (next === undefined) continue;
      const entry = { key, state: next, wallTime: one.time, marketTime: one.time, data: '{"a":1}' };
      expect(fails(() => store.append({ entries: [entry] }))).toBe(life === undefined);
      life?.states.push(next);
      if (life !== undefined) life.last = one.time;
    } else if (one.kind === 'latch') {
      const latch = { value: one.value, reason: `at ${one.time}`, time: one.time };
      void store.setLatch(one.name, latch);
      latches.set(one.name, latch);
    } else if (one.kind === 'fact') {
      void store.setMeta(one.key, one.value);
      facts.set(one.key, one.value);
    } else if (one.kind === 'compact') {
      const old = [...lives]
        .filter(([, life]) => isFinal(life.states.at(-1)!) && life.last < one.olderThan)
        .slice(0, one.limit);
      expect(store.compact({ olderThan: one.olderThan, limit: one.limit })).toBe(old.length);
      for (const [key, life] of old) {
        retired.set(key, life.states.at(-1)!);
        lives.delete(key);
      }
    }
    for (let number = 0; number <= 12; number++) {
      const key = `k${number}`;
      const life = lives.get(key);
      expect(store.holds(key)).toBe(life !== undefined || retired.has(key));
      expect(store.stateOf(key)).toBe(life?.states.at(-1) ?? retired.get(key));
      expect(store.intent(key)?.decisionKey).toBe(life?.decision);
      expect(store.entries(key).map(({ state }) => state)).toEqual(life?.states ?? []);
    }
    const open_ = [...lives]
      .filter(([, life]) => !isFinal(life.states.at(-1)!))
      .map(([key]) => key);
    expect(store.intents().map(({ key }) => key)).toEqual([...lives.keys()]);
    expect(store.openIntents().map(({ key }) => key)).toEqual(open_);
    // The last that was set counts, whatever its time.
    expect(store.latches()).toEqual(
      [...latches]
        .map(([name, latch]) => ({ name, ...latch }))
        .toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    );
    for (const name of ['kill', 'pause a']) expect(store.latch(name)).toEqual(latches.get(name));
    for (const key of ['account', 'x']) expect(store.meta(key)).toBe(facts.get(key));
  }
  read?.();
  void store.close();
}

describe('a store holds what was written, in order, compacted keys included', () => {
  test('in memory', () => {
    fc.assert(
      fc.property(fc.array(op, { maxLength: 40 }), (ops) =>
        holdToModel(ops, createMemoryStore, false),
      ),
      { numRuns: 60 },
    );
  });

  test('in a file, over restarts', () => {
    const folder = mkdtempSync(join(tmpdir(), 'trimtab-drawn-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    let count = 0;
    fc.assert(
      fc.property(fc.array(op, { maxLength: 30 }), (ops) => {
        const path = join(folder, `${count++}.sqlite`);
        holdToModel(ops, () => createSqliteStore(path, 'process'), true);
      }),
      { numRuns: 12 },
    );
  });
});

test('a reader finds each intent on one page, newest first, within its times and states', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'trimtab-pages-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'pages.sqlite');
  const store = createSqliteStore(path, 'process');
  const all = Array.from({ length: 25 }, (_none, at) => {
    const [key, time] = [`key_${String(at).padStart(2, '0')}`, 1_000 + at * 10];
    const state = at % 3 === 0 ? ('denied' as const) : ('emitted' as const);
    const row = {
      key,
      decisionKey: key,
      generation: 0,
      instance: `s${at % 2}`,
      wallet: 'main',
      kind: 'x',
      intent: '{}',
    };
    const states: IntentState[] = state === 'denied' ? ['emitted', 'denied'] : ['emitted'];
    void store.append({
      intent: row,
      entries: states.map((each) => ({
        key,
        state: each,
        wallTime: time,
        marketTime: time,
        data: '{}',
      })),
    });
    return { key, time, state, instance: row.instance };
  });
  const reader = createSqliteReader(path);
  onTestFinished(() => reader.close());
  const find = async (filter: object, limit: number): Promise<string[][]> => {
    const pages: string[][] = [];
    let cursor: string | null = null;
    do {
      const page: Awaited<ReturnType<typeof reader.find>> = await reader.find({
        ...filter,
        limit,
        ...(cursor === null ? {} : { cursor }),
      });
      pages.push(page.items.map(({ key }) => key));
      cursor = page.next;
    } while (cursor !== null);
    return pages;
  };
  const cases: ReadonlyArray<readonly [object, (one: (typeof all)[number]) => boolean]> = [
    [{}, () => true],
    [{ states: ['denied'] }, ({ state }) => state === 'denied'],
    [{ instance: 's1' }, ({ instance }) => instance === 's1'],
    [{ since: 1_100 }, ({ time }) => time >= 1_100],
    [{ until: 1_100 }, ({ time }) => time < 1_100],
    [
      { since: 1_050, until: 1_200, states: ['emitted'] },
      ({ time, state }) => time >= 1_050 && time < 1_200 && state === 'emitted',
    ],
    [{ since: 9_999 }, () => false],
  ];
  for (const [filter, isWanted] of cases) {
    const wanted = all
      .filter(isWanted)
      .map(({ key }) => key)
      .toReversed();
    for (const limit of [1, 4, 5, 24, 25, 26]) {
      const pages = await find(filter, limit);
      expect(pages.flat()).toEqual(wanted);
      // No page but the last is short, and none is empty beside others.
      expect(pages.slice(0, -1).every((page) => page.length === limit)).toBe(true);
      expect(pages.length).toBe(Math.max(1, Math.ceil(wanted.length / limit)));
    }
  }
  void store.compact({ olderThan: 1_000 + 10 * 25 });
  expect(await reader.held(['key_00', 'key_01', 'never'])).toEqual(new Set(['key_00', 'key_01']));
  void store.close();
});
