import { Subscription } from 'rxjs';
import type { Budget } from '../../budget/index.ts';
import { statusRecord, type Exchange, type ServiceRequest } from '../../contract/index.ts';
import type { Cancel, Env, MarketClock } from '../../env/index.ts';
import type { AccountModel, Streams, WalletStreams } from '../../streams/index.ts';
import type { BotPlan } from '../BotPlan.ts';
import { catchUpFills, agrees } from '../wallet/index.ts';

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
  const running = new Map<string, { again: boolean }>();
  const read = async (wallet: string): Promise<void> => {
    const earlier = running.get(wallet);
    if (earlier !== undefined) {
      earlier.again = true;
      return;
    }
    const mine = { again: true };
    running.set(wallet, mine);
    while (mine.again && !isOver()) {
      mine.again = false;
      const since = complete.get(wallet)?.time ?? market.now();
      const fills = await catchUpFills({ ...options, wallet, since, isOver });
      if (fills === undefined || isOver()) break;
      streams.wallet(wallet).admitFills(fills);
    }
    running.delete(wallet);
  };

  subscription.add(
    streams.status$.subscribe(({ state }) => {
      if (state !== 'open') return;
      if (wasOpen) for (const wallet of wallets) void read(wallet);
      wasOpen = true;
    }),
  );
  subscription.add(
    streams.faults$.subscribe((fault) => {
      if (fault.kind !== 'gap') return;
      if (fault.channel === '_meta') void readLayers(options);
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
      if (!agreed) void read(wallet);
      else if (!running.has(wallet)) complete.set(wallet, { time, at });
    };
    subscription.add(followSnapshots(streams.wallet(wallet), onSnapshot));
  }

  let cancel: Cancel = () => {};
  const check = (): void => {
    streams.resync();
    void readLayers(options);
    cancel = env.timers.after(resyncMs!, check);
  };
  if (resyncMs !== null) cancel = env.timers.after(resyncMs, check);
  subscription.add(() => cancel());
  return subscription;
}

const STATUS_WEIGHT = 1;

/** `_meta` has no snapshot, so a lost `recovered` would keep the entry gate closed permanently (STR-4). */
async function readLayers({ streams, budget, request }: OutagesOptions): Promise<void> {
  if (!budget.admit('read', STATUS_WEIGHT).admitted) return;
  budget.spend(STATUS_WEIGHT, 'read');
  const asked = { endpoint: 'utility.status', pathParams: {}, query: {}, body: '' } as const;
  const admit = streams.expectLayers();
  const exchange = await request(asked);
  if (exchange.kind !== 'answered' || exchange.response.status !== 200) return;
  const parsed = statusRecord.safeParse(exchange.response.body);
  if (parsed.success) admit(parsed.data.layers);
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
