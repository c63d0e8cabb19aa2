import fc from 'fast-check';
import { expect, test } from 'vitest';
import { defaultDialect, type Dialect, type Exchange } from '../../src/contract/index.ts';
import { createVirtualEnv, silentLog, type Timers } from '../../src/env/index.ts';
import { reachAccount } from '../../src/operate/run/reachAccount.ts';
import { planBot } from '../../src/operate/run/planBot.ts';
import type { PlannedStrategy } from '../../src/runtime/BotPlan.ts';
import { createLookUp } from '../../src/runtime/recovery/createLookUp.ts';
import { catchUpFills } from '../../src/runtime/wallet/catchUpFills.ts';
import { readWork } from '../../src/runtime/wallet/readWork.ts';
import { createClient } from '../../src/wire/createClient.ts';
import { readEveryPage } from '../../src/wire/readEveryPage.ts';
import { holdLaw } from '../holdLaw.ts';
import { execution, fill, order, position } from '../streams/records.ts';
import { countsOf, createListedService } from './listedService.ts';
import { buy, emission } from './setUpPipe.ts';

/** Whoever reads a list reads all of it, of the wallet that is meant, in pages of any size, through any trouble. */

const WALLETS = ['main', 'side'];
const SINCE = 10_000_000;
const OVERLAP_MS = 60_000;
const budget = { admit: () => ({ admitted: true as const }), spend: () => {} } as never;
const dialectOf = (pageMax: number): Dialect => ({
  ...defaultDialect,
  limits: { ...defaultDialect.limits, pageMax },
});

/** No wait takes any time. */
const AT_ONCE: Timers = {
  after(_delayMs, run) {
    void Promise.resolve().then(run);
    return () => {};
  },
};
const SILENCE: Exchange = { kind: 'no_answer', reason: 'timeout' };
const BUSY: Exchange = { kind: 'answered', response: { status: 503, headers: {}, body: 'busy' } };
const drawnPage = fc.integer({ min: 1, max: 4 });
const count = (pageMax: number) => fc.constantFrom(...countsOf(pageMax));
const named = (name: string, wallet: string | undefined, at: number): string =>
  `${name} ${wallet} ${at}`;
const times = <T>(length: number, one: (at: number) => T): T[] =>
  Array.from({ length }, (_none, at) => one(at));

test('after an outage all fills of the wallet since then are read, with the overlap, oldest first', async () => {
  const drawn = drawnPage.chain((pageMax) =>
    fc.record({
      pageMax: fc.constant(pageMax),
      counts: fc.tuple(count(pageMax), count(pageMax)),
      /** Times around the beginning of what is asked for. */
      ago: fc.array(
        fc.constantFrom(-5_000, 0, OVERLAP_MS - 1, OVERLAP_MS, OVERLAP_MS + 1, 90_000),
        {
          minLength: 1,
          maxLength: 5,
        },
      ),
      wallet: fc.constantFrom(...WALLETS),
      trouble: fc.array(fc.constantFrom(undefined, undefined, SILENCE, BUSY), { maxLength: 8 }),
    }),
  );
  await holdLaw(250, drawn, async ({ pageMax, counts, ago, wallet, trouble }) => {
    const fillsOf = (of: string | undefined) =>
      times(counts[WALLETS.indexOf(of!)]!, (at) => ({
        ...fill(named('fill', of, at)),
        time: SINCE - ago[at % ago.length]!,
      })).toSorted((a, b) => b.time - a.time);
    const service = createListedService(
      ({ wallet: of, query }) =>
        fillsOf(of).filter(({ time }) => time >= Number(query['start_time'])),
      pageMax,
      (request) => trouble[request],
    );
    const fills = await catchUpFills({
      env: { ...createVirtualEnv(), timers: AT_ONCE, log: silentLog },
      budget,
      plan: { dialect: dialectOf(pageMax) },
      wallet,
      since: SINCE + 0.25,
      request: service.request,
      isOver: () => false,
    });
    const missed = fillsOf(wallet).filter(({ time }) => time >= SINCE - OVERLAP_MS);
    expect(fills!.map(({ fill_id }) => fill_id).toSorted()).toEqual(
      missed.map(({ fill_id }) => fill_id).toSorted(),
    );
    expect(fills!.map(({ time }) => time)).toEqual(
      missed.map(({ time }) => time).toSorted((a, b) => a - b),
    );
    expect(service.asked.every((asked) => asked.wallet === wallet)).toBe(true);
  });
});

const LISTS = ['orders', 'monitors', 'positions', 'running', 'paused', 'interrupted'] as const;

const NOTHING = { orders: [], executions: [], positions: [], monitors: [], isOwn: () => true };

test('what works in a wallet is read whole: orders, monitors, positions, executions in each status', async () => {
  const drawn = drawnPage.chain((pageMax) =>
    fc.record({
      pageMax: fc.constant(pageMax),
      counts: fc.record(Object.fromEntries(LISTS.map((name) => [name, count(pageMax)]))),
      wallet: fc.constantFrom(...WALLETS),
    }),
  );
  await holdLaw(150, drawn, async ({ pageMax, counts, wallet }) => {
    const countOf = (name: string, of: string | undefined): number =>
      of === wallet ? counts[name]! : counts[LISTS[(LISTS.indexOf(name as 'orders') + 1) % 6]!]!;
    const service = createListedService(({ endpoint, wallet: of, query }) => {
      const kind = endpoint.replace('.list', '');
      if (kind === 'orders') return times(countOf(kind, of), (at) => order(named('order', of, at)));
      if (kind === 'positions')
        return times(countOf(kind, of), (at) => position(1, named('position', of, at)));
      if (kind === 'monitors')
        return query['status'] === 'armed'
          ? times(countOf(kind, of), (at) => monitorOf(of, at))
          : [];
      const status = String(query['status']);
      return times(countOf(status, of), (at) => execution(named(status, of, at), status));
    }, pageMax);
    const reading = await readWork({
      env: createVirtualEnv(),
      budget,
      dialect: dialectOf(pageMax),
      request: service.request,
      accepted: {
        earlier: () => [],
        ended: () => {},
        isRecent: () => false,
        isUnseen: () => false,
      },
      known: { ...NOTHING, wallet },
      isConnected: true,
      until: 60_000,
    });
    if (!reading.ok) throw new Error(reading.reason);
    const { orders, executions, monitors, positions } = reading.work;
    const idsOf = (name: string, length: number) => times(length, (at) => named(name, wallet, at));
    expect(orders.map((one) => one.order_id)).toEqual(idsOf('order', counts['orders']!));
    expect(monitors.map((one) => one.monitor_id)).toEqual(idsOf('monitor', counts['monitors']!));
    expect(positions.map((one) => one.symbol)).toEqual(idsOf('position', counts['positions']!));
    expect(executions.map((one) => one.execution_id).toSorted()).toEqual(
      ['running', 'paused', 'interrupted']
        .flatMap((status) => idsOf(status, counts[status]!))
        .toSorted(),
    );
  });
});

test('a launch is found on whichever page it is, and missing only where no page has it', async () => {
  const drawn = drawnPage.chain((pageMax) =>
    fc.record({
      pageMax: fc.constant(pageMax),
      length: count(pageMax),
      at: fc.nat({ max: 3 * pageMax + 2 }),
      trouble: fc.option(
        fc.record({ request: fc.nat({ max: 4 }), as: fc.constantFrom(SILENCE, BUSY) }),
        { nil: undefined },
      ),
    }),
  );
  await holdLaw(300, drawn, async ({ pageMax, length, at, trouble }) => {
    const rows = times(length, (index) => ({
      execution_id: `exe_${index}`,
      client_execution_id: index === at ? 'key' : `other ${index}`,
    }));
    const service = createListedService(
      ({ wallet }) => (wallet === 'side' ? rows : []),
      pageMax,
      (request) => (request === trouble?.request ? trouble.as : undefined),
    );
    const lookUp = createLookUp({
      budget,
      dialect: dialectOf(pageMax),
      market: { now: () => 0 },
      request: service.request,
    });
    const result = await lookUp({ ...emission('d1', buy), wallet: 'side' }, 'key');
    const pages =
      at < length ? Math.floor(at / pageMax) + 1 : Math.max(1, Math.ceil(length / pageMax));
    const isTroubled = trouble !== undefined && trouble.request < pages;
    const kind = isTroubled ? 'unclear' : at < length ? 'found' : 'missing';
    expect(result.kind).toBe(kind);
    if (result.kind === 'found') expect(result.record).toMatchObject({ execution_id: `exe_${at}` });
  });
});

test('a list of too many pages proves nothing', async () => {
  const rows = times(21, (index) => ({ execution_id: `exe_${index}` }));
  const service = createListedService(() => rows, 1);
  const lookUp = createLookUp({
    budget,
    dialect: dialectOf(1),
    market: { now: () => 0 },
    request: service.request,
  });
  expect((await lookUp(emission('d1', buy), 'key')).kind).toBe('unclear');
});

test('a start reads every wallet of its key and every instrument', async () => {
  const drawn = drawnPage.chain((pageMax) => fc.tuple(fc.constant(pageMax), count(pageMax)));
  await holdLaw(60, drawn, async ([pageMax, length]) => {
    const service = createListedService(
      ({ endpoint }) =>
        times(length, (at) =>
          endpoint === 'connections.list'
            ? { id: `w${at}`, venue: 'v', label: 'w', status: 'active' }
            : instrumentOf(`S${at}`),
        ),
      pageMax,
    );
    const client = {
      ...createClient(service, dialectOf(pageMax)),
      utility: { rateLimits: async () => ({ budget: 1_000, remaining: 1_000 }) },
    } as never;
    const dialect = dialectOf(pageMax);
    const reads = {
      ask: <T>(read: () => Promise<T>) => read(),
      toResult: <T>(read: () => Promise<T>) => read(),
    } as never;
    const strategies = [{ name: 's', wallet: `w${length - 1}`, symbols: [`S${length - 1}`] }];
    const reached = await reachAccount({
      client,
      dialect,
      reads,
      strategies: strategies as unknown as PlannedStrategy[],
    });
    expect(reached.ok).toBe(length > 0);
    const planned = await planBot({
      config: { guards: {}, budget: {} },
      client,
      dialect,
      strategies: strategies as unknown as PlannedStrategy[],
    } as never);
    expect(planned.ok).toBe(length > 0);
    if (planned.ok) expect(planned.value.instruments.length).toBe(length);
  });
});

test('every page is read to its end, and one that fails fails the whole', async () => {
  await holdLaw(
    100,
    fc.array(fc.array(fc.nat(), { maxLength: 3 }), { minLength: 1, maxLength: 5 }),
    async (pages) => {
      const asked: unknown[] = [];
      const read = async (query: { cursor?: string; limit: number }) => {
        asked.push(query);
        const at = Number(query.cursor ?? 0);
        return { items: pages[at]!, next_cursor: at + 1 < pages.length ? String(at + 1) : null };
      };
      expect(await readEveryPage(7, read)).toEqual(pages.flat());
      expect(asked).toHaveLength(pages.length);
      await expect(
        readEveryPage(7, async (query) => {
          if (Number(query.cursor ?? 0) === pages.length - 1) throw new Error('no');
          return read(query);
        }),
      ).rejects.toThrow('no');
    },
  );
});

function monitorOf(wallet: string | undefined, at: number) {
  return {
    monitor_id: named('monitor', wallet, at),
    trigger: { type: 'price_level' },
    action: { type: 'order' },
    status: 'armed',
    rearm: false,
    fired_count: 0,
    created_time: 1,
    request: {},
  };
}

function instrumentOf(symbol: string) {
  return {
    symbol,
    kind: 'perp',
    base: symbol,
    quote: 'USDC',
    size_decimals: 2,
    price_decimals: 2,
    price_significant_figures: 5,
    min_order_value: 10,
    algo_min_value: 10,
    max_leverage: 10,
  };
}
