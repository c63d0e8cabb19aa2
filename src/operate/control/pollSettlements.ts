import type { Cancel, Env } from '../../env/index.ts';
import { reasonOf } from '../../env/index.ts';
import type { Bot } from '../../runtime/index.ts';
import {
  readWhole,
  settlement,
  writeWhole,
  type ControlFiles,
  type Settled,
  type SettlementOrder,
} from './controlFiles.ts';

export interface ObeySettlementsOptions {
  bot: Pick<Bot, 'settle'>;
  env: Env;
  files: ControlFiles;
}

const LOOK_MS = 500;

/**
 * Polls for settlements of `trimtab settle`. As with a rearm, it carries out nothing without a waiting
 * caller: settlements that were sent to the previous process are ignored.
 *
 * @returns stops it
 */
export function pollSettlements({ bot, env, files }: ObeySettlementsOptions): Cancel {
  let taken = readWhole(files.settlement, settlement)?.time ?? 0;
  let cancel: Cancel = () => {};
  let isOver = false;

  const obey = async ({ key, time, ...decision }: SettlementOrder): Promise<Settled> => {
    try {
      const refused = await bot.settle(key, decision);
      return refused === undefined ? { time } : { time, refused };
    } catch (error) {
      return { time, failed: reasonOf(error) };
    }
  };

  const answer = (said: Settled): void => {
    try {
      writeWhole(files.settled, said);
    } catch (error) {
      // The waiting caller is referred to the journal, which is authoritative.
      env.log.error(`The answer to trimtab settle can't be written: ${reasonOf(error)}`);
    }
  };

  const look = async (): Promise<void> => {
    const next = readWhole(files.settlement, settlement);
    if (next !== undefined && next.time > taken) {
      taken = next.time;
      answer(await obey(next));
    }
    if (!isOver) cancel = env.timers.after(LOOK_MS, () => void look());
  };
  void look();
  return () => {
    isOver = true;
    cancel();
  };
}
