import type { z } from 'zod';
import { reasonOf, type Cancel, type Env } from '../../env/index.ts';
import { readWhole, writeWhole, type Settled } from './controlFiles.ts';

export interface PollRequestsOptions<T extends { time: number }> {
  env: Env;
  /** Where a caller writes its request, and where it looks for the response. */
  request: string;
  response: string;
  schema: z.ZodType<T>;
  /** The command, for a log line. */
  command: string;
  /** Carries it out; a text says why it can't be done so. */
  run(asked: T): Promise<string | undefined | { done: string }>;
  /** Called before the response is written: what the caller looks at next should show what was done. */
  onDone?: (() => void) | undefined;
}

const LOOK_MS = 500;

/**
 * Polls for requests of a command that waits for the response. Nothing is carried out without a waiting caller: what
 * was written to the previous process is ignored.
 *
 * @returns stops it
 */
export function pollRequests<T extends { time: number }>(options: PollRequestsOptions<T>): Cancel {
  const { env, request, response, schema, command, run } = options;
  let taken = readWhole(request, schema)?.time ?? 0;
  let cancel: Cancel = () => {};
  let isOver = false;

  const carryOut = async (asked: T): Promise<Settled> => {
    const { time } = asked;
    try {
      const refused = await run(asked);
      if (refused === undefined) return { time };
      return typeof refused === 'string' ? { time, refused } : { time, ...refused };
    } catch (error) {
      return { time, failed: reasonOf(error) };
    }
  };

  const answer = (said: Settled): void => {
    try {
      writeWhole(response, said);
    } catch (error) {
      // The waiting caller is referred to the journal, which is authoritative.
      env.log.error(`The answer to ${command} can't be written: ${reasonOf(error)}`);
    }
  };

  const look = async (): Promise<void> => {
    const next = readWhole(request, schema);
    if (next !== undefined && next.time > taken) {
      taken = next.time;
      const said = await carryOut(next);
      options.onDone?.();
      answer(said);
    }
    if (!isOver) cancel = env.timers.after(LOOK_MS, () => void look());
  };
  void look();
  return () => {
    isOver = true;
    cancel();
  };
}
