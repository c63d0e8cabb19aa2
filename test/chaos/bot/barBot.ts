/** A bot that buys at each closed five-minute bar, as `trimtab run` assembles it, and reports the outcomes. */
import { filter, map } from 'rxjs';
import { z } from 'zod';
import { defaultDialect, INTERVAL_MS, SCOPES } from '../../../src/contract/index.ts';
import { createLiveEnv } from '../../../src/env/index.ts';
import { placeOrder } from '../../../src/intents/index.ts';
import { createMemoryStore } from '../../../src/journal/index.ts';
import { openService } from '../../../src/operate/run/index.ts';
import { createBot } from '../../../src/runtime/createBot.ts';
import { defineStrategy } from '../../../src/strategy/index.ts';

/** Name of the variable that holds address and credentials of the service, as JSON. */
export const BAR_BOT = 'TRIMTAB_BAR_BOT';

/** A line on its standard output: the outcome of one decision; times in epoch milliseconds of market time. */
export type BarBotLine =
  | { state: 'accepted'; close: number; created: number }
  | { state: 'denied' | 'expired'; close: number; guard: string };

export interface BarBotOrders {
  baseUrl: string;
  wsUrl: string;
  keyId: string;
  secret: string;
  wallet: string;
}

const given = process.env[BAR_BOT];
if (given !== undefined) await runBarBot(JSON.parse(given) as BarBotOrders);

async function runBarBot(orders: BarBotOrders): Promise<void> {
  const env = createLiveEnv();
  const dialect = defaultDialect;
  const { link, client } = openService(orders, { dialect, env, market: 'frames' });
  const { items: instruments } = await client.market.instruments();
  const strategy = defineStrategy({
    name: 'bars',
    contract: 1,
    description: 'Buys at each bar.',
    params: z.object({}),
    scopes: ['trade'],
    setup: (ctx) =>
      ctx.candles('BTC', '5m').pipe(
        filter(({ closed }) => closed),
        map(() => placeOrder.market({ symbol: 'BTC', side: 'buy', size: 0.001 })),
      ),
  });
  const { wallet } = orders;
  const bot = createBot({
    plan: {
      dialect,
      seed: 1,
      strategies: [
        { strategy, params: {}, name: 'bars', symbols: ['BTC'], wallet, capitalShare: 1 },
      ],
      guards: { max_data_age_seconds: 10 },
      budget: { limit: 1_200, share: 0.9, reserveShare: 0.3, reserveFloor: 40, clock: 'wall' },
      concurrency: 8,
      instruments,
      scopes: SCOPES,
      resyncMs: 300_000,
      markInterval: () => '1m',
    },
    link,
    env,
    store: createMemoryStore(),
    defaultWallet: '',
    onFatal(error) {
      throw error;
    },
  });
  const say = (line: BarBotLine): void => void process.stdout.write(`${JSON.stringify(line)}\n`);
  bot.events$.subscribe((reported) => {
    if (reported.kind !== 'intent') return;
    const { state, record, guard = '', emission } = reported.event;
    const { time } = emission.trigger['bar'] as { time: number };
    const close = time + INTERVAL_MS['5m'];
    if (state === 'accepted') {
      say({ state, close, created: (record as { created_time: number }).created_time });
    } else if (state === 'denied' || state === 'expired') say({ state, close, guard });
  });
  await bot.start();
}
