import type { Cancel, Env, MarketClock } from '../../env/index.ts';
import type { JournalStore } from '../../journal/index.ts';
import type { EntryGate } from './createEntryGate.ts';
import {
  rankOf,
  readLatch,
  writeLatch,
  type KillLatch,
  type KillLevel,
  type StandingLevel,
} from './killLevels.ts';
import { describeTarget } from './describeWork.ts';
import { applyStopPolicy, type ApplyStopPolicyOptions } from './applyStopPolicy.ts';
import type { Intent } from '../../intents/index.ts';
import type { Emission } from '../../strategy/index.ts';
import { endEntries } from './stopPolicy.ts';
import { flatten } from './flatten.ts';
import { toEmissions } from '../operator.ts';
import type { AtWork } from '../wallet/index.ts';

export interface KillSwitchOptions {
  env: Env;
  market: MarketClock;
  store: JournalStore;
  gate: EntryGate;
  /** Set to each level that is entered, before anything else is done. */
  standing: StandingLevel;
  /** Symbols that the strategies of a wallet own. */
  symbolsOf(wallet: string): readonly string[];
  atWork(): readonly AtWork[];
  submit(emission: Emission): void;
  isPending(emission: Emission): boolean;
  /** Queries the service for what is at work; without it, nothing is confirmed. */
  read?: ApplyStopPolicyOptions['read'];
  /** Resolves when what was submitted is concluded. */
  settled?(): Promise<void>;
  /** How often the service accepted something. */
  acceptedCount?(): number;
  /** L4: nothing is sent from now on. */
  cutWire(): void;
  onLevel(latch: KillLatch): void;
}

export interface KillSwitch {
  readonly level: KillLevel;
  /**
   * Raises the level at once; only {@link KillSwitch.rearm} lowers it.
   *
   * @throws what keeps the level from being durable; it is in force all the same, until the process ends
   */
  kill(level: KillLevel, reason: string): Promise<void>;
  /**
   * What the level could not end, or what could not be confirmed with the service, one line each; empty if
   * everything has ended. Resolves when that is known for the level in force.
   */
  unended(): Promise<readonly string[]>;
  /**
   * An operator allows trading again.
   *
   * @throws if that could not be made durable, or a kill came before it was: the level remains in force
   */
  rearm(reason: string): Promise<void>;
  /**
   * Restores the level of the previous process, before anything is sent.
   *
   * @throws JournalFault if it can't be read
   */
  restore(): void;
  /** Ends what is at work, if the level asks for it; called once what is at work is known. */
  look(): void;
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
/** Even after re-arming, only the next process reconnects what was cut. */
const CUT = 'the wire was cut, and nothing is sent until the bot is restarted';

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

export function createKillSwitch(options: KillSwitchOptions): KillSwitch {
  const { env, market, store, gate, standing } = options;
  let latch: KillLatch = { level: 'L0', reason: '', time: 0 };
  let cancelLook: Cancel = () => {};
  /** Kills so far, including those at a level that was already in force. */
  let thrown = 0;
  /** The level that is in the journal, as far as is known. */
  let durable = latch;
  let isRestored = false;
  let isStopped = false;
  /** The pending or last check of what the level has ended. */
  let ending: Ending | undefined;
  const acceptedCount = (): number => options.acceptedCount?.() ?? 0;

  const gateReason = ({ level, reason }: KillLatch): string => `kill level ${level}: ${reason}`;

  function enter(next: KillLatch): void {
    cancelLook();
    const former = gateReason(latch);
    latch = next;
    standing.set(next.level);
    // Before the gate, whose closing lets the queue check what waits.
    const isCut = latch.level === 'L4';
    if (isCut) options.cutWire();
    options.onLevel(latch);
    // The new reason closes the gate before the old one is removed, so that it is never open in between.
    if (rankOf(latch.level) >= 1) gate.close(gateReason(latch));
    if (isCut) gate.close(CUT);
    if (former !== gateReason(latch)) gate.open(former);
    look();
  }

  function look(): void {
    if (latch.level === 'L2' || latch.level === 'L3') act();
  }

  function act(): void {
    cancelLook();
    for (const work of options.atWork()) {
      const cause = `kill:${latch.level}:${env.clock.wallNow()}`;
      const why = { wallet: work.wallet, cause, market };
      for (const emission of toEmissions(wanted(work), why)) {
        // In a storm of 429s each check would add one more that spends as much as the first once it is over.
        if (!options.isPending(emission)) options.submit(emission);
      }
    }
    cancelLook = env.timers.after(LOOK_AGAIN_MS, act);
    confirm();
  }

  /** What the level requests for what is at work. */
  function wanted(work: AtWork): Intent[] {
    const exits = rankOf(latch.level) >= 3 ? flatten(work, options.symbolsOf(work.wallet)) : [];
    return [...endEntries(work), ...exits];
  }

  /**
   * Queries the service for what is left, ends what no stream has shown, and queries again until nothing is
   * left or time is up; from then on at every check, as long as something is left.
   */
  function confirm(): void {
    const { read, settled } = options;
    if (read === undefined || settled === undefined || isConfirmed()) return;
    const at = latch;
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
      // Every check requests the end of what the bot knows of.
      workOf: nothing,
      cause: `kill:${at.level}:${env.clock.wallNow()}:read`,
      submit: (emission) => options.submit(emission),
      isPending: (emission) => options.isPending(emission),
      isShown: () => true,
      isOver: () => isStopped || latch !== at,
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
    if (ending === undefined || ending.at !== latch) return false;
    if (ending.endedAt === undefined) return true;
    const isClean = ending.result?.length === 0;
    // The end of what was accepted since has not been requested.
    if (isClean && ending.since !== acceptedCount()) return false;
    const agoMs = env.clock.monotonicNow() - ending.endedAt;
    return agoMs < (isClean ? CONFIRMED_MS : UNENDED_MS);
  }

  /**
   * Reads the journal once, before anything else: a command pending at the start must not lower the level in
   * force.
   */
  function restore(): void {
    if (isRestored) return;
    const kept = readLatch(store);
    isRestored = true;
    if (kept === undefined || kept.level === 'L0') return;
    durable = kept;
    enter(kept);
  }

  async function write(next: KillLatch): Promise<void> {
    await writeLatch(store, next);
    durable = next;
  }

  return {
    get level() {
      return latch.level;
    },
    async kill(level, reason) {
      thrown += 1;
      restore();
      // Acts before it persists: a full disk must not keep a position open.
      if (rankOf(level) > rankOf(latch.level)) {
        enter({ level, reason, time: env.clock.wallNow() });
      }
      // A repeated kill writes a level that could not be written before.
      if (durable !== latch) await write(latch);
    },
    async unended() {
      if (rankOf(latch.level) < 2) return [];
      if (latch.level !== 'L4') {
        // A new caller wants the present state.
        if (ending?.result !== undefined && ending.result.length > 0) ending = undefined;
        confirm();
        return (await ending?.lines) ?? [];
      }
      // Nothing can be sent or queried any more: what was at work goes on.
      return options.atWork().flatMap((work) => {
        const { wallet } = work;
        return wanted(work).map((intent) => `${wallet}: ${describeTarget(work, intent)}`);
      });
    },
    async rearm(reason) {
      const before = thrown;
      const next: KillLatch = { level: 'L0', reason, time: env.clock.wallNow() };
      await write(next);
      if (thrown === before) return enter(next);
      // Writing may take as long as a database is away: a kill that arrives meanwhile takes precedence.
      await write(latch);
      throw new Error(`a kill arrived meanwhile, and level ${latch.level} is in force`);
    },
    restore,
    look,
    stop() {
      isStopped = true;
      cancelLook();
    },
  };
}
