import type { Dialect } from '../../contract/index.ts';
import { pause, reasonOf, type Env } from '../../env/index.ts';
import {
  describeTarget,
  rankOf,
  endEntries,
  keysOf,
  monitorKeysOf,
  type AtWork,
} from '../../runtime/index.ts';
import type { Intent } from '../../intents/index.ts';
import { RateLimitedError, type Client } from '../../wire/index.ts';
import { readLiveWork } from '../readLiveWork.ts';
import {
  nextCommandTime,
  killCommand,
  pendingCommand,
  pulse,
  readWhole,
  writeWhole,
  type ControlFiles,
  type Pulse,
} from './controlFiles.ts';
import { writeNow } from './writeInTurn.ts';

export interface WatchdogOptions {
  env: Env;
  files: ControlFiles;
  /** Signed with the watchdog's own key: the bot's key may be the cause of the failure. */
  client: Client;
  dialect: Dialect;
  wallets: readonly string[];
  /**
   * Returns which of these keys, or ids of monitors, are in the bot's journal. Called only when the bot hangs; if the journal
   * can't be read, it throws and is retried.
   */
  held(keys: readonly string[]): Promise<ReadonlySet<string>>;
  stopped: Promise<void>;
  /** Silence of the bot's main loop after which it counts as dead; default 60 s. */
  silenceMs?: number;
}

const SILENCE_MS = 60_000;
const LOOK_MS = 1_000;
/** For each wallet, a second: a pass reads six lists of it, and a key has 1,200 weight a minute, for its cancels too. */
const BUSY_MS = 1_000;
/** After a pass that found nothing to end: what a monitor places meanwhile is ended then. */
const IDLE_MS = 5_000;
const MOST_HELD_MS = 60_000;

/** A silence on which the watchdog acts, from its first check to the bot's next beat. */
interface Trip {
  /** Time of the command that it left; undefined while the command could not be written. */
  commanded?: number;
  /** Work that it asked to end, as text: what is still there at the next check was not ended. */
  asked: Set<string>;
  /** Work that could not be ended or read, a line each, as last logged. */
  left: readonly string[];
  /** Why a part or an entry could not be acted on in the last pass: the same is not logged again. */
  faults: ReadonlyMap<string, string>;
  /** Monotonic time before which the service is not asked again. */
  dueAt: number;
}

const newTrip = (): Trip => ({ asked: new Set(), left: [], faults: new Map(), dueAt: -Infinity });

/**
 * A second process that ends the bot's entries when its main loop has been silent for too long: kill
 * level L2 from outside, with its own key. Protection stays. A bot that was stopped in order is silent on
 * purpose, so nothing is done about it.
 *
 * @returns the work of a still silent bot that it could not end or read, a line each
 */
export async function runWatchdog(options: WatchdogOptions): Promise<readonly string[]> {
  const { env, files, silenceMs = SILENCE_MS } = options;
  let isOver = false;
  let lastBeat = env.clock.monotonicNow();
  let lastTime = -1;
  let trip: Trip | undefined;
  void options.stopped.then(() => (isOver = true));
  while (!isOver) {
    const now = env.clock.monotonicNow();
    const last = readWhole(files.pulse, pulse);
    const time = last?.time ?? -1;
    // One that can't be read at the moment is no sign of life.
    const isBeating = last !== undefined && time !== lastTime;
    const isPlanned = last?.ended === 'in_order';
    if (trip !== undefined && (isBeating || isPlanned)) {
      logRecovery(env, { isPlanned, seconds: Math.round((now - lastBeat) / 1_000) });
      trip = undefined;
    }
    if (isBeating || isPlanned) {
      lastTime = time;
      lastBeat = now;
    }
    const silentMs = now - lastBeat;
    if (silentMs >= silenceMs) {
      const reason = `silent for ${Math.round(silentMs / 1_000)} s`;
      if (trip === undefined) logTrip(env, reason, last);
      await act(options, (trip ??= newTrip()), reason);
    }
    await pause(env.timers, LOOK_MS);
  }
  // Without any findings there is nothing to check at the end.
  const hasActed = trip !== undefined && trip.asked.size + trip.left.length > 0;
  return hasActed ? listLeft(options) : [];
}

/** The bot's entries that are working now. */
async function listLeft(options: WatchdogOptions): Promise<string[]> {
  const parts = options.wallets.flatMap((wallet) => PARTS.map((part) => ({ wallet, part })));
  const lines = parts.map(async (at) => {
    try {
      const work = await workOf(options, at);
      return endEntries(work).map((intent) => lineOf(work, intent));
    } catch (error) {
      return [unreadReason(at, error)];
    }
  });
  return (await Promise.all(lines)).flat();
}

const lineOf = (work: AtWork, intent: Intent): string =>
  `${work.wallet}: ${describeTarget(work, intent)}`;
const unreadReason = ({ wallet, part }: PartOfWallet, error: unknown): string =>
  `${wallet}: ${part} can't be read: ${reasonOf(error)}`;

function logTrip({ log }: Env, reason: string, last: Pulse | undefined): void {
  const found = last === undefined ? 'it has no pulse' : `its process was ${last.pid}`;
  const how = last?.ended === 'failed' ? `${found}, which failed` : found;
  log.error(`The bot is ${reason} (${how}): L2 is requested, and its entries are cancelled`, {
    process: last?.pid,
  });
}

function logRecovery({ log }: Env, how: { isPlanned: boolean; seconds: number }): void {
  const { isPlanned, seconds } = how;
  const what = isPlanned ? 'The bot was stopped cleanly' : 'The bot is back';
  log.warn(`${what} after ${seconds} s of silence; the watchdog stands down`, {
    seconds,
  });
}

async function act(options: WatchdogOptions, trip: Trip, reason: string): Promise<void> {
  const { env, wallets } = options;
  leaveCommand(options, trip, reason);
  if (env.clock.monotonicNow() < trip.dueAt) return;
  let ended = 0;
  let heldMs = 0;
  const left: string[] = [];
  const faults = new Map<string, string>();
  for (const part of PARTS) {
    for (const wallet of options.wallets) {
      const found = await endPart(options, { ...trip, now: faults }, { wallet, part });
      ended += found.ended;
      left.push(...found.left);
      heldMs = Math.max(heldMs, found.heldMs);
    }
  }
  trip.faults = faults;
  const isIdle = ended === 0 && faults.size === 0;
  const pauseMs = Math.max(wallets.length * BUSY_MS, isIdle ? IDLE_MS : 0, heldMs);
  trip.dueAt = env.clock.monotonicNow() + pauseMs;
  if (ended > 0) env.log.error(`The bot is ${reason}: ended ${ended} of its entries`, { ended });
  const isNews = left.join() !== trip.left.join();
  trip.left = left;
  if (left.length > 0 && isNews) {
    env.log.error(`The watchdog could not end: ${left.join('; ')}`, { left: left.length });
  }
}

/** @returns how many entries it ended, what it could not end or read, a line each, and for how long it is held off */
async function endPart(
  options: WatchdogOptions,
  { asked, faults, now }: Pick<Trip, 'asked' | 'faults'> & { now: Map<string, string> },
  at: PartOfWallet,
): Promise<{ ended: number; left: string[]; heldMs: number }> {
  const { wallet, part } = at;
  let heldMs = 0;
  const failed = (what: string, error: unknown): void => {
    heldMs = Math.max(heldMs, heldMsOf(error));
    const why = reasonOf(error);
    now.set(what, why);
    if (faults.get(what) === why) return;
    options.env.log.error(`The watchdog could not act on ${part} of ${wallet}: ${why}`, { wallet });
  };
  const place = `${wallet} ${part}`;
  let work: AtWork;
  try {
    work = await workOf(options, at);
  } catch (error) {
    failed(place, error);
    return { ended: 0, left: [unreadReason(at, error)], heldMs };
  }
  let ended = 0;
  const left: string[] = [];
  for (const intent of endEntries(work)) {
    const text = JSON.stringify([wallet, intent]);
    if (asked.has(text)) left.push(lineOf(work, intent));
    asked.add(text);
    // One that can't be ended, perhaps because it just filled, must not stop the others.
    const fault = await end(options.client, wallet, intent).then(
      () => null,
      (error: unknown) => ({ error }),
    );
    if (fault === null) ended++;
    else failed(text, fault.error);
  }
  return { ended, left, heldMs };
}

/** How long the service wants to be left alone, after a 429 (LIM-2). */
const heldMsOf = (error: unknown): number =>
  error instanceof RateLimitedError
    ? Math.min((error.retryAfterSeconds ?? 0) * 1_000, MOST_HELD_MS)
    : 0;

/** For the bot if it comes back: it must not continue as if nothing had happened. */
function leaveCommand({ env, files }: WatchdogOptions, trip: Trip, reason: string): void {
  try {
    const carriedOut = readWhole(files.pulse, pulse)?.obeyed ?? Number.POSITIVE_INFINITY;
    // An operator has rearmed the stopped bot since, which settles this silence; or the pulse can't say whether he has.
    if (trip.commanded !== undefined && carriedOut >= trip.commanded) return;
    const given = readWhole(files.command, killCommand);
    // An operator may have sent a higher level meanwhile.
    const waiting = pendingCommand(files);
    if (waiting !== undefined && rankOf(waiting.level) >= rankOf('L2')) {
      trip.commanded ??= waiting.time;
      return;
    }
    const time = nextCommandTime(files, env.clock.wallNow());
    const write = (): void => writeWhole(files.command, { level: 'L2', reason, time });
    const isFree = (): boolean => readWhole(files.command, killCommand)?.time === given?.time;
    // Where an operator is just writing one, the next look decides.
    if (writeNow({ path: files.command, env, isFree, write })) trip.commanded = time;
  } catch (error) {
    // A full disk may be the reason why the bot died; its entries are ended all the same.
    env.log.error(`The watchdog's command could not be written: ${reasonOf(error)}`);
  }
}

/**
 * The parts of a wallet's work, each read, compared with the journal and ended by itself: a list that can't be read must
 * not keep the others at work. A monitor that fires meanwhile places what the next look ends.
 */
const PARTS = ['orders', 'executions', 'monitors'] as const;
interface PartOfWallet {
  wallet: string;
  part: (typeof PARTS)[number];
}

async function workOf(
  { client, dialect, held }: WatchdogOptions,
  { wallet, part }: PartOfWallet,
): Promise<AtWork> {
  const records = await readLiveWork({ client, wallet, limit: dialect.limits.pageMax })[part]();
  const work = { orders: [], executions: [], monitors: [], positions: [], [part]: records };
  const keys = [
    ...[...work.orders, ...work.executions].flatMap(keysOf),
    ...work.monitors.flatMap(monitorKeysOf),
  ];
  const own = keys.length === 0 ? new Set<string>() : await held(keys);
  return { ...work, wallet, isOwn: (key) => own.has(key) };
}

async function end(client: Client, wallet: string, intent: Intent): Promise<void> {
  if (intent.kind === 'cancel_order') {
    await client.orders.cancel({ id: intent.order.order_id ?? '', wallet });
  } else if (intent.kind === 'control_execution') {
    await client.executions.stop({ id: intent.execution.execution_id ?? '', wallet });
  } else if (intent.kind === 'stop_monitor') {
    await client.monitors.stop({ id: intent.monitor.monitor_id ?? '', wallet });
  }
}
