import { expect, test } from 'vitest';
import type { Exchange, ServiceRequest } from '../../src/contract/index.ts';
import type { Subscription } from '../../src/env/index.ts';
import { placeOrder } from '../../src/intents/index.ts';
import { followStreams } from '../../src/runtime/followStreams.ts';
import { explainUnknown } from '../../src/runtime/startBot.ts';
import type { RefEvent } from '../../src/strategy/refs/RefEvent.ts';
import {
  account,
  accountSnapshot,
  bars,
  execution,
  fill,
  order,
  position,
} from '../streams/records.ts';
import { ScriptedLink } from '../streams/ScriptedLink.ts';
import { setUpParts } from './setUpParts.ts';
import { answered } from './setUpPipe.ts';

/** What a bot hears of each of its wallets, whichever it is: nothing is followed of one alone. */

const WALLETS = ['main', 'second', 'third'];
const NOTHING = { items: [], next_cursor: null };
const HYPE = { asset: 'HYPE', total: 3, available: 3, held: 0 };
const USDC = { asset: 'USDC', total: 1_000, available: 1_000, held: 0 };

/** A bot's parts on three wallets, whose account is shown unless it is told otherwise. */
async function setUp(
  shows: (subscription: Subscription) => unknown = accountsAlone,
  resyncMs: number | null = null,
) {
  const link = new ScriptedLink();
  const subscribed: Subscription[] = [];
  link.snapshots = (subscription) => {
    subscribed.push(subscription);
    return shows(subscription);
  };
  link.answer = () => answered(200, NOTHING);
  const parts = setUpParts({
    link,
    resyncMs,
    strategies: WALLETS.map((wallet) => ({ name: `of-${wallet}`, wallet })),
    instruments: [{ symbol: 'HYPE/USDC' }] as never,
  });
  const { books, control } = parts;
  await books.streams.open();
  let executions = 0;
  const followed = followStreams({
    ...books,
    members: new Map(),
    gate: control.gate,
    onBar() {},
    onExecutions: () => void executions++,
    manages: control.owners.manages,
  });
  const channelOf = (channel: string, wallet: string): Subscription =>
    subscribed.find((one) => one.channel === channel && walletOf(one) === wallet)!;
  /** Lets so many seconds pass, and everything happen that is due by then. */
  async function pass(seconds: number): Promise<void> {
    for (let second = 0; second < seconds; second++) {
      await settle();
      parts.env.queue.advanceTo(parts.env.queue.now() + 1_000);
    }
    await settle();
  }
  return { ...parts, followed, link, subscribed, channelOf, pass, executions: () => executions };
}

const walletOf = ({ params }: Subscription): unknown => params['wallet'] ?? 'main';
const accountOf = (subscription: Subscription) => ({
  ...account,
  wallet: walletOf(subscription) as string,
});
const accountsAlone = (subscription: Subscription): unknown =>
  subscription.channel === 'account.state'
    ? accountSnapshot({ account: accountOf(subscription) })
    : null;

const settle = async (): Promise<void> => {
  for (let tick = 0; tick < 100; tick++) await Promise.resolve();
};

test.each(WALLETS)('the book of %s has its account, and no other wallet’s', async (wallet) => {
  const { books, link, channelOf } = await setUp();
  link.say(channelOf('account.state', wallet), 'position', position(2));
  const held = WALLETS.map((one) => books.bookOf(one).position('BTC'));
  expect(held).toEqual(WALLETS.map((one) => (one === wallet ? 2 : 0)));
});

test.each(WALLETS)(
  'a position on %s that its fills contradict closes its symbol there, and nowhere else',
  async (wallet) => {
    const { control, link, channelOf } = await setUp();
    const state = channelOf('account.state', wallet);
    link.snapshots = () => null;
    link.say(state, 'fill', { ...fill('fill_1'), time: 2 });
    link.say(state, 'position', position(5));
    link.market.advanceTo(link.market.now() + 5_000);
    const closed = WALLETS.filter((one) => control.gate.closedSymbols(one).has('BTC'));
    expect(closed).toEqual([wallet]);
  },
);

test.each(WALLETS)(
  'executions that the service shows nobody on %s are asked for with each snapshot',
  async (wallet) => {
    const { books, link, channelOf } = await setUp();
    const { exposure } = books;
    exposure.add('key', wallet, { entries: [{ symbol: 'BTC', side: 'buy', size: 1 }] });
    exposure.becomes('key', ['exe_1'], 0, { kind: 'execution' });
    const error = { code: 'insufficient_scope', message: '' } as const;
    const subscription = channelOf('executions', wallet);
    link.listener.onFault!({ kind: 'refused', subscription, error });
    link.requests.length = 0;
    books.streams.resync();
    await settle();
    expect(link.requests.map((one) => one.wallet)).toContain(wallet);
    expect(exposure.pending(wallet, 'BTC', 'buy')).toBe(0);
  },
);

test('a reading that the end of the bot cuts off warns of nothing', async () => {
  const { books, followed, link, channelOf, warned } = await setUp();
  books.exposure.add('key', 'main', { entries: [{ symbol: 'BTC', side: 'buy', size: 1 }] });
  books.exposure.becomes('key', ['exe_1'], 0, { kind: 'execution' });
  const error = { code: 'insufficient_scope', message: '' } as const;
  link.listener.onFault!({
    kind: 'refused',
    subscription: channelOf('executions', 'main'),
    error,
  });
  const answers = Promise.withResolvers<Exchange>();
  link.answer = () => answers.promise as never;
  books.streams.resync();
  await settle();
  expect(link.requests.map(({ endpoint }) => endpoint)).toContain('executions.list');
  followed.unsubscribe();
  books.lifetime.unsubscribe();
  answers.resolve({ kind: 'no_answer', reason: 'closed' });
  await settle();
  expect(warned).toEqual([]);
});

test.each(WALLETS)('a frame of an order on %s is its ref’s', async (wallet) => {
  const { books, link, channelOf } = await setUp();
  const intent = placeOrder.limit(
    { symbol: 'BTC', side: 'buy', size: 1, price: 1 },
    { ref: 'entry' },
  );
  const received: string[] = [];
  for (const [name, log] of books.refLogs) {
    log.named('decision', intent, 'key');
    log.events$.subscribe(({ kind }: RefEvent) => received.push(`${name} ${kind}`));
  }
  const record = { ...order('ord_1'), client_order_id: 'key' };
  link.say(channelOf('account.state', wallet), 'order', record);
  expect(received).toEqual([`of-${wallet} order`]);
});

test.each(WALLETS)('an execution on %s is told to who waits for its id', async (wallet) => {
  const { link, channelOf, executions } = await setUp();
  link.say(channelOf('executions', wallet), 'snapshot', { executions: [] });
  const before = executions();
  link.say(channelOf('executions', wallet), 'started', execution('exe_1'));
  expect(executions()).toBe(before + 1);
});

test('after a lost connection the fills of each wallet are read', async () => {
  const { link, subscribed } = await setUp();
  await settle();
  link.requests.length = 0;
  link.lose();
  link.reopen([...subscribed]);
  await settle();
  const read = link.requests.filter(({ endpoint }) => endpoint === 'orders.fills');
  expect(read.map(({ wallet }) => wallet)).toEqual(WALLETS);
});

test.each(WALLETS)('entries wait until everything of %s is shown', async (wallet) => {
  const isHeldBack = (subscription: Subscription): boolean => walletOf(subscription) === wallet;
  const { control } = await setUp((subscription) => {
    const { channel } = subscription;
    if (channel === 'account.state') return accountsAlone(subscription);
    return isHeldBack(subscription) ? null : snapshotOf(channel);
  });
  expect(control.gate.reasons()).toEqual(
    ['executions', 'monitors', 'stops'].map((name) => `the ${name} of ${wallet} are not shown yet`),
  );
});

test('executions are read again if a connection was lost while they were read', async () => {
  const isSilent = (one: Subscription): boolean =>
    one.channel === 'executions' && walletOf(one) === 'main';
  const { control, link, subscribed, channelOf, pass } = await setUp((subscription) => {
    if (subscription.channel === 'account.state') return accountsAlone(subscription);
    return isSilent(subscription) ? null : snapshotOf(subscription.channel);
  });
  const answers = Promise.withResolvers<never>();
  const isRead = ({ endpoint, wallet }: ServiceRequest): boolean =>
    endpoint === 'executions.list' && wallet === 'main';
  link.answer = (request) =>
    isRead(request) ? (answers.promise as never) : answered(200, NOTHING);
  await pass(11);
  expect(link.requests.some(isRead)).toBe(true);
  link.lose();
  link.reopen([...subscribed]);
  // The channel's events begin, and no snapshot will be owed.
  link.say(channelOf('executions', 'main'), 'started', execution('exe_1'));
  link.answer = () => answered(200, NOTHING);
  answers.resolve(answered(200, NOTHING) as never);
  await pass(20);
  expect(control.gate.reasons()).toEqual([]);
});

const HELD = answered(429, {
  error: { code: 'rate_limited', message: '', details: { retry_after_seconds: 600 } },
  request_id: 'req_1',
});

test.each([
  ['is not answered', { kind: 'no_answer', reason: 'timeout' } as const],
  ['is asked to come back later', HELD],
])('a bot that %s leaves no wait behind when it ends', async (_what, answer) => {
  const { books, env, followed, link, pass } = await setUp();
  link.answer = () => answer;
  link.lose();
  link.reopen([]);
  await pass(60);
  expect(link.requests).not.toEqual([]);
  followed.unsubscribe();
  books.lifetime.unsubscribe();
  // Node ends a process once it waits for nothing.
  await pass(2);
  expect(env.queue.nextTime()).toBeUndefined();
});

/** Nothing is open. */
function snapshotOf(channel: string): unknown {
  if (channel === 'executions') return { executions: [] };
  if (channel === 'monitors') return { monitors: [] };
  if (channel === 'tpsl.watch') return { rows: [] };
  return null;
}

test.each(WALLETS)('a missing frame of %s closes the gate', async (wallet) => {
  const { control, link, channelOf } = await setUp();
  const state = channelOf('account.state', wallet);
  const isMissing = (): boolean => control.gate.reasons().includes('account frames are missing');
  expect(isMissing()).toBe(false);
  link.snapshots = () => null;
  link.next(state, 'position', position(1));
  link.say(state, 'position', position(2));
  expect(isMissing()).toBe(true);
});

test.each(WALLETS)('the price of an asset that %s holds is followed', async (wallet) => {
  const { subscribed } = await setUp((subscription) => {
    if (walletOf(subscription) !== wallet) return accountsAlone(subscription);
    if (subscription.channel !== 'account.state') return null;
    return accountSnapshot({ account: accountOf(subscription), balances: [USDC, HYPE] });
  });
  const candles = subscribed.filter(({ channel }) => channel === 'candles');
  expect(candles.map(({ params }) => params['symbol']).toSorted()).toEqual(['BTC', 'HYPE/USDC']);
});

test.each([
  [60_000, [0, 0, 1, 2]],
  [null, [0, 0, 0, 0]],
])(
  'with a check every %s ms, each account is asked for anew as often',
  async (resyncMs, counts) => {
    const { env, subscribed } = await setUp(accountsAlone, resyncMs);
    const asked = (wallet: string): number =>
      subscribed.filter((one) => one.channel === 'account.state' && walletOf(one) === wallet)
        .length;
    const first = WALLETS.map(asked);
    for (const [at, count] of counts.entries()) {
      // The first two are before the check is due.
      env.queue.advanceTo([0, 59_999, 60_000, 120_000][at]!);
      expect(WALLETS.map(asked)).toEqual(first.map((before) => before + count));
    }
  },
);

const HYPE_BARS = { channel: 'candles', params: { symbol: 'HYPE/USDC', interval: '1m' } };

test.each<[string, number | null, boolean, string[]]>([
  ['closes the gate for what a strategy trades', 60_000_000, false, ['BTC']],
  ['closes it for what a strategy reads', 60_000_000, true, ['BTC', 'HYPE/USDC']],
  ['closes nothing on a replay', null, true, []],
])('the silence of bars %s', async (_what, resyncMs, isAsked, closed) => {
  const { books, control, env } = await setUp((subscription) => {
    if (subscription.channel === 'candles') return { candles: bars(0, 2) };
    if (subscription.channel !== 'account.state') return null;
    return accountSnapshot({ account: accountOf(subscription), balances: [USDC, HYPE] });
  }, resyncMs);
  if (isAsked) books.asked.note('of-main', HYPE_BARS, undefined);
  for (let second = 1; second <= 600; second++) env.queue.advanceTo(second * 1_000);
  const reasons = control.gate.reasons().filter((reason) => reason.endsWith('is silent'));
  expect(reasons.toSorted()).toEqual(closed.map((symbol) => `candles ${symbol} 1m is silent`));
});

test('prices that are silent close the gate, whoever reads them', async () => {
  const { books, control, env, link, subscribed } = await setUp(accountsAlone, 60_000_000);
  books.streams.price('ETH').subscribe();
  const price = subscribed.find(({ channel }) => channel === 'price')!;
  for (let second = 1; second <= 120; second++) {
    if (second <= 60) link.say(price, 'tick', { mark: 1, bid: 1, ask: 1, last: 1 });
    env.queue.advanceTo(second * 1_000);
  }
  expect(control.gate.reasons()).toContain('price ETH is silent');
});

test('what is open is unknown while something of a wallet is not shown, and not for any other closed gate', async () => {
  const { books, control, link, channelOf } = await setUp();
  const { gate } = control;
  const unknown = (wallet = 'main'): string | undefined =>
    explainUnknown(books.bookOf(wallet), gate.reasons(wallet));
  for (const wallet of WALLETS) {
    for (const [name, channel] of [
      ['executions', 'executions'],
      ['monitors', 'monitors'],
      ['stops', 'tpsl.watch'],
    ] as const) {
      expect(unknown(wallet)).toBe(`the ${name} of ${wallet} are not shown yet`);
      link.say(channelOf(channel, wallet), 'snapshot', snapshotOf(channel));
    }
    expect(unknown(wallet)).toBeUndefined();
  }
  for (const reason of ['executor is degraded', 'price BTC is silent', 'kill level L1: a test']) {
    gate.close(reason);
    expect(unknown()).toBeUndefined();
  }
  for (const reason of ['starting up', 'the stream is lost', 'account frames are missing']) {
    gate.close(reason);
    expect(unknown()).toBe(reason);
    gate.open(reason);
  }
  const { books: unseen } = setUpParts();
  expect(explainUnknown(unseen.bookOf('main'), gate.reasons())).toBe(
    'no account has been received',
  );
});

test('what the service refuses to show for good is not waited for, and what it shows later is', async () => {
  for (const [name, channel] of [
    ['executions', 'executions'],
    ['monitors', 'monitors'],
    ['stops', 'tpsl.watch'],
  ] as const) {
    const { control, link, channelOf } = await setUp();
    const reason = `the ${name} of second are not shown yet`;
    const refuse = (more: object): void =>
      link.listener.onFault!({
        kind: 'refused',
        subscription: channelOf(channel, 'second'),
        error: { code: 'rate_limited', message: '' },
        ...more,
      });
    refuse({ isAskedAgain: true });
    expect(control.gate.reasons()).toContain(reason);
    const before = control.gate.reasons();
    refuse({});
    expect(control.gate.reasons()).toEqual(before.filter((one) => one !== reason));
  }
});
