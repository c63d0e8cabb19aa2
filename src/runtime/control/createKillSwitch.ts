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
  /** Is set to each level that is entered, before anything else is done. */
  standing: StandingLevel;
  /** Symbols that the strategies of a wallet own. */
  symbolsOf(wallet: string): readonly string[];
  atWork(): readonly AtWork[];
  submit(emission: Emission): void;
  isPending(emission: Emission): boolean;
  /** What the service says when it is asked; without it, nothing is confirmed. */
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
   * Goes up at once; down only by {@link KillSwitch.rearm}.
   *
   * @throws what keeps the level from being durable; it stands all the same, until the process ends
   */
  kill(level: KillLevel, reason: string): Promise<void>;
  /**
   * What the level could not end by the service's own word, or what nobody can tell, a line each; nothing
   * where all has ended. Resolves when that is found out for the level that stands.
   */
  unended(): Promise<readonly string[]>;
  /**
   * A person says that trading may go on.
   *
   * @throws where that could not be made durable, or a kill came before it was: the level stands
   */
  rearm(reason: string): Promise<void>;
  /**
   * Takes up the level of the process before this one, before anything is sent.
   *
   * @throws JournalFault where it can't be read
   */
  restore(): void;
  /** Ends what is at work, where the level asks for it: what is at work has just become known. */
  look(): void;
  stop(): void;
}

/**
 * L2 and L3 look again after so long, as long as they stand: an order may fill meanwhile, and an entry
 * that was under way may turn out to be accepted.
 */
const LOOK_AGAIN_MS = 5_000;
/** To end it and to find out that it has ended. */
const CONFIRM_MS = 8_000;
/** What has ended by the service's word is asked for again so seldom, as long as nothing is accepted. */
const CONFIRMED_MS = 60_000;
/** And what has not; to find it out spends of the rate budget that would end it. */
const UNENDED_MS = 30_000;
/** Re-armed or not: what was cut is put together by the next process only. */
const CUT = 'the wire was cut, and nothing is sent until the bot is restarted';

/** What a level has ended, as far as the service says. */
interface Ending {
  at: KillLatch;
  /** How often the service had accepted something when it began. */
  since: number;
  lines: Promise<readonly string[]>;
  result?: readonly string[] | undefined;
  /** Monotonic. */
  endedAt?: number;
}

export function createKillSwitch(options: KillSwitchOptions): KillSwitch {
  const { env, market, store, gate, standing } = options;
  let latch: KillLatch = { level: 'L0', reason: '', time: 0 };
  let cancelLook: Cancel = () => {};
  /** Kills so far, those that found their level standing included. */
  let thrown = 0;
  /** What stands in the journal, as far as is known. */
  let durable = latch;
  let isRestored = false;
  let isStopped = false;
  /** What is found out, or was, of what the level has ended. */
  let ending: Ending | undefined;
  const acceptedCount = (): number => options.acceptedCount?.() ?? 0;

  const gateReason = ({ level, reason }: KillLatch): string => `kill level ${level}: ${reason}`;

  function enter(next: KillLatch): void {
    cancelLook();
    const former = gateReason(latch);
    latch = next;
    standing.set(next.level);
    // Before the gate, whose closing lets the queue look at what waits.
    const isCut = latch.level === 'L4';
    if (isCut) options.cutWire();
    options.onLevel(latch);
    // Closed anew before it is opened: from level to level nobody sees an open gate.
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
        // In a storm of 429s each look would add one that spends as much as the first when it is over.
        if (!options.isPending(emission)) options.submit(emission);
      }
    }
    cancelLook = env.timers.after(LOOK_AGAIN_MS, act);
    confirm();
  }

  /** What the level asks for of what is at work. */
  function wanted(work: AtWork): Intent[] {
    const exits = rankOf(latch.level) >= 3 ? flatten(work, options.symbolsOf(work.wallet)) : [];
    return [...endEntries(work), ...exits];
  }

  /**
   * Asks the service what is left, ends what no stream has shown, and asks again: until nothing is, or for so
   * long; and from then on at every look, as long as something is left.
   */
  function confirm(): void {
    const { read, settled } = options;
    if (read === undefined || settled === undefined || isConfirmed()) return;
    const at = latch;
    const works = options.atWork();
    const since = acceptedCount();
    const nothing = (wallet: string): AtWork => ({
      // As of now: a holding that was sold meanwhile must not be sold again.
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
      // What the bot knows of is asked for by every look.
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

  /** It is being found out, or was found out lately that nothing is left. */
  function isConfirmed(): boolean {
    if (ending === undefined || ending.at !== latch) return false;
    if (ending.endedAt === undefined) return true;
    const isClean = ending.result?.length === 0;
    // What was accepted since has not been asked for.
    if (isClean && ending.since !== acceptedCount()) return false;
    const agoMs = env.clock.monotonicNow() - ending.endedAt;
    return agoMs < (isClean ? CONFIRMED_MS : UNENDED_MS);
  }

  /** Once, before whatever comes first: an order that a start finds must not lower what stands. */
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
      // Acted upon first: a disk that is full must not keep a position open.
      if (rankOf(level) > rankOf(latch.level)) {
        enter({ level, reason, time: env.clock.wallNow() });
      }
      // Who insists has a level written that could not be written before.
      if (durable !== latch) await write(latch);
    },
    async unended() {
      if (rankOf(latch.level) < 2) return [];
      if (latch.level !== 'L4') {
        // Who asks again wants to know what is so now.
        if (ending?.result !== undefined && ending.result.length > 0) ending = undefined;
        confirm();
        return (await ending?.lines) ?? [];
      }
      // Nothing can be sent or asked any more: what it knew of goes on.
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
      // To write it may take as long as a database is away: whoever kills meanwhile meant what is now.
      await write(latch);
      throw new Error(`a kill came meanwhile, and level ${latch.level} stands`);
    },
    restore,
    look,
    stop() {
      isStopped = true;
      cancelLook();
    },
  };
}
