import { LEG_KINDS, type Scope, type ServiceRequest } from '../../contract/index.ts';
import type { MarketClock } from '../../env/index.ts';
import {
  createGuards,
  enlarging,
  type Entry,
  type GuardedIntent,
  type GuardSnapshot,
  type GuardEvaluation,
} from '../../guards/index.ts';
import type { Intent } from '../../intents/index.ts';
import { effectOf } from '../../intents/effectOf.ts';
import { toServiceRequest } from '../../intents/toServiceRequest.ts';
import type { JournalStore } from '../../journal/index.ts';
import type { Emission } from '../../strategy/index.ts';
import type { BotPlan } from '../BotPlan.ts';
import type { PipeOptions } from './Pipe.ts';
import {
  type Accepted,
  clientNameOf,
  type Meant,
  type RefLog,
  type Refs,
  isSpot,
  type WalletBook,
} from '../wallet/index.ts';
import type { PendingIntent, Room } from './createRowReservations.ts';
import { causeOf } from '../control/index.ts';
import { createIntentRate } from './createIntentRate.ts';
import { GuardView, type GuardSources } from './GuardView.ts';
import { isExitOf, laneOf } from './laneOf.ts';
import { changedBy, openedBy, reducedBy, resizedBy, type Changed } from './openedBy.ts';
import { OPERATOR } from '../operator.ts';
import { toGuardedIntent, weightOf } from './toGuardedIntent.ts';

export interface PrepareOptions extends Omit<GuardSources, 'instruments'> {
  plan: BotPlan;
  market: MarketClock;
  /** Market time as far as it is known. */
  present(): number;
  refs: Refs;
  accepted: Pick<Accepted, 'unseen' | 'unseenOrder' | 'unseenExecution'>;
  store: JournalStore;
  /** By instance. */
  refLogs: ReadonlyMap<string, RefLog>;
  bookOf(wallet: string): WalletBook;
}

type GuardDenial = Extract<GuardEvaluation, { passed: false }>;

interface GuardInput {
  subject: GuardedIntent;
  snapshot: GuardSnapshot;
  pendingIntent: PendingIntent;
}

/** Emission → request and verdict: the station between the strategy and the journal. */
export function createPrepare(options: PrepareOptions): PipeOptions['prepare'] {
  const { plan, market, exposure, refs, throttle } = options;
  const evaluateGuards = createGuards(plan.guards);
  const instruments = new Map(plan.instruments.map((record) => [record.symbol, record]));
  const owned = new Map(plan.strategies.map(({ name, symbols }) => [name, symbols]));
  const rate = createIntentRate({
    store: options.store,
    market,
    limit: plan.guards.max_intents_per_minute,
    instances: [...owned.keys()],
  });

  const everySymbol = [...instruments.keys()];

  /** What each strategy declared that it needs (AUTH-4). */
  const declared = new Map(plan.strategies.map(({ name, strategy }) => [name, strategy.scopes]));
  /** What the key can do of that; both must allow it. */
  const scopes = new Map<string, readonly Scope[]>(
    [...declared].map(([name, all]) => [
      name,
      all.filter((scope) => plan.scopes?.includes(scope) !== false),
    ]),
  );

  const sources = { ...options, instruments };
  const snapshotOf = ({ wallet, instance }: Emission): GuardSnapshot => {
    const now = market.now();
    return new GuardView(sources, {
      now,
      present: options.present(),
      wallet,
      instance,
      book: options.bookOf(wallet),
      ownedSymbols: instance === OPERATOR ? everySymbol : (owned.get(instance) ?? []),
      keyScopes: scopes.has(instance) ? scopes.get(instance)! : plan.scopes,
      declaredScopes: declared.get(instance),
      recentIntents: rate.recent(instance),
    });
  };

  /** Frees a row if only a row is lacking; if anything else speaks against the intent, that is the verdict. */
  function reserveRow(
    verdict: GuardDenial,
    { subject, snapshot, pendingIntent }: GuardInput,
  ): { verdict: GuardEvaluation; room?: Room | undefined } {
    const otherwise = evaluateGuards({ ...subject, maintainedRows: 0 }, snapshot);
    if (!otherwise.passed) return { verdict: otherwise };
    const { value = 0, limit = 0 } = verdict;
    const room = options.slots.reserveRow(pendingIntent, value - limit);
    if (room !== undefined) return { verdict, room };
    const reason = `${verdict.reason}, and this bot has no tracked entry to replace`;
    return { verdict: { ...verdict, reason } };
  }

  /** Of all orders that a cancel without a symbol may find: shown, accepted, or on their way; exits, too. */
  const symbolsWithOrders = (wallet: string): readonly string[] => {
    const shown = options.bookOf(wallet).openOrders();
    const orders = [...shown, ...options.accepted.unseen(wallet).orders];
    const symbols = orders.map(({ symbol }) => symbol);
    return [...new Set([...symbols, ...exposure.symbolsInFlight(wallet)])];
  };

  /** A monitor takes its row when it fires: one may be free by then. */
  const mayReplace = ({ kind }: GuardedIntent): boolean =>
    plan.guards.maintained_rows_policy === 'replace_least_important' && kind !== 'create_monitor';

  return (emission, key, meant) => {
    const { intent, instance, wallet } = emission;
    const impossible = explainImpossible(intent);
    if (impossible !== undefined) return { ok: false, reason: impossible };
    const resolve = meant === undefined ? refs.resolverOf(instance) : () => meant.name();
    const made = toServiceRequest(intent, { wallet, idempotencyKey: key, resolve });
    if (!made.ok) return made;
    refs.named(instance, intent, key);
    options.refLogs.get(instance)?.named(emission.decisionKey, intent, key);
    const effect = effectOf(intent);
    const guarded = toGuardedIntent(intent, effect);
    const book = options.bookOf(wallet);
    const asked = meant === undefined ? refs.askedOf(instance) : askedOf(meant);
    const known = { wallet, book, accepted: options.accepted, asked };
    const changed = changedBy(intent, made.request, known);
    const opened = openedBy(intent, effect, changed);
    const opaque = opened === 'opaque';
    const entries = opaque || opened === undefined ? guarded.entries : opened;
    // What is changed by its id alone also belongs to its symbol's owner.
    const isKnown = effect.opaque && changed !== undefined;
    const symbols = isKnown
      ? [...guarded.symbols, changed.symbol]
      : endsAll(emission)
        ? symbolsWithOrders(wallet)
        : guarded.symbols;
    const subject: GuardedIntent = {
      kind: guarded.kind,
      symbols,
      entries,
      isExit: isExitOf(effect, changed),
      scopes: guarded.scopes,
      maintainedRows: rowsTakenBy(intent, guarded.maintainedRows, book),
      executions: guarded.executions ?? 0,
      opaque,
      cause: causeOf(emission),
    };
    if (guarded.leverage !== undefined) subject.leverage = guarded.leverage;
    const snapshot = snapshotOf(emission);
    const evaluated = evaluateGuards(subject, snapshot);
    const lacksRow =
      !evaluated.passed && evaluated.guard === 'maintained_rows' && mayReplace(subject);
    const { verdict, room } = lacksRow
      ? reserveRow(evaluated, { subject, snapshot, pendingIntent: { emission, key } })
      : { verdict: evaluated };
    // What waits for a row is evaluated again and is still one intent; and a burst of old bars is not a runaway
    // strategy.
    if (room === undefined && emission.isCatchUp !== true) rate.emitted(instance);
    const opens = entries.length > 0 || opaque;
    const added = enlarging(entries);
    const reduced = changed === undefined ? [] : reducedBy(intent, changed);
    const resized = changed && resizedBy(intent, made.request, changed);
    if (verdict.passed) {
      exposure.add(key, wallet, {
        entries: added,
        resized,
        reductions: changed === undefined ? effect.reductions : reduced,
        rows: subject.maintainedRows,
        executions: subject.executions ?? 0,
      });
      if (added.length > 0) throttle.entered(instance);
    }
    if (!verdict.passed && verdict.guard === 'max_entries_per_hour') {
      throttle.trip(instance, verdict.reason);
    }
    const { request } = made;
    const lane = laneOf(effect, changed);
    return {
      ok: true,
      prepared: {
        request,
        lane,
        weight: weightOf(intent, request, plan.dialect),
        opens,
        enters: symbolsOf(entries),
        verdict,
        room,
        ...(effect.opaque && added.length > 0 ? { added } : {}),
        ...(reduced.length > 0 ? { reduced } : {}),
        ...(resized === undefined ? {} : { resized }),
        target: targetOf(changed, request),
      },
    };
  };
}

/** Whether it cancels all orders of its wallet; an operator may. */
const endsAll = ({ intent, instance }: Emission): boolean =>
  intent.kind === 'bulk_cancel' && intent.symbol === undefined && instance !== OPERATOR;

/** Most have one. */
const symbolsOf = (entries: readonly Entry[]): readonly string[] =>
  entries.length === 1 ? [entries[0]!.symbol] : [...new Set(entries.map(({ symbol }) => symbol))];

/** Rows that it takes beyond those that it frees: an attach replaces the trails of its kinds (LEG-11, POS-2). */
function rowsTakenBy(intent: Intent, rows: number, book: WalletBook): number {
  if (rows === 0 || intent.kind !== 'attach_tpsl') return rows;
  const kinds = LEG_KINDS.filter((kind) => intent.legs[kind] !== undefined);
  return Math.max(0, rows - book.attachedTrails(intent.symbol, kinds));
}

/** The service's id and the client id name the same order: the client id, which all of its records have. */
function targetOf(changed: Changed | undefined, { pathParams }: ServiceRequest) {
  const name = clientNameOf(changed);
  return name === pathParams['id'] ? undefined : name;
}

/** What was requested by the intent that an intent is about. */
const askedOf =
  ({ asked }: Meant): ReturnType<Refs['askedOf']> =>
  (kind) =>
    asked?.kind === kind ? asked : undefined;

const NEEDS_POSITION: readonly string[] = ['attach_tpsl', 'retire_tpsl'];

/** Actions that the service has on perpetuals only. */
function explainImpossible(intent: Intent): string | undefined {
  if (!NEEDS_POSITION.includes(intent.kind) || !('symbol' in intent)) return undefined;
  const { symbol } = intent;
  if (symbol === undefined || !isSpot(symbol)) return undefined;
  return `${symbol} is spot and has no legs; give them with the order that buys, or sell by an order`;
}
