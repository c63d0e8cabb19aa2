import { SCOPES, type Dialect } from '../../contract/index.ts';
import type { Env } from '../../env/index.ts';
import type { PaperCore } from '../core/PaperCore.ts';
import { createPaperService } from '../createPaperService.ts';
import { createCredentials } from './createCredentials.ts';
import type { Replay } from './createReplay.ts';
import { listenPaper } from './listenPaper.ts';
import type { MarketData } from './loadMarketData.ts';
import type { PaperSettings } from './PaperSettings.ts';

/** A running paper service. */
export interface PaperServer {
  /** Paths of the service start below it: `{baseUrl}/v1/…`. */
  baseUrl: string;
  /** Complete, path included. */
  wsUrl: string;
  /** A key with all scopes on the wallet `main`. */
  keyId: string;
  secret: string;
  core: PaperCore;
  replay: Replay;
  close(): Promise<void>;
}

export interface PaperServerOptions {
  settings: PaperSettings;
  data: MarketData;
  /** Address to listen on; this machine only, unless said otherwise. */
  host?: string;
  dialect?: Dialect;
}

/**
 * Starts the service on real sockets: settings and market data → core → HTTP, WebSocket, SSE.
 *
 * @throws the operating system's error where the port can't be had
 */
export async function startPaperServer(
  options: PaperServerOptions,
  env: Env,
): Promise<PaperServer> {
  const { settings } = options;
  const core = createPaperService(options, env);
  const credentials = createCredentials();
  const key = { label: 'demo', scopes: SCOPES, tier: settings.tier };
  core.addKey(key, credentials, env.clock.wallNow());
  const { host, dialect } = options;
  const listener = await listenPaper(
    {
      core,
      port: settings.port,
      speed: settings.speed,
      paused: settings.paused,
      ...(host === undefined ? {} : { host }),
      ...(dialect === undefined ? {} : { dialect }),
    },
    env,
  );
  return { ...listener, ...credentials, core };
}
