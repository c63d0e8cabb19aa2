import type { Env } from '../../env/index.ts';
import { rankOf, type KillLevel } from '../../runtime/index.ts';
import { awaitAnswer } from './awaitAnswer.ts';
import {
  isStopping,
  nextCommandTime,
  pendingCommand,
  pulse,
  readWhole,
  writeWhole,
  type ControlFiles,
  type Pulse,
} from './controlFiles.ts';
import { readRunning, type Liveness } from './readRunning.ts';
import { writeInTurn } from './writeInTurn.ts';

/** The outcome of a command. */
export type CommandOutcome =
  | {
      kind: 'carried_out';
      pulse: Pulse;
      /** What it could not end, a line each; undefined if the bot could not determine that in time. */
      left: readonly string[] | undefined;
    }
  /** It is not in force: a command that came meanwhile has taken its place, a rearm that of a kill, or a kill that of a rearm. */
  | { kind: 'overruled'; pulse: Pulse }
  /** It could not be carried out, or lasts only until the process ends. */
  | { kind: 'failed'; pulse: Pulse; reason: string }
  /** No process runs there. */
  | {
      kind: 'not_running';
      last: Pulse | undefined;
      /** The time of the command that is left, if the bot ended before it carried it out. */
      left?: number;
    }
  /** It applies its stop policy, and carries out no command any more; one that is left is for its next start. */
  | { kind: 'stopping'; last: Pulse; isLeft: boolean }
  /** The process runs but its main loop hangs: a watchdog has to act. */
  | {
      kind: 'hangs';
      last: Pulse;
      /** Whether the command is left: a loop that comes back carries it out. */
      isLeft: boolean;
    };

export interface SendCommandOptions extends Liveness {
  env: Env;
  files: ControlFiles;
  level: KillLevel;
  reason: string;
  timeoutMs?: number;
  /** How long it waits for a pending command that it must not replace. */
  turnMs?: number;
  /** Time for the bot to find out what has ended, after it carried out the command. */
  confirmMs?: number;
}

const CONFIRM_MS = 15_000;

/** Sends a command to a running bot and waits until the bot reports its outcome. */
export async function sendCommand(options: SendCommandOptions): Promise<CommandOutcome> {
  const { env, files, level, reason, turnMs } = options;
  const before = await readRunning(files, options);
  if (!before.isRunning) return { kind: 'not_running', last: before.last };
  let time = 0;
  const write = (): void => {
    time = nextCommandTime(files, env.clock.wallNow());
    writeWhole(files.command, { level, reason, time });
  };
  const isFree = (): boolean => includesPending(files, level);
  const isWritten = await writeInTurn({ path: files.command, env, isFree, write }, turnMs);
  if (!isWritten) return unanswered(options, { last: before.last, isLeft: false });
  const look = (): Exclude<CommandOutcome, { kind: 'hangs' | 'stopping' }> | undefined => {
    const now = readWhole(files.pulse, pulse);
    if (now?.failed?.time === time) {
      return { kind: 'failed', pulse: now, reason: now.failed.reason };
    }
    if (now === undefined) return undefined;
    if (now.obeyed < time)
      return now.ended === undefined ? undefined : { kind: 'not_running', last: now, left: time };
    const isInForce = level === 'L0' ? now.level === 'L0' : rankOf(now.level) >= rankOf(level);
    if (!isInForce) return { kind: 'overruled', pulse: now };
    return { kind: 'carried_out', pulse: now, left: undefined };
  };
  const answer = await awaitAnswer(env, look, options.timeoutMs);
  if (answer === undefined) return unanswered(options, { last: before.last, isLeft: true });
  if (answer.kind !== 'carried_out') return answer;
  const ended = await awaitAnswer(
    env,
    () => {
      const said = readWhole(files.pulse, pulse)?.unended;
      return said !== undefined && said.time >= time ? said : undefined;
    },
    options.confirmMs ?? CONFIRM_MS,
  );
  return { ...answer, left: ended?.left };
}

/** Nothing came in time: the bot is stopping, or its main loop hangs. */
function unanswered(
  { env, files }: SendCommandOptions,
  { last, isLeft }: { last: Pulse; isLeft: boolean },
): CommandOutcome {
  const now = readWhole(files.pulse, pulse) ?? last;
  return { kind: isStopping(now, env.clock.wallNow()) ? 'stopping' : 'hangs', last: now, isLeft };
}

/**
 * Whether a command may take the place of a pending one: a kill that of a kill of the same level or a lower one, which
 * it includes, and that of a rearm, for which it must not wait. A lower kill and a rearm wait until it is carried out.
 */
function includesPending(files: ControlFiles, level: KillLevel): boolean {
  const given = pendingCommand(files);
  // One that can't be made durable is in force, and an operator may decide otherwise.
  const failed = readWhole(files.pulse, pulse)?.failed?.time;
  if (given === undefined || failed === given.time) return true;
  return level === 'L0' ? given.level === 'L0' : rankOf(level) >= rankOf(given.level);
}
