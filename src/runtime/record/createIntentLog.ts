import { OpenMap } from '../../env/index.ts';
import { symbolOf } from '../../intents/index.ts';
import type { Emission, StrategyFault } from '../../strategy/index.ts';
import type { PipeEvent } from '../PipeEvent.ts';
import type { DigestRow } from './createDigest.ts';
import { createRowLog } from './createRowLog.ts';
import type { Delay, OutcomeCounts, RecordedIntent, Refusal } from './RunRecord.ts';

/** States of an intent that hold until something better is known. */
const OPEN: readonly string[] = ['unknown', 'unresolved'];
/** States after which nothing more is reported of it. */
const ENDED: readonly string[] = ['denied', 'accepted', 'rejected', 'expired', 'absent'];

const isRefused = (state: string): boolean => state !== 'accepted' && ENDED.includes(state);

interface OpenIntent {
  recorded: RecordedIntent;
  /** Index in the list of all. */
  place: number;
}

/** What of an intent depends on the strategy and the market alone, and so must repeat. */
function identityOf(
  { decisionKey, marketTime, intent }: Emission,
  state: string,
  code: string,
): DigestRow {
  return [decisionKey, marketTime, intent, state, code];
}

/** What became of every intent: its last state, counts by instance, and why any was refused or had to wait. */
export interface IntentLog {
  follow(event: PipeEvent): void;
  /** A value that was no intent never reached the pipe, and counts as a refusal all the same. */
  followFault(fault: StrategyFault): void;
  /** By the market time of their decisions. */
  list(): RecordedIntent[];
  counts(instance: string): OutcomeCounts;
  refusals(): Refusal[];
  delays(): Delay[];
  readonly malformed: number;
  readonly rateLimited: number;
}

export interface IntentLogOptions {
  instances: readonly string[];
  /** False: figures only, and intents that are not over. */
  keepAll: boolean;
  /** Receives each final intent, reduced to what an equal run must repeat. */
  digest: { add(row: DigestRow): void };
  /** Market time, epoch milliseconds. */
  now: () => number;
}

export function createIntentLog({ instances, keepAll, digest, now }: IntentLogOptions): IntentLog {
  const rows = createIntentRows(keepAll);
  const counts = new Map(instances.map((name) => [name, emptyCounts()]));
  const causes = createCauses();
  let malformed = 0;

  return {
    follow(event) {
      const { emission, state, key, reason, fault } = event;
      if (state === 'duplicate') return;
      if (state === 'deferred') causes.delay(event.waitsFor ?? reason ?? state);
      const detail = fault?.code ?? event.guard;
      const why = reason ?? fault?.message;
      const example = why === undefined || detail === undefined ? why : `${detail}: ${why}`;
      const count = counts.get(emission.instance);
      if (count === undefined) {
        // An exit of the bot's own is no strategy's intent, and waits and fails at the same service.
        if (isRefused(state)) causes.refuse(detail ?? state, example ?? state);
        return;
      }
      let known = rows.open.get(key);
      if (known === undefined) {
        count.emitted++;
        known = rows.begin(key, toRecorded(event));
      }
      const { recorded } = known;
      recorded.outcome = state;
      if (example !== undefined) recorded.reason = example;
      if (!ENDED.includes(state)) return;
      if (state === 'accepted') delete recorded.reason;
      else causes.refuse(detail ?? state, recorded.reason ?? state);
      if (state in count) count[state as keyof OutcomeCounts]++;
      digest.add(identityOf(emission, state, detail ?? ''));
      rows.end(key, known);
    },
    followFault({ kind, instance, reason }) {
      const count = counts.get(instance);
      if (count === undefined || (kind !== 'malformed_intent' && kind !== 'outside_turn')) return;
      const cause = kind === 'outside_turn' ? 'outside_turn' : 'malformed';
      count.emitted++;
      count.denied++;
      if (cause === 'malformed') malformed++;
      causes.refuse(cause, reason);
      const row = { time: now(), instance, kind: cause, symbol: '', outcome: 'denied' };
      rows.addMalformed({ ...row, reason: `${cause}: ${reason}` });
    },
    list: () => rows.list().sort((a, b) => a.time - b.time),
    counts(instance) {
      const count = counts.get(instance) ?? emptyCounts();
      const own = rows.open.values().filter(({ recorded }) => recorded.instance === instance);
      const unknown = own.filter(({ recorded }) => OPEN.includes(recorded.outcome)).length;
      return { ...count, unknown };
    },
    refusals: causes.refusals,
    delays: causes.delays,
    get malformed() {
      return malformed;
    },
    get rateLimited() {
      return causes.rateLimited;
    },
  };
}

/** The intents themselves: those that are open as objects, the others by column. */
function createIntentRows(keepAll: boolean) {
  /** Those that are not over yet, by key. */
  const open = new OpenMap<OpenIntent>();
  const rows = createRowLog<RecordedIntent>({
    time: 'number',
    instance: 'word',
    kind: 'word',
    symbol: 'word',
    outcome: 'word',
    reason: 'word',
  });
  const malformed: RecordedIntent[] = [];

  function write({ recorded, place }: OpenIntent): void {
    rows.set(place, 'outcome', recorded.outcome);
    rows.set(place, 'reason', recorded.reason);
  }

  return {
    open: open as Pick<OpenMap<OpenIntent>, 'get' | 'values'>,
    begin(key: string, recorded: RecordedIntent): OpenIntent {
      const begun = { recorded, place: keepAll ? rows.add(recorded) : -1 };
      open.set(key, begun);
      return begun;
    },
    end(key: string, ended: OpenIntent): void {
      open.delete(key);
      if (keepAll) write(ended);
    },
    addMalformed(row: RecordedIntent): void {
      if (keepAll) malformed.push(row);
    },
    list(): RecordedIntent[] {
      if (!keepAll) return open.values().map(({ recorded }) => recorded);
      for (const one of open.values()) write(one);
      return [...rows.list(), ...malformed];
    },
  };
}

/** Why intents were refused, and what they waited for. */
function createCauses() {
  const refusals = new Map<string, Refusal>();
  const delays = new Map<string, number>();
  let rateLimited = 0;
  return {
    refuse(cause: string, example: string): void {
      const known = refusals.get(cause);
      refusals.set(cause, { cause, count: (known?.count ?? 0) + 1, example });
    },
    delay(cause: string): void {
      if (cause === 'rate_limited') rateLimited++;
      delays.set(cause, (delays.get(cause) ?? 0) + 1);
    },
    refusals: (): Refusal[] => [...refusals.values()].sort((a, b) => b.count - a.count),
    delays(): Delay[] {
      const all = [...delays].map(([cause, count]) => ({ cause, count }));
      return all.sort((a, b) => b.count - a.count);
    },
    get rateLimited() {
      return rateLimited;
    },
  };
}

function emptyCounts(): OutcomeCounts {
  return { emitted: 0, denied: 0, accepted: 0, rejected: 0, unknown: 0, expired: 0 };
}

function toRecorded({ emission, state }: PipeEvent): RecordedIntent {
  const { intent, instance, marketTime } = emission;
  return {
    time: marketTime,
    instance,
    kind: intent.kind,
    symbol: symbolOf(intent),
    outcome: state,
  };
}
