import { createUuid } from '../../../src/env/createUuid.ts';
import { pause, reasonOf } from '../../../src/env/index.ts';
import type { Patience, PatienceOptions } from './createPatience.ts';
import type { SweepTables } from './createSweepTables.ts';

const RENEW_MS = 5_000;

export interface WaitOptions {
  /** The sweep, and its plan as workers check it. */
  id: string;
  signed: string;
  env: PatienceOptions['env'];
  tables: SweepTables;
  attempt: Patience;
  /** Drops what a sweep has on the server beside its tables. */
  dropQueue(sweep: string): Promise<void>;
}

/** A process among those that wait for a sweep: workers compute it as long as there is one. */
export interface Wait {
  /** Whether no other process waits. */
  isAlone(): Promise<boolean>;
  /** Ends it. The last one removes a sweep of which it has all results. */
  end(isHandedOver: boolean): Promise<void>;
}

/** Begins to wait, and removes sweeps for which nobody has waited for a day. */
export async function waitForSweep(options: WaitOptions): Promise<Wait> {
  const { id, signed, env, tables } = options;
  const waiter = createUuid();
  let isOver = false;
  const renew = () => tables.wait(id, waiter, signed);
  const isAlone = () => tables.isAlone(id, waiter);
  const remove = async (sweep: string): Promise<void> => {
    await options.dropQueue(sweep);
    await tables.remove(sweep);
  };
  await options.attempt(async () => {
    await renew();
    for (const old of await tables.unattended()) await remove(old);
  });
  void (async () => {
    for (; !isOver; await pause(env.timers, RENEW_MS)) await renew().catch(() => {});
  })();
  return {
    isAlone,
    async end(isHandedOver) {
      isOver = true;
      try {
        await tables.endWait(id, waiter);
        if (isHandedOver && (await isAlone())) await remove(id);
      } catch (error) {
        env.log.warn('The sweep is left in its database', { reason: reasonOf(error) });
      }
    },
  };
}
