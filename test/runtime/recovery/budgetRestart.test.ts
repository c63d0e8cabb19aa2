import { afterEach, expect, test } from 'vitest';
import { createDialect } from '../../../src/contract/index.ts';
import { cancelOrder, placeOrder } from '../../../src/intents/index.ts';
import { createMemoryStore } from '../../../src/journal/index.ts';
import { openTestServer } from '../../paper/server/openTestServer.ts';
import { openTestBot, type TestBot } from '../openTestBot.ts';

const open: Array<{ close(): Promise<unknown> }> = [];
afterEach(async () => {
  for (const item of open.splice(0).toReversed()) await item.close();
});

const buy = placeOrder.market({ symbol: 'BTC', side: 'buy', size: 0.001 });
const reported = ({ events }: TestBot): string[] =>
  events.flatMap((item) =>
    item.kind === 'intent' ? [`${item.event.state} ${item.event.reason ?? ''}`] : [],
  );

test('LIM-1: weight spent by an earlier process within the minute is not spent again', async () => {
  const dialect = createDialect({ budget: { standard: 200 } });
  const server = await openTestServer({}, { dialect });
  open.push(server);
  const store = createMemoryStore();
  const first = await openTestBot(server, { store });
  await first.step(2);
  // Cancels may use all of the budget, entries what their reserve leaves.
  for (let n = 0; n < 75; n++) first.propose(cancelOrder({ order_id: `ord_none_${n}` }));
  await first.step(1);
  expect(reported(first).filter((text) => text.startsWith('rejected'))).toHaveLength(75);
  await first.close();

  const second = await openTestBot(server, { store });
  open.push(second);
  await second.step(2);
  second.propose(buy);
  await second.step(1);
  expect(reported(second)).toEqual([
    'guarded ',
    expect.stringMatching(/^deferred 2 for entry, 1[5-9]\d of 180 used$/),
  ]);
});
