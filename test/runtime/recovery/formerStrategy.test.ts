/** A bot whose journal has unanswered intents of a strategy that its configuration no longer has. */
import { afterEach, expect, test, vi } from 'vitest';
import { createLiveEnv } from '../../../src/env/index.ts';
import { cancelOrder, launch, type Intent } from '../../../src/intents/index.ts';
import { toServiceRequest } from '../../../src/intents/toServiceRequest.ts';
import { createMemoryStore } from '../../../src/journal/index.ts';
import { createPaperControls } from '../../../src/wire/index.ts';
import { openTestServer } from '../../paper/server/openTestServer.ts';
import { openTestBot } from '../openTestBot.ts';

const open: Array<{ close(): Promise<unknown> }> = [];
afterEach(async () => {
  for (const item of open.splice(0).toReversed()) await item.close();
});

const entry = launch.pacemaker({
  symbol: 'BTC',
  side: 'buy',
  total_size: 0.01,
  params: { duration_seconds: 60 },
});
const end = cancelOrder({ order_id: 'ord_none' });

test.each([
  ['of one that is gone are looked up, and its cancels sent again', 'another', 'executions.list'],
  ['of one that is there are sent again', 'former', 'executions.launch'],
])('a strategy’s unanswered entries %s', async (_what, name, expected) => {
  const server = await openTestServer({ balance: 100_000 });
  open.push(server);
  const store = createMemoryStore();
  const env = createLiveEnv();
  const controls = createPaperControls(server.baseUrl, env);
  open.push(controls);
  const { time: marketTime } = await controls.replay();
  const wallTime = env.clock.wallNow();
  const write = (key: string, intent: Intent): void => {
    const made = toServiceRequest(intent, { wallet: 'main', idempotencyKey: key, resolve: noRef });
    if (!made.ok) throw new Error(made.reason);
    const { endpoint, pathParams, query, body } = made.request;
    const steps = [
      ['emitted', { cause: 'bar:BTC:1m:0', ordinal: 0, marketTime }],
      ['guarded', { lane: intent === entry ? 'entry' : 'control', weight: 1, passedGuards: [] }],
      ['sending', { attempt: 1, endpoint, pathParams, query, body }],
    ] as const;
    void store.append({
      intent: {
        key,
        decisionKey: key,
        generation: 0,
        instance: 'former',
        wallet: 'main',
        kind: intent.kind,
        intent: JSON.stringify({ intent, trigger: {} }),
      },
      entries: steps.map(([state, data]) => ({
        key,
        state,
        wallTime,
        marketTime,
        data: JSON.stringify(data),
      })),
    });
  };
  write('00000000-0000-5000-8000-000000000001', entry);
  write('00000000-0000-5000-8000-000000000002', end);
  const requests = new Set<string>();
  const bot = await openTestBot(server, {
    store,
    strategies: [{ name, symbols: ['BTC'] }],
    wire({ endpoint }, send) {
      if (['executions.launch', 'executions.list', 'orders.cancel'].includes(endpoint))
        requests.add(endpoint);
      return send();
    },
  });
  open.push(bot);
  // A look-up that finds nothing goes on for longer than this test.
  void bot.step(1).catch(() => {});
  await vi.waitFor(
    () => expect([...requests].toSorted()).toEqual([expected, 'orders.cancel']),
    10_000,
  );
});

function noRef(): undefined {
  return undefined;
}
