export const SYMBOLS = ['BTC', 'ETH', 'SOL'] as const;

const BARS_A_DAY = 1_440;
const WARMUP = 1_000;

/** Three markets, one of which falls silent for eight minutes every five hours, and two wallets. */
export function soakPaper(days: number): string {
  // A spare day: the bot starts after the replay has begun, and is never to meet its end.
  const bars = WARMUP + (days + 1) * BARS_A_DAY;
  return `paper:
  feeds:
    - { symbol: BTC, interval: 1m, generate: { seed: 11, bars: ${bars}, start_price: 61000 } }
    - { symbol: ETH, interval: 1m, generate: { seed: 23, bars: ${bars}, start_price: 3300, outage_every_bars: 300 } }
    - { symbol: SOL, interval: 1m, generate: { seed: 37, bars: ${bars}, start_price: 140 } }
  warmup: ${WARMUP}
  budget_clock: replay
  balance: 100000
  connections:
    - { label: second, balance: 50000 }
`;
}

export interface SoakBotOptions {
  service: Record<'base_url' | 'ws_url' | 'key_id', string>;
  /** Of the operator's page. */
  port: number;
  speed: number;
}

/** Six strategies, one in a worker; page, metrics and alerts on; finished intents leave the journal after a day. */
export function soakBot({ service, port, speed }: SoakBotOptions): string {
  return `name: soak
link:
  kind: paper_service
  base_url: ${service.base_url}
  ws_url: ${service.ws_url}
  key_id: ${service.key_id}
  secret: { env: SOAK_SECRET }
  budget_clock: replay
strategies:
  - { name: trend, use: trimtab-root/strategies/emaTrend.ts, symbols: [ETH], wallet: main }
  - { name: reversion, use: trimtab-root/strategies/bollingerReversion.ts, symbols: [BTC], wallet: main }
  - { name: maker, use: trimtab-root/strategies/marketMaker.ts, symbols: [SOL], wallet: main }
  - { name: breakout, use: trimtab-root/strategies/breakout.ts, symbols: [BTC], wallet: second }
  - { name: grid, use: trimtab-root/strategies/gridTrader.ts, symbols: [ETH], wallet: second, isolation: worker }
  - { name: directional, use: trimtab-root/strategies/directionalTrend.ts, symbols: [SOL], wallet: second }
journal: { path: ./soak.sqlite, keep_days: ${1 / speed} }
operate:
  listen: 127.0.0.1:${port}
  notify:
    - { kind: webhook, url: { env: SOAK_HOOK }, min: report, digest_seconds: 60 }
`.replaceAll('trimtab-root/', '../');
}
