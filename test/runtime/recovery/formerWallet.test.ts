/** A bot whose journal has intents of a wallet that none of its strategies trades any more. */
import { afterEach, expect, test } from 'vitest';
import { controlExecution, placeOrder, type Intent } from '../../../src/intents/index.ts';
import { createMemoryStore, type IntentState } from '../../../src/journal/index.ts';
import { openTestServer } from '../../paper/server/openTestServer.ts';
import { openTestBot } from '../openTestBot.ts';

const open: Array<{ close(): Promise<unknown> }> = [];
afterEach(async () => {
  for (const item of open.splice(0).toReversed()) await item.close();
});

const UNSENT: readonly IntentState[] = ['emitted', 'guarded'];
const buy = placeOrder.limit({ symbol: 'BTC', side: 'buy', size: 1, price: 1_000 });

test('starts, sends nothing of it, and leaves what may have been executed to the operator', async () => {
  const server = await openTestServer({ balance: 100_000 });
  open.push(server);
  const store = createMemoryStore();
  const write = (key: string, intent: Intent, states: readonly IntentState[]): void =>
    void store.append({
      intent: {
        key,
        decisionKey: key,
        generation: 0,
        instance: 'told',
        wallet: 'former',
        kind: intent.kind,
        intent: JSON.stringify({ intent, trigger: {} }),
      },
      entries: states.map((state) => ({ key, state, wallTime: 0, marketTime: 0, data: '{}' })),
    });
  write('course', controlExecution.stop({ execution_id: 'exe_1' }), UNSENT);
  write('entry', buy, UNSENT);
  write('sent', buy, [...UNSENT, 'sending']);
  write('former', buy, [...UNSENT, 'sending', 'unknown', 'unresolved']);
  const faults: unknown[] = [];
  const wallets: unknown[] = [];
  const bot = await openTestBot(server, {
    store,
    onFatal: (error) => void faults.push(error),
    wire(request, send) {
      wallets.push(request.wallet);
      return send();
    },
  });
  open.push(bot);
  await bot.step(3);
  expect(faults).toEqual([]);
  expect(['course', 'entry', 'sent', 'former'].map((key) => store.stateOf(key))).toEqual([
    'expired',
    'expired',
    'unresolved',
    'unresolved',
  ]);
  expect(bot.bot.unanswered()).toHaveLength(2);
  expect(wallets).not.toContain('former');
});
