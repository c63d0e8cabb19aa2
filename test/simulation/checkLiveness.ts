import type { IntentRow, JournalEntry } from '../../src/journal/index.ts';
import type { Bot } from '../../src/runtime/createBot.ts';
import type { SimDisk } from './createSimDisk.ts';
import type { InvariantChecker } from './createInvariantChecker.ts';
import { ENTRY_PROBE, PROBE } from './createSimStrategy.ts';
import type { SimService } from './createSimService.ts';
import { skewsOf, type Scenario } from './Scenario.ts';
import type { SimProcess } from './SimProcess.ts';
import type { Simulation } from './Simulation.ts';

export interface EndState {
  sim: Simulation;
  service: SimService;
  disk: Pick<SimDisk, 'durable'>;
  checker: InvariantChecker;
  bot: { process: SimProcess; bot: Bot } | null;
}

/** After recovery: no intent is open, and the bot’s state is correct. */
export function checkLiveness(end: EndState): void {
  const { sim, disk, checker, bot } = end;
  if (bot === null || !bot.process.alive) return sim.violate('not_running', 'no bot at the end');
  for (const row of disk.durable.openIntents()) {
    if (isForAPerson(row, checker, sim.scenario) || yielded(row, disk)) continue;
    sim.violate('left_open', `${row.decisionKey} (${row.kind}) is ${row.state}`);
  }
  if (sim.scenario.load === undefined) checkProbes(end);
  checkOrders(end, bot.bot);
  if (sim.scenario.forgets !== true) checker.settled(bot.process.index, bot.bot);
}

/** How long a write that is not an entry is retried before it is left to the operator, approximately. */
const TRIED_MS = 9 * 60_000;

/** The largest forward step of the bot's wall clock; the next process sees it as elapsed time. */
function leapOf(scenario: Scenario): number {
  const skews = skewsOf(scenario);
  return Math.max(0, ...skews.slice(1).map((skew, index) => skew - skews[index]!));
}

/** May add exposure, and are known by no id of the bot's. */
const ENTRIES: ReadonlySet<string> = new Set(['modify_order', 'create_monitor', 'launch_basket']);

/**
 * Some services never answer again under a key that once failed: the intent is reported, not resolved.
 * Neither is an unanswered entry that has expired, unless the service can be asked for it, nor a close of a kill level or
 * a stop that was over before an answer came.
 */
function isForAPerson(
  { key, kind, state }: EndRow,
  { facts }: InvariantChecker,
  scenario: Scenario,
): boolean {
  if (state !== 'unresolved' || kind === 'place_order' || kind === 'launch') return false;
  if (ENTRIES.has(kind) && facts.wasBarred(key)) return true;
  if (kind === 'close_position' && facts.wasLifted(key)) return true;
  return facts.triedMs(key) + leapOf(scenario) >= TRIED_MS;
}

/**
 * A request superseded by a later one is not resent, and its outcome is irrelevant; a report by the bot is
 * not enough.
 */
function yielded({ key, state }: EndRow, { durable }: EndState['disk']): boolean {
  const last = durable.entries(key).at(-1)?.data ?? '';
  if (state !== 'unresolved' || !last.includes('a later request has set the same')) return false;
  const rows = durable.intents();
  const at = rows.findIndex((row) => row.key === key);
  const subject = subjectOf(rows[at]!);
  return rows
    .slice(at + 1)
    .some((row) => subjectOf(row) === subject && wasSent(durable.entries(row.key)));
}

const wasSent = (entries: readonly JournalEntry[]): boolean =>
  entries.some(({ state }) => state === 'sending');

/** Two kinds that change the same setting share a name. */
const SETS: Readonly<Record<string, string>> = { retire_tpsl: 'attach_tpsl' };

/** The target of a setting: a symbol, an order or an execution of a wallet. */
function subjectOf({ wallet, kind, intent: text }: IntentRow): string {
  const { intent } = JSON.parse(text) as { intent: Record<string, unknown> };
  const { symbol, order, execution } = intent;
  return JSON.stringify([wallet, SETS[kind] ?? kind, symbol ?? order ?? execution]);
}

type EndRow = { key: string; kind: string; state: string };

function checkProbes({ sim, service, disk }: EndState): void {
  let answered = 0;
  for (const { decisionKey, key } of disk.durable.intents()) {
    const last = disk.durable.entries(key).at(-1)?.data ?? '';
    if (decisionKey.includes(`/${PROBE}#`) && last.includes('not_found')) answered++;
    const isShut =
      decisionKey.includes(`/${ENTRY_PROBE}#`) && last.includes('"guard":"entry_gate"');
    if (isShut) sim.violate('gate_stays_shut', last);
  }
  const asked = service.symbols.length;
  if (answered < asked) sim.violate('silent', `${answered} of ${asked} instances get answers`);
}

/** The books are judged by the ledger law, the open orders here. */
function checkOrders({ sim, service }: EndState, bot: Bot): void {
  for (const order of service.truth.orders.values()) {
    const isOpen = order.status === 'open' || order.status === 'partially_filled';
    const book = bot.book(service.walletOf(order.symbol));
    if (isOpen !== (book.order(order.order_id) !== undefined)) {
      sim.violate('model_differs', `order ${order.order_id} is ${order.status}`);
    }
  }
}
