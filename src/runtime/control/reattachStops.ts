import { combineLatest, Subscription } from 'rxjs';
import type { PositionRecord, WatchRow } from '../../contract/index.ts';
import type { Env, MarketClock } from '../../env/index.ts';
import { attachTpsl, stopLoss, symbolOf as symbolIn } from '../../intents/index.ts';
import { findNewest, writeOrFail, type JournalStore } from '../../journal/index.ts';
import type { AccountModel, Streams } from '../../streams/index.ts';
import type { Emission } from '../../strategy/index.ts';
import type { BotPlan } from '../BotPlan.ts';
import { type Coverage, isOfLeg, isStop } from '../wallet/index.ts';
import { intentOf } from '../intentOf.ts';
import { OPERATOR, toEmissions } from '../operator.ts';
import type { PipeEvent } from '../PipeEvent.ts';
import {
  FAILED,
  leave,
  metaOf,
  readStops,
  SHOWN_LONGER_MS,
  showStops,
  stay,
  textOf,
  type Stop,
} from './WalletStops.ts';

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

/** Position, leg and fill arrive as separate frames, in any order. */
const GRACE_MS = 2_000;
const CAUSE = 'reattach:';

/**
 * Submits a stop again, once and with the same trigger, that the service retired while its position is open;
 * with `protection: reattach`. Its decision is named after the leg, so that no restart repeats it.
 */
export function reattachStops(options: ReattachOptions): Reattach {
  const { plan, wallets, streams, market, env, store, coverage } = options;
  const subscription = new Subscription();
  const open = new Map(wallets.map((wallet) => [wallet, readStops(store, wallet)]));
  subscription.add(() => {
    for (const { waiting } of open.values()) for (const cancel of waiting.values()) cancel();
  });
  /** Keys of unanswered intents that take stops off: what is armed once they are answered is not theirs. */
  const removals = new Set<string>();
  /** Unanswered intents that may cover or close a position: `wallet/symbol` by the intent's key. */
  const underWay = new Map<string, string>();

  /** Retirements that an earlier process had sent after the stop was armed. */
  const retiredBefore = (wallet: string, { symbol, since }: Stop): boolean =>
    findNewest(
      store,
      (row) =>
        row.kind === 'retire_tpsl' &&
        row.wallet === wallet &&
        !FAILED.includes(row.state) &&
        symbolIn(intentOf(row.intent)) === symbol &&
        (store.entries(row.key)[0]?.wallTime ?? 0) >= since,
    ) !== undefined;

  /** The bot itself takes it off: it is not lost. */
  const isRemoved = (wallet: string, stop: Stop): boolean =>
    stop.removedBy !== undefined ||
    (open.get(wallet)!.earlier.has(stop.id) && retiredBefore(wallet, stop));

  function write(wallet: string): void {
    const state = open.get(wallet)!;
    const text = textOf(state);
    if (text === state.written) return;
    state.written = text;
    writeOrFail(() => store.setMeta(metaOf(wallet), text), options.onFatal);
  }

  function see(wallet: string, model: AccountModel, rows: ReadonlyMap<string, WatchRow>): void {
    const state = open.get(wallet)!;
    state.model = model;
    if (!model.complete) return;
    const missing = showStops(state, model, rows, env.clock.wallNow());
    for (const id of missing) evaluateLater(wallet, id);
    write(wallet);
  }

  function evaluateLater(wallet: string, id: string): void {
    const { waiting } = open.get(wallet)!;
    if (waiting.has(id)) return;
    const cancel = market.at(market.now() + GRACE_MS, () => {
      waiting.delete(id);
      evaluate(wallet, id);
    });
    waiting.set(id, cancel);
  }

  function evaluate(wallet: string, id: string): void {
    const state = open.get(wallet)!;
    const stop = state.stops.get(id);
    if (stop === undefined || state.armed.has(id)) return;
    const { symbol } = stop;
    const isWaiting = [...underWay.values()].includes(`${wallet}/${symbol}`);
    if (state.model?.complete !== true || isWaiting) return evaluateLater(wallet, id);
    const isOwn = isRemoved(wallet, stop);
    const isNaked = coverage
      .uncovered()
      .some((one) => one.wallet === wallet && one.symbol === symbol);
    if (!isOwn && isNaked && options.symbolsOf(wallet).includes(symbol)) offer(wallet, stop);
    else state.stops.delete(id);
    write(wallet);
  }

  /**
   * Of several stops of one position the one nearest to the market, since an attached stop covers all of
   * it.
   */
  function offer(wallet: string, evaluated: Stop): void {
    const state = open.get(wallet)!;
    const { symbol, side } = evaluated;
    const lost = [...state.stops.values()]
      .filter((stop) => stop.symbol === symbol && !state.armed.has(stop.id))
      .filter((stop) => !isRemoved(wallet, stop))
      .toSorted((one, other) => (side === 'short' ? 1 : -1) * (one.trigger - other.trigger));
    const { id, trigger, isSecond } = lost[0] ?? evaluated;
    // The record of the submitted stop stays until it is answered: a process that ends before repeats the
    // decision.
    for (const stop of lost) if (stop.id !== id || isSecond) state.stops.delete(stop.id);
    options.onLost({ wallet, symbol, trigger, isOffered: !isSecond });
    if (isSecond) return;
    state.offered.set(symbol, trigger);
    const origin = { wallet, cause: `${CAUSE}${id}`, market };
    const again = attachTpsl(symbol, { stop_loss: stopLoss.price(trigger) });
    for (const emission of toEmissions([again], origin)) options.submit(emission);
  }

  /** The stops that an intent takes off: with the monitor that was made of a leg, its leg ends. */
  function removedBy({ intent, wallet }: Emission): readonly Stop[] {
    const state = open.get(wallet)!;
    const stops = [...state.stops.values()];
    if (intent.kind === 'retire_tpsl')
      return stops.filter(({ symbol }) => symbol === intent.symbol);
    if (intent.kind !== 'stop_monitor') return [];
    const monitor = state.monitors.get(intent.monitor.monitor_id ?? '');
    if (monitor === undefined || !isOfLeg(monitor)) return [];
    const ofSide = stops.filter(({ symbol, side }) =>
      isStop(monitor, { symbol, side: side as PositionRecord['side'] }),
    );
    // One that reads its level of an indicator has no price of its own, so that any of them may be it.
    const { price } = monitor.trigger as { price?: unknown };
    const exact = ofSide.filter(({ trigger }) => trigger === price);
    return exact.length > 0 ? exact : ofSide;
  }

  /** Journaled before the intent is sent: no later process takes what it removes for lost. */
  function noteRemoval({ key, state: reached, emission }: PipeEvent): void {
    const { wallet } = emission;
    const stops = [...open.get(wallet)!.stops.values()];
    if (FAILED.includes(reached)) {
      for (const stop of stops) stay(stop, key);
    } else if (reached !== 'accepted' || !removals.has(key)) {
      for (const stop of removedBy(emission)) leave(stop, key);
    }
    if (isOver(reached)) removals.delete(key);
    else removals.add(key);
    if (reached === 'accepted') noteLeftLater(wallet, key);
    write(wallet);
  }

  /** The stops of entries that are armed still, long after the answer, are not what the intent removed. */
  function noteLeftLater(wallet: string, key: string): void {
    const { waiting } = open.get(wallet)!;
    waiting.get(key)?.();
    const cancel = market.at(market.now() + SHOWN_LONGER_MS, () => {
      waiting.delete(key);
      const { stops, armed } = open.get(wallet)!;
      for (const stop of stops.values()) {
        if (stop.isOfEntry === true && armed.has(stop.id)) stay(stop, key);
      }
      write(wallet);
    });
    waiting.set(key, cancel);
  }

  /** While nothing is submitted again nobody maintains what was armed: a later process would act on stops of long ago. */
  function forget(): Subscription {
    for (const wallet of wallets) {
      open.get(wallet)!.stops.clear();
      write(wallet);
    }
    return subscription;
  }

  if (plan.protection !== 'reattach') return { start: forget, follow: () => {} };
  return {
    start() {
      for (const wallet of wallets) {
        const source = streams.wallet(wallet);
        const state = open.get(wallet)!;
        const accepted = [...state.stops.values()]
          .flatMap(({ removedBy = [] }) => removedBy)
          .filter((key) => store.stateOf(key) === 'accepted');
        for (const key of accepted) noteLeftLater(wallet, key);
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
    follow(event) {
      const { key, state: reached, emission } = event;
      const { intent, instance, wallet, cause } = emission;
      const state = open.get(wallet);
      if (state === undefined) return;
      if (intent.kind === 'retire_tpsl' || intent.kind === 'stop_monitor') noteRemoval(event);
      if (intent.kind === 'attach_tpsl' || intent.kind === 'close_position') {
        if (isOver(reached)) underWay.delete(key);
        else underWay.set(key, `${wallet}/${intent.symbol}`);
      }
      if (isOver(reached) && instance === OPERATOR && cause.startsWith(CAUSE)) {
        state.stops.delete(cause.slice(CAUSE.length));
        write(wallet);
      }
    },
  };
}

const isOver = (reached: string): boolean => FAILED.includes(reached) || reached === 'accepted';
