import { afterEach, expect, test } from 'vitest';
import type { StreamFrame } from '../../../src/contract/index.ts';
import { createLiveEnv, type LinkListener } from '../../../src/env/index.ts';
import { placeOrder } from '../../../src/intents/index.ts';
import { testFeed } from '../../paper/core/openTestService.ts';
import { openTestServer } from '../../paper/server/openTestServer.ts';
import { answered } from '../setUpPipe.ts';
import { openTestBot } from '../openTestBot.ts';

const open: Array<{ close(): Promise<unknown> }> = [];
afterEach(async () => {
  for (const item of open.splice(0).toReversed()) await item.close();
});

/** Between two looks whether the streams show what was accepted. */
const LOOK_MS = 20;
const WALLETS = ['main', 'second'] as const;

test.each(WALLETS)(
  'a stop that flattens waits for what was bought on %s and is not shown yet: a list that lags lacks it',
  async (wallet) => {
    const server = await openTestServer(
      { connections: [{ label: 'second', balance: 50_000 }] },
      { feeds: [testFeed('BTC'), testFeed('ETH')] },
    );
    open.push(server);
    const live = createLiveEnv();
    let isLagging = false;
    let looks: number | undefined;
    let listener: LinkListener | undefined;
    const late: StreamFrame[] = [];
    const show = (): void => {
      isLagging = false;
      for (const frame of late.splice(0)) listener!.onFrame(frame);
    };
    const bot = await openTestBot(server, {
      env: {
        ...live,
        timers: {
          after(delayMs, run) {
            // The streams are seen at the sixth look, of the fifty that a stop has for them.
            if (looks !== undefined && delayMs === LOOK_MS && ++looks === 6) show();
            return live.timers.after(delayMs, run);
          },
        },
      },
      strategies: [
        { name: 'one', symbols: ['BTC'], wallet: 'main' },
        { name: 'two', symbols: ['ETH'], wallet: 'second' },
      ],
      onListener: (received) => (listener = received),
      receives(frame) {
        if (!isLagging || frame.channel === 'candles') return frame;
        late.push(frame);
        return { ...frame, event: 'noted' } as never;
      },
      wire: (request, send) =>
        isLagging && request.endpoint.endsWith('.list')
          ? answered(200, { items: [], next_cursor: null })
          : send(),
    });
    open.push(bot);
    await bot.step(2);
    isLagging = true;
    const [name, symbol] = wallet === 'main' ? ['one', 'BTC'] : ['two', 'ETH'];
    bot.propose(placeOrder.market({ symbol, side: 'buy', size: 0.02 }), name);
    await bot.step(1);
    const positions = async () => (await bot.client.positions.list({ wallet })).items;
    expect(await positions()).toHaveLength(1);
    looks = 0;
    let remains: { unended: readonly string[] } | undefined;
    const stopped = bot.bot.stop({ policy: 'flatten', onEnded: (found) => (remains = found) });
    await stopped;
    show();
    expect(await positions()).toEqual([]);
    expect(remains!.unended).toEqual([]);
  },
);
