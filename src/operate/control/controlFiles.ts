import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import { KILL_LEVELS } from '../../runtime/index.ts';

/** What a person, or the watchdog, wants of a running bot. */
export const order = z.strictObject({
  level: z.enum(KILL_LEVELS),
  reason: z.string(),
  /** Wall time, epoch milliseconds: an order is obeyed once. */
  time: z.number(),
});
export type Order = z.infer<typeof order>;

/** What a running bot says of itself; it is written by its main loop, so a hang shows. */
export const pulse = z.strictObject({
  pid: z.int(),
  /** Wall time, epoch milliseconds. */
  time: z.number(),
  level: z.enum(KILL_LEVELS),
  /** Order that was last obeyed, by its time. */
  obeyed: z.number(),
  reasons: z.array(z.string()),
  /** What the order of this time could not end by the service's own word, a line each; none where all has ended. */
  unended: z.strictObject({ time: z.number(), left: z.array(z.string()) }).optional(),
  /** The order that could not be carried out or made durable, by its time; it is tried again. */
  failed: z.strictObject({ time: z.number(), reason: z.string() }).optional(),
  /** What keeps it from its work, as sentences' parts; absent where nothing does. */
  problems: z.array(z.string()).optional(),
  /**
   * How its process ended; absent while it runs, and after an end that nobody could write down.
   * `in_order`: it was asked to stop, and its stop policy was carried out.
   */
  ended: z.enum(['in_order', 'failed']).optional(),
});
export type Ended = 'in_order' | 'failed';
export type Pulse = z.infer<typeof pulse>;

/** What a person found out about an intent, for the bot to write down. */
export const settlement = z.strictObject({
  /** Idempotency key, in full. */
  key: z.string(),
  as: z.enum(['accepted', 'absent']),
  records: z.array(z.string()),
  reason: z.string(),
  by: z.string(),
  /** Wall time, epoch milliseconds: it is taken once. */
  time: z.number(),
});
export type SettlementOrder = z.infer<typeof settlement>;

/** What the bot says to the settlement of this time: done, where it gives no reason. */
export const settled = z.strictObject({
  time: z.number(),
  /** Why the intent can't be settled so. */
  refused: z.string().optional(),
  /** Why the journal could not keep it. */
  failed: z.string().optional(),
});
export type Settled = z.infer<typeof settled>;

/** Files on the bot's host: they work without a socket, without a key, and while the loop hangs. */
export interface ControlFiles {
  order: string;
  pulse: string;
  /** Apart from the orders, so that none ever takes the place of a kill that waits. */
  settlement: string;
  settled: string;
}

/** @param path of the file that they stand beside */
export function controlFilesOf(path: string): ControlFiles {
  return {
    order: `${path}.order.json`,
    pulse: `${path}.pulse.json`,
    settlement: `${path}.settlement.json`,
    settled: `${path}.settled.json`,
  };
}

/** Whole or not at all: a reader never sees half of it. */
export function writeWhole(path: string, value: Order | Pulse | SettlementOrder | Settled): void {
  writeFileSync(`${path}.new`, `${JSON.stringify(value)}\n`, { mode: 0o600 });
  renameSync(`${path}.new`, path);
}

/** What the file holds, or undefined where it is absent or not one of ours. */
export function readWhole<T>(path: string, schema: z.ZodType<T>): T | undefined {
  try {
    const parsed = schema.safeParse(JSON.parse(readFileSync(path, 'utf8')));
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Whether the process that wrote a pulse still runs. One that ended in writing does not, whoever has its
 * number since.
 */
export function isRunning(
  last: Pulse | undefined,
  isAlive: (pid: number) => boolean,
): last is Pulse {
  return last !== undefined && last.ended === undefined && isAlive(last.pid);
}
