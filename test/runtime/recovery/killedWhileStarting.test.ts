import { afterEach, expect, test } from 'vitest';
import { placeOrder } from '../../../src/intents/index.ts';
import { createMemoryStore, type JournalStore } from '../../../src/journal/index.ts';
import { openTestServer, type TestServer } from '../../paper/server/openTestServer.ts';
import { openTestBot, type TestBot, type TestBotOptions } from '../openTestBot.ts';

/** What a kill level or a stop asks for before the first snapshots have come. */

const open: Array<{ close(): Promise<unknown> }> = [];
afterEach(async () => {
  for (const item of open.splice(0).toReversed()) await item.close();
});

const LIMIT = { timeout: 20_000 };
const strategies = [{ name: 'old', symbols: ['BTC'] }];
const buy = placeOrder.market({ symbol: 'BTC', side: 'buy', size: 0.02 });

/** A service and a journal whose last process left a position. */
async function leavePosition(): Promise<{ server: TestServer; store: JournalStore }> {
  const server = await openTestServer({ balance: 100_000 });
  open.push(server);
  const store = createMemoryStore();
  const first = await openTestBot(server, { strategies, store });
  await first.step(2);
  first.propose(buy);
  await first.step(1);
  await first.close();
  return { server, store };
}

const latch = (store: JournalStore): void =>
  void store.setLatch('kill', { value: 'L3', reason: 'a test', time: 1 });

const positions = async ({ client }: TestBot): Promise<number[]> =>
  (await client.positions.list()).items.map(({ size }) => size);

/** States of the closes so far, in order. */
const closes = ({ events }: TestBot): string[] =>
  events.flatMap((item) =>
    item.kind === 'intent' && item.event.emission.intent.kind === 'close_position'
      ? [item.event.state]
      : [],
  );

/** Its first close is answered, or sent at all, when `answer` is called. */
function slow(how: 'sends late' | 'answers late') {
  const gate = Promise.withResolvers<void>();
  const slowed = { asked: 0, answer: gate.resolve, wire: undefined as never as Wire };
  slowed.wire = async (request, send) => {
    if (request.endpoint !== 'positions.close' || ++slowed.asked > 1) return send();
    if (how === 'sends late') await gate.promise;
    const answer = await send();
    await gate.promise;
    return answer;
  };
  return slowed;
}
type Wire = NonNullable<TestBotOptions['wire']>;

test.each(['sends late', 'answers late'] as const)(
  'a close of the level in force that is in flight (%s) when the snapshots come is not recovered',
  async (how) => {
    const { server, store } = await leavePosition();
    latch(store);
    const { wire, answer } = slow(how);
    const fatal: unknown[] = [];
    const onFatal = (error: unknown): void => void fatal.push(error);
    const next = await openTestBot(server, { strategies, store, wire, onFatal });
    open.push(next);
    await expect.poll(() => closes(next), LIMIT).toContain('sending');
    const stepped = next.step(1);
    const isRecovered = (): boolean => next.events.some(({ kind }) => kind === 'recovered');
    await expect.poll(isRecovered, LIMIT).toBe(true);
    answer();
    await stepped;
    expect(await next.bot.killed()).toEqual([]);
    const report = next.events.find((event) => event.kind === 'recovered');
    expect(report).toMatchObject({ report: { sent: 0, resumed: 0, dropped: 0 } });
    expect({ fatal, left: await positions(next) }).toEqual({ fatal: [], left: [] });
    expect(closes(next)).toContain('accepted');
    expect(closes(next)).not.toContain('expired');
  },
);

test('a stop while the streams come up ends what it can, and is not recovered', async () => {
  const { server, store } = await leavePosition();
  const { wire, answer } = slow('answers late');
  const fatal: unknown[] = [];
  const onFatal = (error: unknown): void => void fatal.push(error);
  const next = await openTestBot(server, { strategies, store, wire, onFatal });
  // What the streams have not shown yet, the service does.
  const stopped = next.bot.stop({ policy: 'flatten' });
  await expect.poll(() => closes(next), LIMIT).toContain('sending');
  void next.step(1).catch(() => {});
  const isRecovered = (): boolean => next.events.some(({ kind }) => kind === 'recovered');
  await expect.poll(isRecovered, LIMIT).toBe(true);
  answer();
  await stopped;
  expect({ fatal, left: (await server.ask('/v1/positions')).body }).toMatchObject({
    fatal: [],
    left: { items: [] },
  });
});

test.each([
  ['the level that is latched', (store: JournalStore) => latch(store), undefined],
  ['a kill before the first snapshots', () => {}, 'kill'],
  ['a stop before the first snapshots', () => {}, 'stop'],
] as const)('%s leaves what the operator ignores from this start on', async (_name, set, asked) => {
  const { server, store } = await leavePosition();
  set(store);
  const next = await openTestBot(server, {
    strategies,
    store,
    decisions: [{ kind: 'ignore', symbol: 'BTC' }],
  });
  let unended: readonly string[] | undefined;
  if (asked === 'stop') {
    await next.bot.stop({ policy: 'flatten', onEnded: (remains) => (unended = remains.unended) });
  } else {
    open.push(next);
    if (asked === 'kill') void next.bot.kill('L3', 'a test');
    unended = await next.bot.killed();
    await next.step(1);
    expect(await next.bot.killed()).toEqual([]);
  }
  expect(unended).toEqual([]);
  expect((await server.ask('/v1/positions')).body).toMatchObject({ items: [{ size: 0.02 }] });
  expect(closes(next)).toEqual([]);
});
