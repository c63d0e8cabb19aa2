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
  const told = await openTestBot(server, { guards: REPLACE, ...options });
  open.push(told);
  return told;
}

async function openFull(
  options: TestBotOptions = {},
): Promise<{ server: TestServer; told: TestBot }> {
  const server = await openTestServer();
  open.push(server);
  const told = await openBot(server, options);
  await told.step(2);
  for (const width of WIDTHS) told.propose(bid(width));
  await told.step(1);
  expect(await resting(told)).toHaveLength(20);
  expect(told.bot.book('main').maintainedRows()).toBe(20);
  return { server, told };
}

const resting = async ({ client }: Pick<TestBot, 'client'>): Promise<OrderRecord[]> =>
  (await client.orders.list({ query: { limit: 100 } })).items;
const widthOf = ({ request }: OrderRecord): number =>
  (request as { price_from: { params: { std_dev: number } } }).price_from.params.std_dev;
const widths = async (told: Pick<TestBot, 'client'>): Promise<number[]> =>
  (await resting(told)).map(widthOf).toSorted((a, b) => a - b);

/** What was told of intents after the first twenty, as `instance kind state`. */
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
  test('takes the row of the one that is farthest from the market', async () => {
    const { told } = await openFull();
    const farthest = (await resting(told)).find((order) => widthOf(order) === 30)!;
    told.propose(bid(5));
    await told.step(1);
    expect(story(told)).toEqual([
      'told place_order deferred',
      'operator cancel_order guarded',
      'operator cancel_order sending',
      'operator cancel_order accepted',
      'told place_order guarded',
      'told place_order sending',
      'told place_order accepted',
    ]);
    const { key, reason } = lastEvent(told, 'deferred');
    expect(reason).toMatch(
      new RegExp(`^waits for a row of ${farthest.order_id} \\(BTC at [\\d.]+, \\d+ bps from`),
    );
    const [cancel] = told.store.intents().filter(({ instance }) => instance === 'operator');
    expect(cancel!.decisionKey).toBe(`main/operator/slot:${key}:${farthest.order_id}#0`);
    expect(await widths(told)).toEqual(
      [5, ...WIDTHS.filter((width) => width !== 30)].toSorted((a, b) => a - b),
    );
    expect(stepsOf(told.store, 'told')).toEqual([
      ['emitted', 'deferred', 'guarded', 'sending', 'accepted'],
    ]);
    await told.step(1);
    expect(told.bot.book('main').maintainedRows()).toBe(20);
  });

  test('three at once take three rows, the farthest of each time', async () => {
    const { told } = await openFull();
    for (const width of [5, 5.5, 6]) told.propose(bid(width));
    await told.step(1);
    const kept = WIDTHS.filter((width) => width < 17);
    expect(await widths(told)).toEqual([5, 5.5, 6, ...kept]);
    expect(kept).toHaveLength(17);
    expect(story(told).filter((line) => line === 'told place_order accepted')).toHaveLength(3);
  });

  test('is denied where rows belong to others, with a reason that says so', async () => {
    const server = await openTestServer();
    open.push(server);
    const told = await openBot(server);
    await told.step(2);
    for (const width of WIDTHS) {
      await told.client.orders.place({ body: requestOf(bid(width)) });
    }
    await told.step(1);
    told.propose(bid(5));
    await told.step(1);
    expect(lastEvent(told, 'denied')).toMatchObject({
      guard: 'maintained_rows',
      reason: expect.stringMatching(
        /^20 of 20 trailing and tracked rows are in use, and this bot has no tracked entry to replace \[told: /,
      ),
    });
    expect(await widths(told)).toEqual(WIDTHS.toSorted((a, b) => a - b));
  });

  test('leaves trailing stops alone, although their rows count', async () => {
    const server = await openTestServer();
    open.push(server);
    const told = await openBot(server);
    await told.step(2);
    told.propose(placeOrder.market({ symbol: 'BTC', side: 'buy', size: 0.02 }));
    await told.step(1);
    told.propose(attachTpsl('BTC', { stop_loss: stopLoss.trail({ pct: 30, interval: '1m' }) }));
    for (const width of WIDTHS.slice(0, 19)) told.propose(bid(width));
    await told.step(1);
    expect(told.bot.book('main').maintainedRows()).toBe(20);
    told.propose(bid(5));
    await told.step(1);
    expect(await widths(told)).toContain(5);
    expect(await widths(told)).not.toContain(30);
    const { items } = await told.client.positions.legs({ symbol: 'BTC' });
    expect(items.map(({ status }) => status)).toEqual(['armed']);
  });

  test('is denied by default', async () => {
    const { told } = await openFull({ guards: {} });
    told.propose(bid(5));
    await told.step(1);
    expect(story(told)).toEqual(['told place_order denied']);
    expect(await resting(told)).toHaveLength(20);
  });

  test('costs no other entry where something else speaks against it', async () => {
    const { told } = await openFull({ guards: { ...REPLACE, max_uncovered_seconds: 30 } });
    told.propose(placeOrder.market({ symbol: 'BTC', side: 'buy', size: 0.001 }));
    await told.step(1);
    told.propose(bid(5));
    await told.step(1);
    expect(lastEvent(told, 'denied').guard).toBe('max_uncovered_seconds');
    expect(await resting(told)).toHaveLength(20);
  });

  test('is one intent of the minute, however often it is judged', async () => {
    const { told } = await openFull({ guards: { ...REPLACE, max_intents_per_minute: 20 } });
    for (let n = 0; n < 11; n++) told.propose(bid(5 + n * 0.1));
    await told.step(1);
    expect(story(told).filter((line) => line === 'told place_order accepted')).toHaveLength(11);
  });

  test('goes on when the other one is gone by then', async () => {
    let elsewhere: TestBot['client'] | undefined;
    const { told } = await openFull({
      async wire(request, send) {
        const id = request.pathParams['id'];
        if (request.endpoint === 'orders.cancel') await elsewhere!.orders.cancel({ id: id! });
        return send();
      },
    });
    elsewhere = told.client;
    told.propose(bid(5));
    await told.step(1);
    expect(story(told)).toContain('operator cancel_order rejected');
    expect(story(told).at(-1)).toBe('told place_order accepted');
    expect(await resting(told)).toHaveLength(20);
  });
});

describe('a restart in between', () => {
  const lost: Exchange = { kind: 'no_answer', reason: 'timeout' };

  /** A process that dies with the cancel unanswered: carried out by the service, or never arrived. */
  async function die(arrives: boolean): Promise<{ server: TestServer; store: JournalStore }> {
    const store = createMemoryStore();
    const asked = Promise.withResolvers<void>();
    let isFull = false;
    const { server, told } = await openFull({
      store,
      async wire(request, send) {
        if (!isFull || request.endpoint !== 'orders.cancel') return send();
        if (arrives) await send();
        asked.resolve();
        return lost;
      },
    });
    isFull = true;
    told.propose(bid(5));
    const step = told.step(1).catch(() => {});
    await asked.promise;
    await told.bot.stop({ limitMs: 50 });
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

  test('a pending intent of long ago is ended with a reason, and nothing is placed in its stead', async () => {
    const { server, store } = await die(false);
    const { time } = (await server.control('GET', '/paper/replay')).body as { time: number };
    await server.control('POST', '/paper/replay/advance', { to_time: time + 300_000 });
    const next = await openBot(server, { store });
    await next.step(1);
    expect(stepsOf(store, 'told')).toEqual([['emitted', 'deferred', 'denied']]);
    expect(await widths(next)).not.toContain(5);
  });
});
