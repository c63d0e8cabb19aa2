import { Subscription } from 'rxjs';
import { readWeight, type Budget } from '../../budget/index.ts';
import { statusRecord, type Exchange, type ServiceRequest } from '../../contract/index.ts';
import type { Cancel, Env, MarketClock } from '../../env/index.ts';
import type { AccountModel, Streams, WalletStreams } from '../../streams/index.ts';
import type { BotPlan } from '../BotPlan.ts';
import type { KeyWatch } from './createKeyWatch.ts';
import { catchUpFills, agrees, LIST_LAG_MS } from '../wallet/index.ts';

export interface OutagesOptions {
  streams: Streams;
  wallets: readonly string[];
  env: Env;
  market: MarketClock;
  budget: Budget;
  plan: Pick<BotPlan, 'dialect'>;
  request(request: ServiceRequest): Exchange | Promise<Exchange>;
  /** Wall milliseconds between snapshots requested as a check; null for never (a replay). */
  resyncMs: number | null;
  keyWatch: Pick<KeyWatch, 'accepted$'>;
}

/** Reading a wallet's fills, until nothing can be missing. */
interface Reading {
  /** Some were missed since the last read began. */
  again: boolean;
  /** Ends the wait for the list. */
  wake(): void;
  /** Start of the last read that was answered, monotonic; absent before the first. */
  startedAt?: number;
}

/**
 * Covers what a stream can't report by itself: fills that passed while it was lost are read. A fresh snapshot
 * and the state of the layers are requested now and then, in case something was lost without a trace.
 */
export function followOutages(options: OutagesOptions): Subscription {
  const { streams, wallets, env, market, resyncMs } = options;
  const subscription = new Subscription();
  /**
   * Until when no fill of a wallet can be missing: the service's time, and the local time at which it
   * was seen.
   */
  const complete = new Map<string, { time: number; at: number }>();
  let wasOpen = false;

  const isOver = (): boolean => subscription.closed;
  /** One read per wallet at a time; what is missed meanwhile is read after it. */
  const running = new Map<string, Reading>();
  /** Wallets of which the last read was refused: until one is answered, their fills stay to be read. */
  const refused = new Set<string>();
  async function readOnce(wallet: string, reading: Reading): Promise<boolean> {
    const startedAt = env.clock.monotonicNow();
    const since = complete.get(wallet)?.time ?? market.now();
    const fills = await catchUpFills({ ...options, wallet, since, isOver });
    if (isOver()) return false;
    if (fills === undefined) {
      refused.add(wallet);
      return false;
    }
    refused.delete(wallet);
    reading.startedAt = startedAt;
    streams.wallet(wallet).admitFills(fills);
    return true;
  }
  async function read(wallet: string): Promise<void> {
    const earlier = running.get(wallet);
    if (earlier !== undefined) {
      earlier.again = true;
      earlier.wake();
      return;
    }
    const reading: Reading = { again: true, wake: () => {} };
    running.set(wallet, reading);
    while (reading.again && !isOver()) {
      reading.again = false;
      if (!(await readOnce(wallet, reading))) continue;
      if (!reading.again) await lag(reading);
      // Asked again: then this is not the last one.
      if (!reading.again && !isOver()) await readOnce(wallet, reading);
    }
    running.delete(wallet);
  }

  /** Lets the list catch up, unless fills are missed again meanwhile. */
  async function lag(reading: Reading): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const cancelWait = env.timers.after(LIST_LAG_MS, resolve);
    reading.wake = resolve;
    await promise;
    reading.wake = () => {};
    cancelWait();
  }
  subscription.add(() => {
    for (const { wake } of running.values()) wake();
  });

  /** A read that has ended is whole up to the time before it that a list may lag. */
  function completeUntilRead(wallet: string, time: number, at: number): void {
    const { startedAt } = running.get(wallet)!;
    if (startedAt === undefined) return;
    const wholeAt = startedAt - LIST_LAG_MS;
    const whole = { time: time - (at - wholeAt), at: wholeAt };
    if (whole.time > (complete.get(wallet)?.time ?? whole.time)) complete.set(wallet, whole);
  }

  subscription.add(
    streams.status$.subscribe(({ state }) => {
      if (state !== 'open') return;
      if (wasOpen) for (const wallet of wallets) void read(wallet);
      wasOpen = true;
    }),
  );
  subscription.add(
    options.keyWatch.accepted$.subscribe(() => {
      for (const wallet of refused) void read(wallet);
    }),
  );
  const layers = createLayerReads(options);
  subscription.add(() => layers.stop());
  subscription.add(
    streams.faults$.subscribe((fault) => {
      if (fault.kind !== 'gap') return;
      if (fault.channel === '_meta') layers.read();
      if (fault.channel !== 'account.state') return;
      for (const wallet of wallets) void read(wallet);
    }),
  );

  for (const wallet of wallets) {
    const onSnapshot = (agreed: boolean, time: number): void => {
      const at = env.clock.monotonicNow();
      const known = complete.get(wallet);
      // A clock that was set back stamps what came since with times that seem to be known.
      if (known !== undefined) known.time = Math.min(known.time, time - (at - known.at));
      if (!agreed || (refused.has(wallet) && !running.has(wallet))) void read(wallet);
      else if (running.has(wallet)) completeUntilRead(wallet, time, at);
      else complete.set(wallet, { time, at });
    };
    subscription.add(followSnapshots(streams.wallet(wallet), onSnapshot));
  }

  let cancel: Cancel = () => {};
  const check = (): void => {
    streams.resync();
    layers.read();
    cancel = env.timers.after(resyncMs!, check);
  };
  if (resyncMs !== null) cancel = env.timers.after(resyncMs, check);
  subscription.add(() => cancel());
  return subscription;
}

/** The first pause before the layers are read again, and the longest: each one without an answer doubles it. */
const RETRY_MS = 5_000;
const LONGEST_RETRY_MS = 60_000;

/** Reads the layers until an answer comes that no frame has overtaken: what was lost may have been the last one. */
function createLayerReads(options: OutagesOptions): { read(): void; stop(): void } {
  let cancel: Cancel = () => {};
  /** The last read; what an earlier one comes to is nothing to wait for. */
  let newest = 0;
  const readUntilKnown = async (pauseMs: number): Promise<void> => {
    cancel();
    const turn = ++newest;
    if ((await readLayers(options)) || turn !== newest) return;
    const nextMs = Math.min(2 * pauseMs, LONGEST_RETRY_MS);
    cancel = options.env.timers.after(pauseMs, () => void readUntilKnown(nextMs));
  };
  return {
    read: () => void readUntilKnown(RETRY_MS),
    stop() {
      newest++;
      cancel();
    },
  };
}

/**
 * `_meta` has no snapshot, so a lost `recovered` would keep the entry gate closed permanently (STR-4).
 *
 * @returns whether the layers are known
 */
async function readLayers({ streams, budget, plan, request }: OutagesOptions): Promise<boolean> {
  const asked = { endpoint: 'utility.status', pathParams: {}, query: {}, body: '' } as const;
  const weight = readWeight(plan.dialect, asked);
  if (!budget.admit('read', weight).admitted) return false;
  budget.spend(weight, 'read');
  const admit = streams.expectLayers();
  const exchange = await request(asked);
  if (exchange.kind !== 'answered' || exchange.response.status !== 200) return false;
  const parsed = statusRecord.safeParse(exchange.response.body);
  return parsed.success && admit(parsed.data.layers);
}

const FEE_TOLERANCE = 1e-6;

/**
 * A snapshot that contradicts the frames before it: some never came. Fees also reveal what left no other trace,
 * such as a fill and its opposite.
 */
function followSnapshots(
  { account$, fills$ }: Pick<WalletStreams, 'account$' | 'fills$'>,
  onSnapshot: (agreed: boolean, time: number) => void,
): Subscription {
  let last: AccountModel | undefined;
  let fees = 0;
  const subscription = fills$.subscribe(({ time, fee }) => {
    if (last === undefined || time > last.account.time) fees += fee;
  });
  subscription.add(
    account$.subscribe((model) => {
      const before = last;
      last = model;
      if (before !== undefined && before.account === model.account) return;
      const expected = (before?.account.fees_paid ?? 0) + fees;
      fees = 0;
      if (before === undefined) return onSnapshot(true, model.account.time);
      const paid = model.account.fees_paid;
      const sameFees = Math.abs(paid - expected) <= FEE_TOLERANCE * Math.max(1, Math.abs(paid));
      onSnapshot(sameFees && agrees(before, model), model.account.time);
    }),
  );
  return subscription;
}
