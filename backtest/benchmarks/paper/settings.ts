import { paperSettings } from '../../../src/paper/index.ts';

/** A paper service for benchmarks: no budgets, unlimited money, few records retained. */
export const benchSettings = paperSettings.parse({
  feeds: [{ symbol: 'BTC', interval: '1m', generate: { bars: 40_000, seed: 'bench' } }],
  balance: 1e12,
  limits: 'off',
  paused: true,
  port: 0,
  retention: 1_000,
});

/** Bots that trade at the same time, each with its own wallet and key. */
export const WALLETS = 200;
