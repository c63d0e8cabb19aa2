import { requireFields } from '../../contract/failures/requireFields.ts';
import { defaultDialect, SCOPES, type Dialect } from '../../contract/index.ts';
import { reasonOf, type Env } from '../../env/index.ts';
import type { PaperCore } from '../core/PaperCore.ts';
import { createPaperService } from '../createPaperService.ts';
import { createCredentials } from './createCredentials.ts';
import type { Replay } from './createReplay.ts';
import type { PaperListener } from './listenPaper.ts';
import type { MarketData } from './loadMarketData.ts';
import type { PaperSettings } from './PaperSettings.ts';
import { openState, type StateKeeper } from './state/openState.ts';
import { StateRefusal } from './state/StateRefusal.ts';
import { tapeOf } from './state/tapeOf.ts';

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
  /** Address to listen on; default: this machine only. */
  host?: string;
  dialect?: Dialect;
  /** Seed of random delays (0). */
  seed?: string | number | undefined;
}

/**
 * Starts the service on real sockets: settings and market data → core → HTTP, WebSocket, SSE.
 *
 * With `settings.state` it resumes from the state of an earlier process; executions that ran then are
 * interrupted (`venue_lost`).
 *
 * ```ts
 * const settings = paperSettings.parse({ feeds: [{ symbol: 'BTC', interval: '1m', generate: {} }] });
 * const data = await loadMarketData(settings, '.');
 * if (!data.ok) throw new Error(data.problem.message);
 * const server = await startPaperServer({ settings, data: data.value }, createLiveEnv());
 * const { baseUrl: base_url, wsUrl: ws_url, keyId: key_id, secret } = server;
 * const { client, close } = openService({ base_url, ws_url, key_id, secret });
 * await client.account.get();
 * await close();
 * await server.close();
 * ```
 *
 * @throws the operating system's error if the port can't be bound; StateRefusal
 */
export async function startPaperServer(
  options: PaperServerOptions,
  env: Env,
): Promise<PaperServer> {
  requireFields('startPaperServer', options, ['settings', 'data']);
  const keeper = openKeeper(options, env);
  try {
    const { core, credentials } = createService(options, keeper, env);
    const listener = await listen(options, core, env);
    return {
      ...listener,
      ...credentials,
      core,
      async close() {
        await listener.close();
        keeper?.close();
      },
    };
  } catch (error) {
    keeper?.close();
    throw error;
  }
}

/** Settings on which fills depend: a log must be replayed under exactly the same settings. */
const VENUE_SETTINGS = [
  'instruments',
  'half_spread_bps',
  'impact_bps',
  'volume_share',
  'fill_on_touch',
  'retention',
  'fees',
] as const satisfies ReadonlyArray<keyof PaperSettings>;

/**
 * Raise it with every change that gives other fills, legs or ids for the same calls: an older log would
 * lead to another state than the one its clients saw.
 */
const RULES = 5;

/** What of a dialect decides whether a call is accepted, and what it does. */
const venueOf = ({ venue, executions, limits }: Dialect): unknown => ({
  venue,
  executions,
  pacemakerMinSeconds: limits.pacemakerMinSeconds,
});

function openKeeper(
  { settings, data, dialect = defaultDialect }: PaperServerOptions,
  env: Env,
): StateKeeper | null {
  const { state: path } = settings;
  if (path === undefined) return null;
  // Unset fees are omitted, so that a file from before the setting existed still matches.
  const isSet = (name: keyof PaperSettings): boolean =>
    name !== 'fees' || Object.keys(settings.fees).length > 0;
  const values = VENUE_SETTINGS.filter(isSet).map((name) => [name, settings[name]]);
  const venue = JSON.stringify([['rules', RULES], ['dialect', venueOf(dialect)], ...values]);
  return openState({ path, tape: tapeOf(data), venue }, env);
}

/** The restored core with the logged changes replayed, and its demo key. */
function createService(
  options: PaperServerOptions,
  keeper: StateKeeper | null,
  env: Env,
): { core: PaperCore; credentials: { keyId: string; secret: string } } {
  const { settings, data, dialect } = options;
  const saved = keeper?.saved ?? null;
  const make = (): PaperCore =>
    createPaperService(
      {
        settings,
        data,
        tokenSecret: createCredentials().secret,
        seed: options.seed,
        ...(dialect === undefined ? {} : { dialect }),
        ...(saved === null ? {} : { saved: saved.service }),
        ...(keeper === null ? {} : { record: keeper.record, changes: keeper.changes }),
      },
      env,
    );
  const core = saved === null ? make() : restore(make, settings.state!);
  const credentials = demoKeyOf(core, saved?.demoKeyId ?? null) ?? addDemoKey(core, settings, env);
  keeper?.begin(() => ({
    demoKeyId: credentials.keyId,
    service: core.save(env.clock.wallNow()),
  }));
  return { core, credentials };
}

/** An inconsistency is damage that no schema detects. @throws StateRefusal */
function restore(make: () => PaperCore, path: string): PaperCore {
  try {
    const core = make();
    core.engine.interruptExecutions();
    return core;
  } catch (cause) {
    const remedy = 'Restore it from a copy, or name another file to start afresh.';
    throw new StateRefusal(path, `can't be restored: ${reasonOf(cause)}`, remedy, { cause });
  }
}

/** The demo key of an earlier start, unless it was revoked, so that bots with that key keep working. */
function demoKeyOf(core: PaperCore, keyId: string | null) {
  const key = keyId === null ? undefined : core.keyring.find(keyId);
  if (key === undefined) return null;
  return { keyId: key.keyId, secret: Buffer.from(key.secret.export()).toString('utf8') };
}

function addDemoKey(core: PaperCore, { tier }: PaperSettings, env: Env) {
  const credentials = createCredentials();
  core.addKey({ label: 'demo', scopes: SCOPES, tier }, credentials, env.clock.wallNow());
  return credentials;
}

/** What serves HTTP and WebSocket is loaded by who listens: a backtest does not. */
async function listen(
  { settings, host, dialect }: PaperServerOptions,
  core: PaperCore,
  env: Env,
): Promise<PaperListener> {
  const { listenPaper } = await import('./listenPaper.ts');
  return listenPaper(
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
}
