import { atMost, within, type Env } from '../../env/index.ts';
import { endAll } from './endAll.ts';
import { applyStopPolicy, type ApplyStopPolicyOptions } from './applyStopPolicy.ts';
import { stopIntents, type StopPolicy } from './stopPolicy.ts';
import type { OpenIntent, Unanswered } from './listUnanswered.ts';
import { workingOrders, type WorkingOrders } from './workingOrders.ts';
import type { AtWork } from '../wallet/index.ts';

/** What a bot leaves behind when it ends. */
export interface Remains {
  /** The bot's orders and executions that go on working, by what its streams and its answers showed. */
  working: readonly WorkingOrders[];
  /** What the policy wanted to end and did not, or could not confirm, one line each. */
  unended: readonly string[];
  /** Sent and unanswered intents: each may have been executed. */
  unanswered: readonly Unanswered[];
  /** Exits that were never sent. */
  waiting: readonly OpenIntent[];
}

export interface StopOptions {
  policy?: StopPolicy;
  /** Limit of the whole, in milliseconds: default 8,000. */
  limitMs?: number;
  /** What the policy asks for is done, as far as possible; the books are still updated. */
  onEnded?: (remains: Remains) => void;
}

export interface StopParts extends Omit<
  ApplyStopPolicyOptions,
  'wanted' | 'cause' | 'limitMs' | 'isOver' | 'env'
> {
  env: Env;
  symbolsOf(wallet: string): readonly string[];
  /** A wallet's work without the positions that an operator keeps. */
  closable(work: AtWork): AtWork;
  unanswered(): readonly Unanswered[];
  waiting(): readonly OpenIntent[];
  /** No further sends; resolves when those in flight are concluded. */
  closePipe(): Promise<void>;
  /** The strategies, which are stopping already. */
  stopping: ReadonlyArray<Promise<void>>;
  /** Ends the subscriptions to the streams. */
  unsubscribe(): void;
  closeLink(): Promise<void>;
  closeStore(withinMs: number): void | Promise<void>;
}

/** Less than the ten seconds after which a container is killed. */
const STOP_MS = 8_000;
/**
 * Shares of the whole: the policy's requests and their confirmation; what is in flight; the strategies'
 * shutdown.
 */
const SHARES = { ending: 0.75, draining: 0.85, strategies: 0.95 };
/** A fast plugin has this, whatever came before. */
const LEAST_MS = 100;

/**
 * Ends a bot, in bounded time: what its policy asks for, what is in flight, then its parts. What hangs is
 * abandoned and reported.
 */
export async function stopBot(
  parts: StopParts,
  { policy = 'leave', limitMs = STOP_MS, onEnded }: StopOptions,
): Promise<void> {
  const { env, wallets, workOf, symbolsOf } = parts;
  const startedAt = env.clock.monotonicNow();
  const cause = `stop:${policy}:${env.clock.wallNow()}`;
  const left = (share: number): number =>
    Math.max(LEAST_MS, startedAt + limitMs * share - env.clock.monotonicNow());
  let unended: readonly string[] = [];
  const end = async (): Promise<void> => {
    const forMs = left(SHARES.ending);
    if (policy === 'leave') return within(env.timers, parts.settled(), forMs);
    const wanted: ApplyStopPolicyOptions['wanted'] = (work) =>
      stopIntents(policy, parts.closable(work), symbolsOf(work.wallet));
    unended = await applyStopPolicy({ ...parts, wanted, cause, limitMs: forMs });
  };
  await endAll([
    end,
    () => within(env.timers, parts.closePipe(), left(SHARES.draining)),
    () =>
      onEnded?.({
        working: wallets.map((wallet) => workingOrders(workOf(wallet), symbolsOf(wallet), 'own')),
        unended,
        unanswered: parts.unanswered(),
        waiting: parts.waiting(),
      }),
    // A strategy in a thread may write its state until the end.
    ...parts.stopping.map((stopped) => () => atMost(env.timers, stopped, left(SHARES.strategies))),
    () => parts.unsubscribe(),
    () => atMost(env.timers, parts.closeLink(), left(1)),
    () => parts.closeStore(left(1)),
  ]);
}
