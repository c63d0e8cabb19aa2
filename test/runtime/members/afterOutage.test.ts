import { mergeMap, from } from 'rxjs';
import { expect, test } from 'vitest';
import { z } from 'zod';
import type { StreamFrame } from '../../../src/contract/index.ts';
import {
  createMonitor,
  launch,
  placeOrder,
  stopLoss,
  type Intent,
} from '../../../src/intents/index.ts';
import { defineStrategy, type RefState } from '../../../src/strategy/index.ts';
import { openOutageBot, type OutageBot } from '../openOutageBot.ts';

/** Decides once at each bar, in turn. */
const strategyOf = (...turns: Array<(price: number) => Intent[]>) =>
  defineStrategy({
    name: 'turns',
    contract: 1,
    description: 'Decides what the test says, bar by bar.',
    scopes: ['trade'],
    params: z.object({}),
    setup: (ctx) =>
      ctx
        .candles('BTC', '1m')
        .pipe(
          mergeMap(({ close }) =>
            from(ctx.liveness() === 'live' ? (turns.shift()?.(close) ?? []) : []),
          ),
        ),
  });
const idle = (): Intent[] => [];

/** A service whose rows say of a leg only that it is armed. */
function plain(frame: StreamFrame): StreamFrame {
  if (frame.channel !== 'tpsl.watch') return frame;
  const strip = ({ size: _size, coupled: _coupled, ...row }: Record<string, unknown>) => row;
  const data = frame.data as Record<string, unknown>;
  const rows = data['rows'] as Array<Record<string, unknown>> | undefined;
  return {
    ...frame,
    data: rows === undefined ? strip(data) : { ...data, rows: rows.map(strip) },
  } as StreamFrame;
}

const states = ({ events }: OutageBot): string[] =>
  events.flatMap((one) => (one.kind === 'intent' ? [one.event.state] : []));

test.each([
  ['and rests', 400, 1],
  ['to its end', 8, 0],
])(
  'the stop of an entry that filled further during an outage covers all of it: %s',
  async (_how, size, rests) => {
    const enter = (close: number): Intent[] => [
      placeOrder.limit({
        symbol: 'BTC',
        side: 'buy',
        size,
        price: Math.round(close * 0.9995),
        stop_loss: stopLoss.price(30_000),
      }),
    ];
    const strategy = strategyOf(enter);
    const outage = await openOutageBot({ strategy, balance: 100_000_000, receives: plain });
    const held = () => outage.bot.book('main').position('BTC');
    for (let minute = 0; minute < 30 && held() === 0; minute++) await outage.run(1);
    const before = held();
    expect(before).toBeGreaterThan(0);
    expect(outage.bot.coverage.uncovered()).toEqual([]);
    outage.lose();
    await outage.run(10);
    await outage.reopen();
    expect(held()).toBeGreaterThan(before);
    expect(outage.bot.book('main').openOrders()).toHaveLength(rests);
    expect(outage.bot.coverage.uncovered()).toEqual([]);
    await outage.close();
  },
);

test('an order that the snapshot after an outage shows counts once', async () => {
  const rest = (close: number): Intent[] => [
    placeOrder.limit({ symbol: 'BTC', side: 'buy', size: 0.1, price: Math.round(close * 0.5) }),
  ];
  let outage!: OutageBot;
  let isFirst = true;
  const wire: NonNullable<Parameters<typeof openOutageBot>[0]['wire']> = (send) => {
    // The answer comes, the frame does not.
    if (isFirst) outage.lose();
    isFirst = false;
    return send();
  };
  const strategy = strategyOf(rest, rest, idle);
  outage = await openOutageBot({ strategy, wire, guards: { max_position_notional: 15_000 } });
  await outage.run(1);
  expect(outage.bot.book('main').openOrders()).toEqual([]);
  await outage.reopen();
  expect(outage.bot.book('main').openOrders()).toHaveLength(1);
  await outage.run(2);
  expect(states(outage).filter((state) => state === 'accepted')).toHaveLength(2);
  expect(states(outage)).not.toContain('denied');
  await outage.close();
});

test('what ended during an outage, and is in no list since, is gone for its strategy and by its ref', async () => {
  const seen: string[] = [];
  const refs = new Map<string, RefState>();
  const place = { symbol: 'BTC', side: 'buy' } as const;
  const action = {
    type: 'order',
    request: { ...place, size: 0.001, order_type: 'market' },
  } as const;
  const trigger = {
    type: 'price_level',
    symbol: 'BTC',
    price: 1_000_000,
    direction: 'above',
  } as const;
  const params = { duration_seconds: 3_600 };
  const turns: Intent[][] = [
    [
      launch.pacemaker({ ...place, total_size: 0.1, params }, { ref: 'worked' }),
      createMonitor({ trigger, action }, { ref: 'armed' }),
      placeOrder.limit({ ...place, size: 0.001, price: 30_000 }, { ref: 'rests' }),
    ],
  ];
  const strategy = defineStrategy({
    name: 'hears',
    contract: 1,
    description: 'Hears of what it made.',
    scopes: ['trade', 'algo'],
    params: z.object({}),
    setup(ctx) {
      ctx.executions$.subscribe(({ event, execution: { status } }) =>
        seen.push(`${event} ${status}`),
      );
      ctx.monitors$.subscribe(({ event, monitor: { status } }) => seen.push(`${event} ${status}`));
      for (const ref of ['worked', 'armed', 'rests'])
        ctx.byRef(ref).changes$.subscribe((state) => refs.set(ref, state));
      return ctx.candles('BTC', '1m').pipe(mergeMap(() => from(turns.shift() ?? [])));
    },
  });
  let lists = true;
  const receives = (frame: StreamFrame): StreamFrame => {
    if (lists || frame.event !== 'snapshot') return frame;
    const none = { executions: [], monitors: [], open_orders: [] };
    const data = frame.data as Record<string, unknown>;
    const retained = Object.entries(none).filter(([name]) => name in data);
    return { ...frame, data: { ...data, ...Object.fromEntries(retained) } } as StreamFrame;
  };
  const outage = await openOutageBot({ strategy, receives });
  await outage.run(3);
  const ended = () => [...refs].map(([ref, state]) => `${ref} ${state.ended}`).toSorted();
  expect(ended()).toEqual(['armed false', 'rests false', 'worked false']);
  outage.lose();
  lists = false;
  await outage.run(3);
  seen.splice(0);
  await outage.reopen();
  expect(seen.toSorted()).toEqual(['gone armed', 'gone running']);
  expect(ended()).toEqual(['armed true', 'rests true', 'worked true']);
  await outage.close();
});
