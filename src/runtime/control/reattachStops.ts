import { combineLatest, Subscription } from 'rxjs';
import type { MonitorRecord, WatchRow } from '../../contract/index.ts';
import type { Env, MarketClock } from '../../env/index.ts';
import { attachTpsl, stopLoss } from '../../intents/index.ts';
import { writeOrFail, type JournalStore } from '../../journal/index.ts';
import type { AccountModel, Streams } from '../../streams/index.ts';
import type { Emission } from '../../strategy/index.ts';
import type { BotPlan } from '../BotPlan.ts';
import { type Coverage, actionOf } from '../wallet/index.ts';
import { OPERATOR, toEmissions } from '../operator.ts';
import type { PipeEvent } from '../PipeEvent.ts';

/** A stop that the service retired while its position is open. */
export interface LostStop {
  wallet: string;
  symbol: string;
  /** Its last trigger, quote units. */
  trigger: number;
  /** False if this stop was submitted again before: only an operator does it a second time. */
  isOffered: boolean;
}

export interface ReattachOptions {
  plan: Pick<BotPlan, 'protection'>;
  wallets: readonly string[];
  streams: Streams;
  market: MarketClock;
  env: Pick<Env, 'clock'>;
  store: JournalStore;
  coverage: Pick<Coverage, 'uncovered'>;
  symbolsOf(wallet: string): readonly string[];
  submit(emission: Emission): void;
  onLost(lost: LostStop): void;
  /** Something that must be durable could not be written. */
  onFatal(error: unknown): void;
}

export interface Reattach {
  start(): Subscription;
  /** A stop that the bot itself removes, or is about to attach, is not lost. */
  follow(event: PipeEvent): void;
}

/** An armed stop as the journal records it: after a restart the service no longer shows what it retired. */
interface Stop {
  id: string;
  symbol: string;
  side: string;
  trigger: number;
  /** Wall time, epoch milliseconds. */
  since: number;
  /** It was submitted again already. */
  isSecond: boolean;
}

interface Wallet {
  stops: Map<string, Stop>;
  /** Of an earlier process. */
  earlier: ReadonlySet<string>;
  /** Symbol → trigger of the stop that was submitted again for the open position. */
  offered: Map<string, number>;
  waiting: Set<string>;
  /** Positions that were closed or reversed: their rows may be shown a little longer. */
  over: Set<string>;
  model?: AccountModel;
  armed: ReadonlySet<string>;
  monitors: ReadonlyMap<string, MonitorRecord>;
  written: string;
}

/** Position, leg and fill arrive as separate frames, in any order. */
const GRACE_MS = 2_000;
const CAUSE = 'reattach:';
const FAILED: readonly string[] = ['denied', 'rejected', 'expired', 'absent'];

/**
 * Submits a stop again, once and with the same trigger, that the service retired while its position is open;
 * with `protection: reattach`. Its decision is named after the leg, so that no restart repeats it.
 */
export function reattachStops(options: ReattachOptions): Reattach {
  const { plan, wallets, streams, market, env, store, coverage } = options;
  if (plan.protection !== 'reattach') return { start: () => new Subscription(), follow: () => {} };
  const subscription = new Subscription();
  const open = new Map(wallets.map((wallet) => [wallet, readWallet(store, wallet)]));
  /** Ids of stops that the bot itself removes, by the intent's key. */
  const takenOff = new Map<string, readonly string[]>();
  /** What may cover or close a position and has no answer yet: `wallet/symbol` by the intent's key. */
  const underWay = new Map<string, string>();

  const isOurs = (id: string): boolean => [...takenOff.values()].some((ids) => ids.includes(id));

  /** Retirements that an earlier process had sent after the stop was armed. */
  const retiredBefore = (wallet: string, { symbol, since }: Stop): boolean =>
    store
      .intents()
      .some(
        (row) =>
          row.kind === 'retire_tpsl' &&
          row.wallet === wallet &&
          !FAILED.includes(row.state) &&
          row.intent.includes(`"symbol":${JSON.stringify(symbol)}`) &&
          (store.entries(row.key)[0]?.wallTime ?? 0) >= since,
      );

  function write(wallet: string): void {
    const state = open.get(wallet)!;
    const text = JSON.stringify({ stops: [...state.stops.values()], offered: [...state.offered] });
    if (text === state.written) return;
    state.written = text;
    writeOrFail(() => store.setMeta(metaOf(wallet), text), options.onFatal);
  }

  function see(wallet: string, model: AccountModel, rows: ReadonlyMap<string, WatchRow>): void {
    const state = open.get(wallet)!;
    state.model = model;
    if (!model.complete) return;
    const armed = [...rows.values()].filter(isArmed);
    for (const id of state.over) if (!rows.has(id)) state.over.delete(id);
    state.armed = new Set(armed.map(({ leg_id: id }) => id!));
    for (const row of armed) keep(state, row, model.positions.get(row.symbol)?.side);
    for (const symbol of state.offered.keys()) {
      if (!model.positions.has(symbol)) state.offered.delete(symbol);
    }
    for (const stop of state.stops.values()) {
      const { id, symbol, side } = stop;
      const isFired = rows.get(id)?.status === 'triggered';
      if (isFired || model.positions.get(symbol)?.side !== side) {
        state.stops.delete(id);
        state.over.add(id);
      } else if (!state.armed.has(id)) judgeLater(wallet, id);
    }
    write(wallet);
  }

  function keep(state: Wallet, row: WatchRow, side: string | undefined): void {
    const { leg_id: id, symbol, trigger_price: trigger } = row;
    if (side === undefined || id == null || trigger == null || state.over.has(id)) return;
    const known = state.stops.get(id);
    const since = known?.since ?? env.clock.wallNow();
    const isSecond = known?.isSecond ?? state.offered.get(symbol) === trigger;
    state.stops.set(id, { id, symbol, side: known?.side ?? side, trigger, since, isSecond });
  }

  function judgeLater(wallet: string, id: string): void {
    const { waiting } = open.get(wallet)!;
    if (waiting.has(id)) return;
    waiting.add(id);
    const cancel = market.at(market.now() + GRACE_MS, () => {
      waiting.delete(id);
      if (!subscription.closed) judge(wallet, id);
    });
    subscription.add(cancel);
  }

  function judge(wallet: string, id: string): void {
    const state = open.get(wallet)!;
    const stop = state.stops.get(id);
    if (stop === undefined || state.armed.has(id)) return;
    const { symbol } = stop;
    const isWaiting = [...underWay.values()].includes(`${wallet}/${symbol}`);
    if (state.model?.complete !== true || isWaiting) return judgeLater(wallet, id);
    const isOwn = isOurs(id) || (state.earlier.has(id) && retiredBefore(wallet, stop));
    const isNaked = coverage
      .uncovered()
      .some((one) => one.wallet === wallet && one.symbol === symbol);
    if (!isOwn && isNaked && options.symbolsOf(wallet).includes(symbol)) offer(wallet, stop);
    else state.stops.delete(id);
    write(wallet);
  }

  /** Of several stops of one position the one nearest to the market, since an attached stop covers all of it. */
  function offer(wallet: string, judged: Stop): void {
    const state = open.get(wallet)!;
    const { symbol, side } = judged;
    const lost = [...state.stops.values()]
      .filter((stop) => stop.symbol === symbol && !state.armed.has(stop.id) && !isOurs(stop.id))
      .toSorted((one, other) => (side === 'short' ? 1 : -1) * (one.trigger - other.trigger));
    const { id, trigger, isSecond } = lost[0] ?? judged;
    // The record of the submitted stop stays until it is answered: a process that ends before repeats the
    // decision.
    for (const stop of lost) if (stop.id !== id || isSecond) state.stops.delete(stop.id);
    options.onLost({ wallet, symbol, trigger, isOffered: !isSecond });
    if (isSecond) return;
    state.offered.set(symbol, trigger);
    const why = { wallet, cause: `${CAUSE}${id}`, market };
    const again = attachTpsl(symbol, { stop_loss: stopLoss.price(trigger) });
    for (const emission of toEmissions([again], why)) options.submit(emission);
  }

  function symbolOf({ intent, wallet }: Emission): string | undefined {
    if (intent.kind !== 'stop_monitor') return 'symbol' in intent ? intent.symbol : undefined;
    const monitor = open.get(wallet)?.monitors.get(intent.monitor.monitor_id ?? '');
    return monitor === undefined ? undefined : (actionOf(monitor).symbol as string | undefined);
  }

  return {
    start() {
      for (const wallet of wallets) {
        const source = streams.wallet(wallet);
        const state = open.get(wallet)!;
        subscription.add(
          source.monitorsModel$.subscribe((monitors) => {
            state.monitors = monitors;
          }),
        );
        subscription.add(
          combineLatest([source.account$, source.watchModel$]).subscribe(([model, rows]) =>
            see(wallet, model, rows),
          ),
        );
      }
      return subscription;
    },
    follow({ key, state: reached, emission }) {
      const { intent, instance, wallet, cause } = emission;
      const state = open.get(wallet);
      if (state === undefined) return;
      const hasFailed = FAILED.includes(reached);
      const isOver = hasFailed || reached === 'accepted';
      const symbol = symbolOf(emission);
      if (intent.kind === 'retire_tpsl' || intent.kind === 'stop_monitor') {
        if (hasFailed) takenOff.delete(key);
        else if (!isOver || !takenOff.has(key)) {
          const own = [...state.stops.values()].filter((stop) => stop.symbol === symbol);
          takenOff.set(key, [...(takenOff.get(key) ?? []), ...own.map(({ id }) => id)]);
        }
      }
      if (intent.kind === 'attach_tpsl' || intent.kind === 'close_position') {
        if (isOver) underWay.delete(key);
        else if (symbol !== undefined) underWay.set(key, `${wallet}/${symbol}`);
      }
      if (isOver && instance === OPERATOR && cause.startsWith(CAUSE)) {
        state.stops.delete(cause.slice(CAUSE.length));
        write(wallet);
      }
    },
  };
}

const metaOf = (wallet: string): string => `stops:${wallet}`;

function readWallet(store: JournalStore, wallet: string): Wallet {
  const written = store.meta(metaOf(wallet)) ?? '{"stops":[],"offered":[]}';
  const kept = JSON.parse(written) as { stops: Stop[]; offered: Array<[string, number]> };
  return {
    stops: new Map(kept.stops.map((stop) => [stop.id, stop])),
    earlier: new Set(kept.stops.map(({ id }) => id)),
    offered: new Map(kept.offered),
    waiting: new Set(),
    over: new Set(),
    armed: new Set(),
    monitors: new Map(),
    written,
  };
}

const isArmed = (row: WatchRow): boolean =>
  row.watch_kind === 'leg' &&
  row.kind === 'stop_loss' &&
  row.status === 'armed' &&
  row.leg_id != null;
