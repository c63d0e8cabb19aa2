import type { BotView } from '../../../src/operate/state/index.ts';

export const STRATEGIES = [
  { name: 'one', wallet: 'main', symbols: ['BTC', 'ETH'] },
  { name: 'two', wallet: 'side', symbols: ['BTC'] },
];

/** What metrics are read from, of a bot with two strategies that shows a view. */
export const sampleSources = (view: BotView, uncoveredSeconds: number | null | undefined) => ({
  state: {
    view: () => view,
    intents: {
      steps: () => new Map([['launch sending', 3]]),
      denied: () => ({ dailyLoss: 2, 'two words': 1 }),
    },
  },
  bot: { exitWeight: () => 100 },
  plan: { strategies: STRATEGIES, budget: { reserveShare: 0.3, reserveFloor: 50 } },
  config: { operate: { uncoveredSeconds } },
});
