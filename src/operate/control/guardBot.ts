import type { Dialect, ExecutionRecord } from '../../contract/index.ts';
import { pause, reasonOf, type Env } from '../../env/index.ts';
import { rankOf } from '../../runtime/killLevels.ts';
import {
  endEntries,
  keysOf,
  LIVE,
  monitorKeysOf,
  type AtWork,
} from '../../runtime/operatorIntents.ts';
import type { Intent } from '../../intents/index.ts';
import type { Client } from '../../wire/index.ts';
import { order, pulse, readWhole, writeWhole, type ControlFiles } from './controlFiles.ts';

export interface GuardOptions {
  env: Env;
  files: ControlFiles;
  /** Signed with the watchdog's own key: the bot's may be what is broken. */
  client: Client;
  dialect: Dialect;
  wallets: readonly string[];
  /**
   * Which of these keys stand in the bot's journal. It is asked when the bot hangs, and not before;
   * where the journal can't be read, it fails and is asked again.
   */
  held(keys: readonly string[]): Promise<ReadonlySet<string>>;
  stopped: Promise<void>;
  /** Silence of the bot's main loop that counts as its death; default 60 s. */
  silenceMs?: number;
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
    await pause(env.timers, LOOK_MS);
  }
}

async function act(options: GuardOptions, silentMs: number): Promise<void> {
  const { env } = options;
  const reason = `silent for ${Math.round(silentMs / 1_000)} s`;
  leaveOrder(options, reason);
  let ended = 0;
  for (const wallet of options.wallets) {
    const failed = (error: unknown): void =>
      env.log.error(`The watchdog could not act on ${wallet}: ${reasonOf(error)}`, { wallet });
    const work = await workOf(options, wallet).catch(failed);
    if (work === undefined) continue;
    for (const intent of endEntries(work)) {
      // One that can't be ended, because it just filled perhaps, is no reason to leave the others.
      const error = await end(options.client, wallet, intent).then(() => null, reasonOf);
      if (error === null) ended++;
      else failed(error);
    }
  }
  if (ended > 0) env.log.error(`The bot is ${reason}: ended ${ended} of its entries`, { ended });
}

/** For the bot, should it come back: it must not go on as if nothing had happened. */
function leaveOrder({ env, files }: GuardOptions, reason: string): void {
  try {
    const obeyed = readWhole(files.pulse, pulse)?.obeyed ?? 0;
    const given = readWhole(files.order, order);
    // A person may have asked for more meanwhile.
    const waits = given !== undefined && given.time > obeyed;
    if (waits && rankOf(given.level) >= rankOf('L2')) return;
    // Newer than any other, whatever the clock was set to meanwhile.
    const time = Math.max(env.clock.wallNow(), obeyed + 1, (given?.time ?? 0) + 1);
    writeWhole(files.order, { level: 'L2', reason, time });
  } catch (error) {
    // What filled the disk may be what the bot died of; its entries are ended all the same.
    env.log.error(`The watchdog's order could not be written: ${reasonOf(error)}`);
  }
}

async function workOf(options: GuardOptions, wallet: string): Promise<AtWork> {
  const { client, dialect, held } = options;
  const limit = dialect.limits.pageMax;
  const orders = await wholeList(limit, (query) => client.orders.list({ query, wallet }));
  const executions: ExecutionRecord[] = [];
  // By status: what is over may be a history of months.
  for (const status of LIVE) {
    const list = (query: Page) => client.executions.list({ query: { ...query, status }, wallet });
    executions.push(...(await wholeList(limit, list)));
  }
  const monitors = await wholeList(limit, (query) => client.monitors.list({ query, wallet }));
  const own = await held([
    ...[...orders, ...executions].flatMap(keysOf),
    ...monitors.flatMap(monitorKeysOf),
  ]);
  return { wallet, orders, executions, monitors, positions: [], isOwn: (key) => own.has(key) };
}

type Page = { limit: number; cursor?: string };

/** Every page of a list. */
async function wholeList<Item>(
  limit: number,
  list: (page: Page) => Promise<{ items: Item[]; next_cursor: string | null }>,
): Promise<Item[]> {
  const items: Item[] = [];
  for (let cursor: string | null | undefined; cursor !== null;) {
    const page = await list(cursor === undefined ? { limit } : { limit, cursor });
    items.push(...page.items);
    cursor = page.next_cursor;
  }
  return items;
}

async function end(client: Client, wallet: string, intent: Intent): Promise<void> {
  if (intent.kind === 'cancel_order') {
    await client.orders.cancel({ id: intent.order.order_id ?? '', wallet });
  } else if (intent.kind === 'control_execution') {
    await client.executions.stop({ id: intent.execution.execution_id ?? '', wallet });
  } else if (intent.kind === 'stop_monitor') {
    await client.monitors.stop({ id: intent.monitor.monitor_id ?? '', wallet });
  }
}
