import {
  SCOPES,
  showNoAnswer,
  type Dialect,
  type Exchange,
  type InstrumentRecord,
} from '../contract/index.ts';
import type { Env } from '../env/index.ts';
import { createTransport, type Transport } from '../wire/createTransport.ts';
import { createClockOffset, createPaperControls, type PaperControls } from '../wire/index.ts';
import { isLoopback } from '../contract/isLoopback.ts';
import { requireSafeUrl } from '../wire/requireSafeUrl.ts';
import { findMarket } from './findMarket.ts';
import { createActor, type Actor, type ActorParts } from './kit/createActor.ts';
import { createOwnWork } from './kit/createOwnWork.ts';
import { createStreamProbe, type StreamProbe } from './kit/createStreamProbe.ts';
import { createTape } from './kit/createTape.ts';
import { readEvents } from './kit/readEvents.ts';
import type { Casting, Finding, Stage } from './kit/Stage.ts';
import { Trace } from './kit/Trace.ts';
import { Inconclusive } from './kit/Inconclusive.ts';

export interface StageOptions {
  baseUrl: string;
  wsUrl: string;
  keyId: string;
  secret: string;
  isReadOnly: boolean;
  dialect: Dialect;
  env: Pick<Env, 'clock' | 'timers' | 'random'>;
  onWait?: (seconds: number) => void;
  signal?: AbortSignal;
}

/** The stage of a run, with functions for the runner beside those for checks. */
export interface RunStage extends Stage {
  /** Why the checks can't trade here; null if they can. */
  noTradingReason: string | null;
  /**
   * Cleans up after the last check: its sockets, its keys, the volume that it used, and what it has at work, on wallets
   * of its own and with the run's key.
   */
  clear(): Promise<void>;
  /** What the run's key leaves on the service, a line each. */
  left(): string[];
  close(): Promise<void>;
}

/** Facts about the service that are determined before the first check. */
interface Facts {
  transport: Transport;
  prefix: string;
  offset: ReturnType<typeof createClockOffset>;
  controls: PaperControls | null;
}

const DEFAULT_BALANCE = 100_000;

/** Why a check of a run that was interrupted has no verdict. */
export const INTERRUPTED = 'The run was interrupted.';

type Credentials = Pick<ActorParts, 'keyId' | 'secret' | 'wallet'>;

/**
 * Prepares the stage: connects, measures the service's clock, detects a paper service and lists its
 * instruments.
 *
 * @throws TypeError for addresses that requests must not go to
 */
export async function createStage(options: StageOptions): Promise<RunStage> {
  const { dialect, env } = options;
  const url = requireSafeUrl(options.baseUrl, 'http');
  const wsUrl = requireSafeUrl(options.wsUrl, 'ws');
  const prefix = url.pathname.replace(/\/+$/, '');
  const opened = createTransport({ origin: url.origin, env, connections: 8 });
  const transport = options.isReadOnly ? readingOnly(opened, { prefix, dialect }) : opened;
  const facts: Facts = { transport, prefix, offset: createClockOffset(), controls: null };
  await learnClock(facts, env, dialect);
  facts.controls = await findControls(options);
  const { controls } = facts;

  const trace = new Trace();
  const run = unique(env);
  const probes = new Set<StreamProbe>();
  /** For what clears up after the checks' own keys. */
  const cast = new Set<Actor>();
  const work = createOwnWork();
  const findings: Finding[] = [];
  let names = 0;

  /** Budgets count wall time, unless the service reports that they count the replay's. */
  let budgetsFollowReplay = false;
  const waitForBudget = async (seconds: number): Promise<void> => {
    if (budgetsFollowReplay && controls !== null) {
      const { time } = await controls.replay();
      await controls.advance({ to_time: time + Math.ceil(seconds) * 1_000 });
      return;
    }
    options.onWait?.(seconds);
    await new Promise<void>((resolve) => env.timers.after(seconds * 1_000, resolve));
  };

  const actorOf = (more: Credentials & Partial<ActorParts>): Actor =>
    createActor({
      prefix,
      dialect,
      transport,
      env,
      trace,
      waitForBudget,
      offsetMs: facts.offset.offsetMs,
      ...more,
    });
  /** A check of an interrupted run ends with its next request; what clears up after it goes on. */
  const { signal } = options;
  const interrupted = new Promise<void>((resolve) =>
    signal?.addEventListener('abort', () => resolve(), { once: true }),
  );
  const checking: Pick<ActorParts, 'beforeSend' | 'waitForBudget'> = {
    beforeSend() {
      if (signal?.aborted === true) throw new Inconclusive(INTERRUPTED);
    },
    waitForBudget: (seconds) => Promise.race([waitForBudget(seconds), interrupted]),
  };
  const onDealt = work.note;
  const own = { keyId: options.keyId, secret: options.secret, wallet: '', onDealt };
  const me = actorOf({ ...own, ...checking });
  const cleaner = actorOf(own);

  const castActor = async (casting: Casting): Promise<Actor> => {
    if (controls === null)
      throw new Inconclusive('It needs keys of its own; only paper makes them.');
    const { balance = DEFAULT_BALANCE, scopes = SCOPES, tier = 'elite' } = casting;
    const label = `check-${run}-${++names}`;
    const wallet = casting.wallet ?? (await controls.createConnection({ label, balance })).id;
    const key = await controls.createKey({ label, scopes, tier, connection_id: wallet });
    const given = { keyId: key.key_id, secret: key.secret, wallet };
    cast.add(actorOf(given));
    return actorOf({ ...given, ...checking });
  };

  if (controls !== null) budgetsFollowReplay = await countsReplayTime(me, controls);
  const instruments = await listInstruments(me);
  const market = await findMarket(me, instruments, controls !== null);
  const stage: RunStage = {
    dialect,
    env,
    trace,
    me,
    instruments,
    isPaper: controls !== null,
    isReadOnly: options.isReadOnly,
    findings,
    actor: (casting = {}) => (controls === null ? Promise.resolve(me) : castActor(casting)),
    cast: castActor,
    plain: ({ method, path, bodyText = '', headers = {} }) => {
      trace.note(`${method} ${prefix}${path} (unsigned) ${bodyText.slice(0, 400)}`);
      return me.raw({ method, path, bodyText, headers, signing: { off: true } });
    },
    async stream(actor, { wallet } = {}) {
      const path = wsUrl.pathname + wsUrl.search;
      const selector = wallet === undefined ? {} : { [dialect.headers.wallet]: wallet };
      const headers = { ...actor.sign(path), ...selector };
      const probe = await createStreamProbe({ url: wsUrl, headers, dialect, env, trace });
      probes.add(probe);
      return probe;
    },
    events(actor, channels, enough, meanwhile) {
      const { path } = dialect.endpoints['streams.sse'];
      const target = `${prefix}/v1${path}?channels=${encodeURIComponent(channels)}`;
      const headers = actor.sign(target);
      trace.note(`GET ${target} (event stream)`);
      const request = { url: url.origin + target, headers, enough, env };
      return readEvents(meanwhile === undefined ? request : { ...request, meanwhile });
    },
    get tape() {
      return createTape(this.paper);
    },
    get paper() {
      if (controls === null) throw new Inconclusive('It needs a replay that can be driven.');
      return controls;
    },
    get instrument() {
      if (market.instrument === null) throw new Inconclusive('The service listed no instrument.');
      return market.instrument;
    },
    scale: market.scale,
    noTradingReason: market.why,
    unique: () => `${run}-${++names}`,
    found(point, text, isAsExpected) {
      findings.push({ point, text, isAsExpected });
    },
    async clear() {
      for (const probe of probes) await probe.close();
      probes.clear();
      await work.end(cleaner);
      for (const actor of cast) await tidyUp(actor, controls);
      // A bar's volume is shared by all checks: the next one starts on a fresh bar.
      if (cast.size > 0) await stage.tape.bars(1).catch(() => null);
      cast.clear();
      trace.clear();
    },
    left: work.left,
    async close() {
      await this.clear();
      await controls?.close();
      await transport.close();
    },
  };
  return stage;
}

/** Leftovers would take volume from the next check's fills; those that can't be ended are left. */
async function tidyUp(actor: Actor, controls: PaperControls | null): Promise<void> {
  const quietly = async (step: Promise<unknown>): Promise<unknown> => step.catch(() => null);
  await quietly(actor.call('orders.bulkCancel'));
  await quietly(actor.call('monitors.stopAll'));
  const list = await actor.call('executions.list').catch(() => null);
  const rows = (list?.body?.items ?? []) as Array<{ execution_id: string; status: string }>;
  const ids = rows
    .filter(({ status }) => status !== 'completed' && status !== 'stopped')
    .map(({ execution_id: id }) => id);
  if (ids.length > 0) {
    await quietly(actor.call('executions.batch', { body: { action: 'stop', ids } }));
  }
  if (controls !== null) await quietly(controls.revokeKey(actor.keyId));
}

/** Identifies the run, so that a second one against the same service repeats no name. */
function unique(env: Pick<Env, 'random'>): string {
  return Math.floor(env.random.next() * 36 ** 6)
    .toString(36)
    .padStart(6, '0');
}

async function learnClock(
  { transport, prefix, offset }: Facts,
  { clock }: Pick<Env, 'clock'>,
  dialect: Dialect,
): Promise<void> {
  const path = `${prefix}/v1${dialect.endpoints['utility.health'].path}`;
  const sentAt = clock.wallNow();
  const exchange: Exchange = await transport.send({ method: 'GET', path, headers: {}, body: '' });
  if (exchange.kind === 'not_sent') {
    throw new Error(`No connection to the service: ${showNoAnswer(exchange)}`, {
      cause: exchange.cause,
    });
  }
  if (exchange.kind !== 'answered') return;
  const serverTime = Date.parse(exchange.response.headers['date'] ?? '');
  offset.learn({ serverTime, resolutionMs: 1_000, sentAt, receivedAt: clock.wallNow() });
}

/** A paper service answers `/paper/replay`, on this machine only. */
async function findControls(options: StageOptions): Promise<PaperControls | null> {
  // A read-only run does not use the controls, as at a real service.
  if (options.isReadOnly || !isLoopback(new URL(options.baseUrl).hostname)) return null;
  const controls = createPaperControls(options.baseUrl, options.env);
  try {
    await controls.replay();
    return controls;
  } catch {
    await controls.close();
    return null;
  }
}

const MINUTES_MS = 600_000;

/** `resets_at` is near the time by which budgets count. */
async function countsReplayTime(me: Actor, controls: PaperControls): Promise<boolean> {
  const limits = await me.call('utility.rateLimits').catch(() => null);
  const { time } = await controls.replay();
  return Math.abs(Number(limits?.body?.resets_at) - time) < MINUTES_MS;
}

async function listInstruments(me: Actor): Promise<InstrumentRecord[]> {
  const { body } = await me.call('market.instruments').catch(() => ({ body: null }));
  const items: unknown = body?.items;
  return Array.isArray(items) ? (items as InstrumentRecord[]) : [];
}

/**
 * A transport that lets no check change anything, because it may be a real account. The only read with a
 * body is a POST.
 */
function readingOnly(
  transport: Transport,
  { prefix, dialect }: { prefix: string; dialect: Dialect },
): Transport {
  const evaluate = dialect.endpoints['market.evaluate'];
  const reads = [`${evaluate.method} ${prefix}/v1${evaluate.path}`];
  return {
    ...transport,
    send(request) {
      const [path = ''] = request.path.split('?');
      const isRead = request.method === 'GET' || reads.includes(`${request.method} ${path}`);
      if (isRead) return transport.send(request);
      throw new Inconclusive(`It would send ${request.method} ${path}, and the run is read-only.`);
    },
  };
}
