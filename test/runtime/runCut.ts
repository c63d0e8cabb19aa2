import { from, merge, mergeMap } from 'rxjs';
import { z } from 'zod';
import {
  defaultDialect,
  SCOPES,
  type CandleRecord,
  type ServiceRequest,
} from '../../src/contract/index.ts';
import { createVirtualEnv, type Env, type Link } from '../../src/env/index.ts';
import type { Intent } from '../../src/intents/index.ts';
import type { JournalStore } from '../../src/journal/index.ts';
import { createDirectLink } from '../../src/operate/directLink/index.ts';
import { createPaperService, generateFeed, paperSettings } from '../../src/paper/index.ts';
import type { BotPlan } from '../../src/runtime/BotPlan.ts';
import type { StopPolicy } from '../../src/runtime/control/stopPolicy.ts';
import { createBot, type Bot } from '../../src/runtime/createBot.ts';
import { defineStrategy, type StrategyContext } from '../../src/strategy/index.ts';

const START = Date.UTC(2026, 0, 5);
const MINUTE_MS = 60_000;
const WARMUP = 5;

/** A request of a client that is not the bot, and the body of its answer. */
export type AskService = (
  request: Pick<ServiceRequest, 'endpoint'> & Partial<ServiceRequest>,
) => unknown;

export interface CutMember {
  name: string;
  wallet: string;
  symbols: readonly string[];
}

export interface CutRun {
  seed: string;
  minutes: number;
  guards: BotPlan['guards'];
  /** What each strategy decides on a bar: the same on the same bar, in whichever process. */
  decide(
    member: CutMember,
    bar: Pick<CandleRecord, 'time' | 'close'> & { symbol: string },
    ctx: StrategyContext,
  ): Intent[];
  /** Minutes after which the process ends, and another starts at once. */
  cuts: ReadonlyMap<number, 'killed' | 'stopped'>;
  /** What an operator does after a minute, before a cut. */
  commands: ReadonlyMap<number, (bot: Bot) => Promise<void>>;
  /** Default: {@link CUT_MEMBERS}. */
  members?: readonly CutMember[];
  /** Another client of the account, after a minute: what it places is not the bot's. */
  outside?: (minute: number, ask: AskService) => void;
  /** How the last process stops; then the service is asked what is left. */
  ending?: { policy: StopPolicy; onStopped(ask: AskService): void };
  /** Opens the one journal again, as each process does. */
  openStore(): JournalStore | Promise<JournalStore>;
}

/** Two strategies on two symbols in two wallets. */
export const CUT_MEMBERS: readonly CutMember[] = [
  { name: 'one', wallet: 'main', symbols: ['BTC'] },
  { name: 'two', wallet: 'side', symbols: ['ETH'] },
];

/** What became of each decision, a line each, and what is latched and held at the end. */
export async function runCut(run: CutRun): Promise<string[]> {
  const feeds = ['BTC', 'ETH'].map((symbol, at) =>
    generateFeed({
      symbol,
      interval: '1m',
      bars: WARMUP + run.minutes + 10,
      seed: `${run.seed} ${symbol}`,
      startTime: START,
      startPrice: 1_000 / (at + 1),
    }),
  );
  const settings = paperSettings.parse({
    feeds: feeds.map(({ symbol }) => ({ symbol, interval: '1m', generate: { seed: 1, bars: 2 } })),
    port: 0,
    paused: true,
    budget_clock: 'replay',
    limits: 'off',
    balance: 100_000,
    warmup: WARMUP,
    connections: [{ label: 'side', balance: 100_000 }],
  });
  const startTime = feeds[0]!.time[WARMUP]!;
  const served = createVirtualEnv({ startTime });
  const core = createPaperService({ settings, data: { feeds, funding: {} } }, served);
  core.addKey({ label: 'cut', scopes: SCOPES }, { keyId: 'vk_cut', secret: 'vs_cut' }, startTime);

  const start = async () => {
    const store = await run.openStore();
    const process = createMortal(core.engine.now);
    const direct = createDirectLink({ core, keyId: 'vk_cut', env: process.env });
    const bot = createBot({
      plan: planOf(run, core.engine.market.instruments),
      link: process.link(direct),
      env: process.env,
      store: process.store(store),
      defaultWallet: 'main',
      onFatal(error) {
        throw error;
      },
    });
    const settle = async (): Promise<void> => {
      for (let round = 0; round < 3; round++) {
        await bot.settled();
        direct.advanceTo(direct.market.now());
      }
      await bot.settled();
    };
    await bot.start();
    await settle();
    return { bot, direct, settle, store, process };
  };

  const outside = createDirectLink({ core, keyId: 'vk_cut', env: createVirtualEnv({ startTime }) });
  const ask: AskService = (asked) => {
    const exchange = outside.request({ pathParams: {}, query: {}, body: '', ...asked });
    if (exchange instanceof Promise || exchange.kind !== 'answered') throw new Error('no answer');
    const { status, body } = exchange.response;
    if (status >= 300) throw new Error(JSON.stringify(body));
    return body;
  };

  let life = await start();
  for (let minute = 1; minute <= run.minutes; minute++) {
    life.direct.advanceTo(life.direct.market.now() + MINUTE_MS);
    served.queue.advanceTo(core.engine.now);
    await life.settle();
    run.outside?.(minute, ask);
    await run.commands.get(minute)?.(life.bot);
    await life.settle();
    const cut = run.cuts.get(minute);
    if (cut === undefined) continue;
    if (cut === 'stopped') await life.bot.stop({ policy: 'leave' });
    else {
      life.process.kill();
      await life.direct.close();
      await life.store.close();
    }
    life = await start();
  }
  const lines = describe(life.store, life.bot, run);
  const stopped = life.bot.stop({ policy: run.ending?.policy ?? 'leave' });
  const { env } = life.process;
  for (let round = 0; run.ending !== undefined && round < 2_000; round++) {
    // The stop waits by the machine's clock, which nothing else advances now.
    await Promise.resolve();
    if (round % 4 === 0) env.queue.advanceTo(env.queue.now() + 20);
    if (round % 40 === 0) life.direct.advanceTo(life.direct.market.now());
  }
  await stopped;
  run.ending?.onStopped(ask);
  return lines;
}

function planOf(run: CutRun, instruments: BotPlan['instruments']): BotPlan {
  return {
    dialect: defaultDialect,
    seed: 1,
    strategies: (run.members ?? CUT_MEMBERS).map((member) => ({
      ...member,
      strategy: strategyOf(member, run),
      params: {},
      capitalShare: 1,
    })),
    guards: run.guards,
    budget: {
      limit: defaultDialect.budget.standard,
      share: 0.9,
      reserveShare: 0.3,
      reserveFloor: 40,
      clock: 'market',
    },
    concurrency: 1,
    instruments,
    resyncMs: null,
    scopes: SCOPES,
    markInterval: () => '1m',
  };
}

const strategyOf = (member: CutMember, { decide }: CutRun) =>
  defineStrategy({
    name: 'scripted',
    contract: 1,
    description: 'Decides on a bar what the script says.',
    scopes: ['trade', 'algo'],
    params: z.object({}),
    setup(ctx) {
      const all = ctx.symbols.map((symbol) =>
        ctx
          .candles(symbol, '1m')
          .pipe(
            mergeMap((bar) => from(decide(member, { ...bar, symbol }, ctx as StrategyContext))),
          ),
      );
      return merge(...all);
    },
  });

/** A process whose pending work never goes on once it is killed. */
function createMortal(now: number) {
  const virtual = createVirtualEnv({ startTime: now });
  let isAlive = true;
  const never = new Promise<never>(() => {});
  const env: Env & { queue: typeof virtual.queue } = {
    ...virtual,
    timers: {
      after: (delayMs, act) => virtual.timers.after(delayMs, () => void (isAlive && act())),
    },
  };
  return {
    env,
    kill: () => void (isAlive = false),
    link: <L extends Link>(inner: L): L => ({
      ...inner,
      request: (request) => (isAlive ? inner.request(request) : never),
    }),
    store: (inner: JournalStore): JournalStore => ({
      ...inner,
      append: (append) => (isAlive ? inner.append(append) : never),
      setLatch: (name, latch) => (isAlive ? inner.setLatch(name, latch) : never),
      setMeta: (name, value) => (isAlive ? inner.setMeta(name, value) : never),
      writeState: (name, state) => (isAlive ? inner.writeState(name, state) : never),
    }),
  };
}

function describe(
  store: JournalStore,
  bot: Bot,
  { members = CUT_MEMBERS }: Pick<CutRun, 'members'>,
): string[] {
  const decisions = store.intents().map(({ key, decisionKey, kind, state }) => {
    const { guard = '', reason = '' } = JSON.parse(store.entries(key).at(-1)!.data || '{}') as {
      guard?: string;
      reason?: string;
    };
    return `${decisionKey} ${kind} ${state} ${guard} ${guard === 'request' ? '' : reason}`;
  });
  const latches = store.latches().map(({ name, value }) => `latch ${name} ${value}`);
  const held = members.flatMap(({ wallet }) => {
    const book = bot.book(wallet);
    const positions = book.openPositions().map((one) => `${one.symbol} ${one.side} ${one.size}`);
    const orders = book.openOrders().map((one) => `${one.symbol} ${one.side} ${one.size}`);
    return [...positions, ...orders.toSorted()].map((line) => `${wallet} ${line}`);
  });
  const limits = members.map(
    ({ name }) => `${name} ${bot.throttled(name)} ${bot.paused(name)} ${bot.killLevel}`,
  );
  return [...decisions.toSorted(), ...latches, ...held, ...limits];
}
