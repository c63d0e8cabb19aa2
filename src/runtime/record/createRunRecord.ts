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
  /** The last one's words. */
  example: string;
}

/** One cause of waiting in the budget: what was short. */
export interface Delay {
  cause: string;
  /** Intents that waited for it at least once. */
  count: number;
}

/** Of a fill what a report tells; more would be most of what a run of millions of bars holds. */
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

/** All that a report and the closing table need of a run, kept as it runs. */
export interface RunRecord {
  readonly intents: readonly RecordedIntent[];
  /** Intents that were none, refused before they reached the pipe; they count as denied too. */
  readonly malformed: number;
  /** Why intents were not accepted, most frequent first. */
  readonly refusals: readonly Refusal[];
  /** Strategies that ended by their own fault, and their restarts. */
  readonly lives: readonly LifeEvent[];
  /** What a person should know of an instance, in the order of its coming. */
  readonly notices: ReadonlyArray<{ instance: string; notice: StrategyNotice }>;
  /** What the venue took over, in the order of its coming. */
  readonly liquidations: readonly Liquidation[];
  /** What intents waited for before they were sent or given up, most frequent first. */
  readonly delays: readonly Delay[];
  readonly fills: readonly RecordedFill[];
  readonly executions: readonly RecordedExecution[];
  /** Net P&L of an instance at the moments at which bars closed, thinned on a long run. */
  curve(instance: string): readonly TimedValue[];
  /** The same of all instances. */
  readonly total: readonly TimedValue[];
  /** Net P&L of an instance at the last moment of each UTC hour that has one; never thinned. */
  hourly(instance: string): readonly TimedValue[];
  /** The same of all instances. */
  readonly hourlyTotal: readonly TimedValue[];
  /**
   * Largest fall of all instances' net P&L from its peak, at bar closes and as of now: quote units, and
   * as a share of the wallets' equity at the peak, what no strategy has of it included.
   */
  readonly drawdown: { amount: number; share: number };
  /**
   * The longest stretch below an earlier peak, and the moments of the largest fall: of an instance, or of all of
   * them. It is measured at every moment at which bars closed, and at the ends of the run, which only who drives
   * it knows.
   */
  drawdownTimes(run: { from: number; until: number }, instance?: string): DrawdownTimes;
  counts(instance: string): OutcomeCounts;
  /** 429s that came back. */
  readonly rateLimited: number;
  /** Hex digest over intents and fills in their order: equal runs have equal hashes. */
  hash(): string;
}

/** States of an intent that stand until something better is known. */
const OPEN: readonly string[] = ['unknown', 'unresolved'];
/** States after which nothing more is heard of it. */
const ENDED: readonly string[] = ['denied', 'accepted', 'rejected', 'expired', 'absent'];

interface OpenIntent {
  recorded: RecordedIntent;
  /** In the list of all. */
  place: number;
}

/** What of an intent is the strategy's and the market's doing, and so must repeat. */
function identityOf({ decisionKey, marketTime, intent }: Emission, state: string, code: string) {
  return JSON.stringify([decisionKey, marketTime, intent, state, code]);
}

export interface RunRecordOptions {
  instances: readonly string[];
  /** That they trade on, each once. */
  wallets: readonly string[];
  /** False for a bot that runs for months: figures only, and what is not over. */
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
  /** Net P&L of each instance as it was looked at last: one list for all bars. */
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
    // As long as what they earned together doesn't fall, there is none to measure.
    if (net >= peak) peak = net;
    else deepen(deepest, net);
    lastMoment = time;
    timer.add(time, net);
    for (let at = 0; at < timers.length; at++) timers[at]!.add(time, nets[at]!);
    curves.add(time, nets, net);
  }

  /** The moment that is not over yet: after the last bar of a run nothing comes that would end it. */
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

  /** An intent that was none never reached the pipe, and is one refusal more all the same. */
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
