import { expect, test } from 'vitest';
import { defaultDialect, SCOPES, type Scope } from '../../../src/contract/index.ts';
import {
  cancelOrder,
  closePosition,
  controlExecution,
  modifyOrder,
  pauseMonitor,
  stopMonitor,
  type Intent,
} from '../../../src/intents/index.ts';
import { createPrepare } from '../../../src/runtime/pipe/createPrepare.ts';
import { OPERATOR } from '../../../src/runtime/operator.ts';

const nothing = (): undefined => undefined;

interface Given {
  instance: string;
  /** Of the key; null if they are not known. */
  key: readonly Scope[] | null;
  /** By the strategy. */
  declared: readonly Scope[];
  refused: readonly Scope[];
}

/** Exits, so that nothing else may speak against them. */
const EXITS: ReadonlyArray<readonly [Intent, readonly Scope[]]> = [
  [cancelOrder({ order_id: 'o1' }), ['trade']],
  [stopMonitor({ monitor_id: 'm1' }), ['algo']],
  [
    closePosition.byAlgo('BTC', { algo: 'pacemaker', params: { duration_seconds: 60 } }),
    ['trade', 'algo'],
  ],
  // Of what only reduces: it is an exit as much as its order or its execution.
  [modifyOrder({ order_id: 'exit' }, { price: 9 }), ['trade']],
  [modifyOrder({ order_id: 'exit' }, { size: 9 }), ['trade']],
  [controlExecution.resume({ execution_id: 'exit' }), ['algo']],
  [controlExecution.completeAtMarket({ execution_id: 'exit' }), ['algo']],
];
/** The same of what enters. */
const ENTRIES: readonly Intent[] = [
  modifyOrder({ order_id: 'entry' }, { price: 9 }),
  controlExecution.resume({ execution_id: 'entry' }),
  controlExecution.completeAtMarket({ execution_id: 'entry' }),
];
const WORK = ['exit', 'entry'].map((id) => ({
  execution_id: id,
  order_id: id,
  // The service answers without one where none was given.
  client_order_id: id === 'exit' ? 'key' : null,
  symbol: 'BTC',
  side: 'sell',
  size: 1,
  reduce_only: id === 'exit',
}));

/** What becomes of it where all else allows it. */
function preparedOf(
  intent: Intent,
  { instance, key, declared, refused }: Given,
  add: (...args: unknown[]) => void = nothing,
) {
  const plan = {
    guards: {},
    instruments: [{ symbol: 'BTC' }],
    strategies: [
      { name: 'one', symbols: ['BTC'], strategy: { scopes: declared } },
      { name: 'other', symbols: [], strategy: { scopes: SCOPES } },
    ],
    scopes: key,
    dialect: defaultDialect,
  };
  const counted = { pending: () => 0, closing: () => 0, armed: () => 0, rows: () => 0 };
  const book = {
    position: () => 0,
    resting: () => 0,
    closing: () => 0,
    armed: () => 0,
    maintainedRows: () => 0,
    exposedSymbols: () => [],
    equity: nothing,
    order: (id: string) =>
      WORK.find((one) => one.order_id === id || id === `client:${one.client_order_id}`),
    liveExecutions: () => WORK,
  };
  const prepare = createPrepare({
    plan,
    market: { now: () => 0 },
    present: () => 0,
    refs: { resolverOf: () => nothing, named: nothing, askedOf: () => nothing },
    accepted: { unseenOrder: nothing, unseenExecution: nothing },
    refLogs: new Map(),
    bookOf: () => book,
    exposure: { ...counted, symbols: () => [], add },
    gate: { reasons: () => [], closedStrategy: nothing, closedSymbols: () => new Map() },
    owners: { holdsOn: () => [], ignores: () => false },
    coverage: { uncovered: () => [] },
    throttle: { recent: () => 0, latched: nothing },
    slots: { freed: () => 0 },
    refusedScopes: new Set(refused),
    marks: { of: nothing },
    references: { of: nothing },
  } as never);
  const emission = { intent, instance, wallet: 'main', decisionKey: 'd', trigger: {} };
  const made = prepare(emission as never, 'k1');
  if (!made.ok) throw new Error(made.reason);
  return made.prepared;
}

const subsetsOf = (scopes: readonly Scope[]): Scope[][] =>
  scopes.reduce<Scope[][]>((all, scope) => [...all, ...all.map((some) => [...some, scope])], [[]]);

test('AUTH-4: each scope of an intent must be the key’s and, of a strategy, declared', () => {
  let denials = 0;
  for (const [intent, needed] of EXITS) {
    for (const key of [null, ...subsetsOf(SCOPES)]) {
      for (const declared of subsetsOf(SCOPES)) {
        for (const instance of ['one', OPERATOR]) {
          const name = `${intent.kind} of ${instance}: key ${key}, declared ${declared}`;
          const isDeclared = instance === OPERATOR || needed.every((one) => declared.includes(one));
          const isAble = key === null || needed.every((one) => key.includes(one));
          const given = { instance, key, declared, refused: SCOPES };
          const { verdict } = preparedOf(intent, given);
          expect(verdict.passed, name).toBe(isDeclared && isAble);
          if (verdict.passed) continue;
          denials++;
          expect(verdict.guard, name).toBe('has_scopes');
          const missing = needed.find(
            (one) =>
              (key !== null && !key.includes(one)) ||
              (instance !== OPERATOR && !declared.includes(one)),
          )!;
          const isUndeclared = instance !== OPERATOR && !declared.includes(missing);
          expect(verdict.reason, name).toContain(
            isUndeclared
              ? `the plugin does not declare the scope ${missing}`
              : `the key lacks the scope ${missing}`,
          );
        }
      }
    }
  }
  expect(denials).toBeGreaterThan(100);
});

test('a change of an entry waits for a scope that the service refused', () => {
  for (const intent of ENTRIES) {
    const given = { instance: 'one', key: null, declared: SCOPES, refused: SCOPES };
    const { verdict } = preparedOf(intent, given);
    expect(verdict).toMatchObject({ passed: false, guard: 'has_scopes' });
    expect(verdict).toMatchObject({ reason: expect.stringContaining('the service refused') });
  }
});

test('an order has one name, by whichever of its ids a request changes it', () => {
  const given = { instance: 'one', key: null, declared: SCOPES, refused: [] };
  const targetOf = (intent: Intent): string | undefined => preparedOf(intent, given).target;
  expect(targetOf(modifyOrder({ order_id: 'exit' }, { price: 9 }))).toBe('client:key');
  // As the request has it.
  expect(targetOf(modifyOrder({ client_order_id: 'key' }, { price: 9 }))).toBeUndefined();
  expect(targetOf(modifyOrder({ order_id: 'entry' }, { price: 9 }))).toBeUndefined();
  expect(targetOf(closePosition.atMarket('BTC'))).toBeUndefined();
});

test('a change enters on its order’s symbol, by which a doubt about another does not end it', () => {
  const given = { instance: 'one', key: null, declared: SCOPES, refused: [] };
  const entersOf = (intent: Intent) => preparedOf(intent, given).enters;
  for (const intent of ENTRIES) expect(entersOf(intent)).toEqual(['BTC']);
  expect(entersOf(modifyOrder({ order_id: 'exit' }, { price: 9 }))).toEqual([]);
});

test('what a change adds or closes is journaled with its approval, since the intent does not show it', () => {
  const all = { instance: 'one', key: SCOPES, declared: SCOPES, refused: [] };
  const changesOf = (id: string, size: number) => {
    const { added, reduced } = preparedOf(modifyOrder({ order_id: id }, { size }), all);
    return { added, reduced };
  };
  expect(changesOf('exit', 3)).toEqual({
    added: undefined,
    reduced: [{ symbol: 'BTC', side: 'sell', size: 2 }],
  });
  expect(changesOf('exit', 0.5)).toEqual({ added: undefined, reduced: undefined });
  expect(changesOf('entry', 3)).toMatchObject({ added: [{ size: 2 }], reduced: undefined });
});

test('a control by a ref without an id names the intent that may make it', () => {
  const refs = {
    resolverOf: () => nothing,
    makerOf: (...of: string[]) => `maker of ${of.join(' ')}`,
  };
  const plan = { guards: {}, instruments: [], strategies: [], dialect: defaultDialect };
  const prepare = createPrepare({ plan, refs, market: { now: () => 0 } } as never);
  const makerOf = (intent: Intent): unknown => {
    const made = prepare({ intent, instance: 'one', wallet: 'main' } as never, 'k1');
    return made.ok ? 'made' : made.maker;
  };
  expect(makerOf(controlExecution.stop({ ref: 'e' }))).toBe('maker of one execution e');
  expect(makerOf(stopMonitor({ ref: 'm' }))).toBe('maker of one monitor m');
  expect(makerOf(pauseMonitor({ ref: 'm' }))).toBe('maker of one monitor m');
  // It has its client id before any answer.
  expect(makerOf(cancelOrder({ ref: 'o' }))).toBeUndefined();
});

test('the size that a change asks for counts until the order shows it', () => {
  const all: Given = { instance: 'one', key: SCOPES, declared: SCOPES, refused: [] };
  const added: unknown[] = [];
  const change = modifyOrder({ order_id: 'exit' }, { size: 1, price: 9 });
  preparedOf(change, all, (...args) => void added.push(args[2]));
  const resized = { order: 'exit', symbol: 'BTC', side: 'sell', size: 1, isReducing: true };
  expect(added).toEqual([expect.objectContaining({ entries: [], resized })]);
});
