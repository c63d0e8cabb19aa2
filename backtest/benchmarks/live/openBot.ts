import { filter, firstValueFrom, map } from 'rxjs';
import { z } from 'zod';
import { createDialect, SCOPES, type InstrumentRecord } from '../../../src/contract/index.ts';
import { createLiveEnv } from '../../../src/env/index.ts';
import { decodeFrame } from '../../../src/frames/index.ts';
import { launch } from '../../../src/intents/index.ts';
import { createSqliteStore, type JournalStore } from '../../../src/journal/index.ts';
import { type BotPlan, createBot, createWireLink } from '../../../src/runtime/index.ts';
import { defineStrategy } from '../../../src/strategy/index.ts';
import {
  createClockOffset,
  createHttpClient,
  createSigner,
  createSocket,
} from '../../../src/wire/index.ts';

/** Launches on every bar: the shortest path from a frame to a request. */
const eager = defineStrategy({
  name: 'eager',
  contract: 1,
  description: 'A launch upon each bar.',
  params: z.object({}),
  scopes: ['algo'],
  setup: (ctx) =>
    ctx.candles(ctx.symbol, '1m').pipe(
      map(() =>
        launch.pacemaker({
          symbol: ctx.symbol,
          side: 'buy',
          total_size: 0.01,
          params: { duration_seconds: 60 },
        }),
      ),
    ),
});

const BTC: InstrumentRecord = {
  symbol: 'BTC',
  kind: 'perp',
  base: 'BTC',
  quote: 'USDC',
  size_decimals: 5,
  price_decimals: 1,
  price_significant_figures: 6,
  min_order_value: 10,
  algo_min_value: 100,
  max_leverage: 50,
};

export interface LiveBot {
  /** Params of its subscription to bars. */
  readonly params: object;
  /** Durable appends so far. */
  readonly appends: number;
  /** Resolves when nothing is in progress. */
  settled(): Promise<void>;
  close(): Promise<void>;
}

/** A bot as `trimtab run` builds it, against a port of this machine; its journal is a file. */
export async function openBot(port: number, journalPath: string): Promise<LiveBot> {
  const dialect = createDialect();
  const env = createLiveEnv();
  const clockOffset = createClockOffset();
  const offsetMs = (): number => clockOffset.offsetMs();
  const signer = createSigner({
    keyId: 'vk_bench',
    secret: 'vs_bench',
    dialect,
    clock: env.clock,
    offsetMs,
  });
  const http = createHttpClient({
    baseUrl: `http://127.0.0.1:${port}`,
    dialect,
    signer,
    env,
    clockOffset,
  });
  const decode = (text: string) => decodeFrame(text, dialect);
  const wsUrl = `ws://127.0.0.1:${port}/v1/stream`;
  const socket = createSocket({ wsUrl, dialect, signer, env, decode, clockOffset });
  const link = createWireLink({ http, socket, env, market: 'wall', clockOffset });
  let appends = 0;
  let params: object = {};
  const subscribe = link.subscribe.bind(link);
  link.subscribe = (subscription) => {
    if (subscription.channel === 'candles') params = subscription.params;
    subscribe(subscription);
  };
  const sqlite = createSqliteStore(journalPath);
  const store: JournalStore = {
    ...sqlite,
    append(append) {
      appends++;
      return sqlite.append(append);
    },
  };
  const bot = createBot({
    plan: planOf(dialect),
    link,
    env,
    store,
    defaultWallet: 'main',
    onFatal(error) {
      throw error;
    },
  });
  const open = firstValueFrom(
    bot.events$.pipe(filter((event) => event.kind === 'gate' && event.reasons.length === 0)),
  );
  await bot.start();
  await open;
  await bot.settled();
  return {
    get params() {
      return params;
    },
    get appends() {
      return appends;
    },
    settled: () => bot.settled(),
    close: () => bot.stop(),
  };
}

function planOf(dialect: BotPlan['dialect']): BotPlan {
  return {
    dialect,
    seed: 1,
    strategies: [
      {
        strategy: eager,
        params: {},
        name: 'eager',
        symbols: ['BTC'],
        wallet: 'main',
        capitalShare: 1,
      },
    ],
    guards: {
      allowed_symbols: ['BTC'],
      max_order_notional: 1e6,
      max_position_notional: 1e9,
      max_gross_notional: 1e9,
      max_leverage: 10,
      max_intents_per_minute: 1e6,
      daily_loss_limit: 1e6,
      price_collar_bps: 1e4,
      // Bars of the past, so that there are enough.
      max_data_age_seconds: 1e9,
    },
    budget: { limit: 1e9, share: 0.9, reserveShare: 0.3, reserveFloor: 40, clock: 'wall' },
    concurrency: 8,
    instruments: [BTC],
    scopes: SCOPES,
    resyncMs: null,
    markInterval: () => '1m',
  };
}
