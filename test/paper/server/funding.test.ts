import { rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { describeFeedProblem, loadMarketData, paperSettings } from '../../../src/paper/index.ts';
import { writeFiles } from '../../backtest/data/writeFiles.ts';
import { createBench, feedOf, flat } from '../engine/bench.ts';
import { openTestService, TAPE_START, testFeed, type Answer } from '../core/openTestService.ts';
import { openTestServer } from './openTestServer.ts';

const HOUR = 3_600_000;
const ORDER = { symbol: 'BTC', side: 'sell', size: 1, order_type: 'market' };
/** Between the warm-up's end, 08:20, and this are the settlements of 12:00 and 16:00. */
const UNTIL = TAPE_START + 17 * HOUR;

test('a constant funding rate is charged and published over sockets as without them', async () => {
  const feeds = [testFeed()];
  const settings = {
    feeds: [{ symbol: 'BTC', interval: '1m' as const, generate: {} }],
    funding: { BTC: { rate_bps: -0.7, interval: '4h' as const } },
  };
  const data = await loadMarketData(paperSettings.parse(settings));
  if (!data.ok) throw new Error(describeFeedProblem(data.problem));
  const { funding } = data.value;
  const server = await openTestServer(settings, { data: { feeds, funding } });
  onTestFinished(() => server.close());
  const direct = openTestService(settings, { feeds, funding });

  const follow = async (
    ask: (target: string, asked?: { body: unknown }) => Answer | Promise<Answer>,
    advance: () => unknown,
  ) => {
    const before = await ask('/v1/markets?symbol=BTC');
    const placed = await ask('/v1/order', { body: ORDER });
    expect(placed.status, JSON.stringify(placed.body)).toBeLessThan(300);
    await advance();
    const [after, account, pnl] = [
      await ask('/v1/markets?symbol=BTC'),
      await ask('/v1/account'),
      await ask('/v1/account/pnl'),
    ];
    return [before, after, account, pnl].map(({ body }) => body);
  };
  const overSockets = await follow(server.ask, () =>
    server.control('POST', '/paper/replay/advance', { to_time: UNTIL }),
  );
  const within = await follow(direct.ask, () => direct.core.advanceTo(UNTIL));
  expect(within).toEqual(overSockets);

  const [before, after, account] = overSockets;
  expect(before.items[0]).toMatchObject({
    funding_rate: -0.000_07,
    next_funding_time: TAPE_START + 12 * HOUR,
  });
  expect(after.items[0]).toMatchObject({
    funding_rate: -0.000_07,
    next_funding_time: TAPE_START + 20 * HOUR,
  });
  // A settlement is on the close of the bar that ends with it; shorts pay a rate below zero.
  const closeAt = (hour: number): number => feeds[0]!.close[hour * 60 - 1]!;
  const paid = 0.000_07 * (closeAt(12) + closeAt(16));
  expect(account.funding_paid).toBeCloseTo(paid, 9);
});

test.each([
  ['that ends as the tape begins', [-2, 0], false],
  ['of which the last is charged at the first full hour', [-1, 1], true],
  ['of which the first is charged as the last bar closes', [10, 11], true],
  ['that begins after the tape', [11, 12], false],
])('settlements %s: %j', async (_what, hours, isTaken) => {
  const lines = hours.map((hour) => `${TAPE_START + hour * HOUR},0.0001`);
  const [path] = await writeFiles({ 'f.csv': `timestamp,funding_rate\n${lines.join('\n')}\n` });
  onTestFinished(() => rm(dirname(path!), { recursive: true }));
  const generate = { bars: 600, start_time: TAPE_START };
  const settings = paperSettings.parse({
    feeds: [{ symbol: 'BTC', interval: '1m', generate }],
    funding: { BTC: path! },
  });
  const loaded = await loadMarketData(settings);
  if (isTaken) expect(loaded.ok).toBe(true);
  else
    expect(loaded).toMatchObject({
      ok: false,
      problem: { file: path, message: expect.stringContaining('nothing would be charged') },
    });
});

test('each settlement is streamed with its sign, and the cash that it leaves after it', () => {
  const feeds = [
    feedOf(flat(100, 62), { symbol: 'BTC' }),
    feedOf(flat(50, 62), { symbol: 'ETH' }),
    feedOf(flat(10, 62), { symbol: 'SOL' }),
  ];
  const fundingRates = {
    BTC: { constantRate: 0.001, intervalMs: HOUR },
    ETH: { constantRate: 0.002, intervalMs: HOUR },
    SOL: { constantRate: 0.001, intervalMs: 4 * HOUR },
  };
  const bench = createBench({ feeds, fundingRates });
  bench.run(2);
  bench.order({ side: 'buy', size: 3, order_type: 'market' });
  bench.order({ symbol: 'ETH', side: 'sell', size: 4, order_type: 'market' });
  bench.order({ symbol: 'SOL', side: 'buy', size: 5, order_type: 'market' });
  const cash = () => bench.call('account.balances').items[0].total as number;
  const before = cash();
  bench.events.length = 0;
  bench.run(59);
  const [btc, eth] = [3 * 100 * 0.001, -4 * 50 * 0.002];
  const streamed = bench.events
    .filter(({ event }) => event === 'funding' || event === 'balance')
    .map(({ event, data }) => [event, data as Record<string, unknown>] as const);
  expect(streamed.map(([event]) => event)).toEqual(['funding', 'balance', 'funding', 'balance']);
  expect(streamed.map(([, data]) => data)).toMatchObject([
    { symbol: 'BTC', rate: 0.001, amount: expect.closeTo(btc, 9) },
    { asset: 'USDC', total: expect.closeTo(before - btc, 9) },
    { symbol: 'ETH', rate: 0.002, amount: expect.closeTo(eth, 9) },
    { asset: 'USDC', total: expect.closeTo(before - btc - eth, 9) },
  ]);
  expect(cash()).toBeCloseTo(before - btc - eth, 9);
});
