import type {
  IntentPage,
  IntentState,
  JournalReader,
  KnownIntent,
  Latch,
} from '../../journal/index.ts';
import { UTC, type TimeZone } from '../timeZone.ts';
import { readJson } from './readJson.ts';
import { wholeSince } from './wholeSince.ts';

/** What a bot did on one day of wall time, from its journal. Keys are as they appear in JSON. */
export interface DayReport {
  /** `2026-11-23`. */
  day: string;
  /** The zone whose day it is, unless that is UTC. */
  time_zone?: string;
  /** Of the day before this wall time, epoch milliseconds, finished intents may have left the journal; absent if it is whole. */
  incomplete_before?: number;
  /** Intents that were decided on that day, by their last state. */
  intents: Readonly<Partial<Record<IntentState, number>>>;
  strategies: readonly StrategyDay[];
  /** Of these, what was sent and has no answer yet: their keys. */
  unanswered: readonly string[];
  /** Kill levels, pauses, quarantines and commands, oldest first. */
  latches: ReadonlyArray<Latch & { name: string }>;
}

export interface StrategyDay {
  strategy: string;
  intents: Readonly<Partial<Record<IntentState, number>>>;
  /** Accepted intents by kind. */
  kinds: Readonly<Record<string, number>>;
  /** Refusals by guard or by the service's code. */
  refused: Readonly<Record<string, number>>;
}

/** So few that a bot in the same thread is held up for some milliseconds at most. */
const PAGE = 100;
const UNANSWERED: readonly IntentState[] = ['sending', 'unknown', 'unresolved'];
const REFUSED: readonly IntentState[] = ['denied', 'rejected'];

/** The UTC day that holds a time, epoch milliseconds. */
export const { dayOf } = UTC;

/** Whether a text is a day as {@link readDay} takes it. */
export const isDay = (text: string): boolean =>
  /^\d{4}-\d{2}-\d{2}$/.test(text) &&
  !Number.isNaN(Date.parse(text)) &&
  dayOf(Date.parse(text)) === text;

/**
 * @param day `2026-11-23`
 * @param rest awaited after each page of intents, by a process that has more to do than this
 */
export async function readDay(
  reader: JournalReader,
  day: string,
  rest: () => Promise<void> = async () => {},
  zone: TimeZone = UTC,
): Promise<DayReport> {
  const { from, until } = zone.rangeOf(day);
  const isOf = (time: number): boolean => time >= from && time < until;
  const all: Counts = {};
  const strategies = new Map<string, { [K in keyof Omit<StrategyDay, 'strategy'>]: Counts }>();
  const unanswered: string[] = [];
  for await (const known of intentsOf(reader, { since: from, until }, rest)) {
    const { instance, state, kind, key } = known;
    const own = strategies.get(instance) ?? { intents: {}, kinds: {}, refused: {} };
    strategies.set(instance, own);
    add(all, state);
    add(own.intents, state);
    if (state === 'accepted') add(own.kinds, kind);
    if (UNANSWERED.includes(state)) unanswered.push(key);
    if (REFUSED.includes(state)) add(own.refused, await reasonOf(reader, key));
  }
  const whole = await wholeSince(reader);
  const latches = (await reader.latchChanges()).filter(({ time }) => isOf(time));
  return {
    day,
    ...(zone.name === 'UTC' ? {} : { time_zone: zone.name }),
    ...(whole === undefined || whole.wall <= from
      ? {}
      : { incomplete_before: Math.min(whole.wall, until) }),
    intents: all,
    strategies: [...strategies]
      .map(([strategy, figures]) => ({ strategy, ...figures }))
      .toSorted((one, other) => (one.strategy < other.strategy ? -1 : 1)),
    unanswered,
    latches,
  };
}

type Counts = Record<string, number>;

function add(counts: Counts, name: string): void {
  counts[name] = (counts[name] ?? 0) + 1;
}

/** Page by page: a busy day has more intents than one page. */
async function* intentsOf(
  reader: JournalReader,
  time: { since: number; until: number },
  rest: () => Promise<void>,
): AsyncIterable<KnownIntent> {
  let cursor: string | null = null;
  do {
    const page: IntentPage = await reader.find({
      ...time,
      limit: PAGE,
      ...(cursor === null ? {} : { cursor }),
    });
    yield* page.items;
    cursor = page.next;
    await rest();
  } while (cursor !== null);
}

/** The guard, or the service's code. */
async function reasonOf(reader: JournalReader, key: string): Promise<string> {
  const last = (await reader.life(key))?.entries.at(-1);
  const { guard, code, fault } = last === undefined ? {} : readJson(last.data);
  const nested = (fault as { code?: unknown } | undefined)?.code;
  const named = [guard, code, nested].find((value) => typeof value === 'string');
  return (named as string | undefined) ?? last?.state ?? 'unknown';
}
