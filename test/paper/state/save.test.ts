import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { silentLog } from '../../../src/env/index.ts';
import {
  createPaperService,
  paperSettings,
  type EngineEvent,
  type Feed,
  type PaperCore,
  type PaperSettingsInput,
} from '../../../src/paper/index.ts';
import type { Change, RecordedCall, Recorder } from '../../../src/paper/state/Change.ts';
import { change } from '../../../src/paper/state/Change.ts';
import { savedService } from '../../../src/paper/state/savedState.ts';
import type { SavedService } from '../../../src/paper/state/SavedService.ts';
import { SECRET, signed } from '../core/openTestService.ts';
import { busyFeeds, busyMorning, MINUTE, readAll, WARMUP, type Driver } from './busyDay.ts';

const WALL = 1_800_000_000_000;

interface Opened {
  core: PaperCore;
  driver: Driver;
}

/** A service in this process, fresh or from a saved state. */
function open(
  feeds: Feed[],
  options: { saved?: SavedService; record?: Recorder } = {},
  more: Partial<PaperSettingsInput> = {},
): Opened {
  const settings = paperSettings.parse({
    feeds: [{ symbol: 'BTC', interval: '1m', generate: {} }],
    balance: 100_000,
    warmup: WARMUP,
    limits: 'off',
    ...more,
  });
  const core = createPaperService(
    { settings, data: { feeds, funding: {} }, ...options },
    { clock: { wallNow: () => WALL, monotonicNow: () => 0 }, log: silentLog },
  );
  if (options.saved === undefined) {
    const key = { label: 'test', scopes: ['read', 'trade', 'algo'] as const };
    core.addKey(key, { keyId: 'vk_test', secret: SECRET }, WALL);
  }
  const driver: Driver = {
    async ask(target, asked = {}) {
      const { status, headers, bodyText } = core.handleHttp(signed(target, asked, WALL));
      return { status, headers, body: JSON.parse(bodyText) as unknown };
    },
    async advance(bars) {
      core.engine.advanceTo(core.engine.now + bars * MINUTE);
    },
  };
  return { core, driver };
}

/** As restored from a file. */
const throughJson = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

/** As services saved before they kept when groups and templates were made, and how legs of baskets ended. */
function asBefore(service: SavedService): SavedService {
  const saved = throughJson(service);
  const drop = (from: object, field: string) => void Reflect.deleteProperty(from, field);
  for (const { monitorGroups, basketTemplates, baskets, executions } of saved.engine.accounts) {
    for (const [, dated] of [...monitorGroups, ...basketTemplates]) drop(dated, 'createdTime');
    for (const [, { legs }] of baskets) for (const leg of legs) drop(leg, 'endedAs');
    for (const [, execution] of executions) {
      drop(execution, 'basketId');
      drop(execution, 'unwinds');
    }
  }
  for (const volume of Object.values(saved.engine.market.symbols)) {
    volume.tick = { time: volume.tick.time, size: 1 };
    volume.taken = [{ price: 1, size: 2, taken: 1 }];
  }
  expect(savedService.safeParse(saved).error).toBeUndefined();
  return saved;
}

/** Objects of a saved service by place: one of each list, by the names that lead to it. */
function objectsIn(
  value: unknown,
  place = '',
  into = new Map<string, object>(),
): Map<string, object> {
  if (typeof value !== 'object' || value === null) return into;
  if (Array.isArray(value)) {
    for (const each of value) objectsIn(each, place, into);
    return into;
  }
  if (!into.has(place)) into.set(place, value);
  for (const [name, part] of Object.entries(value)) objectsIn(part, `${place}.${name}`, into);
  return into;
}

/** What must be there, by place; a place with a mark has nothing else. Records are the contract's. */
const NEEDED: Readonly<Record<string, string>> = {
  '!': 'starts connections keys answers engine',
  '.keys!': 'label scopes connectionId tier createdTime keyId secret',
  '.answers!': 'keyId idempotencyKey exact meaning status bodyText storedAt',
  '.engine!': 'startTime ids market hooks timers accounts tokenSecret',
  '.engine.market': 'now watchOrder symbols watches',
  '.engine.market.symbols.BTC!': 'used tick taken',
  '.engine.market.symbols.BTC.tick!': 'time below above',
  '.engine.market.watches': 'symbol level side topic wallet id order since until',
  '.engine.hooks': 'symbol interval topic wallet id',
  '.engine.timers!': 'time topic wallet id',
  '.engine.accounts!':
    'wallet cash realizedPnl feesPaid fundingPaid positions holdings leverage isolated settings volume pnl orders fills legs entryWatches executions monitors monitorGroups baskets basketTemplates webhooks deliveries clientOrderIds clientExecutionIds',
  '.engine.accounts.positions':
    'symbol size entryPrice realizedPnl openedTime updatedTime entryFees entryNotional makerNotional margin',
  '.engine.accounts.holdings':
    'symbol size entryPrice realizedPnl openedTime updatedTime entryFees entryNotional makerNotional margin',
  '.engine.accounts.settings!': 'default_slippage_bps default_leverage',
  '.engine.accounts.volume!': 'times notionals total',
  '.engine.accounts.orders': 'wallet bound volumeShare persistent filledNotional legIds record',
  '.engine.accounts.legs': 'wallet spec positionSide createdTime record',
  '.engine.accounts.entryWatches': 'symbol spec price watchId wallet firstPrice',
  '.engine.accounts.executions':
    'wallet spec filledNotional children orderIds fillIds events legIds triggered resumedTime staleSince record',
  '.engine.accounts.executions.spec': 'algo symbol',
  '.engine.accounts.monitors': 'wallet ready record',
  '.engine.accounts.baskets': 'basketId legs createdTime',
  '.engine.accounts.baskets.legs': 'executionId',
  '.engine.accounts.webhooks': 'webhookId name action token createdTime acceptedToday',
  '.engine.accounts.webhooks.action': 'type',
  '.engine.accounts.webhooks.acceptedToday!': 'day count',
};

/** Collects the engine's events from now on, regardless of subscriptions. */
function listenTo({ core }: Opened): EngineEvent[] {
  const events: EngineEvent[] = [];
  const port = {
    frame: (frame: { channel: string; event: string; data: unknown }) =>
      void events.push(throughJson(frame) as unknown as EngineEvent),
    control: () => {},
    close: () => {},
  };
  const subscriptions = ['account.state', 'executions', 'monitors', 'tpsl.watch'].map(
    (channel) => ({
      channel,
      params: {},
    }),
  );
  const grant = { kind: 'websocket', keyId: 'vk_test', wallet: 'main', subscriptions } as const;
  core.openSession(grant, port, WALL);
  return events;
}

describe('a saved service', () => {
  test('resumes seamlessly: same frames, fills and ids, in any state', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: 400 }),
        fc.constantFrom('a', 'b', 'c'),
        async (bars, seed) => {
          const feeds = busyFeeds(seed);
          const first = open(feeds);
          await busyMorning(first.driver);
          await first.driver.advance(bars);
          const saved = throughJson(first.core.save(WALL));
          const second = open(feeds, { saved });
          expect(await readAll(second.driver)).toEqual(await readAll(first.driver));
          const received = [first, second].map(listenTo);
          for (const each of [first, second]) {
            await each.driver.advance(200);
            await each.driver.ask('/v1/monitors/pause-all', { method: 'POST', body: {} });
            await each.driver.advance(900);
          }
          expect(received[1]).toEqual(received[0]);
          expect(await readAll(second.driver)).toEqual(await readAll(first.driver));
          expect(throughJson(second.core.save(WALL).engine)).toEqual(
            throughJson(first.core.save(WALL).engine),
          );
        },
      ),
      { numRuns: 8 },
    );
  });

  test('is plain data of its schema, with work of every kind', async () => {
    const { core, driver } = open(busyFeeds());
    await busyMorning(driver);
    const saved = core.save(WALL);
    expect(throughJson(saved)).toEqual(saved);
    expect(savedService.safeParse(throughJson(saved)).error).toBeUndefined();
    const [account] = saved.engine.accounts;
    for (const [name, part] of Object.entries(account!)) {
      if (Array.isArray(part) && name !== 'isolated' && name !== 'clientExecutionIds') {
        expect(part.length, name).toBeGreaterThan(0);
      }
    }
    const topics = (list: Array<{ topic: string }>) => new Set(list.map(({ topic }) => topic));
    expect(topics(saved.engine.market.watches)).toEqual(
      new Set(['order', 'leg', 'margin', 'execution', 'monitor']),
    );
    expect(topics(saved.engine.hooks)).toEqual(new Set(['leg', 'track', 'execution', 'monitor']));
    expect(topics(saved.engine.timers)).toEqual(new Set(['funding', 'execution']));
  });

  test('that lacks a field whose loss would go unnoticed, or has one too many, is damaged', async () => {
    const { core, driver } = open(busyFeeds());
    await busyMorning(driver);
    const saved = throughJson(core.save(WALL));
    const isSound = (): boolean => savedService.safeParse(saved).success;
    const places = objectsIn(saved);
    for (const [written, names] of Object.entries(NEEDED)) {
      const place = written.replace('!', '');
      const found = places.get(place) as Record<string, unknown>;
      expect(found, `something at ${place}`).toBeDefined();
      for (const name of names.split(' ')) {
        const value = found[name];
        Reflect.deleteProperty(found, name);
        expect(isSound(), `without ${place}.${name}`).toBe(false);
        found[name] = value;
      }
      found['another'] = 1;
      expect(isSound(), `another field at ${place}`).toBe(!written.endsWith('!'));
      Reflect.deleteProperty(found, 'another');
    }
    expect(isSound()).toBe(true);
  });

  test('without times of groups and templates, ends of baskets’ legs, or sides of a tape, is taken up', async () => {
    const feeds = busyFeeds();
    const first = open(feeds);
    await busyMorning(first.driver);
    const second = open(feeds, { saved: asBefore(first.core.save(WALL)) });
    const [id] = first.core.save(WALL).engine.accounts[0]!.baskets[0]!;
    for (const { driver } of [first, second]) {
      await driver.ask(`/v1/baskets/${id}/stop`, { method: 'POST', body: {} });
      await driver.advance(9);
    }
    expect(await readAll(second.driver)).toEqual(await readAll(first.driver));
    const [upgraded, whole] = [second, first].map(
      ({ core }) => core.save(WALL).engine.accounts[0]!,
    );
    expect(upgraded!.baskets).toEqual(whole!.baskets);
    expect(upgraded!.monitorGroups[0]![1].createdTime).toBe(0);
    expect(upgraded!.basketTemplates[0]![1].createdTime).toBe(0);

    const [, { legs }] = whole!.baskets[0]!;
    expect(legs.map(({ endedAs }) => endedAs)).toEqual(['stopped', 'stopped']);
    const ended = asBefore(first.core.save(WALL));
    const restored = () => open(feeds, { saved: ended }).core.save(WALL).engine.accounts[0]!;
    expect(restored().baskets).toEqual(whole!.baskets);
    // Retention has dropped one of its executions.
    const [account] = ended.engine.accounts;
    account!.executions = account!.executions.filter(([id]) => id !== legs[0]!.executionId);
    const [, dropped] = restored().baskets[0]!;
    expect(dropped.legs.map(({ endedAs }) => endedAs)).toEqual(['completed', 'stopped']);
  });

  test('an exit waiting for volume keeps waiting', async () => {
    const feeds = busyFeeds();
    const first = open(feeds);
    const buy = { symbol: 'BTC', side: 'buy', size: 3, order_type: 'market', slippage_bps: 500 };
    await first.driver.ask('/v1/order', { body: buy });
    await first.driver.advance(1);
    await first.driver.ask('/v1/order', { body: buy });
    const mark = first.core.engine.market.quote('BTC').mark;
    await first.driver.ask('/v1/positions/BTC/tpsl', {
      body: { stop_loss: { price: Math.round(mark * 0.9999) - 1 } },
    });
    const waits = () => first.core.engine.save().timers.some(({ topic }) => topic === 'exit');
    for (let bar = 0; bar < 500 && !waits(); bar++) await first.driver.advance(1);
    expect(waits()).toBe(true);
    const second = open(feeds, { saved: throughJson(first.core.save(WALL)) });
    await first.driver.advance(10);
    await second.driver.advance(10);
    expect(await readAll(second.driver)).toEqual(await readAll(first.driver));
  });
});

describe('recorded changes', () => {
  test('replayed on their initial state, they give their final state', async () => {
    const feeds = busyFeeds();
    const changes: Change[] = [];
    const first = open(feeds, { record: (each) => void changes.push(throughJson(each)) });
    const begun = throughJson(open(feeds).core.save(WALL));
    changes.splice(0);
    await busyMorning(first.driver);
    await first.driver.ask('/v1/order', {
      body: { nonsense: true },
      headers: { 'idempotency-key': 'x' },
    });
    first.core.addConnection('Third', 500);
    first.core.addKey({ label: 'k', scopes: ['read'] }, { keyId: 'vk_k', secret: 'vs_k' }, WALL);
    first.core.keyring.revoke('vk_k');
    first.core.engine.interruptExecutions();
    await first.driver.advance(30);
    for (const each of changes) expect(change.safeParse(each).error).toBeUndefined();

    const second = open(feeds, { saved: begun });
    for (const each of changes) second.core.repeat(each);
    const { starts: _first, ...expected } = throughJson(first.core.save(WALL));
    const { starts, ...found } = throughJson(second.core.save(WALL));
    expect(found).toEqual(expected);
    expect(starts).toBe(2);
  });

  test('cost the venue nothing when they are repeated: budgets start fresh', async () => {
    const feeds = busyFeeds();
    const limits = { limits: 'on', balance: 1e9 } as const;
    const changes: Change[] = [];
    const first = open(feeds, { record: (each) => void changes.push(throughJson(each)) }, limits);
    const used = async ({ driver }: Opened): Promise<number> => {
      const { body } = await driver.ask('/v1/rate-limits');
      return (body as { venue: { used: number } }).venue.used;
    };
    const { bid } = (await first.driver.ask('/v1/price/BTC')).body as { bid: number };
    const price = Math.floor(bid) - 2;
    // More than the volume of the bars can fill: who is nearer to the market gets all of it.
    const rests = { symbol: 'BTC', side: 'buy', order_type: 'limit' };
    await first.driver.ask('/v1/order', { body: { ...rests, size: 5_000, price } });
    const saved = throughJson(first.core.save(WALL));
    changes.splice(0);
    await first.driver.ask('/v1/order', { body: { ...rests, size: 0.1, price: 100 } });
    await first.driver.ask('/v1/order', { body: { ...rests, size: 4_000, price: price + 1 } });
    expect(await used(first)).toBeGreaterThanOrEqual(3);

    const second = open(feeds, { saved }, limits);
    for (const each of changes) second.core.repeat(each);
    expect(await used(second)).toBe(0);
    const listed = async () => {
      const { body } = await second.driver.ask('/v1/orders');
      return (body as { items: Array<{ order_id: string; filled_size: number }> }).items;
    };
    // Newest first. A fill of an order of before is no write, a cancel of it is.
    await second.driver.advance(30);
    expect((await listed()).map(({ filled_size: filled }) => filled > 0)).toEqual([
      true,
      false,
      false,
    ]);
    expect(await used(second)).toBe(0);
    const [nearest] = await listed();
    await second.driver.ask(`/v1/orders/${nearest?.order_id}`, { method: 'DELETE' });
    expect(await used(second)).toBe(1);
    await second.driver.advance(30);
    expect((await listed()).map(({ filled_size: filled }) => filled > 0)).toEqual([false, true]);
    expect(await used(second)).toBe(1);
    await second.driver.ask('/v1/orders', { method: 'DELETE' });
    expect(await used(second)).toBe(3);
  });

  test('a call by a key that was revoked before it is repeated', async () => {
    const feeds = busyFeeds();
    const changes: Change[] = [];
    const { core, driver } = open(feeds, {
      record: (each) => void changes.push(throughJson(each)),
    });
    await driver.ask('/v1/order', {
      body: { symbol: 'BTC', side: 'buy', size: 0.1, order_type: 'market' },
    });
    core.keyring.revoke('vk_test');
    const [call] = changes.filter((each) => 'call' in each);

    const second = open(feeds);
    for (const each of [{ revoked: 'vk_test' }, call!]) second.core.repeat(each);
    expect(throughJson(second.core.save(WALL)).engine).toEqual(throughJson(core.save(WALL)).engine);
    const unknown = { call: { ...(call as { call: RecordedCall }).call, keyId: 'vk_never' } };
    expect(() => second.core.repeat(unknown)).toThrow('vk_never, which is unknown');
  });

  test('a change that cannot be persisted is not applied', async () => {
    let full = false;
    const { core, driver } = open(busyFeeds(), {
      record: () => {
        if (full) throw new Error('ENOSPC');
      },
    });
    await busyMorning(driver);
    const before = JSON.stringify(core.save(WALL));
    full = true;
    const order = { symbol: 'BTC', side: 'buy', size: 1, order_type: 'market' };
    expect((await driver.ask('/v1/order', { body: order })).status).toBe(500);
    expect(() => core.addConnection('Third', 1)).toThrow('ENOSPC');
    const key = { label: 'more', scopes: ['read'] as const };
    const credentials = { keyId: 'vk_more', secret: SECRET };
    expect(() => core.addKey(key, credentials, WALL)).toThrow('ENOSPC');
    expect(() => core.keyring.revoke('vk_test')).toThrow('ENOSPC');
    expect(() => core.engine.transfer('main', 5)).toThrow('ENOSPC');
    expect(() => core.engine.interruptExecutions()).toThrow('ENOSPC');
    expect(() => core.engine.advanceTo(core.engine.now + MINUTE, () => false)).toThrow('ENOSPC');
    await expect(driver.advance(1)).rejects.toThrow('ENOSPC');
    expect(JSON.stringify(core.save(WALL))).toBe(before);
  });

  test('reads and shape refusals without a key are not recorded', async () => {
    const changes: Change[] = [];
    const { driver } = open(busyFeeds(), { record: (each) => void changes.push(each) });
    changes.splice(0);
    await driver.ask('/v1/orders');
    await driver.ask('/v1/indicators/evaluate', {
      body: { symbol: 'BTC', interval: '1m', indicators: [{ id: 'a', indicator: 'sma' }] },
    });
    await driver.ask('/v1/order', { body: { symbol: 'BTC' } });
    expect(changes).toEqual([]);
  });
});
