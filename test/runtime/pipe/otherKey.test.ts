import { expect, test } from 'vitest';
import type { Exchange } from '../../../src/contract/index.ts';
import { launch } from '../../../src/intents/index.ts';
import type { Emission } from '../../../src/strategy/Emission.ts';
import { setUpPipe } from '../setUpPipe.ts';

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
