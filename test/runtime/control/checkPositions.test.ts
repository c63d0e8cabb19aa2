import fc from 'fast-check';
import { Subject } from 'rxjs';
import { afterEach, expect, test } from 'vitest';
import type { FillRecord, PositionRecord, StreamFrame } from '../../../src/contract/index.ts';
import { createVirtualEnv, silentLog, type LogFields } from '../../../src/env/index.ts';
import { closePosition, placeOrder } from '../../../src/intents/index.ts';
import { followBot } from '../../../src/operate/run/followBot.ts';
import type { BotEvent } from '../../../src/runtime/BotEvent.ts';
import { checkPositions } from '../../../src/runtime/control/checkPositions.ts';
import { createEntryGate } from '../../../src/runtime/control/createEntryGate.ts';
import type { AccountModel, WalletStreams } from '../../../src/streams/index.ts';
import { testFeed } from '../../paper/core/openTestService.ts';
import { openTestServer } from '../../paper/server/openTestServer.ts';
import { fill, position } from '../../streams/records.ts';
import { openTestBot, type TestBot } from '../openTestBot.ts';

const open: Array<{ close(): Promise<unknown> }> = [];
afterEach(async () => {
  for (const item of open.splice(0).toReversed()) await item.close();
});

const buy = (symbol: string) => placeOrder.market({ symbol, side: 'buy', size: 0.02 });

const ends = ({ events }: TestBot): string[] =>
  events.flatMap((item) => {
    if (item.kind !== 'intent' || !['accepted', 'denied'].includes(item.event.state)) return [];
    const { state, emission, guard } = item.event;
    const { intent } = emission;
    const symbol = 'request' in intent && 'symbol' in intent.request ? intent.request.symbol : '';
    return [[intent.kind, symbol, guard ?? state].filter(Boolean).join(' ')];
  });

const checks = ({ events }: TestBot) =>
  events.filter(({ kind }) => kind === 'position_doubted' || kind === 'position_confirmed');

/** A bot on BTC and ETH that hears each BTC position as `hears` has it. */
async function openBot(receives: (position: PositionRecord) => PositionRecord): Promise<TestBot> {
  const feeds = [testFeed('BTC'), testFeed('ETH')];
  const server = await openTestServer({ balance: 100_000 }, { feeds });
  open.push(server);
  const alter = (frame: StreamFrame): StreamFrame => {
    if (frame.channel !== 'account.state' || frame['event'] !== 'position') return frame;
    const data = frame['data'] as PositionRecord;
    return data.symbol === 'BTC' ? ({ ...frame, data: receives(data) } as StreamFrame) : frame;
  };
  const strategies = [
    { name: 'told', symbols: ['BTC'] },
    { name: 'other', symbols: ['ETH'] },
  ];
  const reported = await openTestBot(server, { receives: alter, strategies });
  open.push(reported);
  await reported.step(2);
  return reported;
}

test.each([
  ['greater than its fills', 0.07],
  ['flat', 0],
])(
  'a position frame that is %s is reported and closes entries of its symbol alone',
  async (_, size) => {
    let altered = 1;
    const reported = await openBot((data) => (altered-- > 0 ? { ...data, size } : data));
    const logged: Array<[string, string, LogFields | undefined]> = [];
    const write = (level: string) => (text: string, fields?: LogFields) =>
      void logged.push([level, text, fields]);
    followBot(reported.bot, { ...silentLog, warn: write('warn'), info: write('info') });
    reported.propose(buy('BTC'));
    await reported.step(1);
    expect(ends(reported)).toEqual(['place_order BTC accepted']);
    reported.propose(buy('BTC'));
    reported.propose(closePosition.atMarket('BTC'));
    reported.propose(buy('ETH'), 'other');
    await reported.step(1);
    expect(checks(reported)[0]).toEqual({
      kind: 'position_doubted',
      doubt: { wallet: 'main', symbol: 'BTC', shown: size, expected: 0.02 },
    });
    expect(ends(reported).slice(1).toSorted()).toEqual([
      'close_position accepted',
      'place_order BTC entry_gate',
      'place_order ETH accepted',
    ]);

    await reported.step(2);
    expect(checks(reported).slice(1)).toEqual([
      { kind: 'position_confirmed', wallet: 'main', symbol: 'BTC', size: 0 },
    ]);
    reported.propose(buy('BTC'));
    await reported.step(2);
    expect(ends(reported).at(-1)).toBe('place_order BTC accepted');
    expect(checks(reported)).toHaveLength(2);
    const figures = { wallet: 'main', symbol: 'BTC', shown: size, expected: 0.02 };
    expect(logged).toContainEqual([
      'warn',
      expect.stringContaining('contradicts its fills'),
      figures,
    ]);
    expect(logged).toContainEqual([
      'info',
      expect.stringContaining('its entries are open again'),
      { wallet: 'main', symbol: 'BTC', size: 0 },
    ]);
  },
);

test('positions that agree with their fills close nothing', async () => {
  const reported = await openBot((data) => data);
  for (const intent of [buy('BTC'), buy('BTC'), closePosition.atMarket('BTC'), buy('BTC')]) {
    reported.propose(intent);
    await reported.step(1);
  }
  await reported.step(1);
  expect(ends(reported)).toHaveLength(4);
  expect(checks(reported)).toEqual([]);
});

/** One wallet's check on frames that the test sends, in virtual time. */
function openCheck() {
  const env = createVirtualEnv({ startTime: 1_000_000 });
  const account = new Subject<AccountModel>();
  const fills = new Subject<FillRecord>();
  const shown = new Subject<PositionRecord>();
  const events: BotEvent[] = [];
  const events$ = new Subject<BotEvent>();
  events$.subscribe((event) => events.push(event));
  const source = { account$: account, fillsInTurn$: fills, positionsInTurn$: shown };
  let asked = 0;
  const gate = createEntryGate();
  let model = snapshotOf(new Map(), env.queue.now());
  const subscription = checkPositions('main', {
    streams: { wallet: () => source as unknown as WalletStreams, resync: () => void asked++ },
    market: env.queue,
    gate,
    events$,
  });
  account.next(model);
  const signed = (size: number, symbol: string): PositionRecord => ({
    ...position(Math.abs(size), symbol),
    side: size < 0 ? 'short' : 'long',
  });
  return {
    events,
    gate,
    asked: () => asked,
    wait: (ms: number) => env.queue.advanceTo(env.queue.now() + ms),
    show(size: number, symbol: string) {
      const record = signed(size, symbol);
      const positions = new Map(model.positions);
      if (size === 0) positions.delete(symbol);
      else positions.set(symbol, record);
      account.next((model = { ...model, positions }));
      shown.next(record);
    },
    fill(id: string, change: number, symbol: string, time = env.queue.now() + 1) {
      const side = change < 0 ? 'sell' : 'buy';
      fills.next({ ...fill(id), symbol, side, size: Math.abs(change), time });
    },
    snapshot: () => account.next((model = snapshotOf(model.positions, env.queue.now()))),
    snapshotWith(size: number, symbol: string) {
      const positions = new Map([[symbol, signed(size, symbol)]]);
      account.next((model = snapshotOf(positions, env.queue.now())));
    },
    incomplete: () => account.next((model = { ...model, complete: false })),
    close: () => subscription.unsubscribe(),
  };
}

function snapshotOf(positions: AccountModel['positions'], time: number): AccountModel {
  const account = { time } as AccountModel['account'];
  const rest = { balances: new Map(), openOrders: new Map() };
  return { wallet: 'main', version: 1, time, complete: true, account, positions, ...rest };
}

const trade = fc.record({
  symbol: fc.constantFrom('BTC', 'ETH'),
  change: fc.constantFrom(-0.3, -0.1, 0.1, 0.2),
  waitMs: fc.constantFrom(0, 500, 1_900),
  isSplit: fc.boolean(),
  // If positive, the fill arrives this long after its position.
  lagMs: fc.integer({ min: -1_900, max: 1_900 }),
});

test('a trade’s frames in any order within the grace period raise nothing', () => {
  fc.assert(
    fc.property(fc.array(trade, { maxLength: 12 }), (trades) => {
      const check = openCheck();
      const sizes = new Map<string, number>();
      for (const [at, { symbol, change, waitMs, isSplit, lagMs }] of trades.entries()) {
        check.wait(waitMs);
        const size = (sizes.get(symbol) ?? 0) + change;
        sizes.set(symbol, size);
        const parts = isSplit ? [change / 2, change / 2] : [change];
        const emitFills = (): void =>
          parts.forEach((part, n) => check.fill(`${at}.${n}`, part, symbol));
        const steps = [() => check.show(size, symbol), emitFills];
        if (lagMs < 0) steps.reverse();
        steps[0]!();
        check.wait(Math.abs(lagMs));
        steps[1]!();
      }
      check.wait(60_000);
      expect(check.events).toEqual([]);
      expect(check.asked()).toBe(0);
      check.close();
    }),
  );
});

test('a missing frame is requested, and closes nothing', () => {
  const check = openCheck();
  check.fill('a', 1, 'BTC');
  check.wait(10_000);
  expect(check.asked()).toBe(1);
  expect(check.events).toEqual([]);
});

test('a fill of spot makes no position, so that nothing is missing', () => {
  const check = openCheck();
  check.fill('a', 1, 'HYPE/USDC');
  check.wait(10_000);
  check.fill('b', -1, 'HYPE/USDC');
  check.wait(10_000);
  expect(check.asked()).toBe(0);
  expect(check.events).toEqual([]);
});

test('while frames are missing nothing is checked', () => {
  const check = openCheck();
  check.fill('a', 1, 'BTC');
  check.show(3, 'BTC');
  check.incomplete();
  check.wait(10_000);
  check.snapshot();
  check.wait(10_000);
  expect(check.events).toEqual([]);
});

test('a fill at the snapshot’s instant may or may not be included', () => {
  const check = openCheck();
  check.fill('held', 1, 'BTC', 1_000_000);
  check.fill('new', 2, 'BTC');
  check.show(2, 'BTC');
  check.wait(10_000);
  check.show(3, 'BTC');
  check.wait(10_000);
  expect(check.events).toEqual([]);
  check.show(4, 'BTC');
  check.wait(10_000);
  expect(check.events).toMatchObject([{ kind: 'position_doubted' }]);
});

test('each contradiction closes its symbol, and the snapshot that agrees opens it, once', () => {
  const check = openCheck();
  const closed = () => [...check.gate.closedSymbols('main').keys()];
  const kinds = () => check.events.map(({ kind }) => kind);
  for (let times = 1; times <= 3; times++) {
    check.show(3 + times, 'BTC');
    check.wait(2_000);
    expect([closed(), kinds().length]).toEqual([['BTC'], 2 * times - 1]);
    check.snapshot();
    expect([closed(), kinds().length]).toEqual([[], 2 * times]);
    expect(kinds().slice(-2)).toEqual(['position_doubted', 'position_confirmed']);
    // The next ones have nothing to confirm.
    check.wait(1_000);
    check.snapshot();
    expect(kinds()).toHaveLength(2 * times);
  }
  expect(check.asked()).toBe(3);
});

test('what is to be asked for later is not, once a snapshot has agreed meanwhile', () => {
  const check = openCheck();
  check.show(3, 'BTC');
  check.wait(2_000);
  expect(check.asked()).toBe(1);
  check.snapshotWith(1, 'BTC');
  check.wait(1_000);
  check.snapshotWith(1, 'BTC');
  expect(check.events.at(-1)).toMatchObject({ kind: 'position_confirmed', size: 1 });
  check.wait(60_000);
  expect(check.asked()).toBe(1);
  // One that never agrees is asked for again after each, and no more often.
  check.show(3, 'BTC');
  check.wait(2_000);
  for (const [at, size] of [5, 6, 7].entries()) {
    expect(check.asked()).toBe(2 + at);
    check.snapshotWith(size, 'BTC');
    check.snapshotWith(size + 10, 'BTC');
    check.wait(2_000);
  }
  expect(check.asked()).toBe(5);
});

test('after its end nothing is requested, though a doubt was open', () => {
  const check = openCheck();
  check.show(3, 'BTC');
  check.wait(10_000);
  expect(check.events).toMatchObject([{ kind: 'position_doubted' }]);
  // A snapshot that disagrees is asked for once more, later.
  check.show(5, 'BTC');
  check.snapshotWith(1, 'BTC');
  const asked = check.asked();
  check.close();
  check.wait(60_000);
  expect(check.asked()).toBe(asked);
});

test('only waiting entries of a closed symbol end', () => {
  const gate = createEntryGate();
  gate.closeSymbol('main', 'BTC', 'BTC is in doubt');
  const why = (symbol: string, wallet = 'main') => gate.reasonFor({ wallet, intent: buy(symbol) });
  expect(why('BTC')).toBe('entry gate: BTC is in doubt');
  expect([why('ETH'), why('BTC', 'second')]).toEqual([undefined, undefined]);
  gate.openSymbol('main', 'BTC');
  expect(why('BTC')).toBeUndefined();
});
