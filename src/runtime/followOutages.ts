import { Subscription } from 'rxjs';
import type { Budget } from '../budget/index.ts';
import type { Exchange, ServiceRequest } from '../contract/index.ts';
import type { Cancel, Env, MarketClock } from '../env/index.ts';
import type { AccountModel, Streams } from '../streams/index.ts';
import { catchUpFills } from './catchUpFills.ts';
import { agrees } from './confirmSnapshots.ts';

export interface OutagesOptions {
  streams: Streams;
  wallets: readonly string[];
  env: Env;
  market: MarketClock;
  budget: Budget;
  request(request: ServiceRequest): Promise<Exchange>;
  /** Wall milliseconds between snapshots asked for as a check; null for never (a replay). */
  resyncMs: number | null;
}

/**
 * What a stream can't tell by itself: fills that passed while it was lost are read. A fresh snapshot
 * is asked for now and then, in case something went missing without a trace.
 */
export function followOutages(options: OutagesOptions): Subscription {
  const { streams, wallets, env, market, resyncMs } = options;
  const subscription = new Subscription();
  const lastFill = new Map(wallets.map((wallet) => [wallet, market.now()]));
  let wasOpen = false;

  const isOver = (): boolean => subscription.closed;
  /** One read a wallet at a time; what is missed meanwhile is read after it, from the same start. */
  const running = new Map<string, { again: boolean }>();
  const read = async (wallet: string): Promise<void> => {
    const earlier = running.get(wallet);
    if (earlier !== undefined) {
      earlier.again = true;
      return;
    }
    const mine = { again: true };
    running.set(wallet, mine);
    const since = lastFill.get(wallet) ?? 0;
    while (mine.again && !isOver()) {
      mine.again = false;
      const fills = await catchUpFills({ ...options, wallet, since, isOver });
      if (fills !== undefined && !isOver()) streams.wallet(wallet).admitFills(fills);
    }
    running.delete(wallet);
  };

  for (const wallet of wallets) {
    const follow = streams.wallet(wallet).fills$.subscribe(({ time }) => {
      lastFill.set(wallet, Math.max(time, lastFill.get(wallet) ?? 0));
    });
    subscription.add(follow);
  }
  subscription.add(
    streams.status$.subscribe(({ state }) => {
      if (state !== 'open') return;
      if (wasOpen) for (const wallet of wallets) void read(wallet);
      wasOpen = true;
    }),
  );
  subscription.add(
    streams.faults$.subscribe((fault) => {
      if (fault.kind !== 'gap' || fault.channel !== 'account.state') return;
      for (const wallet of wallets) void read(wallet);
    }),
  );

  // A snapshot that says something else than the frames before it: some never came.
  for (const wallet of wallets) {
    let last: AccountModel | undefined;
    const compare = streams.wallet(wallet).account$.subscribe((model) => {
      const isSnapshot = last !== undefined && last.account !== model.account;
      if (isSnapshot && !agrees(last!, model)) void read(wallet);
      last = model;
    });
    subscription.add(compare);
  }

  let cancel: Cancel = () => {};
  const check = (): void => {
    streams.resync();
    cancel = env.timers.after(resyncMs!, check);
  };
  if (resyncMs !== null) cancel = env.timers.after(resyncMs, check);
  subscription.add(() => cancel());
  return subscription;
}
