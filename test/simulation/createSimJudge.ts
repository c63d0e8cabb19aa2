import {
  fillPath,
  type Dialect,
  type Exchange,
  type StreamFrame,
} from '../../src/contract/index.ts';
import { effectOf } from '../../src/intents/effectOf.ts';
import type {
  IntentRow,
  IntentState,
  JournalAppend,
  JournalEntry,
} from '../../src/journal/index.ts';
import type { RawResponse } from '../../src/paper/index.ts';
import type { TransportRequest } from '../../src/wire/createTransport.ts';
import { forbidden, type Person } from './createPerson.ts';
import { createAgeJudge, goodUntil } from './createAgeJudge.ts';
import { createExitWaits } from './createExitWaits.ts';
import { createExposureJudge } from './createExposureJudge.ts';
import { createLaneMeter, type LaneFigures } from './createLaneMeter.ts';
import { SECRET, type SimService } from './createSimService.ts';
import { createSpendingJudge } from './createSpendingJudge.ts';
import { createView } from './createView.ts';
import { LEGAL, MAKES, NOT_MADE, type Attempt, type KnownIntent } from './KnownIntent.ts';
import { skewsOf } from './Scenario.ts';
import type { SimWorld } from './SimWorld.ts';

/**
 * Watches every port and says what must not be. It knows the service's truth and what is durable;
 * it never asks the bot.
 */
export interface SimJudge {
  /** An append is asked for. */
  appending(append: JournalAppend): void;
  /** An append is durable; late: after its process died. */
  durable(append: JournalAppend, isLate: boolean): void;
  /** The process died. */
  crashed(): void;
  /** A request is about to leave. */
  sending(process: number, message: TransportRequest): Attempt;
  sendingText(process: number, text: string): void;
  /** The service has executed or refused it. */
  served(message: TransportRequest, response: RawResponse): void;
  /** The bot hears what became of an attempt. */
  concluded(process: number, attempt: Attempt, exchange: Exchange): void;
  opened(process: number): void;
  lost(process: number): void;
  /** A frame sets out; the result says that it was lost or came out of turn. */
  emitted(process: number, frame: StreamFrame): () => void;
  delivered(process: number, frame: StreamFrame): void;
  /** Anything that the bot tells the world. */
  heard(text: string): void;
  /** Somebody else spends the key's budget now. */
  foreignSpent(): void;
  /** The service, once it is made. */
  attach(service: SimService): void;
  readonly facts: JudgeFacts;
}

export interface JudgeFacts {
  readonly states: ReadonlyMap<string, IntentState>;
  readonly sends: number;
  /** Sends under a key that was sent before. */
  readonly resends: number;
  readonly decisions: number;
  /** Milliseconds that each exit waited for its first attempt, beyond what a 429 asked for. */
  readonly exitWaits: readonly number[];
  readonly lanes: ReadonlyMap<string, LaneFigures>;
  /** Milliseconds until it was known what an unanswered intent became. */
  readonly findings: readonly number[];
  /** 429s of the service itself that nobody else's spending explains. */
  readonly own429s: number;
  /** True milliseconds from an intent's first attempt to its last step. */
  triedMs(key: string): number;
  /** At its last step nothing allowed to open anything more: a kill level stood, its own end had passed, or it was too old. */
  wasBarred(key: string): boolean;
}

/**
 * The bot knows the service's clock by answers' dates, which tell whole seconds; before the first answer to
 * a new process it knows its own alone.
 */
const CLOCK_DOUBT_MS = 2_000;

/** Waits for the budget, as the answer said or as a 429 that came meanwhile did. */
function isRateLimit(data: string): boolean {
  return data === '{"reason":"rate_limited"}' || data === '{"reason":"retry_after"}';
}

export function createSimJudge(
  world: SimWorld,
  dialect: Dialect,
  person: Pick<Person, 'level'>,
): SimJudge {
  const known = new Map<string, KnownIntent>();
  const aheadMs = Math.max(0, ...skewsOf(world.scenario));
  const decisions = new Map<string, string>();
  const view = createView();
  const spending = createSpendingJudge(world, dialect);
  const exitWaits = createExitWaits(world, dialect, spending);
  const lanes = createLaneMeter(world, dialect, { spending, service: () => service });
  const ages = createAgeJudge(world);
  const exposure = createExposureJudge(world, view, () => service);
  let service: SimService | null = null;
  let sends = 0;
  let resends = 0;

  const made = (key: string): boolean => (service?.truth.made.get(key)?.size ?? 0) > 0;

  // ── The journal ──────────────────────────────────────────────────────────────────────────────

  function appending({ intent, entries }: JournalAppend): void {
    if (intent !== undefined) {
      const name = `${intent.decisionKey}/${intent.generation}`;
      if (known.has(intent.key) || decisions.has(name)) {
        world.violate('decided_twice', `${name} as ${intent.key}`);
      }
      know(intent);
    }
    for (const entry of entries) step(entry);
  }

  function know({ key, decisionKey, generation, intent }: IntentRow): KnownIntent {
    decisions.set(`${decisionKey}/${generation}`, key);
    const decided = JSON.parse(intent) as Pick<KnownIntent, 'intent' | 'trigger'>;
    const one: KnownIntent = {
      key,
      decisionKey,
      intent: decided.intent,
      trigger: decided.trigger,
      state: undefined,
      durable: undefined,
      sendings: 0,
      body: '',
      target: '',
      attempts: [],
      firstSentAt: undefined,
      lastStepAt: world.queue.now(),
      wasKilled: false,
    };
    known.set(key, one);
    return one;
  }

  /** What was asked for and is not durable is gone with the process, unless it was on its way. */
  function crashed(): void {
    exitWaits.crashed();
    lanes.crashed();
    for (const [key, one] of known) {
      one.state = one.durable;
      exposure.follow(one);
      if (one.durable !== undefined) continue;
      known.delete(key);
      for (const [name, other] of decisions) if (other === key) decisions.delete(name);
    }
  }

  function step(entry: JournalEntry): void {
    const { key, state, data } = entry;
    const one = known.get(key);
    if (one === undefined) return world.violate('unknown_key', `${state} of ${key}`);
    if (LEGAL[one.state ?? '']?.includes(state) !== true) {
      world.violate('illegal_transition', `${one.decisionKey}: ${one.state ?? 'none'} → ${state}`);
    }
    one.state = state;
    exposure.follow(one);
    world.note('journal', one.decisionKey, state);
    if (data.includes(SECRET)) world.violate('secret_told', `journal, ${state}`);
    lanes.follow(entry);
    // Under load the limit is out of reach, and there are thousands of intents to sum up.
    if (state === 'guarded' && world.scenario.load === undefined) exposure.check(one);
    if (effectOf(one.intent).isExit) noteWait(one, data);
  }

  function noteWait({ key, decisionKey, state }: KnownIntent, data: string): void {
    const isPutOff = state === 'deferred' || state === 'unknown';
    if (state === 'guarded' || (isPutOff && isRateLimit(data))) exitWaits.ready(key);
    else if (state === 'sending') exitWaits.sent(key, decisionKey);
  }

  function durable({ intent, entries }: JournalAppend, isLate: boolean): void {
    if (intent !== undefined && !known.has(intent.key)) know(intent);
    for (const { key, state, data } of entries) {
      const one = known.get(key);
      if (one === undefined) continue;
      one.durable = state;
      if (isLate) {
        one.state = state;
        exposure.follow(one);
      }
      if (state === 'sending') one.firstSentAt ??= world.queue.now();
      one.lastStepAt = world.queue.now();
      one.wasKilled = person.level !== 'L0';
      if (state === 'sending') noteSending(one, data);
      if (MAKES.has(one.intent.kind)) checkEnd(one, { key, state, data });
    }
  }

  function noteSending(one: KnownIntent, data: string): void {
    const { endpoint, pathParams, query, body } = JSON.parse(data) as {
      endpoint: keyof Dialect['endpoints'];
      pathParams: Record<string, string>;
      query: Record<string, string>;
      body: string;
    };
    const spec = dialect.endpoints[endpoint];
    const text = new URLSearchParams(query).toString();
    one.target = `${spec.method} /v1${fillPath(spec.path, pathParams)}${text === '' ? '' : `?${text}`}`;
    one.body = body;
    one.sendings++;
  }

  /** Silence is never a rejection, and an answer is never a guess. */
  function checkEnd(one: KnownIntent, entry: Pick<JournalEntry, 'key' | 'state' | 'data'>): void {
    const { key, state, data } = entry;
    if (NOT_MADE.has(state) && made(key)) {
      world.violate(`${state}_but_executed`, one.decisionKey);
    }
    if (state !== 'accepted') return;
    const { record } = JSON.parse(data) as { record?: Record<string, unknown> };
    const id = record?.['order_id'] ?? record?.['execution_id'];
    if (!made(key)) world.violate('accepted_but_absent', one.decisionKey);
    else if (!service!.truth.made.get(key)!.has(String(id))) {
      world.violate('other_record', `${one.decisionKey} was told ${String(id)}`);
    }
  }

  // ── The service ──────────────────────────────────────────────────────────────────────────────

  function attach(given: SimService): void {
    service = given;
    given.onRecord((key, id) => {
      const one = known.get(key);
      world.note('made', one?.decisionKey ?? key, id);
      if (one === undefined) return world.violate('unknown_record', `${id} under ${key}`);
      const all = given.truth.made.get(key)!;
      if (MAKES.has(one.intent.kind) && all.size > 1) {
        world.violate('executed_twice', `${one.decisionKey}: ${[...all].join(', ')}`);
      }
      if (MAKES.has(one.intent.kind) && one.state !== undefined && NOT_MADE.has(one.state)) {
        world.violate(`${one.state}_but_executed`, one.decisionKey);
      }
    });
  }

  function served({ method, path }: TransportRequest, { status }: RawResponse): void {
    world.note('served', method, path, status);
    if (status === 429) spending.refused();
  }

  // ── What leaves ──────────────────────────────────────────────────────────────────────────────

  function sending(process: number, message: TransportRequest): Attempt {
    sends++;
    exitWaits.left();
    const key = message.headers['Idempotency-Key'] ?? null;
    const sentAt = world.queue.now();
    const attempt: Attempt = { key, left: false, outcome: 'pending', sentAt };
    world.note('send', message.method, message.path, key ?? '');
    spending.sent(process, message);
    if (key !== null) checkRecorded(process, message, key, attempt);
    else if (message.method !== 'GET') world.violate('send_without_key', message.path);
    return attempt;
  }

  function checkRecorded(
    process: number,
    message: TransportRequest,
    key: string,
    attempt: Attempt,
  ): void {
    const one = known.get(key);
    if (one === undefined || one.sendings === 0) {
      return world.violate('send_not_recorded', `${message.method} ${message.path} ${key}`);
    }
    const earlier = one.attempts;
    one.attempts = [...earlier, attempt];
    if (earlier.length > 0) resends++;
    if (one.sendings < one.attempts.length) {
      world.violate('send_not_recorded', `attempt ${one.attempts.length} of ${one.decisionKey}`);
    }
    if (one.state !== 'sending') {
      world.violate('send_out_of_state', `${one.decisionKey} is ${one.state}`);
    }
    const target = `${message.method} ${message.path}`;
    if (one.body !== message.body || one.target !== target) {
      world.violate('other_bytes', `${one.decisionKey}: ${target} ${message.body}`);
    }
    const blind = earlier.some(
      ({ left, outcome }) =>
        left && (typeof outcome === 'string' ? outcome !== 'not_sent' : outcome >= 500),
    );
    checkAllowed(process, one);
    if (blind && one.intent.kind === 'place_order') world.violate('order_resent', one.decisionKey);
  }

  /** What was told to keep still keeps still, and nothing new is opened while the view is bad. */
  function checkAllowed(process: number, one: KnownIntent): void {
    const { entries, opaque } = effectOf(one.intent);
    // The strategies here have no resting exits, so that each new price is an entry's.
    const opens = entries.length > 0 || opaque;
    const breach = forbidden(person.level, { opens });
    if (opens) ages.leaves(process, one);
    if (breach !== undefined) world.violate(breach, `${person.level}: ${one.decisionKey}`);
    if (opens && one.attempts.length <= 1 && view.isGated) {
      world.violate('entry_while_gated', `${one.decisionKey} was sent`);
    }
  }

  function sendingText(process: number, text: string): void {
    world.note('text', text.length);
    const message = JSON.parse(text) as { op?: string; idempotency_key?: string };
    if (message.op !== 'command') return;
    sends++;
    spending.sentText(process);
    const key = message.idempotency_key;
    const one = key === undefined ? undefined : known.get(key);
    if (one === undefined || one.sendings === 0 || one.state !== 'sending') {
      return world.violate('send_not_recorded', `command ${text.slice(0, 80)}`);
    }
    checkAllowed(process, one);
  }

  function concluded(process: number, attempt: Attempt, exchange: Exchange): void {
    const status = exchange.kind === 'answered' ? exchange.response.status : undefined;
    exitWaits.answered();
    spending.answered(process, exchange, world.queue.now() - attempt.sentAt);
    attempt.outcome = status ?? (exchange.kind === 'not_sent' ? 'not_sent' : 'silent');
    world.note('heard', attempt.key ?? '', attempt.outcome);
  }

  return {
    appending,
    durable,
    crashed,
    attach,
    foreignSpent: spending.foreignSpent,
    sending,
    sendingText,
    served,
    concluded,
    opened(process) {
      ages.opened(process);
      view.reset(true);
    },
    lost(process) {
      ages.lost(process);
      view.reset(false);
    },
    emitted: (_process, frame) => view.emitted(frame),
    delivered: (_process, frame) => {
      world.note('frame', frame.channel, frame.event, frame.seq);
      view.delivered(frame);
    },
    heard(text) {
      if (text.includes(SECRET)) world.violate('secret_told', text.slice(0, 60));
    },
    facts: {
      get states() {
        return new Map([...known].map(([key, { state }]) => [key, state!]));
      },
      get sends() {
        return sends;
      },
      get resends() {
        return resends;
      },
      exitWaits: exitWaits.waits,
      lanes: lanes.figures,
      findings: lanes.findings,
      get own429s() {
        return spending.own429s;
      },
      triedMs(key) {
        const one = known.get(key);
        return one === undefined ? 0 : one.lastStepAt - (one.firstSentAt ?? one.lastStepAt);
      },
      wasBarred(key) {
        const one = known.get(key);
        if (one === undefined) return false;
        const end = Math.min(one.intent.not_after ?? Number.POSITIVE_INFINITY, goodUntil(one));
        return one.wasKilled || one.lastStepAt > end - CLOCK_DOUBT_MS - aheadMs;
      },
      get decisions() {
        return known.size;
      },
    },
  };
}
