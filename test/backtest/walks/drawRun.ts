import { generateFeed, type Feed, type MarketData } from '../../../src/paper/index.ts';
import { createRandom, type Random } from '../../../src/env/index.ts';
import accumulator from '../../../strategies/accumulator.ts';
import bollingerReversion from '../../../strategies/bollingerReversion.ts';
import breakout from '../../../strategies/breakout.ts';
import directionalTrend from '../../../strategies/directionalTrend.ts';
import emaTrend from '../../../strategies/emaTrend.ts';
import gridTrader from '../../../strategies/gridTrader.ts';
import hullTrend from '../../../strategies/hullTrend.ts';
import marketMaker from '../../../strategies/marketMaker.ts';
import type { Member, ParityTape } from '../runParity.ts';
import { createActor, SHAPES, type Shape } from './createActor.ts';

const START = Date.UTC(2026, 0, 5, 22);

const MARKETS = [
  { symbol: 'BTC', startPrice: 61_000, volume: 60 },
  { symbol: 'ETH', startPrice: 3_300, volume: 900 },
  { symbol: 'HYPE/USDC', startPrice: 25, volume: 90_000 },
] as const;

/** Strategies of this repository, with parameters that let them trade on a short tape. */
const SHIPPED: ReadonlyArray<Pick<Member, 'strategy' | 'params'>> = [
  { strategy: emaTrend, params: { interval: '1m', fast: 4, slow: 9 } },
  { strategy: bollingerReversion, params: { interval: '1m', period: 8 } },
  { strategy: breakout, params: { interval: '1m', channel: 6, atr_period: 4 } },
  { strategy: directionalTrend, params: { interval: '1m' } },
  { strategy: hullTrend, params: { interval: '1m' } },
  { strategy: gridTrader, params: { step_bps: 5 } },
  { strategy: marketMaker, params: {} },
  { strategy: accumulator, params: {} },
];

const pick = <T>(random: Random, values: readonly T[]): T =>
  values[Math.floor(random.next() * values.length)]!;
const among = (random: Random, from: number, until: number): number =>
  from + Math.floor(random.next() * (until - from + 1));

/** What a drawn run has, so that a table can say what was covered. */
export interface DrawnRun {
  seed: string;
  tape: ParityTape;
  traits: readonly string[];
}

/** Tape, service, guards and strategies, all from a seed. */
export function drawRun(seed: string): DrawnRun {
  const random = createRandom(`walk ${seed}`);
  const traits: string[] = [];
  const has = (trait: string, chance: number): boolean => {
    const isIn = random.next() < chance;
    if (isIn) traits.push(trait);
    return isIn;
  };
  const bars = among(random, 100, 180);
  const markets = MARKETS.slice(0, pick(random, [1, 1, 2, 3]));
  if (markets.length > 1) traits.push('several symbols');
  const gapped = has('gaps', 0.4);
  const wild = has('wild prices', 0.3);
  const feeds = markets.map(({ symbol, startPrice, volume }): Feed => {
    const feed = generateFeed({
      symbol,
      interval: '1m',
      bars,
      seed,
      startTime: START,
      startPrice,
      volume,
      volatilityBps: wild ? 70 : 8,
    });
    return gapped ? withGaps(feed, random) : feed;
  });
  const funding: MarketData['funding'] = has('funding of a file', 0.3)
    ? {
        BTC: {
          time: Float64Array.of(START + 3_600_000, START + 7_200_000),
          rate: Float64Array.of(0.001, -0.002),
        },
      }
    : {};
  const late = has('latency', 0.2);
  const generate = { seed: 1, bars: 2 };
  const settings: ParityTape['settings'] = {
    feeds: [{ symbol: 'BTC', interval: '1m', generate }],
    warmup: among(random, 0, 30),
    balance: has('scarce margin', 0.25) ? 200 : 50_000,
    connections: [{ label: 'second', balance: 25_000 }],
    fill_on_touch: random.next() < 0.3,
    ...(late ? { latency: { order_ms: among(random, 50, 90_000), cancel_ms: 40 } } : {}),
  };
  const members = markets.flatMap(({ symbol }, index) =>
    ['main', 'second']
      .filter((_wallet, at) => at === 0 || (index === 0 && has('two wallets', 0.3)))
      .map((wallet) =>
        drawMember(random, `${seed} ${symbol} ${wallet}`, { symbol, wallet, traits }),
      ),
  );
  const guards = {
    max_position_notional: 60_000,
    max_intents_per_minute: 30,
    ...(has('uncovered guard', 0.2) ? { max_uncovered_seconds: 600 } : {}),
    ...(has('daily loss', 0.2) ? { daily_loss_limit: 40 } : {}),
  };
  const small = has('small budget', 0.15) ? { budgetLimit: 60 } : {};
  return {
    seed,
    traits,
    tape: { data: { feeds, funding }, settings, members, guards, seed: 1, ...small },
  };
}

interface Place {
  symbol: string;
  wallet: string;
  traits: string[];
}

function drawMember(random: Random, seed: string, { symbol, wallet, traits }: Place): Member {
  const restart = { max: 3, backoffMs: 90_000, withinMs: 86_400_000 };
  const about = { symbols: [symbol], wallet, restart };
  if (random.next() < 0.25) {
    const shipped = pick(random, SHIPPED);
    traits.push(shipped.strategy.name);
    return { ...shipped, ...about };
  }
  const doomed = traits.includes('wild prices') && traits.includes('scarce margin');
  const shape: Shape = doomed ? 'gambles' : pick(random, SHAPES);
  const interval = pick(random, ['1m', '1m', '3m', '5m', '15m'] as const);
  traits.push(`actor ${shape}`, `bars of ${interval}`);
  const activity = pick(random, [0.02, 0.1, 0.4]);
  return { ...about, strategy: createActor({ seed, shape, interval, activity }) };
}

/** The same feed without some stretches of its bars. */
function withGaps(feed: Feed, random: Random): Feed {
  const rows = Array.from(feed.time.keys());
  for (let gap = among(random, 1, 3); gap > 0; gap--) {
    const at = among(random, 2, Math.max(2, rows.length - 12));
    rows.splice(at, Math.min(among(random, 1, 30), rows.length - at - 2));
  }
  const column = (name: 'time' | 'open' | 'high' | 'low' | 'close' | 'volume') =>
    Float64Array.from(rows, (row) => feed[name][row]!);
  const cut = { time: column('time'), open: column('open'), high: column('high') };
  return { ...feed, ...cut, low: column('low'), close: column('close'), volume: column('volume') };
}
