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
import type { Bot } from '../../src/runtime/createBot.ts';
import { rankOf, type KillLevel } from '../../src/runtime/control/killLevels.ts';
import type { TransportRequest } from '../../src/wire/createTransport.ts';
import { forbidden, type Person } from './createPerson.ts';
import { createBooksCheck, type Journey } from './createBooksCheck.ts';
import { createCoverCheck } from './createCoverCheck.ts';
import { createAgeCheck, goodUntil } from './createAgeCheck.ts';
import { createExitWaits } from './createExitWaits.ts';
import { createFaultLog } from './createFaultLog.ts';
import { createExposureCheck } from './createExposureCheck.ts';
import { createLeaseCheck } from './createLeaseCheck.ts';
import { createLaneMeter, type LaneFigures } from './createLaneMeter.ts';
import { SECRET, type SimService } from './createSimService.ts';
import { createStopCheck, type StopCheck } from './createStopCheck.ts';
import { createSpendingCheck } from './createSpendingCheck.ts';
import { createView } from './createView.ts';
import { LEGAL, MAKES, NOT_MADE, type Attempt, type KnownIntent } from './KnownIntent.ts';
import { readAfterMsOf, skewsOf } from './Scenario.ts';
import type { SimProcess } from './SimProcess.ts';
import type { Simulation } from './Simulation.ts';

/**
 * Watches every port and reports violations, from the service's true state and the durable journal; it
 * never queries the bot.
 */
export interface InvariantChecker {
  /** An append was requested. */
  appending(append: JournalAppend, process: number): void;
  /** An append is durable; late: after its process died. */
  durable(append: JournalAppend, process: SimProcess): void;
  /** A database has refused a write for lack of room. */
  lacksRoom(): void;
  /** The process died. */
  crashed(process: number): void;
  /** The process has the lease of the account, and no other one may write. */
  leased(process: number): void;
  /** The process has learned that it lost the lease. */
  noticed(process: number): void;
  /** The process runs again after a suspension. */
  resumed(clock: 'jumps' | 'stops'): void;
  /** A request is about to be sent; its machine may have been suspended since it was signed. */
  sending(process: number, message: TransportRequest, signedAt: number): Attempt;
  sendingText(process: number, text: string, askedAt: number): void;
  /** The service has executed or refused it. */
  served(message: TransportRequest, response: RawResponse): void;
  /** The bot receives the outcome of an attempt. */
  concluded(process: number, attempt: Attempt, exchange: Exchange): void;
  opened(process: number): void;
  lost(process: number): void;
  /** A frame is sent; the result is whether it was lost or out of order. */
  emitted(process: number, frame: StreamFrame): () => void;
  delivered(process: number, frame: StreamFrame): void;
  /** A frame is sent; however late it comes, its end is told. */
  underWay(process: number, frame: StreamFrame): Journey;
  /** The service has done everything that it does at this instant. */
  stepped(): void;
  /** The bot has taken whatever came: checks what it believes of its protection. */
  taken(process: number, bot: Bot): void;
  /** Checks the bot's books, if this is a quiet point. */
  look(process: number, bot: Bot): void;
  /** Checks them after everything. */
  settled(process: number, bot: Bot): void;
  /** Everything that the bot reports. */
  received(text: string): void;
  /** An operator stops the bot. */
  stops: StopCheck['stops'];
  /** Another client spends the key's budget now. */
  foreignSpent(): void;
  /** The service, once created. */
  attach(service: SimService): void;
  readonly facts: CheckerOptions;
}

export interface CheckerOptions {
  readonly states: ReadonlyMap<string, IntentState>;
  readonly sends: number;
  /** Sends under a key that was sent before. */
  readonly resends: number;
  readonly decisions: number;
  /** How often the lease went from one process to another. */
  readonly takeovers: number;
  /** A fault, a state that an intent reached under it, and its kind. */
  readonly covered: ReadonlySet<string>;
  /** Milliseconds that each exit waited for its first attempt, beyond what a 429 asked for. */
  readonly exitWaits: readonly number[];
  readonly lanes: ReadonlyMap<string, LaneFigures>;
  /** How often the bot's books were checked. */
  readonly booksChecked: number;
  /** How often a position was checked that the bot believes protected. */
  readonly coverChecked: number;
  /** How often the effect of an orderly stop was compared. */
  readonly stopsChecked: number;
  /** Milliseconds until an unanswered intent was resolved. */
  readonly findings: readonly number[];
  /** 429s of the service itself not explained by another client's spending. */
  readonly own429s: number;
  /** True milliseconds from an intent's first attempt to its last step. */
  triedMs(key: string): number;
  /**
   * At its last step it could no longer add exposure: a kill level was in force, or it had expired or
   * was too old.
   */
  wasBarred(key: string): boolean;
  /** At its last step the kill level that asked for it had been released, so that it may be repeated no more. */
  wasLifted(key: string): boolean;
}

/**
 * The bot reads the service's clock from answers' dates in whole seconds; before a new process's first
 * answer it has only its own.
 */
const CLOCK_DOUBT_MS = 2_000;

/** Waits for the budget, as the answer or a later 429 required. */
function isRateLimit(data: string): boolean {
  return data === '{"reason":"rate_limited"}' || data === '{"reason":"retry_after"}';
}

/** The kill level or the stop that asked for an intent of the operator's; undefined for a strategy's. */
function askerOf(decisionKey: string): KillLevel | 'stop' | undefined {
  const [, what, level] = /^[^/]+\/operator\/(?:(stop)|kill:(L[1-4])):/.exec(decisionKey) ?? [];
  return what === 'stop' ? what : (level as KillLevel | undefined);
}

/** What the runtime closes positions and sells holdings by. */
const CLOSES: ReadonlySet<Intent['kind']> = new Set(['close_position', 'place_order']);

export function createInvariantChecker(
  sim: Simulation,
  dialect: Dialect,
  person: Pick<Person, 'level' | 'wanted'>,
): InvariantChecker {
  const known = new Map<string, KnownIntent>();
  /** Keys of what was left of a request, by which its intent is found: a key names one body. */
  const remainders = new Map<string, string>();
  const bodies = new Map<string, string>();
  const sentAs = (key: string): KnownIntent | undefined => known.get(remainders.get(key) ?? key);
  const aheadMs = Math.max(0, ...skewsOf(sim.scenario));
  const decisions = new Map<string, string>();
  const readAfterMs = readAfterMsOf(sim.scenario);
  const view = createView(() => sim.queue.now(), readAfterMs);
  /** How often each process was connected. */
  const connections = new Map<number, number>();
  const spending = createSpendingCheck(sim, dialect);
  const exitWaits = createExitWaits(sim, dialect, spending);
  const lanes = createLaneMeter(sim, dialect, { spending, service: () => service });
  const ages = createAgeCheck(sim);
  const faultLog = createFaultLog(sim);
  const books = createBooksCheck(sim, () => service);
  const cover = createCoverCheck(sim, () => service);
  const stops = createStopCheck(sim, () => service);
  const exposure = createExposureCheck(sim, view, () => service);
  const lease = createLeaseCheck(sim);
  let service: SimService | null = null;
  let sends = 0;
  let resends = 0;

  const made = (key: string): boolean => (service?.truth.made.get(key)?.size ?? 0) > 0;

  // ── The journal ──────────────────────────────────────────────────────────────────────────────

  function appending({ intent, entries }: JournalAppend, process: number): void {
    // What is not the holder's is never durable, and nobody learns of it.
    if (lease.isFormer(process)) return;
    if (intent !== undefined) {
      const name = `${intent.decisionKey}/${intent.generation}`;
      if (known.has(intent.key) || decisions.has(name)) {
        sim.violate('decided_twice', `${name} as ${intent.key}`);
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
      lastStepAt: sim.queue.now(),
      wasKilled: false,
      wasLifted: false,
    };
    known.set(key, one);
    return one;
  }

  /** Appends that are not durable are lost with the process, unless already being written. */
  function crashed(process: number): void {
    if (!lease.isFormer(process)) forgetUnwritten();
  }

  function forgetUnwritten(): void {
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
    if (one === undefined) return sim.violate('unknown_key', `${state} of ${key}`);
    if (LEGAL[one.state ?? '']?.includes(state) !== true) {
      sim.violate('illegal_transition', `${one.decisionKey}: ${one.state ?? 'none'} → ${state}`);
    }
    one.state = state;
    exposure.follow(one);
    faultLog.reached(state, one.intent.kind);
    sim.note('journal', one.decisionKey, state, data);
    if (data.includes(SECRET)) sim.violate('secret_told', `journal, ${state}`);
    lanes.follow(entry);
    // Under load the limit can't be reached, and summing thousands of intents is slow.
    if (state === 'guarded' && sim.scenario.load === undefined) exposure.check(one);
    if (effectOf(one.intent).isExit) noteWait(one, data);
  }

  function noteWait({ key, decisionKey, state }: KnownIntent, data: string): void {
    const isPutOff = state === 'deferred' || state === 'unknown';
    if (state === 'guarded' || (isPutOff && isRateLimit(data))) exitWaits.ready(key);
    else if (state === 'sending') exitWaits.sent(key, decisionKey);
  }

  function durable({ intent, entries }: JournalAppend, process: SimProcess): void {
    if (intent !== undefined && !known.has(intent.key)) know(intent);
    for (const { key, state, data } of entries) {
      const one = known.get(key);
      if (one === undefined) continue;
      one.durable = state;
      if (!process.alive) {
        one.state = state;
        exposure.follow(one);
      }
      if (state === 'sending') one.firstSentAt ??= sim.queue.now();
      one.lastStepAt = sim.queue.now();
      one.wasKilled = person.level !== 'L0';
      one.wasLifted = isLifted(process.index, one);
      if (state === 'sending') noteSending(one, data);
      if (MAKES.has(one.intent.kind)) checkEnd(one, { key, state, data });
    }
  }

  function noteSending(one: KnownIntent, data: string): void {
    const {
      endpoint,
      pathParams,
      query,
      body,
      idempotencyKey: remainder,
    } = JSON.parse(data) as {
      endpoint: keyof Dialect['endpoints'];
      pathParams: Record<string, string>;
      query: Record<string, string>;
      body: string;
      idempotencyKey?: string;
    };
    if (remainder !== undefined) remainders.set(remainder, one.key);
    const spec = dialect.endpoints[endpoint];
    const text = new URLSearchParams(query).toString();
    one.target = `${spec.method} /v1${fillPath(spec.path, pathParams)}${text === '' ? '' : `?${text}`}`;
    one.body = body;
    one.sendings++;
  }

  /** No response is never a rejection, and an outcome is never guessed. */
  function checkEnd(one: KnownIntent, entry: Pick<JournalEntry, 'key' | 'state' | 'data'>): void {
    const { key, state, data } = entry;
    if (NOT_MADE.has(state) && made(key)) {
      sim.violate(`${state}_but_executed`, one.decisionKey);
    }
    if (state !== 'accepted') return;
    const { record } = JSON.parse(data) as { record?: Record<string, unknown> };
    const id = record?.['order_id'] ?? record?.['execution_id'];
    if (!made(key)) sim.violate('accepted_but_absent', one.decisionKey);
    else if (!service!.truth.made.get(key)!.has(String(id))) {
      sim.violate('other_record', `${one.decisionKey} was told ${String(id)}`);
    }
  }

  // ── The service ──────────────────────────────────────────────────────────────────────────────

  function attach(given: SimService): void {
    service = given;
    given.onRecord((key, id) => {
      const one = sentAs(key);
      sim.note('made', one?.decisionKey ?? key, id);
      if (one === undefined) return sim.violate('unknown_record', `${id} under ${key}`);
      const isTwice = (other: KnownIntent): boolean => other.key !== one.key && made(other.key);
      if (MAKES.has(one.intent.kind) && generationsOf(one).some(isTwice))
        sim.violate('executed_under_two_keys', one.decisionKey);
      const all = given.truth.made.get(key)!;
      if (MAKES.has(one.intent.kind) && all.size > 1) {
        sim.violate('executed_twice', `${one.decisionKey}: ${[...all].join(', ')}`);
      }
      if (MAKES.has(one.intent.kind) && one.state !== undefined && NOT_MADE.has(one.state)) {
        sim.violate(`${one.state}_but_executed`, one.decisionKey);
      }
    });
  }

  function served({ method, path }: TransportRequest, { status }: RawResponse): void {
    sim.note('served', method, path, status);
    if (status === 429) spending.refused();
  }

  // ── Sending ──────────────────────────────────────────────────────────────────────────────────

  function sending(process: number, message: TransportRequest, signedAt: number): Attempt {
    sends++;
    stops.sending(process);
    lease.sending(process, message.method, signedAt);
    if (!lease.isFormer(process)) exitWaits.left();
    const key = message.headers['Idempotency-Key'] ?? null;
    const sentAt = sim.queue.now();
    const attempt: Attempt = { key, left: false, outcome: 'pending', sentAt };
    sim.note('send', message.method, message.path, key ?? '', message.body);
    spending.sent(process, message);
    checkOthers(message);
    if (key !== null) checkRecorded({ process, message, key, attempt, signedAt });
    else if (message.method !== 'GET') sim.violate('send_without_key', message.path);
    return attempt;
  }

  /** What an alert made is another's: no request of the bot's names it. */
  function checkOthers({ method, path, body }: TransportRequest): void {
    if (method === 'GET' || service === null) return;
    const named = [...path.split('/'), ...body.split('"')];
    if (named.some((name) => service!.alerted.has(name)))
      sim.violate('others_changed', `${method} ${path}`);
  }

  function checkRecorded({
    process,
    message,
    key,
    attempt,
    signedAt,
  }: {
    process: number;
    message: TransportRequest;
    key: string;
    attempt: Attempt;
    signedAt: number;
  }): void {
    const one = sentAs(key);
    if (one !== undefined) lease.sends(process, one, generationsOf(one));
    const bytes = `${message.path} ${message.body}`;
    if ((bodies.get(key) ?? bytes) !== bytes) sim.violate('key_of_two_bodies', `${key}: ${bytes}`);
    bodies.set(key, bytes);
    if (one === undefined || one.sendings === 0) {
      return sim.violate('send_not_recorded', `${message.method} ${message.path} ${key}`);
    }
    const earlier = one.attempts;
    one.attempts = [...earlier, attempt];
    if (earlier.length > 0) resends++;
    if (one.sendings < one.attempts.length) {
      sim.violate('send_not_recorded', `attempt ${one.attempts.length} of ${one.decisionKey}`);
    }
    if (one.state !== 'sending' && !lease.isFormer(process)) {
      sim.violate('send_out_of_state', `${one.decisionKey} is ${one.state}`);
    }
    const target = `${message.method} ${message.path}`;
    if (one.body !== message.body || one.target !== target) {
      sim.violate('other_bytes', `${one.decisionKey}: ${target} ${message.body}`);
    }
    const blind = earlier.some(
      ({ left, outcome }) =>
        left && (typeof outcome === 'string' ? outcome !== 'not_sent' : outcome >= 500),
    );
    if (isUnderWay(process, signedAt)) return;
    checkAllowed(process, one);
    if (blind && one.intent.kind === 'place_order') sim.violate('order_resent', one.decisionKey);
  }

  /** Paused executions stay paused, and no exposure is added while the account view is incomplete. */
  function checkAllowed(process: number, one: KnownIntent): void {
    const { entries, opaque } = effectOf(one.intent);
    // The strategies here have no resting exits, so each amendment is an entry's.
    const opens = entries.length > 0 || opaque;
    const breach = forbidden(person.level, { opens });
    if (opens) ages.leaves(process, one);
    if (breach !== undefined) sim.violate(breach, `${person.level}: ${one.decisionKey}`);
    checkAsker(process, one);
    if (opens && one.attempts.length <= 1 && view.isGated) {
      sim.violate('entry_while_gated', `${one.decisionKey} was sent`);
    }
  }

  /** What closes by a symbol is sent only while the level or the stop that asked for it is in force. */
  function checkAsker(process: number, { decisionKey, intent }: KnownIntent): void {
    if (!CLOSES.has(intent.kind) || !isLifted(process, { decisionKey })) return;
    const what = askerOf(decisionKey) === 'stop' ? 'stop' : 'kill';
    sim.violate(`sent_after_the_${what}`, decisionKey);
  }

  /** What asked for it, a kill level or a stop, is not in force: a lower level asks for no closes. */
  function isLifted(process: number, { decisionKey }: Pick<KnownIntent, 'decisionKey'>): boolean {
    const what = askerOf(decisionKey);
    if (what === undefined) return false;
    return what === 'stop' ? !stops.isStopping(process) : rankOf(person.wanted) < rankOf(what);
  }

  /** What was decided under the same name, each with a key of its own. */
  function generationsOf({ decisionKey }: KnownIntent): KnownIntent[] {
    const keyOf = (generation: number) => decisions.get(`${decisionKey}/${generation}`);
    const all: KnownIntent[] = [];
    for (let key = keyOf(0); key !== undefined; key = keyOf(all.length)) all.push(known.get(key)!);
    return all;
  }

  function sendingText(process: number, text: string, askedAt: number): void {
    sim.note('text', text);
    const message = JSON.parse(text) as { op?: string; idempotency_key?: string };
    if (message.op !== 'command') return;
    sends++;
    stops.sending(process);
    lease.sending(process, 'command', askedAt);
    spending.sentText(process);
    const key = message.idempotency_key;
    const one = key === undefined ? undefined : sentAs(key);
    const isOut = one?.state !== 'sending' && !lease.isFormer(process);
    if (one === undefined || one.sendings === 0 || isOut) {
      return sim.violate('send_not_recorded', `command ${text.slice(0, 80)}`);
    }
    if (!isUnderWay(process, askedAt)) checkAllowed(process, one);
  }

  /** Signed before its machine was suspended or its lease lost, it leaves as one does that is late in the network. */
  const isUnderWay = (process: number, signedAt: number): boolean =>
    lease.isFormer(process) || signedAt < sim.queue.now();

  function concluded(process: number, attempt: Attempt, exchange: Exchange): void {
    const status = exchange.kind === 'answered' ? exchange.response.status : undefined;
    if (!lease.isFormer(process)) exitWaits.answered();
    spending.answered(process, exchange, sim.queue.now() - attempt.sentAt);
    attempt.outcome = status ?? (exchange.kind === 'not_sent' ? 'not_sent' : 'silent');
    sim.note('received', attempt.key ?? '', attempt.outcome);
  }

  return {
    appending,
    durable,
    lacksRoom: exitWaits.lacksRoom,
    crashed,
    leased(process) {
      lease.taken(process);
      forgetUnwritten();
      view.reset(false);
    },
    noticed: lease.noticed,
    resumed(clock) {
      exitWaits.resumed(clock);
      cover.resumed();
    },
    attach,
    foreignSpent: spending.foreignSpent,
    sending,
    sendingText,
    served,
    concluded,
    opened(process) {
      connections.set(process, (connections.get(process) ?? 0) + 1);
      ages.opened(process);
      books.opened(process);
      cover.opened(process);
      if (!lease.isFormer(process)) view.reset(true);
    },
    lost(process) {
      ages.lost(process);
      books.lost(process);
      cover.lost(process);
      if (!lease.isFormer(process)) view.reset(false);
    },
    underWay(process, frame) {
      // What a former holder is shown before the present one is nothing that the present one knows.
      const watched = lease.isFormer(process) ? [books] : [books, cover];
      const all = watched.map((check) => check.underWay(process, frame));
      return {
        arrived() {
          const on = connections.get(process);
          ages.arrived(process, frame.ts);
          const read = (): void => {
            if (connections.get(process) === on) all.forEach((one) => one.read());
          };
          all.forEach((one) => one.arrived());
          if (readAfterMs === 0) read();
          else sim.after(readAfterMs, read);
        },
        lost: () => all.forEach((one) => one.lost()),
        spoilt: () => all.forEach((one) => one.spoilt()),
      };
    },
    stops: stops.stops,
    stepped: cover.stepped,
    taken: cover.look,
    look: books.look,
    settled: books.hold,
    emitted: (process, frame) => (lease.isFormer(process) ? () => {} : view.emitted(frame)),
    delivered: (process, frame) => {
      sim.note('frame', frame.channel, frame.event, frame.seq);
      if (!lease.isFormer(process)) view.delivered(frame);
    },
    received(text) {
      if (text.includes(SECRET)) sim.violate('secret_told', text.slice(0, 60));
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
      covered: faultLog.seen,
      exitWaits: exitWaits.waits,
      get booksChecked() {
        return books.checked;
      },
      get stopsChecked() {
        return stops.checked;
      },
      get coverChecked() {
        return cover.checked;
      },
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
      wasLifted: (key) => known.get(key)?.wasLifted === true,
      get takeovers() {
        return lease.takeovers;
      },
      get decisions() {
        return known.size;
      },
    },
  };
}
