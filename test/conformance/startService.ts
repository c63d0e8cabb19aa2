import { createLiveEnv } from '../../src/env/index.ts';
import {
  generateFeed,
  paperSettings,
  startPaperServer,
  type Feed,
  type PaperServer,
  type PaperSettingsInput,
} from '../../src/paper/index.ts';

const START = 1_735_689_600_000;

/** A made tape for conformance runs, paused. */
export function tape(symbol: string, startPrice: number, missingShare = 0): Feed {
  return generateFeed({
    symbol,
    interval: '1m',
    bars: 30_000,
    seed: 'conformance',
    startTime: START,
    startPrice,
    missingShare,
  });
}

/** The paper service on real sockets over made tapes: a perp, a spot pair, a tape with gaps. */
export async function startService(
  settings: Partial<PaperSettingsInput> = {},
): Promise<PaperServer> {
  const feeds = [tape('BTC', 60_000), tape('PURR/USDC', 0.2), tape('xyz:GAPS', 250, 0.02)];
  const named = feeds.map(({ symbol }) => ({ symbol, interval: '1m' as const, generate: {} }));
  const parsed = paperSettings.parse({ feeds: named, paused: true, port: 0, ...settings });
  return startPaperServer({ settings: parsed, data: { feeds, funding: {} } }, createLiveEnv());
}
