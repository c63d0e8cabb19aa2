import { dirname } from 'node:path';
import { DAY_MS } from '../../contract/durations.ts';
import type { Cancel, Env } from '../../env/index.ts';
import { counted, makeFolders, reasonOf, withoutSecrets } from '../../env/index.ts';
import { rankOf, type Bot, type KillLevel, type Unanswered } from '../../runtime/index.ts';
import type { StrategyFault } from '../../strategy/index.ts';
import { createUnsentExits, describeUnsent } from '../state/createUnsentExits.ts';
import {
  killCommand,
  pulse,
  readWhole,
  writeWhole,
  type ControlFiles,
  type EndFailure,
  type Ended,
  type KillCommand,
  type Pulse,
} from './controlFiles.ts';

export interface PollCommandsOptions {
  bot: Bot;
  env: Env;
  files: ControlFiles;
  pid: number;
  /** Names of its strategies, and the wallets on which they trade. */
  instances: readonly string[];
  wallets: readonly string[];
}

const BEAT_MS = 1_000;
/** Number of lines in the pulse; the rest can be seen on the service. */
const MOST_LEFT = 50;
const UNREACHED =
  "The pulse can't be written: trimtab kill can’t reach this bot, and a watchdog will consider it dead";

/** A bot that polls for commands. */
export interface Listening {
  /** The bot stops: it carries out no more commands, but its main loop still writes its pulse. */
  closeCommands(): void;
  /** Reasons why the bot does not work fully, for `trimtab status`; empty: none any more. */
  reportProblems(problems: readonly string[]): void;
  /** Writes the pulse between two beats: `trimtab status` reads what it says. */
  show(): void;
  /**
   * Records how it ended, for the watchdog and for `trimtab status`; nothing is written afterwards.
   *
   * @param failure with which the command ends; a bot that was stopped in order has one if it leaves something open
   */
  end(how: Ended, failure?: EndFailure): void;
}

/**
 * Polls for commands of `trimtab kill` and `trimtab rearm`, and writes the pulse of the bot's main loop.
 */
export function pollCommands(options: PollCommandsOptions): Listening {
  const { bot, env, files, pid } = options;
  // A kill that the previous process did not finish is carried out now; a rearm counts only if it is sent
  // now.
  let carriedOut = readWhole(files.pulse, pulse)?.obeyed ?? 0;
  const found = readWhole(files.command, killCommand);
  let taken = found?.level === 'L0' ? found.time : carriedOut;
  let reasons: readonly string[] = [];
  let failed: Pulse['failed'];
  let unended: Pulse['unended'];
  /** Levels of the commands that are being written; a database that is away holds them up for half a minute. */
  const underWay: KillLevel[] = [];
  let isStopping = false;
  let problems: readonly string[] = [];
  let notes: string[] = [];
  let closed: string[] = [];
  let unanswered: string[] = [];
  const malformed = countMalformed(() => env.clock.wallNow());
  const unsent = createUnsentExits();
  /** Why the key could not be replaced, while it is to be. */
  let unrotated: string | null = null;
  let ended: Ended | undefined;
  let failure: EndFailure | undefined;
  /** Logged once, not at every beat. */
  let unwritten: string | undefined;
  const subscription = bot.events$.subscribe((event) => {
    if (event.kind === 'gate') reasons = event.reasons;
    else if (event.kind === 'strategy_fault') malformed.take(event.fault);
    else if (event.kind === 'intent') unsent.follow(event.event);
    else if (event.kind === 'key_rotation_refused') unrotated = event.reason;
    else if (event.kind === 'key_rotated') unrotated = null;
  });

  /**
   * A command counts as carried out only if its effect survives this process; otherwise it is left for
   * the next one.
   */
  const carryOut = async ({ level, reason, time }: KillCommand): Promise<void> => {
    underWay.push(level);
    let why: string | undefined;
    try {
      if (level === 'L0') await bot.rearm(reason);
      else await bot.kill(level, reason);
      // It may take seconds, and a command to a higher level must not wait for it.
      const keep = (left: string[]): void => {
        if (time >= (unended?.time ?? 0)) unended = { time, left };
      };
      void bot.killed().then(
        (left) => keep(left.slice(0, MOST_LEFT)),
        (error: unknown) => keep([reasonOf(error)]),
      );
    } catch (error) {
      why = reasonOf(error);
    }
    underWay.splice(underWay.indexOf(level), 1);
    // A higher level that came later is carried out, and includes this one; a rearm's failure is its own doing.
    if (time < carriedOut) return;
    // A kill is retried until it is durable; a rearm is not, so that an operator looks again first.
    if (why === undefined || level === 'L0') carriedOut = time;
    else if (taken === time) taken = time - 1;
    if (why === undefined) {
      failed = undefined;
      return;
    }
    if (failed?.time !== time) env.log.error(`${level} could not be made durable: ${why}`);
    failed = { time, reason: why };
  };

  /** In order, but for a kill to a higher level than all that is being written: it is in force at once. */
  const look = (): void => {
    const next = readWhole(files.command, killCommand);
    if (next === undefined || next.time <= taken) return;
    if (underWay.some((level) => rankOf(next.level) <= rankOf(level))) return;
    taken = next.time;
    void carryOut(next);
  };

  const write = (): void => {
    const time = env.clock.wallNow();
    try {
      makeFolders(dirname(files.pulse));
      const level = bot.killLevel;
      const said: Pulse = { pid, time, level, obeyed: carriedOut, reasons: [...reasons] };
      if (failed !== undefined) said.failed = failed;
      const found = [...problems, ...endedOf(options), ...malformed.lines(), ...latchedOf(options)];
      // The last one must not depend on anything that is closed by then.
      if (ended === undefined) {
        notes = [...stagesOf(options), ...ignoredOf(options)];
        unanswered = unansweredOf(options);
        closed = closedOf(options);
      }
      found.push(
        ...closed,
        ...unanswered,
        ...cutOff(unsent.list().map(describeUnsent), "can't be sent"),
      );
      if (unrotated !== null) found.push(`the key is not replaced: ${unrotated}`);
      if (found.length > 0) said.problems = found;
      if (notes.length > 0) said.notes = notes;
      if (isStopping) said.stopping = true;
      if (ended !== undefined) said.ended = ended;
      if (failure !== undefined) said.failure = failure;
      if (unended !== undefined) said.unended = unended;
      writeWhole(files.pulse, said);
      unwritten = undefined;
    } catch (error) {
      const reason = reasonOf(error);
      if (reason !== unwritten) env.log.error(`${UNREACHED}: ${reason}`, { path: files.pulse });
      unwritten = reason;
    }
  };

  const beat = (): void => {
    if (!isStopping) look();
    write();
    cancel = env.timers.after(BEAT_MS, beat);
  };
  let cancel: Cancel = () => {};
  beat();
  return {
    reportProblems: (found) => void (problems = found),
    closeCommands() {
      isStopping = true;
      // At once: whoever sends a command now must not take the stop for a hang.
      write();
    },
    show() {
      if (ended === undefined) write();
    },
    end(how, because) {
      if (ended !== undefined) return;
      ended = how;
      // A plugin's error may hold its environment, or a configuration.
      if (because !== undefined)
        failure = { code: because.code, message: withoutSecrets(because.message) };
      subscription.unsubscribe();
      cancel();
      write();
    },
  };
}

/** Strategies that ended by their own fault: what they left open goes on unmanaged. */
function endedOf({ bot }: PollCommandsOptions): string[] {
  return bot.hosts.flatMap(({ instance, status }) =>
    status.state === 'quarantined'
      ? [`strategy ${instance} is quarantined, and manages nothing: ${status.fault.reason}`]
      : [],
  );
}

/** Intents that were dropped since they were malformed; a strategy is named for a day after its last one. */
function countMalformed(wallNow: () => number) {
  const found = new Map<string, { count: number; exits: number; reason: string; time: number }>();
  return {
    take({ kind, instance, isExit, reason }: StrategyFault): void {
      if (kind !== 'malformed_intent') return;
      const { count = 0, exits = 0 } = found.get(instance) ?? {};
      const after = { count: count + 1, exits: exits + (isExit === true ? 1 : 0) };
      found.set(instance, { ...after, reason, time: wallNow() });
    },
    lines(): string[] {
      return [...found].flatMap(([instance, { count, exits, reason, time }]) => {
        if (wallNow() - time > DAY_MS) return [];
        const parts = exits === 0 ? '' : `, ${counted(exits, 'exit')} among them`;
        const what = `${counted(count, 'malformed intent')}${parts}, not sent`;
        return [`strategy ${instance} emitted ${what}; the last: ${reason}`];
      });
    },
  };
}

/** Strategies that may not enter, by this process or an earlier one: the bot works, and not fully. */
function latchedOf({ bot, instances }: PollCommandsOptions): string[] {
  return instances.flatMap((instance) => {
    const [paused, throttled] = [bot.paused(instance), bot.throttled(instance)];
    return [
      ...(paused === undefined ? [] : [`strategy ${instance} is paused: ${paused}`]),
      ...(throttled === undefined
        ? []
        : [`strategy ${instance} may no longer enter: ${throttled}`]),
    ];
  });
}

/** Wallets and symbols to which a guard adds no exposure, though the bot's gate is open. */
function closedOf({ bot, wallets }: PollCommandsOptions): string[] {
  return wallets.flatMap((wallet) => [
    ...bot.closedWallet(wallet).map((reason) => `entries on ${wallet} are closed: ${reason}`),
    ...[...bot.closedSymbols(wallet)].map(
      ([symbol, reason]) => `entries of ${symbol} on ${wallet} are closed: ${reason}`,
    ),
  ]);
}

/** Intents that were sent and may have been executed, once their answer is overdue. */
function unansweredOf({ bot }: PollCommandsOptions): string[] {
  try {
    return describeUnanswered(bot.unanswered().filter(({ state }) => state !== 'sending'));
  } catch (error) {
    // A pulse has to be written all the same.
    return [`the journal can't be read: ${reasonOf(error)}`];
  }
}

function describeUnanswered(overdue: readonly Unanswered[]): string[] {
  const lines = overdue.map(({ kind, symbol, wallet, state, key }) => {
    const what = symbol === '' ? kind : `${kind} of ${symbol}`;
    return `${what} on ${wallet} has no answer: ${state}, ${key}`;
  });
  return cutOff(lines, 'have no answer');
}

/** As many lines as a pulse takes, and how many more there are. */
function cutOff(lines: readonly string[], what: string): string[] {
  const left = lines.length - MOST_LEFT;
  return left > 0 ? [...lines.slice(0, MOST_LEFT), `${left} more ${what}`] : [...lines];
}

/** Strategies whose new version trades, by this process or an earlier one. */
function stagesOf({ bot, instances }: PollCommandsOptions): string[] {
  return instances.flatMap((instance) => {
    const stage = bot.stageOf(instance);
    return stage === 'shadow'
      ? []
      : [`strategy ${instance} is at the stage ${stage}: its new version trades`];
  });
}

function ignoredOf({ bot, wallets }: PollCommandsOptions): string[] {
  return wallets.flatMap((wallet) => {
    const perps = bot.book(wallet).openPositions();
    const spots = bot.spotPositions(wallet).map((spot) => ({ ...spot, side: 'long' }));
    return [...perps, ...spots]
      .filter(({ symbol }) => bot.ownerOf(wallet, symbol).kind === 'ignored')
      .map(
        ({ symbol, side, size }) =>
          `the position ${side} ${size} ${symbol} on ${wallet} is ignored, by run --ignore`,
      );
  });
}
