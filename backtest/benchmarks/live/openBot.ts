import { filter, firstValueFrom, map } from 'rxjs';
import { z } from 'zod';
import { createDialect, SCOPES, type InstrumentRecord } from '../../../src/contract/index.ts';
import type { BotConfig, OperateConfig } from '../../../src/config/index.ts';
import { createLiveEnv } from '../../../src/env/index.ts';
import { decodeFrame } from '../../../src/frames/index.ts';
import { launch } from '../../../src/intents/index.ts';
import { createSqliteStore, type JournalStore } from '../../../src/journal/index.ts';
import { type BotPlan, createBot, createWireLink } from '../../../src/runtime/index.ts';
import {
  loadMetrics,
  meterLink,
  meterStore,
  withMetrics,
} from '../../../src/operate/metrics/index.ts';
import { openOperator } from '../../../src/operate/serve/index.ts';
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
  /** Of its operator's server, if it has one. */
  readonly address: string | null;
  /** Resolves when nothing is in progress. */
  settled(): Promise<void>;
  close(): Promise<void>;
}

/** A bot as `trimtab run` builds it, against a port of this machine; its journal is a file. */
export async function openBot(
  port: number,
  journalPath: string,
  /** Of the configuration of its operator's server; left out, it has none. */
  operate: OperateConfig | null = null,
): Promise<LiveBot> {
  const dialect = createDialect();
  const metrics = await loadMetrics({ name: 'bench', operate });
  const env = withMetrics(createLiveEnv(), metrics);
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
  const plan = planOf(dialect);
  const bot = createBot({
    plan,
    link: meterLink(link, env),
    env,
    store: meterStore(store, env),
    defaultWallet: 'main',
    onFatal(error) {
      throw error;
    },
  });
  const operator = await openOperator({
    bot,
    config: configOf(plan, { journalPath, operate }),
    plan,
    env,
    now: () => link.market.now(),
    service: `127.0.0.1:${port}`,
    takesCommands: false,
    metrics,
    clockOffsetMs: offsetMs,
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
    address: operator?.address ?? null,
    async close() {
      await bot.stop();
      await operator?.close();
    },
  };
}

/** What the operator's server reads of a configuration. */
function configOf(
  { strategies, guards }: BotPlan,
  { journalPath, operate }: { journalPath: string; operate: OperateConfig | null },
): BotConfig {
  return {
    name: 'bench',
    file: 'bench.yaml',
    directory: '/',
    link: { kind: 'live' },
    guards,
    strategies: strategies.map(({ name, symbols, wallet }) => ({
      name,
      symbols,
      wallet,
      use: '/bench/plugin.ts',
    })),
    journal: { path: journalPath, durability: 'power', keep_days: 90 },
    operate,
  } as unknown as BotConfig;
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
      max_decision_age_seconds: 1e9,
    },
    budget: { limit: 1e9, share: 0.9, reserveShare: 0.3, reserveFloor: 40, clock: 'wall' },
    concurrency: 8,
    instruments: [BTC],
    scopes: SCOPES,
    resyncMs: null,
    markInterval: () => '1m',
  };
}
