import { expect, test } from 'vitest';
import { defaultDialect, SCOPES, type Scope } from '../../../src/contract/index.ts';
import {
  cancelOrder,
  closePosition,
  controlExecution,
  launchBasket,
  modifyOrder,
  placeOrder,
  stopMonitor,
  type Intent,
} from '../../../src/intents/index.ts';
import { createPrepare } from '../../../src/runtime/pipe/createPrepare.ts';
import { OPERATOR } from '../../../src/runtime/operator.ts';
import type { Meant } from '../../../src/runtime/wallet/index.ts';

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
  {
    wallet = 'main',
    meant,
    ...over
  }: { wallet?: string; meant?: Meant } & Record<string, unknown> = {},
) {
  const plan = {
    guards: {},
    instruments: [{ symbol: 'BTC' }, { symbol: 'ETH' }],
    strategies: [
      { name: 'one', symbols: ['BTC', 'ETH'], strategy: { scopes: declared } },
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
    dayLoss: () => 0,
    highestTrigger: () => 0,
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
    ...over,
  } as never);
  const emission = { intent, instance, wallet, decisionKey: 'd', trigger: {} };
  const made = prepare(emission as never, 'k1', meant);
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

test('a request names what its ref meant at the decision, and the guards see that', () => {
  const resumed = controlExecution.resume({ ref: 'x' });
  for (const reduce_only of [true, false]) {
    const asked = { kind: 'execution', symbol: 'BTC', side: 'buy', reduce_only } as const;
    const meant = { key: 'k', asked, name: () => 'older' };
    const given = { instance: 'one', key: SCOPES, declared: SCOPES, refused: [] };
    const { request, lane, enters } = preparedOf(resumed, given, undefined, { meant });
    expect(request.pathParams).toEqual({ id: 'older' });
    expect(lane).toBe(reduce_only ? 'exit' : 'entry');
    expect(enters).toEqual(reduce_only ? [] : ['BTC']);
  }
});

test('the size that a change asks for counts until the order shows it', () => {
  const all: Given = { instance: 'one', key: SCOPES, declared: SCOPES, refused: [] };
  const added: unknown[] = [];
  const change = modifyOrder({ order_id: 'exit' }, { size: 1, price: 9 });
  preparedOf(change, all, (...args) => void added.push(args[2]));
  const resized = { order: 'exit', symbol: 'BTC', side: 'sell', size: 1, isReducing: true };
  expect(added).toEqual([expect.objectContaining({ entries: [], resized })]);
});

/** With prices, and the instances whose entries the throttle counts. */
function passing() {
  const entered: string[] = [];
  const marks = { of: () => ({ price: 9, time: 0, intervalMs: 60_000 }) };
  const throttle = {
    recent: () => 0,
    latched: nothing,
    entered: (one: string) => entered.push(one),
  };
  return { entered, marks, throttle };
}
const ABLE: Given = { instance: 'one', key: SCOPES, declared: SCOPES, refused: [] };

test.each<[string, Intent, boolean]>([
  ['an order', placeOrder.limit({ symbol: 'BTC', side: 'buy', size: 1, price: 9 }), true],
  ['a larger size', modifyOrder({ order_id: 'entry' }, { size: 2 }), true],
  ['a new price', modifyOrder({ order_id: 'entry' }, { price: 9 }), false],
  ['a resume', controlExecution.resume({ execution_id: 'entry' }), false],
  ['a larger exit', modifyOrder({ order_id: 'exit' }, { size: 2 }), false],
  ['a close', closePosition.atMarket('BTC'), false],
])('%s is counted by the throttle if it adds something', (_what, intent, counts) => {
  const { entered, ...over } = passing();
  const { verdict } = preparedOf(intent, ABLE, nothing, over);
  expect(verdict.passed).toBe(true);
  expect(entered).toEqual(counts ? ['one'] : []);
});

test('a tracked entry that passed holds its row', () => {
  const added: unknown[] = [];
  const level = { indicator: 'sma', params: { period: 9 }, interval: '1h', track: true } as const;
  const intent = placeOrder.atLevel({ symbol: 'BTC', side: 'buy', size: 1, price_from: level });
  preparedOf(intent, ABLE, (...args) => void added.push(args), passing());
  expect(added).toEqual([['k1', 'main', expect.objectContaining({ rows: 1, executions: 0 })]]);
});

test('a basket enters on each symbol of its legs, each once', () => {
  const leg = { algo: 'pacemaker', side: 'buy', total_size: 1 } as const;
  const params = { duration_seconds: 60 };
  const legs = ['BTC', 'ETH', 'BTC'].map((symbol) => ({ ...leg, symbol, params }));
  const { enters } = preparedOf(launchBasket({ legs }), ABLE, nothing, passing());
  expect(enters).toEqual(['BTC', 'ETH']);
});

test('what no stream has shown is looked for in the wallet of the change', () => {
  const asked: string[] = [];
  const find = (of: string, id: string): void => void asked.push(`${of} ${id}`);
  const accepted = { unseenOrder: find, unseenExecution: find };
  const over = { ...passing(), accepted, wallet: 'side' };
  preparedOf(modifyOrder({ order_id: 'new' }, { price: 9 }), ABLE, nothing, over);
  preparedOf(controlExecution.resume({ execution_id: 'new' }), ABLE, nothing, over);
  expect(asked).toEqual(['side new', 'side new']);
});
