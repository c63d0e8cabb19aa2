import type { Dialect } from '../../contract/index.ts';
import { reasonOf, type Env } from '../../env/index.ts';
import type { KillLevel } from '../../runtime/killLevels.ts';
import { endEntries, type AtWork } from '../../runtime/operatorIntents.ts';
import type { Intent } from '../../intents/index.ts';
import type { Client } from '../../wire/index.ts';
import { pulse, readWhole, writeWhole, type ControlFiles } from './controlFiles.ts';

export interface GuardOptions {
  env: Env;
  files: ControlFiles;
  /** Signed with the watchdog's own key: the bot's may be what is broken. */
  client: Client;
  dialect: Dialect;
  wallets: readonly string[];
  /** Whether the bot's journal holds a key. */
  isOwn(key: string): boolean;
  stopped: Promise<void>;
  /** Silence of the bot's main loop that counts as its death; default 60 s. */
  silenceMs?: number;
  onActed?(level: KillLevel, ended: number): void;
}

const SILENCE_MS = 60_000;
const LOOK_MS = 1_000;

/**
 * A second process that ends the bot's entries when its main loop has been silent for too long: kill
 * level L2 from outside, with a key of its own. Protection stays.
 */
export async function guardBot(options: GuardOptions): Promise<void> {
  const { env, files, silenceMs = SILENCE_MS } = options;
  let isOver = false;
  let lastBeat = env.clock.monotonicNow();
  let lastTime = -1;
  void options.stopped.then(() => (isOver = true));
  while (!isOver) {
    const time = readWhole(files.pulse, pulse)?.time ?? -1;
    if (time !== lastTime) {
      lastTime = time;
      lastBeat = env.clock.monotonicNow();
    }
    const silentMs = env.clock.monotonicNow() - lastBeat;
    if (silentMs >= silenceMs) await act(options, silentMs);
    await new Promise<void>((resolve) => void env.timers.after(LOOK_MS, resolve));
  }
}

async function act(options: GuardOptions, silentMs: number): Promise<void> {
  const { env, files } = options;
  const reason = `silent for ${Math.round(silentMs / 1_000)} s`;
  // For the bot, should it come back: it must not go on as if nothing had happened.
  writeWhole(files.order, { level: 'L2', reason, time: env.clock.wallNow() });
  let ended = 0;
  for (const wallet of options.wallets) {
    try {
      for (const intent of endEntries(await workOf(options, wallet))) {
        await end(options.client, wallet, intent);
        ended++;
      }
    } catch (error) {
      env.log.error(`The watchdog could not act on ${wallet}: ${reasonOf(error)}`, { wallet });
    }
  }
  if (ended > 0) env.log.error(`The bot is ${reason}: ended ${ended} of its entries`, { ended });
  options.onActed?.('L2', ended);
}

async function workOf({ client, dialect, isOwn }: GuardOptions, wallet: string): Promise<AtWork> {
  const query = { limit: dialect.limits.pageMax };
  const orders = await client.orders.list({ query, wallet });
  const executions = await client.executions.list({ query, wallet });
  return { wallet, orders: orders.items, executions: executions.items, positions: [], isOwn };
}

async function end(client: Client, wallet: string, intent: Intent): Promise<void> {
  if (intent.kind === 'cancel_order') {
    await client.orders.cancel({ id: intent.order.order_id ?? '', wallet });
  } else if (intent.kind === 'control_execution') {
    await client.executions.stop({ id: intent.execution.execution_id ?? '', wallet });
  }
}
