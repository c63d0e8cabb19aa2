import type { PositionRecord } from '../../contract/index.ts';
import { within, pause, type Env, type MarketClock } from '../../env/index.ts';
import type { Intent } from '../../intents/index.ts';
import type { Emission } from '../../strategy/index.ts';
import { describeTarget } from './describeWork.ts';
import { openMonitors, type AtWork, type Reading } from '../wallet/index.ts';
import { toEmissions } from '../operator.ts';

export interface ApplyStopPolicyOptions {
  wallets: readonly string[];
  env: Pick<Env, 'clock' | 'timers'>;
  market: MarketClock;
  /** Requests that end what is open; empty once nothing is left. */
  wanted(work: AtWork): Intent[];
  /** What the bot itself knows to be open: from its streams, and from accepted requests. */
  workOf(wallet: string): AtWork;
  /** Queries the service for open records, until this monotonic time. */
  read(
    wallet: string,
    until: number,
  ): Promise<Extract<Reading, { ok: true }> | { ok: false; reason: string }>;
  /** Part of the decisions' names, so that no two rounds share one. */
  cause: string;
  submit(emission: Emission): void;
  isPending(emission: Emission): boolean;
  /** Resolves when what was submitted is concluded. */
  settled(): Promise<void>;
  /** Whether the streams have shown everything that the service accepted. */
  isShown(): boolean;
  /** Whether something else is wanted meanwhile. */
  isOver?(): boolean;
  /** Limit of the whole, in milliseconds. */
  limitMs: number;
}

/** After the answers, the streams have this long to show their effect. */
const SHOWN_MS = 1_000;
/** One answer that never comes must not use all the time that the others need. */
const SETTLED_MS = 2_000;
const LOOK_MS = 20;
/** Pause between an answer and the next query; it doubles each time, since each spends of the rate budget. */
const AGAIN_MS = 400;
/** How long a reading takes while the service is healthy. */
const READ_MS = 500;
/** What was in flight when the first round was sent shows in the second; further rounds are best effort. */
const ROUNDS = 3;

/** Requests the end of what is open, then queries the service whether it has ended: if a stream lost an
 * execution, it would otherwise go on unnoticed.
 *
 * @returns what could not be ended or not be confirmed, one line each; empty if everything has ended
 */
export async function applyStopPolicy(options: ApplyStopPolicyOptions): Promise<readonly string[]> {
  const { wallets, env, market, workOf, wanted } = options;
  const end = env.clock.monotonicNow() + options.limitMs;
  const left = (): number => Math.max(0, end - env.clock.monotonicNow());
  const isOver = (): boolean => left() === 0 || options.isOver?.() === true;
  const known = (wallet: string): Intent[] => wanted(workOf(wallet));
  const isSettled = (): boolean =>
    options.isShown() && wallets.every((wallet) => known(wallet).length === 0);
  /** Asked again at each submission: meanwhile a position may be an operator's, and a holding may be sold. */
  const wantedOf = (work: AtWork): Intent[] => {
    const { holdings = [] } = workOf(work.wallet);
    return wanted({ ...work, holdings });
  };
  const positionsOf = (wallet: string): AtWork['positions'] => workOf(wallet).positions;
  const atFirst = new Map(wallets.map((wallet) => [wallet, positionsOf(wallet)]));
  /** A close that was cut leaves a part, whose record a list that lags may lack. */
  const cut = (wallet: string): AtWork['positions'] =>
    positionsOf(wallet).filter((now) => !atFirst.get(wallet)!.some((one) => isSame(one, now)));
  let read: ReadonlyMap<string, Found> = new Map();
  for (let round = 1; ; round++) {
    for (const wallet of round <= ROUNDS ? wallets : []) {
      const shown = read.get(wallet)?.work;
      const intents = unique([...known(wallet), ...(shown === undefined ? [] : wantedOf(shown))]);
      const cause = `${options.cause}:${round}`;
      for (const emission of toEmissions(intents, { wallet, cause, market })) {
        if (!options.isPending(emission)) options.submit(emission);
      }
    }
    await within(env.timers, options.settled(), Math.min(SETTLED_MS, options.limitMs / 4, left()));
    const shownMs = Math.min(SHOWN_MS, options.limitMs / 8, left());
    for (let waited = 0; waited < shownMs && !isSettled(); waited += LOOK_MS) {
      await pause(env.timers, LOOK_MS);
    }
    read = await ask({ ...options, cut }, end, read);
    const lines = [...read.values()].flatMap((found) => found.lines);
    const restMs = AGAIN_MS * 2 ** (round - 1);
    // A last query without time for its answer would report less than the one before it.
    if (lines.length === 0 || isOver() || left() < restMs + READ_MS) return lines;
    await pause(env.timers, restMs);
  }
}

/** What is left of a wallet's work according to the service. */
interface Found {
  work: AtWork;
  lines: readonly string[];
  /** The last reading, if there ever was one. */
  last?: Found;
}

interface AskOptions extends ApplyStopPolicyOptions {
  /** Positions that a stream shows otherwise than before the first request: it is not behind. */
  cut(wallet: string): AtWork['positions'];
}

async function ask(
  options: AskOptions,
  until: number,
  before: ReadonlyMap<string, Found>,
): Promise<ReadonlyMap<string, Found>> {
  const { wallets, workOf, wanted } = options;
  const found = wallets.map(async (wallet): Promise<[string, Found]> => {
    const reading = await options.read(wallet, until);
    const { isOwn, holdings = [] } = workOf(wallet);
    const foundIn = (work: AtWork): Found => {
      const lines = wanted(work).map((one) => `${wallet}: ${describeTarget(work, one)}`);
      return { work, lines };
    };
    if (!reading.ok) {
      // Falls back on the last reading, then on the bot's own view.
      const last = before.get(wallet)?.last ?? foundIn(workOf(wallet));
      const why = `${wallet}: working orders can't be read: ${reading.reason}`;
      return [wallet, { ...last, last, lines: [why, ...last.lines] }];
    }
    const monitors = openMonitors(reading.work.monitors);
    const listed = reading.work.positions;
    const isListed = ({ symbol }: PositionRecord): boolean =>
      listed.some((one) => one.symbol === symbol);
    const positions = [...listed, ...options.cut(wallet).filter((one) => !isListed(one))];
    const last = foundIn({ wallet, isOwn, ...reading.work, positions, monitors, holdings });
    return [wallet, { ...last, last }];
  });
  return new Map(await Promise.all(found));
}

const isSame = (one: PositionRecord, other: PositionRecord): boolean =>
  one.symbol === other.symbol && one.side === other.side && one.size === other.size;

function unique(intents: readonly Intent[]): Intent[] {
  return [...new Map(intents.map((intent) => [JSON.stringify(intent), intent])).values()];
}
