import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { AccountRecord, ExecutionRecord, OrderRecord } from '../../../src/contract/index.ts';
import { createMonitor, type Intent } from '../../../src/intents/index.ts';
import { createRefs, liveIdsOf } from '../../../src/runtime/wallet/createRefs.ts';
import { createWalletBook } from '../../../src/runtime/wallet/createWalletBook.ts';

const orderOf = (ref: string): Intent => ({
  kind: 'place_order',
  request: { symbol: 'BTC', side: 'buy', order_type: 'market', size: 1 },
  ref,
});
const launchOf = (ref: string): Intent => ({
  kind: 'launch',
  request: {
    algo: 'pacemaker',
    symbol: 'BTC',
    side: 'buy',
    total_size: 1,
    params: { duration_seconds: 60 },
  },
  ref,
});

const monitorOf = (ref: string): Intent => {
  const trigger = { type: 'price_level', symbol: 'BTC', price: 90, direction: 'below' } as const;
  const request = { symbol: 'BTC', side: 'sell', order_type: 'market', size: 1 } as const;
  return createMonitor({ trigger, action: { type: 'order', request } }, { ref });
};

function setUp(live: () => ReadonlySet<string> | undefined, areMonitorsShown = true) {
  const refs = createRefs({
    liveOf() {
      const ids = live();
      return ids === undefined ? undefined : { has: (id) => ids.has(id), areMonitorsShown };
    },
  });
  const resolve = refs.resolverOf('ema');
  const place = (from: number, until: number): void => {
    for (let index = from; index < until; index++)
      refs.named('ema', orderOf(`o${index}`), `${index}`);
  };
  const known = (until: number): number =>
    Array.from({ length: until }, (_, index) => resolve('order', `o${index}`)).filter(Boolean)
      .length;
  return { refs, resolve, place, known };
}

test('names of ended items are forgotten, oldest first', () => {
  const { resolve, place, known } = setUp(() => new Set());
  place(0, 20_000);
  expect(known(20_000)).toBeLessThan(1_200);
  expect(known(20_000)).toBeGreaterThanOrEqual(1_000);
  expect(resolve('order', 'o0')).toBeUndefined();
  expect(resolve('order', 'o19999')).toBe('client:19999');
});

test('an open item stays known, however old its name', () => {
  const { refs, resolve, place } = setUp(() => new Set(['client:7', 'ord_8', 'exe_1']));
  place(0, 20);
  refs.became('ema', orderOf('o8'), '8', { order_id: 'ord_8' });
  refs.named('ema', launchOf('run'), 'k');
  refs.became('ema', launchOf('run'), 'k', { execution_id: 'exe_1' });
  place(20, 20_000);
  expect(resolve('order', 'o7')).toBe('client:7');
  expect(resolve('order', 'o8')).toBe('client:8');
  expect(resolve('execution', 'run')).toBe('exe_1');
  expect(resolve('order', 'o9')).toBeUndefined();
});

test('a monitor stays known as long as it may fire, or nobody knows whether it does', () => {
  for (const areMonitorsShown of [true, false]) {
    const { refs, resolve } = setUp(() => new Set(['mon_7']), areMonitorsShown);
    for (let index = 0; index < 20_000; index++) {
      const intent = monitorOf(`m${index}`);
      refs.named('ema', intent, `${index}`);
      refs.became('ema', intent, `${index}`, { monitor_id: `mon_${index}` });
    }
    const known = Array.from({ length: 20_000 }, (_none, index) => resolve('monitor', `m${index}`));
    const count = known.filter(Boolean).length;
    if (areMonitorsShown) expect(count).toBeLessThan(1_200);
    else expect(count).toBe(20_000);
    expect([known[7], known.at(-1)]).toEqual(['mon_7', 'mon_19999']);
  }
});

test('nothing is forgotten while open items are unknown', () => {
  let live: ReadonlySet<string> | undefined;
  const { place, known } = setUp(() => live);
  place(0, 3_000);
  expect(known(3_000)).toBe(3_000);
  live = new Set();
  place(3_000, 3_001);
  expect(known(3_001)).toBe(1_000);
});

test('names of one instance do not displace another’s', () => {
  const { refs, place } = setUp(() => new Set());
  refs.named('other', orderOf('mine'), 'k');
  place(0, 5_000);
  expect(refs.resolverOf('other')('order', 'mine')).toBe('client:k');
});

test('live ids are those of open orders, by both ids, of running executions and of standing monitors', () => {
  const feeds = { isListed: () => false, isAwaited: () => false };
  const book = createWalletBook({ now: () => 0, priceOf: () => 1, ...feeds });
  const order = { order_id: 'ord_1', client_order_id: 'c1' } as OrderRecord;
  book.model({
    wallet: 'main',
    version: 1,
    time: 0,
    complete: true,
    positions: new Map(),
    balances: new Map(),
    openOrders: new Map([['ord_1', order]]),
    account: {} as AccountRecord,
  });
  book.executions([
    { execution_id: 'exe_1', client_execution_id: 'e1', status: 'running' },
    { execution_id: 'exe_2', status: 'completed' },
  ] as ExecutionRecord[]);
  expect(liveIdsOf(book).areMonitorsShown).toBe(false);
  const monitors = ['armed', 'paused', 'fired', 'failed', 'stopped'].map((status) => ({
    monitor_id: status,
    status,
    trigger: { type: 'price_level' },
    action: {},
  }));
  book.monitors(monitors as never);
  const live = liveIdsOf(book);
  expect(live.areMonitorsShown).toBe(true);
  const ids = ['ord_1', 'client:c1', 'exe_1', 'exe_2', 'client:e1'];
  const shown = [...ids, ...monitors.map(({ status }) => status)].filter((id) => live.has(id));
  expect(shown).toEqual(['ord_1', 'client:c1', 'exe_1', 'client:e1', 'armed', 'paused']);
});

test('returns what an instance requested under a ref, before any response', () => {
  const refs = createRefs();
  refs.named('ema', orderOf('o1'), 'k1');
  refs.named('ema', launchOf('run'), 'k2');
  const asked = refs.askedOf('ema');
  expect(asked('order', 'o1')).toMatchObject({ symbol: 'BTC', reduce_only: false });
  expect(asked('execution', 'run')).toMatchObject({ symbol: 'BTC', reduce_only: false });
  expect(asked('execution', 'o1')).toBeUndefined();
  expect(asked('order', undefined)).toBeUndefined();
  expect(refs.askedOf('other')('order', 'o1')).toBeUndefined();
});

describe('an execution that the service gives another id', () => {
  const record = (id: string, status: string, updated: number) =>
    ({
      execution_id: id,
      client_execution_id: 'k',
      status,
      updated_time: updated,
      symbol: 'BTC',
      side: 'buy',
      remaining_size: 2,
    }) as ExecutionRecord;

  function bookOf(...executions: ExecutionRecord[]) {
    const feeds = { isListed: () => false, isAwaited: () => false };
    const book = createWalletBook({ now: () => 0, priceOf: () => 1, ...feeds });
    book.executions(executions);
    return book;
  }

  test('is controlled by its ref under the id that the streams show, once they do', () => {
    let book = bookOf();
    const refs = createRefs({ executionOf: (_instance, clientId) => book.executionOf(clientId) });
    const resolve = refs.resolverOf('ema');
    refs.named('ema', launchOf('run'), 'k');
    expect(resolve('execution', 'run')).toBeUndefined();
    // The stream may be first: what was never answered can be stopped, too.
    book = bookOf(record('exe_0', 'running', 1));
    expect(resolve('execution', 'run')).toBe('exe_0');
    refs.became('ema', launchOf('run'), 'k', { execution_id: 'exe_1' });
    book = bookOf();
    expect(resolve('execution', 'run')).toBe('exe_1');
    book = bookOf(record('exe_1', 'running', 1), record('exe_9', 'running', 2));
    expect(resolve('execution', 'run')).toBe('exe_9');
    // An interrupted or ended one is found in the same way.
    book = bookOf(record('exe_9', 'completed', 3));
    expect(resolve('execution', 'run')).toBe('exe_9');
  });

  test('and by a client id of one’s own', () => {
    const own = bookOf({ ...record('exe_3', 'running', 1), client_execution_id: 'mine' });
    const refs = createRefs({ executionOf: (_instance, clientId) => own.executionOf(clientId) });
    const launched = launchOf('run');
    const request = { ...(launched as { request: object }).request, client_execution_id: 'mine' };
    refs.named('ema', { ...launched, request } as Intent, 'k');
    expect(refs.resolverOf('ema')('execution', 'run')).toBe('exe_3');
  });

  test('is controlled under the id that the answer to an earlier control gave', () => {
    const refs = createRefs();
    refs.named('ema', launchOf('run'), 'k');
    refs.became('ema', launchOf('run'), 'k', { execution_id: 'exe_1' });
    const pause: Intent = {
      kind: 'control_execution',
      execution: { ref: 'run' },
      action: 'pause',
    };
    refs.became('ema', pause, 'p', { execution_id: 'exe_2' });
    expect(refs.resolverOf('ema')('execution', 'run')).toBe('exe_2');
    expect(refs.resolverOf('other')('execution', 'run')).toBeUndefined();
  });

  test('keeps its ref while it runs, under any id', () => {
    const { refs, resolve, place } = setUp(() => new Set(['client:k']));
    refs.named('ema', launchOf('run'), 'k');
    refs.became('ema', launchOf('run'), 'k', { execution_id: 'exe_1' });
    place(0, 20_000);
    expect(resolve('execution', 'run')).toBe('exe_1');
  });

  test('counts once, and its older name is neither live nor exposure', () => {
    const book = bookOf(record('exe_9', 'paused', 2), record('exe_1', 'running', 1));
    expect(book.liveExecutions().map(({ execution_id: id }) => id)).toEqual(['exe_9']);
    expect(book.resting('BTC', 'buy')).toBe(2);
    expect(book.runningExecutions()).toBe(0);
    const ended = bookOf(record('exe_1', 'running', 1), record('exe_9', 'stopped', 2));
    expect(ended.liveExecutions()).toEqual([]);
  });
});

describe('two intents with one ref', () => {
  const basketOf = (ref: string): Intent => ({
    kind: 'launch_basket',
    request: { name: 'b', legs: [] } as never,
    ref,
  });
  const CASES = [
    ['execution', launchOf('x'), 'execution_id'],
    ['monitor', monitorOf('x'), 'monitor_id'],
  ] as const;

  test.each(CASES)('a control means the newer %s, never the older one', (kind, intent, field) => {
    const { refs, resolve } = setUp(() => new Set());
    refs.named('ema', intent, 'k1');
    refs.became('ema', intent, 'k1', { [field]: 'old' });
    refs.named('ema', intent, 'k2');
    expect(resolve(kind, 'x')).toBeUndefined();
    expect(refs.meant('ema', kind, 'x')?.key).toBe('k2');
    refs.became('ema', intent, 'k2', { [field]: 'new' });
    expect(resolve(kind, 'x')).toBe('new');
  });

  test.each(CASES)(
    'what was meant stays so when its ref names a newer %s',
    (kind, intent, field) => {
      for (const isOlderFirst of [true, false]) {
        const { refs, resolve } = setUp(() => new Set());
        refs.named('ema', intent, 'k1');
        const meant = refs.meant('ema', kind, 'x')!;
        refs.named('ema', intent, 'k2');
        for (const key of isOlderFirst ? ['k1', 'k2'] : ['k2', 'k1'])
          refs.became('ema', intent, key, { [field]: `of ${key}` });
        expect([meant.key, meant.name(), resolve(kind, 'x')]).toEqual(['k1', 'of k1', 'of k2']);
      }
    },
  );

  test.each(CASES)(
    'what was meant is the older %s if nothing comes of it',
    (kind, intent, field) => {
      const { refs } = setUp(() => new Set());
      for (const key of ['k1', 'k2', 'k3']) refs.named('ema', intent, key);
      const meant = refs.meant('ema', kind, 'x')!;
      refs.named('ema', intent, 'k4');
      refs.became('ema', intent, 'k4', { [field]: 'newer' });
      refs.ended('ema', intent, 'k3');
      expect([meant.key, meant.name()]).toEqual(['k2', undefined]);
      refs.ended('ema', intent, 'k2');
      refs.became('ema', intent, 'k1', { [field]: 'older' });
      expect([meant.key, meant.name()]).toEqual(['k1', 'older']);
    },
  );

  test.each(CASES)(
    'what was meant has its answer after its ref is forgotten',
    (kind, intent, field) => {
      for (const isRefused of [false, true]) {
        const { refs, place, resolve } = setUp(() => new Set());
        refs.named('ema', intent, 'k1');
        refs.named('ema', intent, 'k2');
        const meant = refs.meant('ema', kind, 'x')!;
        place(0, 20_000);
        refs.ended('ema', intent, 'unknown');
        if (isRefused) {
          for (const key of ['k3', 'k4']) refs.named('ema', intent, key);
          refs.ended('ema', intent, 'k2');
          expect(refs.meant('ema', kind, 'x')?.key).toBe('k4');
          for (const key of ['k3', 'k4']) refs.ended('ema', intent, key);
        }
        expect(meant.key).toBe(isRefused ? 'k1' : 'k2');
        refs.became('ema', intent, meant.key, { [field]: 'made' });
        expect([meant.name(), resolve(kind, 'x')]).toEqual(['made', 'made']);
      }
    },
  );

  test('what was meant has what was requested under it', () => {
    const { refs } = setUp(() => new Set());
    refs.named('ema', launchOf('x'), 'k1');
    const meant = refs.meant('ema', 'execution', 'x');
    expect(meant?.asked).toMatchObject({ kind: 'execution', side: 'buy' });
    refs.named('ema', orderOf('x'), 'k2');
    expect(refs.meant('ema', 'order', 'x')?.name()).toBe('client:k2');
    expect(refs.meant('ema', 'monitor', 'x')).toBeUndefined();
    expect(refs.meant('other', 'execution', 'x')).toBeUndefined();
  });

  test.each(CASES)('a late answer of the older %s changes nothing', (kind, intent, field) => {
    const { refs, resolve } = setUp(() => new Set());
    refs.named('ema', intent, 'k1');
    refs.named('ema', intent, 'k2');
    refs.became('ema', intent, 'k2', { [field]: 'new' });
    refs.became('ema', intent, 'k1', { [field]: 'old' });
    expect(resolve(kind, 'x')).toBe('new');
  });

  test.each(CASES)(
    'what runs keeps its ref if nothing comes of the newer %s',
    (kind, intent, field) => {
      const { refs, resolve } = setUp(() => new Set());
      refs.named('ema', intent, 'k1');
      refs.became('ema', intent, 'k1', { [field]: 'old' });
      refs.named('ema', intent, 'k2');
      refs.ended('ema', intent, 'k2');
      expect(resolve(kind, 'x')).toBe('old');
    },
  );

  test('a basket is not stopped by what an older launch made', () => {
    const { refs, resolve } = setUp(() => new Set());
    refs.named('ema', launchOf('x'), 'k1');
    refs.became('ema', launchOf('x'), 'k1', { execution_id: 'old' });
    refs.named('ema', basketOf('x'), 'k2');
    refs.became('ema', basketOf('x'), 'k2', { basket_id: 'bas_1', legs: [] });
    expect(resolve('execution', 'x')).toBeUndefined();
  });

  test('a control with the ref of what it controls does not take its name', () => {
    const { refs, resolve } = setUp(() => new Set());
    refs.named('ema', launchOf('x'), 'k1');
    const pause: Intent = {
      kind: 'control_execution',
      execution: { ref: 'x' },
      action: 'pause',
      ref: 'x',
    };
    refs.named('ema', pause, 'k2');
    expect(refs.meant('ema', 'execution', 'x')?.key).toBe('k1');
    refs.became('ema', launchOf('x'), 'k1', { execution_id: 'exe_1' });
    refs.ended('ema', pause, 'k2');
    expect(resolve('execution', 'x')).toBe('exe_1');
  });

  test('an answer about the older execution does not rename the newer one', () => {
    const { refs, resolve } = setUp(() => new Set());
    refs.named('ema', launchOf('x'), 'k1');
    refs.became('ema', launchOf('x'), 'k1', { execution_id: 'old' });
    refs.named('ema', launchOf('x'), 'k2');
    refs.became('ema', launchOf('x'), 'k2', { execution_id: 'new' });
    const pause: Intent = { kind: 'control_execution', execution: { ref: 'x' }, action: 'pause' };
    refs.became('ema', pause, 'p', { execution_id: 'old', client_execution_id: 'k1' });
    expect(resolve('execution', 'x')).toBe('new');
    refs.became('ema', pause, 'p', { execution_id: 'moved', client_execution_id: 'k2' });
    expect(resolve('execution', 'x')).toBe('moved');
  });

  test('in any order of answers, a ref means the newest of which something came or may come', () => {
    const step = fc.tuple(fc.constantFrom('named', 'became', 'ended'), fc.nat(5));
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        const refs = createRefs();
        const launched = launchOf('x');
        const all: Array<{ key: string; id?: string; isOver: boolean; isNothing: boolean }> = [];
        for (const [kind, at] of steps) {
          if (kind === 'named') {
            const key = `k${all.length}`;
            all.push({ key, isOver: false, isNothing: false });
            refs.named('ema', launched, key);
            continue;
          }
          const open = all.filter(({ isOver }) => !isOver);
          const one = open[at % Math.max(1, open.length)];
          if (one === undefined) continue;
          one.isOver = true;
          one.isNothing = kind === 'ended';
          if (kind === 'became') one.id = `of ${one.key}`;
          if (kind === 'ended') refs.ended('ema', launched, one.key);
          else refs.became('ema', launched, one.key, { execution_id: one.id });
        }
        const meant = all.findLast(({ isNothing }) => !isNothing);
        expect(refs.resolverOf('ema')('execution', 'x')).toBe(meant?.id);
      }),
    );
  });
});
