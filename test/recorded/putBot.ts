import { join } from 'node:path';
import { root } from '../sourceFiles.ts';
import type { Story } from './createStory.ts';

export const shipped = (name: string): string => join(root, 'strategies', `${name}.ts`);
export const planted = (name: string): string => join(root, 'test', `${name}.ts`);

interface Bot {
  bars?: number;
  /** Sections of the file besides. */
  more?: string;
  journal?: string;
  guards?: string;
  strategies?: readonly string[];
  paper?: string;
}

export const TREND = `name: trend, use: ${shipped('emaTrend')}, symbols: [ETH], wallet: main, params: { interval: 1m, fast: 4, slow: 9 }`;
export const BREAKOUT = `name: breakout, use: ${shipped('breakout')}, symbols: [BTC], wallet: second, params: { interval: 1m, channel: 6, atr_period: 4 }`;

/** Writes a bot on a made tape of two symbols and two wallets. */
export function putBot(story: Story, name: string, given: Bot = {}): void {
  const { bars = 150, more = '', journal = 'memory', guards = '', paper = '' } = given;
  const feeds = (['BTC', 'ETH'] as const).map(
    (symbol, at) =>
      `{ symbol: ${symbol}, interval: 1m, generate: { seed: ${11 + at}, bars: ${bars}, start_price: ${[61_000, 3_300][at]} } }`,
  );
  const strategies = given.strategies ?? [TREND, BREAKOUT];
  story.put(
    name,
    `name: ${name.replace('.yaml', '')}
link: { kind: paper }
paper:
  feeds: [${feeds.join(', ')}]
  warmup: 40
  speed: max
  budget_clock: replay
  balance: 50000
  connections: [{ label: second, balance: 25000 }]
  ${paper}
strategies: [${strategies.map((one) => `{ ${one} }`).join(', ')}]
guards: { max_order_notional: 30000, max_position_notional: 60000, max_intents_per_minute: 30${guards} }
journal: { path: ${journal}, durability: process }
seed: 1
${more}
`,
  );
}

/** One strategy, on BTC. */
export const only = (use: string, params = '{}', more = ''): string[] => [
  `name: mine, use: ${use}, symbols: [BTC], params: ${params}${more}`,
];
