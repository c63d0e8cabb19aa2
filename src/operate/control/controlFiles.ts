import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { secretReference } from '../../config/index.ts';
import { replaceFile } from '../../env/index.ts';
import { KILL_LEVELS } from '../../runtime/index.ts';

/** A command of an operator, or of the watchdog, to a running bot. */
export const killCommand = z.strictObject({
  level: z.enum(KILL_LEVELS),
  reason: z.string(),
  /** Wall time, epoch milliseconds: a command is carried out once. */
  time: z.number(),
});
export type KillCommand = z.infer<typeof killCommand>;

/** The status that a running bot reports; its main loop writes it, so a hang is visible. */
export const pulse = z.strictObject({
  pid: z.int(),
  /** Wall time, epoch milliseconds. */
  time: z.number(),
  level: z.enum(KILL_LEVELS),
  /** The last command that was carried out, by its time; the name is that of earlier versions. */
  obeyed: z.number(),
  reasons: z.array(z.string()),
  /**
   * What the command of this time could not end, as confirmed by the service, a line each; empty if all
   * has ended.
   */
  unended: z.strictObject({ time: z.number(), left: z.array(z.string()) }).optional(),
  /** The command that could not be carried out or persisted, by its time; it is retried. */
  failed: z.strictObject({ time: z.number(), reason: z.string() }).optional(),
  /** Reasons why it does not work fully, as parts of sentences; absent if there are none. */
  problems: z.array(z.string()).optional(),
  /** What an operator decided and should remember, though it works fully; absent if there is nothing. */
  notes: z.array(z.string()).optional(),
  /** It applies its stop policy, and carries out no command any more. */
  stopping: z.literal(true).optional(),
  /**
   * How its process ended; absent while it runs, and after an end that could not be recorded. `in_order`:
   * it was asked to stop, and its stop policy was carried out.
   */
  ended: z.enum(['in_order', 'failed']).optional(),
  /** The failure with which its command ended, as it was shown there. */
  failure: z.strictObject({ code: z.string(), message: z.string() }).optional(),
});
export type Ended = 'in_order' | 'failed';
export type EndFailure = NonNullable<Pulse['failure']>;
export type Pulse = z.infer<typeof pulse>;

/** An operator's finding about an intent, for the bot to record. */
export const settlement = z.strictObject({
  /** Idempotency key, in full. */
  key: z.string(),
  as: z.enum(['accepted', 'absent']),
  records: z.array(z.string()),
  /** The records are taken on the operator's word. */
  unchecked: z.boolean().optional(),
  reason: z.string(),
  by: z.string(),
  /** Wall time, epoch milliseconds: it is applied once. */
  time: z.number(),
});
export type SettlementRequest = z.infer<typeof settlement>;

/** The bot's response to the request of this time: done, unless it gives a reason. */
export const settled = z.strictObject({
  time: z.number(),
  /** What was done, where the caller can't know it. */
  done: z.string().optional(),
  /** Why it can't be done so. */
  refused: z.string().optional(),
  /** Why the journal could not persist it. */
  failed: z.string().optional(),
});
export type Settled = z.infer<typeof settled>;

/** An operator's command to one strategy of a bot. */
export const strategyCommand = z.strictObject({
  instance: z.string(),
  do: z.enum(['pause', 'resume', 'promote']),
  /** Where `promote` takes it, and the symbols with which it goes. */
  move: z.enum(['canary', 'live', 'next', 'back']).optional(),
  hand_over: z.array(z.string()).optional(),
  reason: z.string(),
  /** Wall time, epoch milliseconds: it is carried out once. */
  time: z.number(),
});
export type StrategyCommand = z.infer<typeof strategyCommand>;

/** An operator's command to a running bot: read the API key again, and sign with it. */
export const rotationRequest = z.strictObject({
  reason: z.string(),
  by: z.string(),
  /** Where the configuration says now that they are read; the bot reads them itself. */
  named: z.strictObject({
    key_id: z.union([z.string(), secretReference]),
    secret: secretReference,
  }),
  /** Wall time, epoch milliseconds: it is carried out once. */
  time: z.number(),
});
export type RotationRequest = z.infer<typeof rotationRequest>;

/** Files on the bot's host: they work without a socket or a key, and while the loop hangs. */
export interface ControlFiles {
  command: string;
  pulse: string;
  /** Separate from the commands, so that none ever replaces a pending kill. */
  settlement: string;
  settled: string;
  /** Separate again: a pause never waits for, nor replaces, a settlement. */
  strategy: string;
  strategyDone: string;
  rotation: string;
  rotationDone: string;
}

/** @param path of the file beside which they are placed */
export function controlFilesOf(path: string): ControlFiles {
  return {
    // The file keeps its name, for processes of an earlier version.
    command: `${path}.order.json`,
    pulse: `${path}.pulse.json`,
    settlement: `${path}.settlement.json`,
    settled: `${path}.settled.json`,
    strategy: `${path}.strategy.json`,
    strategyDone: `${path}.strategy-done.json`,
    rotation: `${path}.rotation.json`,
    rotationDone: `${path}.rotation-done.json`,
  };
}

/** Atomic: a reader never sees half of it. */
export function writeWhole(
  path: string,
  value: KillCommand | Pulse | SettlementRequest | StrategyCommand | RotationRequest | Settled,
): void {
  replaceFile(path, `${JSON.stringify(value)}\n`);
}

/** The file's content, or undefined if it is absent or not a control file. */
export function readWhole<T>(path: string, schema: z.ZodType<T>): T | undefined {
  try {
    const parsed = schema.safeParse(JSON.parse(readFileSync(path, 'utf8')));
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined;
  }
}

/** A main loop beats each second; a silence of this length is a hang. */
export const SILENT_MS = 15_000;

/**
 * Whether the process that wrote a pulse still runs. A process that recorded its end does not, even if
 * its pid was reused since.
 */
export function isRunning(
  last: Pulse | undefined,
  isAlive: (pid: number) => boolean,
): last is Pulse {
  return last !== undefined && last.ended === undefined && isAlive(last.pid);
}

/** How long ago a pulse was written. A clock that was set back since stamps the present earlier than what came before. */
export const silentMsOf = ({ time }: Pick<Pulse, 'time'>, now: number): number =>
  Math.abs(now - time);

/** Whether it applies its stop policy; one whose main loop is silent meanwhile hangs. */
export const isStopping = (last: Pulse, now: number): boolean =>
  last.stopping === true && silentMsOf(last, now) <= SILENT_MS;

/** The command that the bot has still to carry out; undefined if there is none. */
export function pendingCommand(files: ControlFiles): KillCommand | undefined {
  const given = readWhole(files.command, killCommand);
  return given !== undefined && given.time > carriedOutTime(files) ? given : undefined;
}

/** A time for the next command: newer than any other, even if the clock was changed meanwhile. */
export function nextCommandTime(files: ControlFiles, now: number): number {
  const given = readWhole(files.command, killCommand)?.time ?? 0;
  return Math.max(now, carriedOutTime(files) + 1, given + 1);
}

const carriedOutTime = (files: ControlFiles): number => readWhole(files.pulse, pulse)?.obeyed ?? 0;
