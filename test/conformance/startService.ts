import { defaultDialect, type Dialect } from '../../src/contract/index.ts';
import { createLiveEnv } from '../../src/env/index.ts';
import {
  paperSettings,
  startPaperServer,
  type PaperServer,
  type PaperSettingsInput,
} from '../../src/paper/index.ts';
import { madeTape, withOutages } from './tapes.ts';

/** The paper service on real sockets over generated tapes: a perp, a spot pair, a market with outages. */
export async function startService(
  settings: Partial<PaperSettingsInput> = {},
  dialect: Dialect = defaultDialect,
): Promise<PaperServer> {
  const feeds = [
    madeTape('BTC', 60_000),
    madeTape('PURR/USDC', 0.2),
    withOutages(madeTape('xyz:GAPS', 250)),
  ];
  const named = feeds.map(({ symbol }) => ({ symbol, interval: '1m' as const, generate: {} }));
  const parsed = paperSettings.parse({ feeds: named, paused: true, port: 0, ...settings });
  return startPaperServer(
    { settings: parsed, data: { feeds, funding: {} }, dialect },
    createLiveEnv(),
  );
}
