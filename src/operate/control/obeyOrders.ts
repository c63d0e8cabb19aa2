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
  type Pulse,
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
  let failed: Pulse['failed'];
  let isObeying = false;
  /** Told once, not at every beat. */
  let unwritten: string | undefined;
  const heard = bot.events$.subscribe((event) => {
    if (event.kind === 'gate') reasons = event.reasons;
  });

  /** Obeyed is what would survive this process: an order that is not is left for the next one. */
  const obey = async ({ level, reason, time }: Order): Promise<void> => {
    isObeying = true;
    try {
      if (level === 'L0') await bot.rearm(reason);
      else await bot.kill(level, reason);
      obeyed = time;
      failed = undefined;
    } catch (error) {
      // A kill is tried until it is durable; a person who re-arms looks again before doing so again.
      if (level === 'L0') obeyed = time;
      else taken = Math.min(taken, time - 1);
      const why = reasonOf(error);
      if (failed?.time !== time) env.log.error(`${level} could not be made durable: ${why}`);
      failed = { time, reason: why };
    }
    isObeying = false;
  };

  const beat = (): void => {
    const next = readWhole(files.order, order);
    if (next !== undefined && next.time > taken && !isObeying) {
      taken = next.time;
      void obey(next);
    }
    const time = env.clock.wallNow();
    try {
      mkdirSync(dirname(files.pulse), { recursive: true });
      const level = bot.killLevel;
      const said: Pulse = { pid, time, level, obeyed, reasons: [...reasons] };
      if (failed !== undefined) said.failed = failed;
      writeWhole(files.pulse, said);
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
