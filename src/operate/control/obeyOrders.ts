import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Cancel, Env } from '../../env/index.ts';
import { reasonOf } from '../../env/index.ts';
import type { Bot } from '../../runtime/createBot.ts';
import {
  order,
  pulse,
  readWhole,
  writeWhole,
  type ControlFiles,
  type Order,
} from './controlFiles.ts';

export interface ObeyOptions {
  bot: Bot;
  env: Env;
  files: ControlFiles;
  pid: number;
}

const BEAT_MS = 1_000;
const UNREACHED =
  "The pulse can't be written: trimtab kill does not reach this bot, and a watchdog takes it for dead";

/**
 * Makes a bot listen to `trimtab kill` and `trimtab rearm`, and show that its main loop is alive.
 *
 * @returns ends it
 */
export function obeyOrders(options: ObeyOptions): Cancel {
  const { bot, env, files, pid } = options;
  // An order that the process before this one died upon is obeyed now; down goes only who is asked now.
  let obeyed = readWhole(files.pulse, pulse)?.obeyed ?? 0;
  const found = readWhole(files.order, order);
  let taken = found?.level === 'L0' ? found.time : obeyed;
  let reasons: readonly string[] = [];
  /** Told once, not at every beat. */
  let unwritten: string | undefined;
  const heard = bot.events$.subscribe((event) => {
    if (event.kind === 'gate') reasons = event.reasons;
  });

  const obey = async ({ level, reason, time }: Order): Promise<void> => {
    try {
      if (level === 'L0') await bot.rearm(reason);
      else await bot.kill(level, reason);
    } catch (error) {
      env.log.error(`The order could not be made durable: ${reasonOf(error)}`);
    }
    obeyed = time;
  };

  const beat = (): void => {
    const next = readWhole(files.order, order);
    if (next !== undefined && next.time > taken) {
      taken = next.time;
      void obey(next);
    }
    const time = env.clock.wallNow();
    try {
      mkdirSync(dirname(files.pulse), { recursive: true });
      const level = bot.killLevel;
      writeWhole(files.pulse, { pid, time, level, obeyed, reasons: [...reasons] });
      unwritten = undefined;
    } catch (error) {
      const reason = reasonOf(error);
      if (reason !== unwritten) env.log.error(`${UNREACHED}: ${reason}`, { path: files.pulse });
      unwritten = reason;
    }
    cancel = env.timers.after(BEAT_MS, beat);
  };
  let cancel: Cancel = () => {};
  beat();
  return () => {
    heard.unsubscribe();
    cancel();
  };
}
