import { afterEach, describe, expect, test } from 'vitest';
import { EMPTY, merge, Subject, type Observable } from 'rxjs';
import { INTERVAL_MS, type Interval } from '../../../src/contract/index.ts';
import type { BotEvent } from '../../../src/runtime/index.ts';
import { createLiveEnv } from '../../../src/env/index.ts';
import {
  attachTpsl,
  cancelOrder,
  launch,
  placeOrder,
  stopLoss,
} from '../../../src/intents/index.ts';
import {
  createBotState,
  type Blocks,
  type BotState,
  type ViewChange,
} from '../../../src/operate/state/index.ts';
import { conditionsOf } from '../../../src/operate/notify/conditionsOf.ts';
import type { TestServer } from '../../paper/server/openTestServer.ts';
import { openTestBot, type TestBot, type TestBotOptions } from '../../runtime/openTestBot.ts';
import { configOf, loseAnswers, openTwoWallets, STRATEGIES } from '../watchedBot.ts';

const open: Array<{ close(): unknown }> = [];
afterEach(async () => {
  for (const item of open.splice(0).toReversed()) await item.close();
});

/**
 * @param more events beside those of the bot
 * @param marks the intervals of the bars that are shown, other than a minute
 */
async function openWatched(
  options: TestBotOptions = {},
  server?: TestServer,
  more: Observable<BotEvent> = EMPTY,
  marks: Readonly<Record<string, Interval>> = {},
): Promise<{ bot: TestBot; state: BotState }> {
  const service = server ?? (await openTwoWallets());
  if (server === undefined) open.push(service);
  const states: BotState[] = [];
  const bot = await openTestBot(service, {
    strategies: STRATEGIES,
    ...options,
    onBot(created, planned) {
      const markInterval = (symbol: string): Interval =>
        marks[symbol] ?? planned.markInterval(symbol);
      const plan = { ...planned, markInterval };
      const now = (): number => created.instant;
      const events$ = merge(created.events$, more);
      const watched = Object.create(created, { events$: { value: events$ } }) as typeof created;
      const from = { bot: watched, plan, env: createLiveEnv(), now, service: null };
      states.push(createBotState({ ...from, config: configOf(plan) }));
    },
  });
  open.push(bot);
  const [state] = states;
  open.push(state!);
  return { bot, state: state! };
}

const buy = placeOrder.market({ symbol: 'BTC', side: 'buy', size: 0.02 });
const short = placeOrder.market({ symbol: 'ETH', side: 'sell', size: 0.5 });
const stop = attachTpsl('BTC', { stop_loss: stopLoss.price(20_000) });

describe('the view of a bot', () => {
  test.each([
    { kind: 'key_accepted' },
    { kind: 'key_rotated', rotation: { keyId: 'vk_2', previous: 'vk_1', reason: 'a test' } },
  ])('a refused key is refused until it is accepted again: by $kind', async (accepted) => {
    const more = new Subject<BotEvent>();
    const { bot, state } = await openWatched({}, undefined, more);
    await bot.step(1);
    const refused = (): string | null => state.view().blocks.bot.key_refused;
    expect(refused()).toBeNull();
    for (const code of ['unknown_key', '']) {
      more.next({ kind: 'key_refused', code } as BotEvent);
      expect(refused()).toBe(code);
      more.next({ kind: 'key_rotation_refused', reason: 'it lacks a scope' });
      expect(refused()).toBe(code);
      more.next(accepted as BotEvent);
      expect(refused()).toBeNull();
    }
  });

  test('shows positions with their stops and owners, as the service does', async () => {
    const { bot, state } = await openWatched();
    await bot.step(2);
    bot.propose(buy);
    bot.propose(short, 'second');
    await bot.step(2);
    const [long, other] = state.view().blocks.positions;
    expect(long).toMatchObject({ wallet: 'main', symbol: 'BTC', side: 'long', size: 0.02 });
    expect(long).toMatchObject({ stop_price: null, stop_distance: null, uncovered: 0.02 });
    expect(long!.uncovered_since).toBeGreaterThan(0);
    expect(long).toMatchObject({ owner: 'first', ownership: 'owned' });
    expect(other).toMatchObject({ wallet: 'second', symbol: 'ETH', side: 'short', size: 0.5 });
    expect(other!.unrealized_pnl).toBeCloseTo(0.5 * (other!.entry_price! - other!.mark_price!), 9);

    bot.propose(stop);
    await bot.step(2);
    const { positions, wallets } = state.view().blocks;
    const covered = positions[0]!;
    expect(covered).toMatchObject({ stop_price: 20_000, uncovered: 0, uncovered_since: null });
    expect(covered.stop_distance).toBeCloseTo(1 - 20_000 / covered.mark_price!, 12);
    const account = await bot.client.account.get();
    expect(wallets.map(({ wallet }) => wallet)).toEqual(['main', 'second']);
    expect(wallets[0]!.equity).toBeCloseTo(account.equity, 6);
    expect(wallets[0]!.leverage).toBeCloseTo(covered.notional! / wallets[0]!.equity, 12);
  });

  test('shows what is at work, and forgets what has ended', async () => {
    const { bot, state } = await openWatched();
    await bot.step(2);
    const resting = placeOrder.limit({ symbol: 'BTC', side: 'buy', size: 0.01, price: 20_000 });
    bot.propose(resting);
    bot.propose(
      launch.pacemaker({
        symbol: 'ETH',
        side: 'buy',
        total_size: 1,
        params: { duration_seconds: 3_600 },
      }),
      'second',
    );
    await bot.step(3);
    const { orders, executions, strategies } = state.view().blocks;
    const own = orders.filter(({ execution_id: execution }) => execution === null);
    expect(own).toMatchObject([
      { wallet: 'main', symbol: 'BTC', price: 20_000, size: 0.01, filled_size: 0, owner: 'first' },
    ]);
    expect(executions).toMatchObject([
      { wallet: 'second', algo: 'pacemaker', symbol: 'ETH', status: 'running', owner: 'second' },
    ]);
    expect(executions[0]!.progress).toBeGreaterThan(0);
    expect(strategies[0]).toMatchObject({
      name: 'first',
      life: 'running',
      emitted: 1,
      accepted: 1,
    });
    expect(strategies[0]!.intent).toMatchObject({ kind: 'place_order', symbol: 'BTC' });
    expect(strategies[0]!.bar_time).toBe(state.view().blocks.feeds[0]!.close_time);

    bot.propose(cancelOrder({ order_id: own[0]!.order_id }));
    await bot.step(2);
    const left = state.view().blocks.orders.filter((order) => order.execution_id === null);
    expect(left).toEqual([]);
  });

  test('counts denials by guard, and says why entries are closed', async () => {
    const { bot, state } = await openWatched({ guards: { max_order_notional: 100 } });
    await bot.step(2);
    bot.propose(buy);
    await bot.step(1);
    expect(state.view().blocks.strategies[0]!.denied).toEqual({ max_order_notional: 1 });
    expect(state.intents.denied()).toEqual({ max_order_notional: 1 });
    expect(state.intents.steps().get('place_order denied')).toBe(1);
    expect(state.view().blocks.bot).toMatchObject({ kill_level: 'L0', gate: [] });
    await bot.bot.kill('L1', 'too warm in here');
    const { kill_level: level, kill_reason: reason, gate } = state.view().blocks.bot;
    expect([level, reason]).toEqual(['L1', 'too warm in here']);
    expect(gate).toHaveLength(1);
    await bot.bot.rearm('cooled down');
    expect(state.view().blocks.bot).toMatchObject({
      kill_level: 'L0',
      kill_reason: null,
      gate: [],
    });
  });

  test('a refused key is shown until another one is in use', async () => {
    const error = { code: 'unknown_key', message: 'No such key.' };
    const response = { status: 401, headers: {}, body: { error, request_id: 'req_1' } };
    const { bot, state } = await openWatched({
      wire: (request, send) =>
        request.endpoint === 'orders.place' ? { kind: 'answered', response } : send(),
    });
    await bot.step(2);
    bot.propose(buy);
    await bot.step(1);
    expect(state.view().blocks.bot.key_refused).toBe('unknown_key');
    await bot.bot.keyRotated({
      keyId: 'vk_2',
      previous: 'vk_1',
      fingerprint: 'abc',
      reason: 'asked',
      unanswered: 0,
    });
    expect(state.view().blocks.bot.key_refused).toBeNull();
  });

  test('a sent intent without an answer is shown with the command that settles it', async () => {
    const { wire, release } = loseAnswers();
    const { bot, state } = await openWatched({ wire });
    await bot.step(2);
    bot.propose(buy);
    const stepped = bot.step(1);
    await expect.poll(() => state.view().blocks.unanswered, { timeout: 10_000 }).toHaveLength(1);
    const [row] = state.view().blocks.unanswered;
    expect(row).toMatchObject({ kind: 'place_order', symbol: 'BTC', strategy: 'first' });
    expect(row).toMatchObject({ state: 'unknown', wallet: 'main' });
    expect(row!.command).toContain(`trimtab settle watched.yaml ${row!.key}`);
    release();
    await stepped;
    expect(state.view().blocks.unanswered).toEqual([]);
    expect(state.view().blocks.strategies[0]).toMatchObject({ emitted: 1, accepted: 1 });
  });

  test('a pause of the budget ends in wall time, though it is counted by another clock, and is an alert', async () => {
    let isBusy = true;
    const { bot, state } = await openWatched({
      wire(request, send) {
        if (request.endpoint !== 'orders.place' || !isBusy) return send();
        isBusy = false;
        const details = { retry_after_seconds: 3_600 };
        const error = { code: 'rate_limited', message: 'busy', details };
        const body = { error, request_id: 'r' };
        return { kind: 'answered', response: { status: 429, headers: {}, body } };
      },
    });
    await bot.step(2);
    const rules = {
      config: { file: 'bot.yaml' },
      uncoveredSeconds: 60,
      doubted: new Map(),
      unsent: [],
      unrotated: null,
      losses: { count: 0, downMs: 0 },
    };
    const alerts = () => conditionsOf(state.view(), rules).map(({ key }) => key);
    expect(state.view().blocks.budget.held_until).toBeNull();
    expect(alerts()).not.toContain('budget');
    bot.propose(buy);
    await bot.step(1);
    const { held_until } = state.view().blocks.budget;
    const leftMs = held_until! - Date.now();
    // However long the machine takes for it.
    expect(leftMs).toBeGreaterThan(0);
    expect(leftMs).toBeLessThanOrEqual(3_601_000);
    expect(alerts()).toContain('budget');
  });

  test('candles hold the history, the bars since and the fills', async () => {
    const { bot, state } = await openWatched();
    await bot.step(2);
    bot.propose(buy);
    await bot.step(3);
    const candles = state.candles('BTC')!;
    const query = { interval: '1m' } as const;
    const { candles: bars } = await bot.client.market.candles({ symbol: 'BTC', query });
    expect(candles.time).toEqual([...new Set(candles.time)].toSorted((a, b) => a - b));
    const shown = candles.time.map((time, at) => [time, candles.open[at], candles.close[at]]);
    const known = bars.filter(({ closed }) => closed).map((bar) => [bar.time, bar.open, bar.close]);
    expect(shown.slice(-5)).toEqual(known.slice(-5));
    expect(candles.fills).toMatchObject([{ side: 'buy', size: 0.02, owner: 'first' }]);
    expect(state.candles('DOGE')).toBeUndefined();
  });

  test('each symbol has the candles of its own interval', async () => {
    const { bot, state } = await openWatched({}, undefined, EMPTY, { ETH: '5m' });
    await bot.step(12);
    for (const [symbol, interval] of [
      ['BTC', '1m'],
      ['ETH', '5m'],
    ] as const) {
      const candles = state.candles(symbol)!;
      expect(candles.interval_ms).toBe(INTERVAL_MS[interval]);
      const { candles: bars } = await bot.client.market.candles({ symbol, query: { interval } });
      const known = bars.filter(({ closed }) => closed).map(({ time, close }) => [time, close]);
      const shown = candles.time.map((time, at) => [time, candles.close[at]]);
      expect(shown.slice(-2)).toEqual(known.slice(-2));
    }
  });

  test('a decision that is made a second time leaves its mark as it is, and its count', async () => {
    const again$ = new Subject<BotEvent>();
    const { bot, state } = await openWatched({}, undefined, again$);
    await bot.step(2);
    const seen: BotEvent[] = [];
    bot.bot.events$.subscribe((event) => void seen.push(event));
    bot.propose(buy);
    await bot.step(2);
    const accepted = seen.find(
      (event) => event.kind === 'intent' && event.event.state === 'accepted',
    )!;
    const read = () => [state.candles('BTC')!.intents, state.view().blocks.strategies];
    const before = structuredClone(read());
    expect(state.candles('BTC')!.intents).toMatchObject([
      { state: 'accepted', kind: 'place_order' },
    ]);
    if (accepted.kind !== 'intent') throw new Error('It is none.');
    again$.next({ ...accepted, event: { ...accepted.event, state: 'duplicate' } });
    expect(read()).toEqual(before);
  });
});

describe('its changes', () => {
  test('applied to an earlier view they give the later one', async () => {
    const { bot, state } = await openWatched();
    await bot.step(2);
    const first = state.view();
    for (const intent of [buy, stop, buy]) {
      bot.propose(intent);
      await bot.step(1);
      state.view();
    }
    await bot.bot.kill('L1', 'enough');
    const changes = state.since(first.sequence)!;
    expect(changes.map(({ sequence }) => sequence)).toEqual(
      changes.map((_change, at) => first.sequence + 1 + at),
    );
    const blocks = changes.reduce<Blocks>(
      (before, change) => ({ ...before, ...change.blocks }),
      first.blocks,
    );
    const last = state.view();
    expect(blocks).toEqual(last.blocks);
    expect(changes.at(-1)!.sequence).toBe(last.sequence);
    const lines = changes.flatMap(({ events }) => events);
    expect(lines.map(({ sequence }) => sequence)).toEqual(
      lines.map(({ sequence }) => sequence).toSorted((a, b) => a - b),
    );
    expect(lines.map(({ text }) => text)).toContain('Kill level L1');
    expect(state.since(last.sequence)).toEqual([]);
  });

  test('a reader that was away for too long, or comes from another process, begins anew', async () => {
    const { bot, state } = await openWatched();
    await bot.step(2);
    const first = state.view();
    for (let at = 0; at < 130; at++) {
      await bot.bot.kill('L1', `${at}`);
      state.view();
      await bot.bot.rearm(`${at}`);
      state.view();
    }
    expect(state.since(first.sequence)).toBeUndefined();
    expect(state.since(state.view().sequence + 1)).toBeUndefined();
    const { sequence: last } = state.view();
    expect(state.since(last - 1)).toHaveLength(1);
    expect(state.since(last - 240), 'all that is known').toHaveLength(240);
    expect(state.since(last - 241)).toBeUndefined();
    expect(state.events(10)).toHaveLength(10);
  });

  test('they go on for one reader when another has left', async () => {
    const { bot, state } = await openWatched();
    await bot.step(2);
    state.view();
    const received: Array<ViewChange | null> = [];
    const leave = state.listen(() => {});
    state.listen((change) => received.push(change));
    leave();
    await bot.bot.kill('L1', 'listen');
    await expect
      .poll(() => received.some((change) => change?.blocks.bot !== undefined), { timeout: 10_000 })
      .toBe(true);
  });

  test('they come by themselves while somebody listens, and nothing is read while nobody does', async () => {
    const { bot, state } = await openWatched();
    await bot.step(2);
    state.view();
    const received: Array<ViewChange | null> = [];
    const end = state.listen((change) => received.push(change));
    await bot.bot.kill('L1', 'listen');
    await expect
      .poll(() => received.some((change) => change?.blocks.bot !== undefined), { timeout: 10_000 })
      .toBe(true);
    // A beat without news.
    await expect.poll(() => received.includes(null), { timeout: 5_000 }).toBe(true);
    end();
    const count = received.length;
    await bot.bot.rearm('again');
    await new Promise((resolve) => setTimeout(resolve, 1_200));
    expect(received).toHaveLength(count);
  });
});

test('a state that is followed changes nothing of what the bot sends', async () => {
  const asked: string[][] = [];
  for (const isWatched of [true, false]) {
    const server = await openTwoWallets();
    open.push(server);
    const requests: string[] = [];
    asked.push(requests);
    const wire: TestBotOptions['wire'] = (request, send) => {
      requests.push(`${request.endpoint} ${request.body ?? ''}`);
      return send();
    };
    const bot = isWatched
      ? (await openWatched({ wire }, server)).bot
      : await openTestBot(server, { wire, strategies: STRATEGIES });
    if (!isWatched) open.push(bot);
    await bot.step(2);
    for (const intent of [buy, stop, buy]) {
      bot.propose(intent);
      await bot.step(2);
    }
  }
  expect(asked[0]).toEqual(asked[1]);
  expect(asked[0]!.length).toBeGreaterThan(2);
});
