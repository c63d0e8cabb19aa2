import {
  fillPath,
  type Dialect,
  type Exchange,
  type StreamFrame,
} from '../../src/contract/index.ts';
import { effectOf } from '../../src/intents/effectOf.ts';
import type { Intent } from '../../src/intents/index.ts';
import type {
  IntentRow,
  IntentState,
  JournalAppend,
  JournalEntry,
} from '../../src/journal/index.ts';
import type { RawResponse } from '../../src/paper/index.ts';
import type { TransportRequest } from '../../src/wire/createTransport.ts';
import { SECRET, type SimService } from './createSimService.ts';
import { createView } from './createView.ts';
import type { SimWorld } from './SimWorld.ts';
import { weightOf } from './weightOf.ts';

/** One attempt to send, as the network saw it. */
export interface Attempt {
  key: string | null;
  /** Whether a byte of it left. */
  left: boolean;
  outcome: 'pending' | 'silent' | 'not_sent' | number;
}

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
  readonly decisions: number;
  /** Milliseconds that each exit waited for its first attempt, beyond what a 429 asked for. */
  readonly exitWaits: readonly number[];
  /** True milliseconds from an intent's first attempt to its last step. */
  triedMs(key: string): number;
}

interface Known {
  decisionKey: string;
  intent: Intent;
  /** The last state that the bot asked to be written. */
  state: IntentState | undefined;
  /** The last state that a crash leaves. */
  durable: IntentState | undefined;
  sendings: number;
  body: string;
  target: string;
  attempts: Attempt[];
  /** When the guards passed it; NaN once it was sent. */
  approvedAt: number;
  firstSentAt: number | undefined;
  lastStepAt: number;
}

/** The life of an intent, written down a second time. */
const LEGAL: Readonly<Record<string, readonly IntentState[]>> = {
  '': ['emitted'],
  emitted: ['denied', 'guarded'],
  guarded: ['deferred', 'sending', 'expired'],
  deferred: ['deferred', 'sending', 'expired'],
  sending: ['sending', 'deferred', 'accepted', 'rejected', 'unknown', 'expired'],
  unknown: ['unknown', 'sending', 'accepted', 'rejected', 'absent', 'unresolved'],
  unresolved: ['unknown', 'accepted', 'rejected', 'absent'],
};
const NOT_MADE: ReadonlySet<IntentState> = new Set(['denied', 'rejected', 'absent', 'expired']);
const WAITING: ReadonlySet<IntentState> = new Set([
  'guarded',
  'deferred',
  'sending',
  'unknown',
  'unresolved',
]);
const MAKES: ReadonlySet<Intent['kind']> = new Set(['place_order', 'launch']);
/** Rounding, and a mark that is a bar older than the guard's. */
const TOLERANCE = 1.02;
/** What an exit may wait, beyond what a 429 asks for. */
const EXIT_WAIT_MS = 1_000;
/** Requests without an answer yet, from which on no more can be asked of a bot. */
const CROWD = 8;
/** Share of the budget from which on it counts as spent. */
const SPENT = 0.6;

export function createSimJudge(world: SimWorld, dialect: Dialect): SimJudge {
  const { bot } = world.scenario;
  const known = new Map<string, Known>();
  const decisions = new Map<string, string>();
  const view = createView();
  const exitWaits: number[] = [];
  const spent: Array<{ process: number; time: number; weight: number }> = [];
  let service: SimService | null = null;
  let hold = { process: -1, until: 0, told: 0 };
  let sends = 0;
  let foreignUntil = 0;
  const budgetOf = dialect.budget.standard;
  let pending = 0;
  let crowdedAt = 0;

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

  function noteWait(one: Known): void {
    const since = Math.max(one.approvedAt, hold.until);
    one.approvedAt = Number.NaN;
    if (Number.isNaN(since) || !effectOf(one.intent).isExit) return;
    const waitMs = Math.max(0, world.queue.now() - since);
    exitWaits.push(waitMs);
    // Others may spend all that the key has, nothing may come back, or all may be spent on exits.
    const othersSpend = world.queue.now() <= foreignUntil;
    const isSpent = spentSince(world.queue.now() - dialect.budget.windowMs) > SPENT * budgetOf;
    const excused = othersSpend || isSpent || crowdedAt >= since;
    if (waitMs <= EXIT_WAIT_MS || excused) return;
    world.violate('exit_waits', `${one.decisionKey}: ${waitMs} ms`);
  }

  function know({ key, decisionKey, generation, intent }: IntentRow): Known {
    decisions.set(`${decisionKey}/${generation}`, key);
    const one: Known = {
      decisionKey,
      intent: (JSON.parse(intent) as { intent: Intent }).intent,
      state: undefined,
      durable: undefined,
      sendings: 0,
      body: '',
      target: '',
      attempts: [],
      approvedAt: Number.NaN,
      firstSentAt: undefined,
      lastStepAt: world.queue.now(),
    };
    known.set(key, one);
    return one;
  }

  /** What was asked for and is not durable is gone with the process, unless it was on its way. */
  function crashed(): void {
    pending = 0;
    crowdedAt = world.queue.now();
    for (const [key, one] of known) {
      one.state = one.durable;
      one.approvedAt = Number.NaN;
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
    world.note('journal', one.decisionKey, state);
    if (data.includes(SECRET)) world.violate('secret_told', `journal, ${state}`);
    if (state === 'guarded') {
      one.approvedAt = world.queue.now();
      checkExposure(one);
    }
    if (state === 'sending') noteWait(one);
  }

  function durable({ intent, entries }: JournalAppend, isLate: boolean): void {
    if (intent !== undefined && !known.has(intent.key)) know(intent);
    for (const { key, state, data } of entries) {
      const one = known.get(key);
      if (one === undefined) continue;
      one.durable = state;
      if (isLate) one.state = state;
      if (state === 'sending') one.firstSentAt ??= world.queue.now();
      one.lastStepAt = world.queue.now();
      if (state === 'sending') noteSending(one, data);
      if (MAKES.has(one.intent.kind)) checkEnd(one, { key, state, data });
    }
  }

  function noteSending(one: Known, data: string): void {
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
  function checkEnd(one: Known, entry: Pick<JournalEntry, 'key' | 'state' | 'data'>): void {
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
    if (status === 429 && world.queue.now() > foreignUntil) checkOwnSpending();
  }

  function spentSince(since: number, isMeant: (process: number) => boolean = () => true): number {
    const meant = spent.filter(({ time, process }) => time > since && isMeant(process));
    return meant.reduce((sum, { weight }) => sum + weight, 0);
  }

  /** A 429 that nobody else's spending explains is our own fault; an earlier process was somebody. */
  function checkOwnSpending(): void {
    const since = world.queue.now() - dialect.budget.windowMs;
    const latest = spent.at(-1)?.process;
    const own = spentSince(since, (process) => process === latest);
    if (own > dialect.budget.standard) world.violate('own_429', `${own} in a minute`);
  }

  // ── What leaves ──────────────────────────────────────────────────────────────────────────────

  function sending(process: number, message: TransportRequest): Attempt {
    sends++;
    if (++pending >= CROWD) crowdedAt = Infinity;
    const key = message.headers['Idempotency-Key'] ?? null;
    const attempt: Attempt = { key, left: false, outcome: 'pending' };
    world.note('send', message.method, message.path, key ?? '');
    checkHold(process, message.path);
    spend(process, message);
    if (key !== null) checkRecorded(message, key, attempt);
    else if (message.method !== 'GET') world.violate('send_without_key', message.path);
    return attempt;
  }

  function checkRecorded(message: TransportRequest, key: string, attempt: Attempt): void {
    const one = known.get(key);
    if (one === undefined || one.sendings === 0) {
      return world.violate('send_not_recorded', `${message.method} ${message.path} ${key}`);
    }
    const earlier = one.attempts;
    one.attempts = [...earlier, attempt];
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
    if (blind && one.intent.kind === 'place_order') world.violate('order_resent', one.decisionKey);
  }

  function checkHold(process: number, path: string): void {
    const left = hold.until - world.queue.now();
    // What happens in the same instant may come before it is heard.
    if (hold.process === process && left > 1 && world.queue.now() > hold.told) {
      world.violate('sent_in_retry_after', `${path}, ${left} ms too early`);
    }
  }

  function spend(process: number, { method, path }: TransportRequest): void {
    const weight = weightOf(dialect, method, path.split('?')[0]!);
    const time = world.queue.now();
    spent.push({ process, time, weight });
    const since = time - dialect.budget.windowMs;
    while (spent[0]!.time <= since) spent.shift();
    const own = spent.filter((one) => one.process === process);
    const used = own.reduce((sum, one) => sum + one.weight, 0);
    if (used > dialect.budget.standard) {
      world.violate('overspent', `${used} of ${dialect.budget.standard} within the window`);
    }
  }

  function sendingText(process: number, text: string): void {
    world.note('text', text.length);
    const message = JSON.parse(text) as { op?: string; idempotency_key?: string };
    if (message.op !== 'command') return;
    sends++;
    checkHold(process, 'command');
    const key = message.idempotency_key;
    const one = key === undefined ? undefined : known.get(key);
    if (one === undefined || one.sendings === 0 || one.state !== 'sending') {
      world.violate('send_not_recorded', `command ${text.slice(0, 80)}`);
    }
  }

  function concluded(process: number, attempt: Attempt, exchange: Exchange): void {
    const status = exchange.kind === 'answered' ? exchange.response.status : undefined;
    if (--pending < CROWD && crowdedAt === Infinity) crowdedAt = world.queue.now();
    attempt.outcome = status ?? (exchange.kind === 'not_sent' ? 'not_sent' : 'silent');
    world.note('heard', attempt.key ?? '', attempt.outcome);
    if (exchange.kind !== 'answered' || exchange.response.status !== 429) return;
    const { body, headers } = exchange.response;
    const details = (body as { error?: { details?: Record<string, unknown> } }).error?.details;
    const seconds = Number(details?.['retry_after_seconds'] ?? headers['retry-after']);
    const until = world.queue.now() + seconds * 1_000;
    const known = hold.process === process ? hold.until : 0;
    hold = { process, until: Math.max(known, until), told: world.queue.now() };
  }

  // ── Exposure ─────────────────────────────────────────────────────────────────────────────────

  /** Position, what rests and works, and all that may still come, at the moment of a yes. */
  function checkExposure({ intent, decisionKey }: Known): void {
    if (service === null || !MAKES.has(intent.kind)) return;
    const [entry] = effectOf(intent).entries;
    if (entry === undefined) return;
    if (view.isGated) {
      world.violate('entry_while_gated', `${decisionKey}: ${[...view.degraded].join(' ')}`);
    }
    // A bot that has not been told all can't know; it is judged by what it was told.
    if (!view.isComplete) return;
    const { symbol, side } = entry;
    const size = worstSize(symbol, side);
    const mark = service.core.engine.market.quote(symbol).mark;
    const value = size * mark;
    if (value > bot.maxPositionNotional * TOLERANCE) {
      world.violate('exposure', `${decisionKey}: ${symbol} ${value.toFixed(0)}`);
    }
  }

  function worstSize(symbol: string, side: string): number {
    const { truth } = service!;
    const sign = side === 'buy' ? 1 : -1;
    let size = sign * (truth.positions.get(symbol) ?? 0);
    const counts = (record: { symbol: string; side: string; reduce_only: boolean }): boolean =>
      record.symbol === symbol && record.side === side && !record.reduce_only;
    for (const order of truth.orders.values()) {
      const isOpen = order.status === 'open' || order.status === 'partially_filled';
      if (isOpen && order.execution_id == null && counts(order)) {
        size += order.size - order.filled_size;
      }
    }
    for (const execution of truth.executions.values()) {
      const lives = execution.status !== 'completed' && execution.status !== 'stopped';
      if (lives && counts(execution)) size += execution.remaining_size;
    }
    for (const [key, { intent, state }] of known) {
      if (state === undefined || !WAITING.has(state) || made(key) || !MAKES.has(intent.kind))
        continue;
      for (const one of effectOf(intent).entries) {
        if (one.symbol === symbol && one.side === side) size += one.size;
      }
    }
    return size;
  }

  return {
    appending,
    durable,
    crashed,
    attach,
    foreignSpent() {
      foreignUntil = world.queue.now() + 2 * dialect.budget.windowMs;
    },
    sending,
    sendingText,
    served,
    concluded,
    opened: () => view.reset(true),
    lost: () => view.reset(false),
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
      exitWaits,
      triedMs(key) {
        const one = known.get(key);
        return one === undefined ? 0 : one.lastStepAt - (one.firstSentAt ?? one.lastStepAt);
      },
      get decisions() {
        return known.size;
      },
    },
  };
}
