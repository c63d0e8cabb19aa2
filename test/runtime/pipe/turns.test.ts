import { afterEach, expect, test } from 'vitest';
import {
  attachTpsl,
  closePosition,
  launch,
  modifyOrder,
  placeOrder,
  stopLoss,
  type Intent,
} from '../../../src/intents/index.ts';
import { openTestServer } from '../../paper/server/openTestServer.ts';
import { openTestBot } from '../openTestBot.ts';

const open: Array<{ close(): Promise<unknown> }> = [];
afterEach(async () => {
  for (const item of open.splice(0).toReversed()) await item.close();
});

const sell = { symbol: 'BTC', side: 'sell' } as const;
/** Turns the long: within the limit as long as the long offsets its half, and alone beyond it. */
const turn = placeOrder.market({ ...sell, size: 0.04 });
const turnSlowly = launch.pacemaker({
  ...sell,
  total_size: 0.04,
  params: { duration_seconds: 60 },
});
const exit = placeOrder.limit(
  { ...sell, size: 0.001, price: 70_000, reduce_only: true },
  { ref: 'exit' },
);
const stop = attachTpsl('BTC', { stop_loss: stopLoss.price(20_000) });

interface Case {
  name: string;
  /** Done and shown before the rest is proposed. */
  before: readonly Intent[];
  /** Proposed together with what turns the position, before it. */
  beside: readonly Intent[];
  turns?: Intent;
  ends: string;
}

const CASES: readonly Case[] = [
  { name: 'nothing closes it', before: [], beside: [], ends: 'accepted' },
  { name: 'a small exit rests', before: [exit], beside: [], ends: 'accepted' },
  {
    name: 'a close is on its way',
    before: [],
    beside: [closePosition.atMarket('BTC')],
    ends: 'max_position_notional',
  },
  {
    name: 'an exit by an execution is on its way',
    before: [],
    beside: [
      launch.pacemaker({
        ...sell,
        total_size: 0.02,
        reduce_only: true,
        params: { duration_seconds: 60 },
      }),
    ],
    ends: 'max_position_notional',
  },
  {
    name: 'an exit that rests becomes larger',
    before: [exit],
    beside: [modifyOrder({ ref: 'exit' }, { size: 0.02 })],
    ends: 'max_position_notional',
  },
  { name: 'a stop is armed, by a market order', before: [stop], beside: [], ends: 'accepted' },
  {
    name: 'a stop is armed, by an execution',
    before: [stop],
    beside: [],
    turns: turnSlowly,
    ends: 'max_position_notional',
  },
];

test.each(CASES)('a position is turned within its limit: $name', async (one) => {
  const server = await openTestServer();
  open.push(server);
  const reported = await openTestBot(server, { guards: { max_position_notional: 1_500 } });
  open.push(reported);
  await reported.step(2);
  for (const intent of [placeOrder.market({ ...sell, side: 'buy', size: 0.02 }), ...one.before]) {
    reported.propose(intent);
    await reported.step(1);
  }
  const from = reported.events.length;
  for (const intent of one.beside) reported.propose(intent);
  reported.propose(one.turns ?? turn);
  await reported.step(1);
  const ends = reported.events.slice(from).flatMap((item) => {
    if (item.kind !== 'intent' || !['accepted', 'denied'].includes(item.event.state)) return [];
    const { state, guard, reason = '' } = item.event;
    const isExplained =
      guard === undefined || reason.includes('if what closes its position fills first');
    return [isExplained ? (guard ?? state) : reason];
  });
  expect(ends.toSorted()).toEqual([...one.beside.map(() => 'accepted'), one.ends].toSorted());
});
