import { SCOPES, type Dialect } from '../../contract/index.ts';
import { createVirtualEnv, type Log, type VirtualEnv } from '../../env/index.ts';
import {
  createPaperService,
  startTimeOf,
  type MarketData,
  type PaperCore,
  type PaperSettings,
} from '../../paper/index.ts';
import { createDelayedLink, hasRequestDelay, type DelayedLink } from '../../runtime/index.ts';
import { createDirectLink, type DirectLink } from './createDirectLink.ts';

/** Never used to sign: the key only carries scopes and a budget. */
const CREDENTIALS = { keyId: 'vk_backtest', secret: 'vs_backtest' };

export interface VenueLinkOptions {
  paper: PaperSettings;
  data: MarketData;
  dialect: Dialect;
  seed: string | number;
  /** Epoch milliseconds; nothing of the tape before the end of its warm-up is replayed. */
  startTime?: number | undefined;
  /** Whether bars are appended to the feeds while it runs, so that it has no end yet. Default: no. */
  grows?: boolean;
  log: Log;
}

/** The paper core of this process under a virtual clock, and a link to it. */
export interface VenueLink {
  core: PaperCore;
  env: VirtualEnv;
  /** With the latency of requests, if the settings have one. */
  link: DirectLink & Partial<DelayedLink>;
  hasDelay: boolean;
}

/** All clocks are the replay's, so that nothing of a run depends on its speed. */
export function openVenueLink(options: VenueLinkOptions): VenueLink {
  const { paper, data, dialect, seed, startTime = 0, grows = false, log } = options;
  const from = Math.max(startTime, startTimeOf(data.feeds, paper.warmup));
  const env = createVirtualEnv({ seed, startTime: from, log });
  const settings = { ...paper, budget_clock: 'replay' as const };
  const core = createPaperService({ settings, data, dialect, startTime: from, seed }, env);
  const key = { label: 'backtest', scopes: SCOPES, tier: paper.tier };
  core.addKey(key, CREDENTIALS, env.clock.wallNow());
  const direct = createDirectLink({ core, keyId: CREDENTIALS.keyId, env, dialect });
  const { latency } = paper;
  const delays = { order: latency.order_ms, cancel: latency.cancel_ms };
  const endTime = grows ? Infinity : core.engine.endTime;
  const hasDelay = hasRequestDelay(latency);
  const link = hasDelay ? createDelayedLink(direct, { delays, seed, endTime }) : direct;
  return { core, env, link, hasDelay };
}
