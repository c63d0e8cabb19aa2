import { describe, expect, test } from 'vitest';
import type { Exchange } from '../../../src/contract/index.ts';
import { launch, launchBasket, modifyOrder, type Intent } from '../../../src/intents/index.ts';
import { createMemoryStore } from '../../../src/journal/index.ts';
import { latchKey, rotateKey } from '../../../src/runtime/control/rotateKey.ts';
import { readPersisted } from '../../../src/runtime/recovery/readPersisted.ts';
import type { Emission } from '../../../src/strategy/Emission.ts';
import { answered, setUpPipe } from '../setUpPipe.ts';

const LOST: Exchange = { kind: 'no_answer', reason: 'timeout' };
const ENTRY: Emission = {
  intent: launch.pacemaker({
    symbol: 'BTC',
    side: 'buy',
    total_size: 1,
    params: { duration_seconds: 600 },
  }),
  instance: 'own',
  wallet: 'main',
  decisionKey: 'main/own/bar#0',
  cause: 'bar',
  ordinal: 0,
  marketTime: 0,
  trigger: {},
};

test.each([
  { keys: ['vk_1', 'vk_1'], sent: 'again', least: 2 },
  { keys: ['vk_1', 'vk_2'], sent: 'once', least: 1 },
])('an unanswered launch of $keys is sent $sent', async ({ keys, sent: how, least }) => {
  let key = keys[0]!;
  const looked: string[] = [];
  const set = setUpPipe([LOST], {
    keyInUse: () => key,
    lookUp: async (_emission, about) => {
      looked.push(about);
      return { kind: 'unclear' };
    },
  });
  set.pipe.submit(ENTRY);
  await set.run(1);
  key = keys[1]!;
  await set.run(60_000);
  if (how === 'once') {
    expect(set.sent).toHaveLength(1);
    expect(looked.length).toBeGreaterThan(0);
  } else expect(set.sent.length).toBeGreaterThanOrEqual(least);
  expect(set.states()).toContain('unknown');
});

const leg = {
  algo: 'pacemaker',
  symbol: 'BTC',
  side: 'buy',
  total_size: 1,
  params: { duration_seconds: 600 },
} as const;
const INTENTS: Readonly<Record<string, Intent>> = {
  'a basket': launchBasket({ legs: [leg] }),
  'a launch': ENTRY.intent,
  'a larger entry': modifyOrder({ order_id: 'ord_1' }, { size: 3 }),
};

describe.each(Object.entries(INTENTS))('%s without an answer, and a restart', (_name, intent) => {
  /** A process sends it with `vk_1`, the key is rotated, the process is killed, and the next one resumes it. */
  async function restart(keyIds: readonly string[], next: string): Promise<number> {
    const store = createMemoryStore();
    let key = 'vk_1';
    await latchKey(store, key, 0);
    const first = setUpPipe([LOST], { keyInUse: () => key }, store);
    first.pipe.submit({ ...ENTRY, intent });
    await first.run(1);
    expect(first.sent).toHaveLength(1);
    for (const keyId of keyIds) {
      const rotation = { keyId, previous: key, fingerprint: 'abc', reason: 'asked', unanswered: 1 };
      key = keyId;
      await rotateKey(rotation, {
        store,
        budget: {} as never,
        learning: { startOver() {} },
        refusedScopes: new Set(),
        keyWatch: { accepted() {} } as never,
        time: 2,
      });
    }
    const second = setUpPipe([answered(201)], { keyInUse: () => next }, store);
    const clocks = { clock: second.env.clock, market: second.env.queue };
    for (const persisted of readPersisted(store, clocks)) second.pipe.resume(persisted);
    await second.run(120_000);
    return second.sent.length;
  }

  test('is not sent under the key that replaced the one which had signed it (AUTH-6)', async () => {
    expect(await restart(['vk_2'], 'vk_2')).toBe(0);
    // Nor under one that was in use between.
    expect(await restart(['vk_2', 'vk_3'], 'vk_2')).toBe(0);
  });

  test('is sent again under the key that had signed it, also if only the secret is another', async () => {
    expect(await restart(['vk_1'], 'vk_1')).toBe(1);
    expect(await restart(['vk_2'], 'vk_1')).toBe(1);
  });
});
