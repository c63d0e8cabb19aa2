import { pause, type Env, type MarketClock } from '../env/index.ts';
import type { Emission } from '../strategy/index.ts';
import { stopIntents, toEmissions, type AtWork, type StopPolicy } from './operatorIntents.ts';
import { within } from './within.ts';

export interface EndWorkOptions {
  policy: StopPolicy;
  wallets: readonly string[];
  env: Env;
  market: MarketClock;
  workOf(wallet: string): AtWork;
  symbolsOf(wallet: string): readonly string[];
  submit(emission: Emission): void;
  /** Resolves when what was submitted is concluded. */
  settled(): Promise<void>;
  /** All of it, in milliseconds. */
  limitMs: number;
  /** The streams have shown everything that the service accepted. */
  isShown(): boolean;
}

/** After the answers, the streams have so long to show what they did. */
const SHOWN_MS = 2_000;
const LOOK_MS = 20;
/** What was under way when the first round was sent shows in the second; the rest is luck. */
const ROUNDS = 3;

/**
 * Sends what the stop policy asks for, until the books show that nothing is left to ask for: an entry
 * that was under way when it began is accepted after the first look.
 */
export async function endWork(options: EndWorkOptions): Promise<void> {
  const { policy, wallets, env, market, workOf, symbolsOf } = options;
  const asked = (wallet: string) => stopIntents(policy, workOf(wallet), symbolsOf(wallet));
  const isDone = (): boolean =>
    options.isShown() && wallets.every((wallet) => asked(wallet).length === 0);
  const startedAt = env.clock.wallNow();
  const end = env.clock.monotonicNow() + options.limitMs;
  const left = (): number => Math.max(0, end - env.clock.monotonicNow());
  for (let round = 1; round <= ROUNDS; round++) {
    const cause = `stop:${policy}:${startedAt}:${round}`;
    for (const wallet of wallets) {
      for (const emission of toEmissions(asked(wallet), { wallet, cause, market })) {
        options.submit(emission);
      }
    }
    await within(env.timers, options.settled(), left());
    const shownMs = Math.min(SHOWN_MS, left());
    for (let waited = 0; waited < shownMs && !isDone(); waited += LOOK_MS) {
      await pause(env.timers, LOOK_MS);
    }
    if (isDone() || left() === 0) return;
  }
}
