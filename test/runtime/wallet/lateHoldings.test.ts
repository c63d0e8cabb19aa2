import { Subscription } from 'rxjs';
import { expect, onTestFinished, test } from 'vitest';
import { defaultDialect, type Exchange } from '../../../src/contract/index.ts';
import { createVirtualEnv } from '../../../src/env/index.ts';
import { createMemoryStore } from '../../../src/journal/index.ts';
import {
  createHoldings,
  type HoldingsOptions,
} from '../../../src/runtime/wallet/createHoldings.ts';
import { createStreams } from '../../../src/streams/index.ts';
import { fill } from '../../streams/records.ts';
import { ScriptedLink } from '../../streams/ScriptedLink.ts';

const SPOT = 'HYPE/USDC';
const START = 10_000_000;

test.each([0, 5_000, 30_000])(
  'what the process before bought last is known once a list that lags %d ms shows it',
  async (lagMs) => {
    const env = createVirtualEnv({ startTime: START });
    const lifetime = new Subscription();
    onTestFinished(() => lifetime.unsubscribe());
    const store = createMemoryStore();
    // That it bought spot before; the last fill came after this was written.
    const earlier = { ...fill('fill_0'), symbol: SPOT, side: 'buy', time: START - 60_000 } as const;
    const last = { ...earlier, fill_id: 'fill_1', size: 2, time: START - 1_000 };
    const link = new ScriptedLink();
    const options: Partial<HoldingsOptions> = {
      plan: { dialect: defaultDialect } as HoldingsOptions['plan'],
      wallets: ['main'],
      bookOf: () => ({ position: () => 1_000 }) as never,
      isOwn: () => true,
      store,
      streams: createStreams({ link, env, defaultWallet: 'main' }),
      env,
      budget: { admit: () => ({ admitted: true }), spend: () => {} } as never,
      lifetime,
      onFatal: (error) => expect.fail(String(error)),
    };
    const request = (): Exchange => {
      const items = env.queue.now() >= last.time + lagMs ? [last, earlier] : [earlier];
      const body = { items, next_cursor: null };
      return { kind: 'answered', response: { status: 200, headers: {}, body } };
    };
    const open = () => createHoldings({ ...options, request } as HoldingsOptions);
    open().fill('main', earlier);

    const holdings = open();
    await holdings.begin();
    env.queue.advanceTo(START + 60_000);
    await expect.poll(() => holdings.bought('main', SPOT), { interval: 5 }).toBe(earlier.size + 2);
  },
);
