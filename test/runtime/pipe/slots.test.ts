import { afterEach, describe, expect, test } from 'vitest';
import type { Exchange, OrderRecord, OrderRequest } from '../../../src/contract/index.ts';
import {
  attachTpsl,
  placeOrder,
  stopLoss,
  type Intent,
  type PlaceOrderIntent,
} from '../../../src/intents/index.ts';
import { createMemoryStore, type JournalStore } from '../../../src/journal/index.ts';
import { openTestServer, type TestServer } from '../../paper/server/openTestServer.ts';
import { openTestBot, type TestBot, type TestBotOptions } from '../openTestBot.ts';

const open: Array<{ close(): Promise<unknown> }> = [];
afterEach(async () => {
  for (const item of open.splice(0).toReversed()) await item.close();
});

const REPLACE = { maintained_rows_policy: 'replace_least_important' } as const;

/** A bid that follows the lower band; the wider the band, the farther it is from the market. */
const bid = (width: number, meta: { not_after?: number } = {}): Intent =>
  placeOrder.atLevel(
    {
      symbol: 'BTC',
      side: 'buy',
      size: 0.001,
      price_from: {
        indicator: 'bollinger',
        series: 'lower',
        interval: '1m',
        params: { std_dev: width },
        track: true,
        max_drift_bps: 10_000,
      },
    },
    meta,
  );
const requestOf = (intent: Intent): OrderRequest => (intent as PlaceOrderIntent).request;

/** Twenty widths, the widest in the middle, so that neither the oldest nor the newest is the farthest. */
const WIDTHS = Array.from({ length: 20 }, (_, n) => (n === 7 ? 30 : 8 + n * 0.5));

async function openBot(server: TestServer, options: TestBotOptions = {}): Promise<TestBot> {
  const reported = await openTestBot(server, { guards: REPLACE, ...options });
  open.push(reported);
  return reported;
}

async function openFull(
  options: TestBotOptions = {},
): Promise<{ server: TestServer; reported: TestBot }> {
  const server = await openTestServer();
  open.push(server);
  const reported = await openBot(server, options);
  await reported.step(2);
  for (const width of WIDTHS) reported.propose(bid(width));
  await reported.step(1);
  expect(await resting(reported)).toHaveLength(20);
  expect(reported.bot.book('main').maintainedRows()).toBe(20);
  return { server, reported };
}

const resting = async ({ client }: Pick<TestBot, 'client'>): Promise<OrderRecord[]> =>
  (await client.orders.list({ query: { limit: 100 } })).items;
const widthOf = ({ request }: OrderRecord): number =>
  (request as { price_from: { params: { std_dev: number } } }).price_from.params.std_dev;
const widths = async (reported: Pick<TestBot, 'client'>): Promise<number[]> =>
  (await resting(reported)).map(widthOf).toSorted((a, b) => a - b);

/** Events of intents after the first twenty, as `instance kind state`. */
const story = ({ events }: TestBot): string[] =>
  events
    .flatMap((item) => (item.kind === 'intent' ? [item.event] : []))
    .map(({ emission, state }) => `${emission.instance} ${emission.intent.kind} ${state}`)
    .slice(60);
const lastEvent = ({ events }: TestBot, state: string) =>
  events
    .flatMap((item) => (item.kind === 'intent' && item.event.state === state ? [item.event] : []))
    .at(-1)!;

const stepsOf = (store: JournalStore, instance: string): string[][] =>
  store
    .intents()
    .filter((row) => row.instance === instance)
    .slice(instance === 'told' ? 20 : 0)
    .map(({ key }) => store.entries(key).map(({ state }) => state));

describe('TRK-6: the 21st tracked entry, against the paper service', () => {
  test('takes the row of the entry farthest from the market', async () => {
    const { reported } = await openFull();
    const farthest = (await resting(reported)).find((order) => widthOf(order) === 30)!;
    reported.propose(bid(5));
    await reported.step(1);
    expect(story(reported)).toEqual([
      'told place_order deferred',
      'operator cancel_order guarded',
      'operator cancel_order sending',
      'operator cancel_order accepted',
      'told place_order guarded',
      'told place_order sending',
      'told place_order accepted',
    ]);
    const { key, reason } = lastEvent(reported, 'deferred');
    expect(reason).toMatch(
      new RegExp(`^waits for a row of ${farthest.order_id} \\(BTC at [\\d.]+, \\d+ bps from`),
    );
    const [cancel] = reported.store.intents().filter(({ instance }) => instance === 'operator');
    expect(cancel!.decisionKey).toBe(`main/operator/slot:${key}:${farthest.order_id}#0`);
    expect(await widths(reported)).toEqual(
      [5, ...WIDTHS.filter((width) => width !== 30)].toSorted((a, b) => a - b),
    );
    expect(stepsOf(reported.store, 'told')).toEqual([
      ['emitted', 'deferred', 'guarded', 'sending', 'accepted'],
    ]);
    await reported.step(1);
    expect(reported.bot.book('main').maintainedRows()).toBe(20);
  });

  test('three at once take three rows, the farthest each time', async () => {
    const { reported } = await openFull();
    for (const width of [5, 5.5, 6]) reported.propose(bid(width));
    await reported.step(1);
    const retained = WIDTHS.filter((width) => width < 17);
    expect(await widths(reported)).toEqual([5, 5.5, 6, ...retained]);
    expect(retained).toHaveLength(17);
    expect(story(reported).filter((line) => line === 'told place_order accepted')).toHaveLength(3);
  });

  test('is denied where rows belong to others, with a reason that reports it', async () => {
    const server = await openTestServer();
    open.push(server);
    const reported = await openBot(server);
    await reported.step(2);
    for (const width of WIDTHS) {
      await reported.client.orders.place({ body: requestOf(bid(width)) });
    }
    await reported.step(1);
    reported.propose(bid(5));
    await reported.step(1);
    expect(lastEvent(reported, 'denied')).toMatchObject({
      guard: 'maintained_rows',
      reason: expect.stringMatching(
        /^20 of 20 trailing and tracked rows are in use, and this bot has no tracked entry to replace \[told: /,
      ),
    });
    expect(await widths(reported)).toEqual(WIDTHS.toSorted((a, b) => a - b));
  });

  test('leaves trailing stops alone, although their rows count', async () => {
    const server = await openTestServer();
    open.push(server);
    const reported = await openBot(server);
    await reported.step(2);
    reported.propose(placeOrder.market({ symbol: 'BTC', side: 'buy', size: 0.02 }));
    await reported.step(1);
    reported.propose(attachTpsl('BTC', { stop_loss: stopLoss.trail({ pct: 30, interval: '1m' }) }));
    for (const width of WIDTHS.slice(0, 19)) reported.propose(bid(width));
    await reported.step(1);
    expect(reported.bot.book('main').maintainedRows()).toBe(20);
    reported.propose(bid(5));
    await reported.step(1);
    expect(await widths(reported)).toContain(5);
    expect(await widths(reported)).not.toContain(30);
    const { items } = await reported.client.positions.legs({ symbol: 'BTC' });
    expect(items.map(({ status }) => status)).toEqual(['armed']);
  });

  test('is denied by default', async () => {
    const { reported } = await openFull({ guards: {} });
    reported.propose(bid(5));
    await reported.step(1);
    expect(story(reported)).toEqual(['told place_order denied']);
    expect(await resting(reported)).toHaveLength(20);
  });

  test('replaces no entry if another guard denies it', async () => {
    const { reported } = await openFull({ guards: { ...REPLACE, max_uncovered_seconds: 30 } });
    reported.propose(placeOrder.market({ symbol: 'BTC', side: 'buy', size: 0.001 }));
    await reported.step(1);
    reported.propose(bid(5));
    await reported.step(1);
    expect(lastEvent(reported, 'denied').guard).toBe('max_uncovered_seconds');
    expect(await resting(reported)).toHaveLength(20);
  });

  test('counts as one intent per minute, however often it is evaluated', async () => {
    const { reported } = await openFull({ guards: { ...REPLACE, max_intents_per_minute: 20 } });
    for (let n = 0; n < 11; n++) reported.propose(bid(5 + n * 0.1));
    await reported.step(1);
    expect(story(reported).filter((line) => line === 'told place_order accepted')).toHaveLength(11);
  });

  test('proceeds if the other one has ended by then', async () => {
    let elsewhere: TestBot['client'] | undefined;
    const { reported } = await openFull({
      async wire(request, send) {
        const id = request.pathParams['id'];
        if (request.endpoint === 'orders.cancel') await elsewhere!.orders.cancel({ id: id! });
        return send();
      },
    });
    elsewhere = reported.client;
    reported.propose(bid(5));
    await reported.step(1);
    expect(story(reported)).toContain('operator cancel_order rejected');
    expect(story(reported).at(-1)).toBe('told place_order accepted');
    expect(await resting(reported)).toHaveLength(20);
  });
});

describe('LEG-11, POS-2: with all rows taken, one by the position’s own trailing stop', () => {
  const trail = (pct: number) => stopLoss.trail({ pct, interval: '1m' });
  const trailing = async ({ client }: TestBot): Promise<unknown[]> =>
    (await client.positions.legs({ symbol: 'BTC' })).items.map(({ kind, request }) => [
      kind,
      (request as { trail: { pct: number } }).trail.pct,
    ]);

  /** Bids and a trailing stop of 30 %. */
  async function openTrailed(options: TestBotOptions = {}, bids = 19): Promise<TestBot> {
    const server = await openTestServer();
    open.push(server);
    const reported = await openBot(server, options);
    await reported.step(2);
    reported.propose(placeOrder.market({ symbol: 'BTC', side: 'buy', size: 0.02 }));
    await reported.step(1);
    reported.propose(attachTpsl('BTC', { stop_loss: trail(30) }));
    for (const width of WIDTHS.slice(0, bids)) reported.propose(bid(width));
    await reported.step(1);
    expect(reported.bot.book('main').maintainedRows()).toBe(bids + 1);
    return reported;
  }

  test('a tighter one takes no other row while it is being sent', async () => {
    const reported = await openTrailed({ guards: {} }, 18);
    reported.propose(attachTpsl('BTC', { stop_loss: trail(20) }));
    reported.propose(bid(5));
    await reported.step(1);
    expect(story(reported)).not.toContain('told place_order denied');
    expect(reported.bot.book('main').maintainedRows()).toBe(20);
  });

  test.each([
    ['by default', {}],
    ['where entries are replaced', REPLACE],
  ])('a tighter one takes its row, and no entry’s, %s', async (_name, guards) => {
    const reported = await openTrailed({ guards });
    for (const pct of [20, 10]) {
      reported.propose(attachTpsl('BTC', { stop_loss: trail(pct) }));
      await reported.step(1);
      expect(lastEvent(reported, 'accepted').emission.intent.kind).toBe('attach_tpsl');
      expect(await trailing(reported)).toEqual([['stop_loss', pct]]);
      expect(await resting(reported)).toHaveLength(19);
      expect(reported.bot.book('main').maintainedRows()).toBe(20);
    }
    expect(story(reported).filter((line) => line.startsWith('operator'))).toEqual([]);
  });

  test('a leg of the other kind takes one more, unless the attach ends the trail', async () => {
    const reported = await openTrailed({ guards: {} });
    const take_profit = { trail: { pct: 5, interval: '1m' } } as const;
    reported.propose(attachTpsl('BTC', { take_profit }));
    await reported.step(1);
    expect(lastEvent(reported, 'denied').guard).toBe('maintained_rows');
    reported.propose(attachTpsl('BTC', { take_profit, stop_loss: trail(10) }));
    await reported.step(1);
    expect(story(reported).at(-1)).toBe('told attach_tpsl denied');
    reported.propose(attachTpsl('BTC', { take_profit, stop_loss: stopLoss.price(1) }));
    await reported.step(1);
    expect(lastEvent(reported, 'accepted').emission.intent.kind).toBe('attach_tpsl');
    expect(reported.bot.book('main').maintainedRows()).toBe(20);
  });
});

describe('a restart in between', () => {
  const lost: Exchange = { kind: 'no_answer', reason: 'timeout' };

  /** A process that dies with the cancel unanswered: carried out by the service, or never arrived. */
  async function die(arrives: boolean): Promise<{ server: TestServer; store: JournalStore }> {
    const store = createMemoryStore();
    const asked = Promise.withResolvers<void>();
    let isFull = false;
    const { server, reported } = await openFull({
      store,
      async wire(request, send) {
        if (!isFull || request.endpoint !== 'orders.cancel') return send();
        if (arrives) await send();
        asked.resolve();
        return lost;
      },
    });
    isFull = true;
    reported.propose(bid(5));
    const step = reported.step(1).catch(() => {});
    await asked.promise;
    await reported.bot.stop({ limitMs: 50 });
    await Promise.race([step, new Promise((resolve) => setTimeout(resolve, 50))]);
    expect(stepsOf(store, 'told')).toEqual([['emitted', 'deferred']]);
    return { server, store };
  }

  test.each([true, false])(
    'nothing is lost and nothing doubled (cancel arrived: %s)',
    async (arrives) => {
      const { server, store } = await die(arrives);
      const next = await openBot(server, { store });
      expect(await resting(next)).toHaveLength(arrives ? 19 : 20);
      await next.step(2);
      expect(await widths(next)).toEqual(
        [5, ...WIDTHS.filter((width) => width !== 30)].toSorted((a, b) => a - b),
      );
      const [pendingIntent] = stepsOf(store, 'told');
      expect(pendingIntent!.filter((state) => state === 'sending')).toHaveLength(1);
      expect(pendingIntent!.at(-1)).toBe('accepted');
      expect(stepsOf(store, 'operator')).toHaveLength(1);
    },
  );

  test('an old pending intent is ended with a reason, and not replaced', async () => {
    const { server, store } = await die(false);
    const { time } = (await server.control('GET', '/paper/replay')).body as { time: number };
    await server.control('POST', '/paper/replay/advance', { to_time: time + 300_000 });
    const next = await openBot(server, { store });
    await next.step(1);
    expect(stepsOf(store, 'told')).toEqual([['emitted', 'deferred', 'denied']]);
    expect(await widths(next)).not.toContain(5);
  });
});
