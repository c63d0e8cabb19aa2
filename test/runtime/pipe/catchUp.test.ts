import { join } from 'node:path';
import * as fc from 'fast-check';
import { delay, from, map, merge, mergeMap, type Observable } from 'rxjs';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { INTERVAL_MS, type Interval } from '../../../src/contract/index.ts';
import {
  attachTpsl,
  cancelOrder,
  closePosition,
  launch,
  placeOrder,
  setLeverage,
  type Intent,
} from '../../../src/intents/index.ts';
import { defineStrategy, type StrategyContext } from '../../../src/strategy/index.ts';
import buysAndCloses from '../latePlugins/buysAndCloses.ts';
import { openOutageBot, type OutageBot, type Sent } from '../openOutageBot.ts';

type Live = ReturnType<StrategyContext['liveness']>;

interface Seen {
  bars: Array<{ time: number; live: Live }>;
  outcomes: Array<{ state: string; guard: string | undefined; live: Live }>;
}

type Decide = (ctx: StrategyContext, time: number) => Intent[];

function strategyOf(interval: Interval, decide: Decide, seen: Seen, warmup = 0) {
  return defineStrategy({
    name: 'bars',
    contract: 1,
    description: 'Decides at each bar.',
    scopes: ['trade', 'algo'],
    params: z.object({}),
    warmup: () => warmup,
    setup(given): Observable<Intent> {
      const ctx = given as StrategyContext;
      ctx.outcomes$.subscribe(({ state, guard }) =>
        seen.outcomes.push({ state, guard, live: ctx.liveness() }),
      );
      return ctx.candles('BTC', interval).pipe(
        mergeMap(({ time }) => {
          seen.bars.push({ time, live: ctx.liveness() });
          return from(decide(ctx, time));
        }),
      );
    },
  });
}

const nothingSeen = (): Seen => ({ bars: [], outcomes: [] });
const buy = (size = 0.001) => placeOrder.market({ symbol: 'BTC', side: 'buy', size });

/** Close of the bar that a decision names as its cause. */
function causeClose({ decisionKey }: Pick<Sent, 'decisionKey'>): number {
  const [, interval, time] = /bar:BTC:(\w+):(\d+)/.exec(decisionKey)!;
  return Number(time) + INTERVAL_MS[interval as Interval];
}

const isEntry = ({ endpoint }: Sent): boolean =>
  endpoint === 'orders.place' || endpoint === 'executions.launch';

const denials = ({ events }: OutageBot, guard: string) =>
  events.filter((event) => event.kind === 'intent' && event.event.guard === guard);

/** Whatever happened to the line: no entry whose cause is older than allowed ever left. */
function expectYoung(sent: readonly Sent[], limitMs?: number): void {
  for (const one of sent.filter(isEntry)) {
    const interval = /bar:BTC:(\w+):/.exec(one.decisionKey)![1] as Interval;
    const allowed = limitMs ?? Math.min(INTERVAL_MS[interval], 300_000);
    expect(one.time - causeClose(one), one.decisionKey).toBeLessThanOrEqual(allowed);
  }
}

const INTERVALS = ['1m', '5m', '15m', '1h'] as const;

describe('bars that closed while the connection was lost', () => {
  test('gap × interval × order: no entry on one of them is sent, and only the newest exit is', async () => {
    const gaps = fc.record({
      interval: fc.constantFrom(...INTERVALS),
      before: fc.integer({ min: 1, max: 20 }),
      minutes: fc.integer({ min: 1, max: 150 }),
      how: fc.constantFrom('lost' as const, 'stalled' as const),
      turn: fc.nat(10),
    });
    await fc.assert(
      fc.asyncProperty(gaps, async ({ interval, before, minutes, how, turn }) => {
        const seen = nothingSeen();
        const decide = (): Intent[] => [buy(), closePosition.atMarket('BTC')];
        const outage = await openOutageBot({ strategy: strategyOf(interval, decide, seen) });
        await outage.run(60 + before);
        const from = outage.now();
        if (how === 'lost') outage.lose();
        else outage.stall();
        await outage.run(minutes);
        const until = outage.now();
        const first = outage.sent.length;
        if (how === 'lost') {
          await outage.reopen((all) => [
            ...all.slice(turn % all.length),
            ...all.slice(0, turn % all.length),
          ]);
        } else await outage.resume();
        const isGone = (close: number): boolean =>
          how === 'lost' ? close > from && close <= until : close > from && until - close > 10_000;
        // A virtual quarter of a second ends the burst.
        await outage.run(1);
        const gone = seen.bars.filter(({ time }) => isGone(time + INTERVAL_MS[interval]));
        expect(gone.map(({ live }) => live)).toEqual(gone.map(() => 'catch_up'));
        expect(denials(outage, 'catch_up').length).toBeGreaterThanOrEqual(gone.length);
        const causes = outage.sent
          .slice(first)
          .filter(({ decisionKey }) => isGone(causeClose({ decisionKey })));
        expect(causes.filter(isEntry)).toEqual([]);
        const exits = causes.filter(({ endpoint }) => endpoint === 'positions.close');
        const newest = gone.at(-1);
        // A live bar before the end of the burst made the same decision again.
        expect(exits.length).toBeLessThanOrEqual(1);
        if (newest !== undefined && exits.length === 1) {
          expect(causeClose(exits[0]!)).toBe(newest.time + INTERVAL_MS[interval]);
        }
        if (newest !== undefined && interval !== '1m') expect(exits).toHaveLength(1);
        await outage.run(2 * 60);
        expectYoung(outage.sent);
        // It continues trading normally.
        const last = outage.sent.filter(isEntry).at(-1)!;
        expect(causeClose(last)).toBeGreaterThan(until);
        await outage.close();
      }),
      { numRuns: 25 },
    );
  }, 120_000);

  test('the strategy is informed: liveness, the denial’s code, and that of its reaction', async () => {
    const seen = nothingSeen();
    const outage = await openOutageBot({ strategy: strategyOf('5m', () => [buy()], seen, 10) });
    await outage.run(20);
    outage.lose();
    await outage.run(16);
    await outage.reopen();
    await outage.run(10);
    expect(new Set(seen.bars.slice(0, 10).map(({ live }) => live))).toEqual(new Set(['warm_up']));
    const lives = seen.bars.slice(10).map(({ live }) => live);
    expect(lives).toEqual([
      ...Array<Live>(4).fill('live'),
      ...Array<Live>(3).fill('catch_up'),
      ...Array<Live>(lives.length - 7).fill('live'),
    ]);
    expect(lives.length).toBeGreaterThan(8);
    const denied = seen.outcomes.filter(({ guard }) => guard === 'catch_up');
    expect(denied).toHaveLength(3);
    for (const one of denied) expect(one).toMatchObject({ state: 'denied', live: 'catch_up' });
    const store = denials(outage, 'catch_up');
    expect(store).toHaveLength(3);
    await outage.close();
  });

  test('each order is cancelled, and a late leverage change is not sent', async () => {
    const seen = nothingSeen();
    const price = 30_000;
    const decide: Decide = (ctx, time) => {
      if (ctx.liveness() === 'live' && seen.bars.length <= 2) {
        const order = { symbol: 'BTC', side: 'buy', size: 0.001, price } as const;
        return [placeOrder.limit(order, { ref: `order-${seen.bars.length}` })];
      }
      if (ctx.liveness() !== 'catch_up') return [];
      return [
        cancelOrder({ ref: 'order-1' }),
        cancelOrder({ ref: 'order-2' }),
        setLeverage('BTC', { leverage: 1 + (time % 7), mode: 'cross' }),
      ];
    };
    const outage = await openOutageBot({ strategy: strategyOf('1m', decide, seen) });
    await outage.run(4);
    outage.lose();
    await outage.run(8);
    await outage.reopen();
    await outage.run(2);
    const sent = outage.sent.map(({ endpoint }) => endpoint);
    expect(sent.filter((endpoint) => endpoint === 'orders.cancel')).toHaveLength(2);
    expect(sent).not.toContain('leverage.set');
    expect(outage.bot.book('main').order('order-1')).toBeUndefined();
    await outage.close();
  });

  test('the stop and the target of the newest bar are both sent', async () => {
    const seen = nothingSeen();
    let entered = false;
    const decide: Decide = (ctx, time) => {
      if (!entered) {
        entered = true;
        return [buy()];
      }
      if (ctx.liveness() !== 'catch_up') return [];
      const shift = (time / 60_000) % 100;
      return [
        attachTpsl('BTC', { stop_loss: { price: 1_000 + shift } }),
        attachTpsl('BTC', { take_profit: { price: 900_000 + shift } }),
      ];
    };
    const outage = await openOutageBot({ strategy: strategyOf('1m', decide, seen) });
    await outage.run(4);
    outage.lose();
    await outage.run(8);
    await outage.reopen();
    await outage.run(2);
    const attached = outage.sent.filter(({ endpoint }) => endpoint === 'positions.attachLegs');
    expect(attached.map(({ body }) => Object.keys(body))).toEqual([['stop_loss'], ['take_profit']]);
    const newest = seen.bars.filter(({ live }) => live === 'catch_up').at(-1)!;
    for (const one of attached) expect(causeClose(one)).toBe(newest.time + 60_000);
    await outage.close();
  });

  test('an exit that is held for the end of the burst is sent by a stop', async () => {
    const seen = nothingSeen();
    const decide: Decide = (ctx) => {
      if (seen.bars.length === 1) return [buy()];
      return ctx.liveness() === 'catch_up' ? [closePosition.atMarket('BTC')] : [];
    };
    const outage = await openOutageBot({ strategy: strategyOf('1m', decide, seen) });
    await outage.run(4);
    outage.lose();
    await outage.run(8);
    await outage.reopen();
    const exits = () => outage.sent.filter(({ endpoint }) => endpoint === 'positions.close');
    expect(exits()).toEqual([]);
    await outage.close();
    expect(exits()).toHaveLength(1);
  });

  test('a delayed decision does not become live by waiting', async () => {
    const seen = nothingSeen();
    const strategy = defineStrategy({
      name: 'late',
      contract: 1,
      description: 'Buys a second after each bar.',
      scopes: ['trade'],
      params: z.object({}),
      setup: (ctx) =>
        ctx.candles('BTC', '1m').pipe(
          delay(1_000, ctx.scheduler),
          map(() => {
            seen.bars.push({ time: ctx.now(), live: ctx.liveness() });
            return buy();
          }),
        ),
    });
    const outage = await openOutageBot({ strategy });
    await outage.run(5);
    outage.lose();
    await outage.run(30);
    const until = outage.now();
    const before = outage.sent.filter(isEntry).length;
    await outage.reopen();
    await outage.run(1);
    const late = seen.bars.filter(({ time }) => time > until && time <= until + 1_000);
    expect(late.length).toBeGreaterThanOrEqual(30);
    expect(new Set(late.map(({ live }) => live))).toEqual(new Set(['catch_up']));
    expect(outage.sent.filter(isEntry)).toHaveLength(before);
    await outage.run(5);
    expect(outage.sent.filter(isEntry).length).toBeGreaterThan(before);
    await outage.close();
  });
});

describe('an entry that waits', () => {
  test('for the budget is checked again when its turn comes', async () => {
    const ages = fc.record({
      weight: fc.integer({ min: 100, max: 360 }),
      limit: fc.integer({ min: 5, max: 90 }),
    });
    await fc.assert(
      fc.asyncProperty(ages, async ({ weight, limit }) => {
        const seen = nothingSeen();
        const params = { duration_seconds: 600 };
        const small = { symbol: 'BTC', side: 'buy', total_size: 0.01, params } as const;
        const decide = (): Intent[] => Array.from({ length: 24 }, () => launch.pacemaker(small));
        const outage = await openOutageBot({
          strategy: strategyOf('5m', decide, seen),
          budget: { limit: weight },
          guards: { max_decision_age_seconds: limit },
        });
        await outage.run(25);
        expectYoung(outage.sent, limit * 1_000);
        const expired = denials(outage, 'max_decision_age_seconds');
        expect(expired.length).toBeGreaterThan(0);
        for (const one of expired) {
          if (one.kind === 'intent') expect(one.event.state).toBe('expired');
        }
        await outage.close();
      }),
      { numRuns: 10 },
    );
  }, 60_000);
});

describe('a run without a gap', () => {
  test('has no late decision: at every interval, with timers, in virtual time', async () => {
    const seen = nothingSeen();
    const strategy = defineStrategy({
      name: 'timely',
      contract: 1,
      description: 'Buys at bars of three intervals, at boundaries, and a while after bars.',
      scopes: ['trade'],
      params: z.object({}),
      setup: (ctx) => {
        const bars$ = merge(
          ...(['1m', '15m', '1h'] as const).map((one) => ctx.candles('BTC', one)),
        );
        const later$ = ctx.candles('BTC', '1m').pipe(delay(30_000, ctx.scheduler));
        return merge(bars$, later$, ctx.every('5m')).pipe(map(() => buy()));
      },
    });
    const outage = await openOutageBot({ strategy, guards: { max_decision_age_seconds: 30 } });
    await outage.run(180);
    expect(denials(outage, 'catch_up')).toEqual([]);
    expect(denials(outage, 'max_decision_age_seconds')).toEqual([]);
    expect(outage.sent.filter(isEntry).length).toBeGreaterThan(300);
    expect(seen.outcomes).toEqual([]);
    await outage.close();
  });
});

describe('a strategy in its own thread', () => {
  const isolation = {
    use: './buysAndCloses.ts',
    directory: join(import.meta.dirname, '../latePlugins'),
    params: {},
    turnDeadlineMs: 20_000,
    memoryMb: 256,
  };

  test.each(['the bot’s thread', 'a thread of its own'])(
    'in %s: the same lives, denials, exits and notices',
    async (where) => {
      const own = where === 'a thread of its own' ? { isolation } : {};
      const outage = await openOutageBot({ strategy: buysAndCloses, ...own });
      await outage.run(100);
      const from = outage.now();
      outage.lose();
      await outage.run(27);
      const until = outage.now();
      await outage.reopen();
      await outage.run(8);
      const intents = outage.events.filter((event) => event.kind === 'intent');
      const caught = intents.filter(({ event }) => event.emission.isCatchUp === true);
      const notes = new Set(caught.map(({ event }) => event.emission.intent.note));
      expect([...notes]).toEqual(['catch_up']);
      const denied = caught.filter(({ event }) => event.guard === 'catch_up');
      const isGone = (close: number): boolean => close > from && close <= until;
      const gone = outage.sent.filter((one) => isGone(causeClose(one)));
      expect(gone.map(({ endpoint }) => endpoint)).toEqual(['positions.close']);
      expect(causeClose(gone[0]!)).toBe(until - (until % 300_000));
      // Five bars, or six: the entries of all of them, and every exit but one.
      const bars = new Set(caught.map(({ event }) => event.emission.cause)).size;
      expect(denied).toHaveLength(2 * bars - 1);
      expect(bars).toBeGreaterThanOrEqual(5);
      const notices = outage.events.filter((event) => event.kind === 'strategy_notice');
      expect(notices.map(({ instance, notice }) => [instance, notice])).toEqual([
        ['one', { kind: 'warm_up_short', symbol: 'BTC', interval: '5m', asked: 40, bars: 24 }],
      ]);
      await outage.close();
    },
  );
});
