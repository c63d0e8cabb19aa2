import type { Cancel, Env, MarketClock } from '../../env/index.ts';
import type { Intent } from '../../intents/index.ts';
import type { Emission } from '../../strategy/index.ts';
import { toEmissions } from '../operator.ts';
import type { AtWork } from '../wallet/index.ts';
import { applyStopPolicy, type ApplyStopPolicyOptions } from './applyStopPolicy.ts';
import { describeTarget } from './describeWork.ts';
import { flatten } from './flatten.ts';
import { rankOf, type KillLatch } from './killLevels.ts';
import { endEntries } from './stopPolicy.ts';

export interface LevelEndingOptions {
  env: Env;
  market: MarketClock;
  /** The level in force. */
  latch(): KillLatch;
  /** Symbols that the strategies of a wallet own. */
  symbolsOf(wallet: string): readonly string[];
  /** A wallet's work without the positions that an operator keeps. */
  closable(work: AtWork): AtWork;
  atWork(): readonly AtWork[];
  submit(emission: Emission): void;
  isPending(emission: Emission): boolean;
  /** Queries the service for open records; without it, nothing is confirmed. */
  read?: ApplyStopPolicyOptions['read'];
  /** Resolves when what was submitted is concluded. */
  settled?(): Promise<void>;
  /** How often the service accepted something. */
  acceptedCount?(): number;
}

/** Ends what a kill level does not allow: entries at L2, everything at L3. */
export interface LevelEnding {
  /** Requests the end, now and again as long as the level is in force. */
  start(): void;
  /** Requests nothing more, until the next start. */
  pause(): void;
  /** What could not be ended or confirmed, one line each. */
  unended(): Promise<readonly string[]>;
  /** The process ends. */
  stop(): void;
}

/**
 * Interval at which L2 and L3 check again while they are in force: an order may fill meanwhile, and an entry
 * that was in flight may turn out to be accepted.
 */
const LOOK_AGAIN_MS = 5_000;
/** Time limit to end it and to confirm that it has ended. */
const CONFIRM_MS = 8_000;
/** Interval of queries once the service has confirmed the end, as long as nothing is accepted. */
const CONFIRMED_MS = 60_000;
/** Interval while something is left; each check spends of the rate budget that would end it. */
const UNENDED_MS = 30_000;
/** What a level has ended, as far as the service confirms. */
interface Ending {
  at: KillLatch;
  /** How often the service had accepted something when it began. */
  since: number;
  lines: Promise<readonly string[]>;
  result?: readonly string[] | undefined;
  /** Monotonic time. */
  endedAt?: number;
}

export function createLevelEnding(options: LevelEndingOptions): LevelEnding {
  const { env, market, latch } = options;
  let cancelLook: Cancel = () => {};
  let isStopped = false;
  /** The pending or last check of what the level has ended. */
  let ending: Ending | undefined;
  const acceptedCount = (): number => options.acceptedCount?.() ?? 0;

  function start(): void {
    cancelLook();
    for (const work of options.atWork()) {
      const cause = `kill:${latch().level}:${env.clock.wallNow()}`;
      const origin = { wallet: work.wallet, cause, market };
      for (const emission of toEmissions(wanted(work), origin)) {
        // In a storm of 429s each check would add one more that spends as much as the first once it is over.
        if (!options.isPending(emission)) options.submit(emission);
      }
    }
    // A level that comes while the bot stops has its requests; nobody is there to look again.
    if (isStopped) return;
    cancelLook = env.timers.after(LOOK_AGAIN_MS, start);
    confirm();
  }

  /** The level's requests for what is open. */
  function wanted(work: AtWork): Intent[] {
    if (rankOf(latch().level) < 3) return endEntries(work);
    const exits = flatten(options.closable(work), options.symbolsOf(work.wallet));
    return [...endEntries(work), ...exits];
  }

  /**
   * Queries the service for what is left, ends what no stream has shown, and queries again until nothing is
   * left or time is up; from then on at every check, as long as something is left.
   */
  function confirm(): void {
    const { read, settled } = options;
    if (read === undefined || settled === undefined || isConfirmed()) return;
    const at = latch();
    const works = options.atWork();
    const since = acceptedCount();
    const nothing = (wallet: string): AtWork => ({
      // From the present state: a holding that was sold meanwhile must not be sold again.
      ...options.atWork().find((work) => work.wallet === wallet)!,
      orders: [],
      executions: [],
      positions: [],
      monitors: [],
    });
    const run: Ending = { at, since, lines: Promise.resolve([]) };
    run.lines = applyStopPolicy({
      env,
      market,
      wanted,
      read,
      settled,
      wallets: works.map(({ wallet }) => wallet),
      // Every check requests the end of every record that the bot knows.
      workOf: nothing,
      cause: `kill:${at.level}:${env.clock.wallNow()}:read`,
      submit: (emission) => options.submit(emission),
      isPending: (emission) => options.isPending(emission),
      isShown: () => true,
      isOver: () => isStopped || latch() !== at,
      limitMs: CONFIRM_MS,
    });
    ending = run;
    const done = (result: Pick<Ending, 'result'>['result']): void => {
      run.result = result;
      run.endedAt = env.clock.monotonicNow();
    };
    void run.lines.then(done, () => done(undefined));
  }

  /** A check is pending, or confirmed recently that nothing is left. */
  function isConfirmed(): boolean {
    if (ending === undefined || ending.at !== latch()) return false;
    if (ending.endedAt === undefined) return true;
    const isClean = ending.result?.length === 0;
    // The end of what was accepted since has not been requested.
    if (isClean && ending.since !== acceptedCount()) return false;
    const agoMs = env.clock.monotonicNow() - ending.endedAt;
    return agoMs < (isClean ? CONFIRMED_MS : UNENDED_MS);
  }

  return {
    start,
    pause: () => cancelLook(),
    async unended() {
      const { level } = latch();
      if (rankOf(level) < 2) return [];
      if (level !== 'L4') {
        // A new caller wants the present state.
        if (ending?.result !== undefined && ending.result.length > 0) ending = undefined;
        confirm();
        return (await ending?.lines) ?? [];
      }
      // Nothing can be sent or queried any more: open records stay open.
      return options.atWork().flatMap((work) => {
        const { wallet } = work;
        return wanted(work).map((intent) => `${wallet}: ${describeTarget(work, intent)}`);
      });
    },
    stop() {
      isStopped = true;
      cancelLook();
    },
  };
}
