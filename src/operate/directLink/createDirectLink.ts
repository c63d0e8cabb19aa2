/**
 * The direct link: the runtime's port to a paper core of the same process, in virtual time.
 *
 * request → gate (scopes, idempotency, budget, shape) → response; core → frames, held until the step is
 * complete → runtime. Nothing is signed, serialised or parsed.
 */
import {
  COMMANDS,
  defaultDialect,
  INTERVAL_MS,
  type Dialect,
  type Exchange,
  type ServiceRequest,
  type ServiceResponse,
  type StreamFrame,
} from '../../contract/index.ts';
import {
  silentLog,
  subscriptionKey,
  TaskQueue,
  type LinkListener,
  type Subscription,
  type VirtualEnv,
} from '../../env/index.ts';
import { lowerCaseNames } from '../../paper/core/respond.ts';
import { faultOf } from '../../paper/core/faultOf.ts';
import { createSpans } from './createSpans.ts';
import type { WalkReport } from './createWalkCounter.ts';
import type { Outcome, PaperCore, Session, StreamPort } from '../../paper/index.ts';
import type { BarrierLink, ReplayControls, ReplayPosition } from '../../runtime/index.ts';

export interface DirectLinkOptions {
  core: PaperCore;
  /** A key of the core's keyring: its scopes and its budget are the caller's. */
  keyId: string;
  /** The session's connection id; default: the key's own. */
  wallet?: string;
  /** Its queue follows market time, so that timers and wall time of a run are virtual too. */
  env: Pick<VirtualEnv, 'clock' | 'queue'>;
  dialect?: Dialect;
}

/**
 * A link that holds a step's frames like the barrier link over sockets, so that a run is the same through
 * both: the frames of a step, then the sends that they cause.
 */
export interface DirectLink extends BarrierLink {
  /** Steps the core's replay; the results of a step are delivered before it returns. */
  readonly controls: ReplayControls;
  /**
   * Like `controls.advanceTo`, without a promise; for a loop that must not wait on every step. Returns
   * the time that the replay reached.
   */
  advanceTo(toTime: number): number;
  /**
   * Hands on the bars that close before `before` as columns, as far as nothing else can happen; see `createSpans`.
   * Returns the time reached: the present time if there is no such stretch.
   */
  runSpan(before: number): number;
  /** How the replay was walked so far. */
  walked(): WalkReport;
}

const ENDPOINTS_OF_COMMANDS: ReadonlySet<string> = new Set(Object.values(COMMANDS));

/** @throws Error for a key that the core does not have */
export function createDirectLink(options: DirectLinkOptions): DirectLink {
  const { core, env, dialect = defaultDialect } = options;
  const { engine } = core;
  const key = core.keyring.find(options.keyId);
  if (key === undefined) throw new Error(`The paper core has no key ${options.keyId}.`);
  const wallet = options.wallet ?? key.connectionId;
  const market = new TaskQueue(0);
  const stepMs = stepOf(core);
  const paramsOf = createParamsOf();
  const names = lowerCaseNames(dialect.headers);
  const startTime = engine.now;
  let listener: LinkListener | null = null;
  let session: Session | null = null;
  let isClosed = false;
  /** What a strategy schedules for this instant waits until the start is over, and the replay steps on. Epoch milliseconds. */
  let openedAt = Number.NaN;
  const spans = createSpans({
    core,
    stepMs,
    market,
    queue: env.queue,
    endStep,
    deliver: handOn,
    ownParams: ({ channel, params }) => paramsOf.ownOf(channel, params),
  });
  // Lists that are counted and reused: new ones per step would be new ones per bar.
  let held: StreamFrame[] = [];
  let heldCount = 0;
  /** The step that is being delivered, and the next frame of it. */
  let batch: StreamFrame[] = [];
  let batchCount = 0;
  let next = 0;

  function handOn(): void {
    while (next < batchCount) listener?.onFrame(batch[next++]!);
  }

  /** What frames cause from now on belongs to the next step. */
  function endStep(): boolean {
    if (heldCount === 0) return false;
    const spare = batch;
    batch = held;
    held = spare;
    batchCount = heldCount;
    heldCount = 0;
    next = 0;
    return true;
  }

  /** The results of a step are seen at its end, although the service has had them for some time. */
  const deliver = (): void => {
    if (engine.now !== openedAt) market.advanceTo(engine.now);
    // Within a delivery: what is left of it comes first.
    handOn();
    if (endStep()) handOn();
  };

  const port: StreamPort = {
    frame(frame) {
      frame.params = paramsOf.own(frame);
      held[heldCount++] = frame;
    },
    // Acks, errors and results are responses to messages; a caller in the process sends none.
    control: () => {},
    close: (_code, reason) => listener?.onStatus({ state: 'lost', reason }),
  };

  const refused = (subscription: Subscription, error: unknown): void => {
    const { fault } = faultOf(error, silentLog, 'session');
    listener?.onFault?.({ kind: 'refused', subscription, error: fault });
  };

  function advanceTo(toTime: number): number {
    const target = Math.min(toTime, engine.endTime);
    // Bar by bar, as a replay over sockets steps, whatever the length of the step.
    if (engine.now >= target) core.advanceTo(target);
    else
      while (engine.now < target) {
        const barEnd = Math.floor(engine.now / stepMs) * stepMs + stepMs;
        if (core.advanceTo(barEnd < target ? barEnd : target, true)) break;
      }
    const { now } = engine;
    deliver();
    // After the frames: a snapshot among them must arrive before its own timeout fires.
    env.queue.advanceTo(now);
    return now;
  }

  const position = (): ReplayPosition => ({
    time: engine.now,
    start_time: engine.startTime,
    end_time: engine.endTime,
  });

  return {
    market,
    open(newListener) {
      listener = newListener;
      listener.onStatus({ state: 'connecting', attempt: 1 });
      const upgrade = {
        endpoint: 'streams.websocket',
        pathParams: {},
        query: {},
        body: '',
      } as const;
      const { status, body } = core.call(key, { ...upgrade, wallet }, env.clock.wallNow());
      if (status !== 200) throw new Error(`The stream was refused: ${JSON.stringify(body)}`);
      const grant = { kind: 'websocket', keyId: key.keyId, wallet, subscriptions: [] } as const;
      session = core.openSession(grant, port, env.clock.wallNow()) ?? null;
      listener.onStatus({ state: 'open' });
      // Market time is known from the welcome on, before anything is subscribed.
      deliver();
      openedAt = engine.now;
      return Promise.resolve();
    },
    subscribe(subscription) {
      spans.catchUp();
      paramsOf.want(subscription);
      try {
        session?.subscribe(subscription);
      } catch (error) {
        refused(subscription, error);
      }
    },
    unsubscribe(subscription) {
      spans.catchUp();
      session?.unsubscribe(subscription);
    },
    bringUp: spans.bringUp,
    noteReader: spans.noteReader,
    offerSpans(receiver) {
      spans.offer(receiver);
      return spans.interrupt;
    },
    request(request): Exchange {
      if (isClosed) return { kind: 'not_sent', reason: 'closed' };
      spans.catchUp();
      const asked = request.wallet === undefined ? { ...request, wallet } : request;
      const outcome = core.call(key, asked, env.clock.wallNow());
      const remaining = byCommand(request) ? null : core.remainingWeight(key);
      const response = toResponse(outcome, names, remaining);
      return { kind: 'answered', response };
    },
    close() {
      spans.catchUp();
      session?.close();
      session = null;
      isClosed = true;
      listener?.onStatus({ state: 'closed' });
      return Promise.resolve();
    },
    subscribed: () => Promise.resolve(),
    // A step delivers before it returns, so there is never a barrier to wait for.
    nextBarrier: () => Promise.resolve(),
    nextTaskTime: () => market.nextTime() ?? Infinity,
    controls: {
      position: () => Promise.resolve(position()),
      advanceTo(toTime) {
        advanceTo(toTime);
        return Promise.resolve(position());
      },
    },
    advanceTo,
    walked: () => spans.report(startTime),
    // Frames that wait for the next step come before its bars.
    runSpan: (before) => (heldCount > 0 ? engine.now : spans.run(before)),
  };
}

/** The finest feed's bar. */
function stepOf({ engine: { market } }: PaperCore): number {
  return Math.min(
    ...market.instruments.map(({ symbol }) => INTERVAL_MS[market.feedInterval(symbol)]),
  );
}

/** Over a socket a command's result has its weight, but not the remaining budget (STR-6). */
function byCommand({ via, endpoint }: ServiceRequest): boolean {
  return via === 'socket' && ENDPOINTS_OF_COMMANDS.has(endpoint);
}

function toResponse(
  outcome: Outcome,
  names: Dialect['headers'],
  remaining: number | null,
): ServiceResponse {
  const { status, requestId, weight, wallet, replayed } = outcome;
  const headers: Record<string, string> = {
    [names.requestId]: requestId,
    [names.weight]: String(weight),
  };
  if (wallet !== null) headers[names.walletResolved] = wallet;
  if (remaining !== null) headers[names.weightRemaining] = String(remaining);
  if (replayed) headers[names.idempotencyReplayed] = 'true';
  // A replayed response exists only as its first text.
  const body: unknown = replayed ? JSON.parse(outcome.bodyText ?? 'null') : outcome.body;
  return { status, headers, body };
}

/**
 * The core validates a subscription's params into a new object; the runtime finds a frame's feed fastest
 * by the object that it passed.
 */
function createParamsOf() {
  type Params = StreamFrame['params'];
  const wanted = new Map<string, Params>();
  const byCore = new WeakMap<Params, Params>();
  // Most frames are of the same subscription as the one before.
  let last: Params | undefined;
  let ownOfLast: Params = {};
  const ownOf = (channel: string, params: Params): Params => {
    const known = byCore.get(params);
    const own = known ?? wanted.get(subscriptionKey({ channel, params })) ?? params;
    if (known === undefined) byCore.set(params, own);
    return own;
  };
  return {
    want(subscription: Subscription): void {
      wanted.set(subscriptionKey(subscription), subscription.params as Params);
    },
    own({ channel, params }: StreamFrame): Params {
      if (params === last) return ownOfLast;
      last = params;
      ownOfLast = ownOf(channel, params);
      return ownOfLast;
    },
    ownOf,
  };
}
