import type { ExecutionRecord, FillRecord } from '../../contract/index.ts';
import { createDrawdownTimer, type DrawdownTimes } from '../../statistics/index.ts';
import type { Emission, StrategyFault, StrategyNotice } from '../../strategy/index.ts';
import type { BotEvent } from '../BotEvent.ts';
import type { Bot } from '../Bot.ts';
import { createDigest } from './createDigest.ts';
import { createCurves, type TimedValue } from './createCurves.ts';
import { createRowLog } from './createRowLog.ts';
import type { PipeEvent } from '../PipeEvent.ts';
import type { LifeEvent } from '../RestartPolicy.ts';
import type { Liquidation } from '../wallet/index.ts';

/** What became of the intents of one instance. */
export interface OutcomeCounts {
  emitted: number;
  denied: number;
  accepted: number;
  rejected: number;
  /** Without an answer at the end. */
  unknown: number;
  expired: number;
}

export interface RecordedIntent {
  time: number;
  instance: string;
  kind: string;
  symbol: string;
  outcome: string;
  reason?: string;
}

/** One cause of refusal: a guard's name or the service's code. */
export interface Refusal {
  cause: string;
  count: number;
  /** The last one's message. */
  example: string;
}

/** One cause of waiting in the budget: what was short. */
export interface Delay {
  cause: string;
  /** Intents that waited for it at least once. */
  count: number;
}

/** The fields of a fill that a report needs; more would dominate the memory of a run of millions of bars. */
export type RecordedFill = Pick<
  FillRecord,
  | 'time'
  | 'symbol'
  | 'side'
  | 'price'
  | 'size'
  | 'fee'
  | 'liquidity'
  | 'reduce_only'
  | 'order_id'
  | 'execution_id'
  | 'closed_pnl'
> & { instance: string | undefined };

export interface RecordedExecution {
  instance: string | undefined;
  /** Its last known state. */
  execution: ExecutionRecord;
}

/** Everything that a report and the closing table need of a run, collected while it runs. */
export interface RunRecord {
  readonly intents: readonly RecordedIntent[];
  /** Values that were no intents, refused before they reached the pipe; they count as denied too. */
  readonly malformed: number;
  /** Why intents were not accepted, most frequent first. */
  readonly refusals: readonly Refusal[];
  /** Strategies that ended by their own fault, and their restarts. */
  readonly lives: readonly LifeEvent[];
  /** What an operator should know of an instance, in order of arrival. */
  readonly notices: ReadonlyArray<{ instance: string; notice: StrategyNotice }>;
  /** What the venue took over, in order of arrival. */
  readonly liquidations: readonly Liquidation[];
  /** What intents waited for before they were sent or given up, most frequent first. */
  readonly delays: readonly Delay[];
  readonly fills: readonly RecordedFill[];
  readonly executions: readonly RecordedExecution[];
  /** Net P&L of an instance at the instants at which bars closed, thinned on a long run. */
  curve(instance: string): readonly TimedValue[];
  /** The same of all instances. */
  readonly total: readonly TimedValue[];
  /** Net P&L of an instance at the last instant of each UTC hour that has one; never thinned. */
  hourly(instance: string): readonly TimedValue[];
  /** The same of all instances. */
  readonly hourlyTotal: readonly TimedValue[];
  /**
   * Largest fall of all instances' net P&L from its peak, at bar closes and now: in quote units, and as a share
   * of the wallets' equity at the peak, including the part that no strategy is allotted.
   */
  readonly drawdown: { amount: number; share: number };
  /**
   * The longest stretch below an earlier peak, and the times of the largest fall: of an instance, or of all of
   * them. Measured at every instant at which bars closed, and at the ends of the run, which only the driver of
   * the run knows.
   */
  drawdownTimes(run: { from: number; until: number }, instance?: string): DrawdownTimes;
  counts(instance: string): OutcomeCounts;
  /** Number of 429 answers. */
  readonly rateLimited: number;
  /** Hex digest over intents and fills in their order: equal runs have equal hashes. */
  hash(): string;
}

/** States of an intent that hold until something better is known. */
const OPEN: readonly string[] = ['unknown', 'unresolved'];
/** States after which nothing more is reported of it. */
const ENDED: readonly string[] = ['denied', 'accepted', 'rejected', 'expired', 'absent'];

interface OpenIntent {
  recorded: RecordedIntent;
  /** Index in the list of all. */
  place: number;
}

/** What of an intent depends on the strategy and the market alone, and so must repeat. */
function identityOf({ decisionKey, marketTime, intent }: Emission, state: string, code: string) {
  return JSON.stringify([decisionKey, marketTime, intent, state, code]);
}

export interface RunRecordOptions {
  instances: readonly string[];
  /** The symbols that they trade, each once. */
  wallets: readonly string[];
  /** False for a bot that runs for months: figures only, and intents that are not over. */
  keepAll: boolean;
}

/** Follows a bot from before its start. */
export function createRunRecord(
  bot: Bot,
  { instances, wallets, keepAll }: RunRecordOptions,
): RunRecord {
  /** Those that are not over yet, by key. */
  const open = new Map<string, OpenIntent>();
  const intents = createRowLog<RecordedIntent>({
    time: 'number',
    instance: 'word',
    kind: 'word',
    symbol: 'word',
    outcome: 'word',
    reason: 'word',
  });
  const fills = createRowLog<RecordedFill>({
    time: 'number',
    symbol: 'word',
    side: 'word',
    price: 'number',
    size: 'number',
    fee: 'number',
    liquidity: 'word',
    reduce_only: 'word',
    order_id: 'text',
    execution_id: 'word',
    closed_pnl: 'number',
    instance: 'word',
  });
  const lives: LifeEvent[] = [];
  const notices: Array<{ instance: string; notice: StrategyNotice }> = [];
  const liquidations: Liquidation[] = [];
  const executions = new Map<string, RecordedExecution>();
  const counts = new Map(instances.map((name) => [name, emptyCounts()]));
  const curves = createCurves(instances);
  const ledgers = instances.map((name) => bot.ledgerOf(name));
  const books = wallets.map((wallet) => bot.book(wallet));
  /** Net P&L of each instance at the last evaluation: one list for all bars. */
  const nets = instances.map(() => 0);
  /** How long each was below its peak, and all of them together. */
  const timers = instances.map(() => createDrawdownTimer());
  const timer = createDrawdownTimer();
  const digest = createDigest();
  const refusals = new Map<string, Refusal>();
  const delays = new Map<string, number>();
  const malformed: RecordedIntent[] = [];
  let rateLimited = 0;
  let malformedCount = 0;
  let lastMoment = 0;

  const deepest = { amount: 0, share: 0 };
  let peak = 0;

  /** Net P&L of all instances, and of each in the list. */
  function valueNow(): number {
    let sum = 0;
    for (let at = 0; at < ledgers.length; at++) sum += nets[at] = ledgers[at]!.net();
    return sum;
  }

  /** Strategies' drawdowns don't add up, since they don't fall together. */
  function deepen(drawdown: RunRecord['drawdown'], net: number): void {
    let equityAtPeak = peak;
    for (let at = 0; at < books.length; at++) equityAtPeak += books[at]!.startEquity();
    const amount = peak - net;
    drawdown.amount = Math.max(drawdown.amount, amount);
    if (equityAtPeak > 0) drawdown.share = Math.max(drawdown.share, amount / equityAtPeak);
  }

  function followMoment(time: number): void {
    const net = valueNow();
    // As long as their combined P&L doesn't fall, there is nothing to measure.
    if (net >= peak) peak = net;
    else deepen(deepest, net);
    lastMoment = time;
    timer.add(time, net);
    for (let at = 0; at < timers.length; at++) timers[at]!.add(time, nets[at]!);
    curves.add(time, nets, net);
  }

  /** The instant that is not complete yet: after the last bar of a run nothing comes that would end it. */
  function newest(net: number): TimedValue | undefined {
    return bot.moment > lastMoment ? [bot.moment, net] : undefined;
  }
  const newestOf = (name: string) => newest(bot.ledgerOf(name).net());

  function followIntent(event: PipeEvent): void {
    const { emission, state, key, reason, fault } = event;
    const count = counts.get(emission.instance);
    if (count === undefined || state === 'duplicate') return;
    let known = open.get(key);
    if (known === undefined) {
      count.emitted++;
      const recorded = toRecorded(event);
      known = { recorded, place: keepAll ? intents.add(recorded) : -1 };
      open.set(key, known);
    }
    const { recorded } = known;
    if (state === 'deferred') countDelay(event.waitsFor ?? reason ?? state);
    const detail = fault?.code ?? event.guard;
    recorded.outcome = state;
    const why = reason ?? fault?.message;
    if (why !== undefined) recorded.reason = detail === undefined ? why : `${detail}: ${why}`;
    if (!ENDED.includes(state)) return;
    if (state === 'accepted') delete recorded.reason;
    else countRefusal(detail ?? state, recorded.reason ?? state);
    if (state in count) count[state as keyof OutcomeCounts]++;
    digest.add(identityOf(emission, state, detail ?? ''));
    open.delete(key);
    if (keepAll) write(known);
  }

  function write({ recorded, place }: OpenIntent): void {
    intents.set(place, 'outcome', recorded.outcome);
    intents.set(place, 'reason', recorded.reason);
  }

  function listIntents(): RecordedIntent[] {
    if (!keepAll) return [...open.values()].map(({ recorded }) => recorded);
    for (const one of open.values()) write(one);
    return [...intents.list(), ...malformed];
  }

  function countDelay(cause: string): void {
    if (cause === 'rate_limited') rateLimited++;
    delays.set(cause, (delays.get(cause) ?? 0) + 1);
  }

  function countRefusal(cause: string, example: string): void {
    const known = refusals.get(cause);
    refusals.set(cause, { cause, count: (known?.count ?? 0) + 1, example });
  }

  /** A value that was no intent never reached the pipe, and counts as a refusal all the same. */
  function followFault({ kind, instance, reason }: StrategyFault): void {
    const count = counts.get(instance);
    if (count === undefined || (kind !== 'malformed_intent' && kind !== 'outside_turn')) return;
    const cause = kind === 'outside_turn' ? 'outside_turn' : 'malformed';
    count.emitted++;
    count.denied++;
    if (cause === 'malformed') malformedCount++;
    countRefusal(cause, reason);
    const row = { time: bot.moment, instance, kind: cause, symbol: '', outcome: 'denied' };
    if (keepAll) malformed.push({ ...row, reason: `${cause}: ${reason}` });
  }

  function followFill(instance: string | undefined, fill: FillRecord): void {
    if (keepAll) fills.add({ ...fill, instance });
    const { fill_id, order_id, symbol, side, price, size, fee, time } = fill;
    digest.add(JSON.stringify([fill_id, order_id, symbol, side, price, size, fee, time]));
  }

  bot.onMoment(followMoment);

  bot.events$.subscribe((event: BotEvent) => {
    if (event.kind === 'intent') followIntent(event.event);
    else if (event.kind === 'fill') followFill(event.instance, event.fill);
    else if (event.kind === 'execution') {
      const { instance, execution } = event;
      if (keepAll) executions.set(execution.execution_id, { instance, execution });
    } else if (event.kind === 'strategy_fault') followFault(event.fault);
    else if (event.kind === 'strategy_life') lives.push(event.life);
    else if (event.kind === 'strategy_notice') {
      notices.push({ instance: event.instance, notice: event.notice });
    } else if (event.kind === 'liquidation') liquidations.push(event.liquidation);
  });

  return {
    get intents() {
      return listIntents().sort((a, b) => a.time - b.time);
    },
    get malformed() {
      return malformedCount;
    },
    get refusals() {
      return [...refusals.values()].sort((a, b) => b.count - a.count);
    },
    lives,
    notices,
    liquidations,
    get delays() {
      const all = [...delays].map(([cause, count]) => ({ cause, count }));
      return all.sort((a, b) => b.count - a.count);
    },
    get fills() {
      return fills.list();
    },
    get executions() {
      return [...executions.values()];
    },
    curve: (instance) => curves.of(instance, newestOf(instance)),
    get total() {
      return curves.sum(newest(valueNow()));
    },
    hourly: (instance) => curves.hourlyOf(instance, newestOf(instance)),
    get hourlyTotal() {
      return curves.hourlySum(newest(valueNow()));
    },
    get drawdown() {
      const now = { ...deepest };
      deepen(now, valueNow());
      return now;
    },
    drawdownTimes(run, instance) {
      if (instance === undefined) return timer.times({ ...run, value: valueNow() });
      const value = bot.ledgerOf(instance).net();
      return timers[instances.indexOf(instance)]!.times({ ...run, value });
    },
    counts(instance) {
      const count = counts.get(instance) ?? emptyCounts();
      const own = [...open.values()].filter(({ recorded }) => recorded.instance === instance);
      const unknown = own.filter(({ recorded }) => OPEN.includes(recorded.outcome)).length;
      return { ...count, unknown };
    },
    get rateLimited() {
      return rateLimited;
    },
    hash: digest.hex,
  };
}

function emptyCounts(): OutcomeCounts {
  return { emitted: 0, denied: 0, accepted: 0, rejected: 0, unknown: 0, expired: 0 };
}

function toRecorded({ emission, state }: PipeEvent): RecordedIntent {
  const { intent, instance, marketTime } = emission;
  const named = 'symbol' in intent ? intent.symbol : undefined;
  const request = 'request' in intent ? intent.request : undefined;
  const asked =
    request !== undefined && 'symbol' in request ? (request.symbol as string) : undefined;
  return {
    time: marketTime,
    instance,
    kind: intent.kind,
    symbol: named ?? asked ?? '',
    outcome: state,
  };
}
