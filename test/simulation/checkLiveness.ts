import type { IntentRow, JournalEntry } from '../../src/journal/index.ts';
import type { Bot } from '../../src/runtime/createBot.ts';
import type { SimDisk } from './createSimDisk.ts';
import type { SimJudge } from './createSimJudge.ts';
import { ENTRY_PROBE, PROBE } from './createSimStrategy.ts';
import type { SimService } from './createSimService.ts';
import { skewsOf, type Scenario } from './Scenario.ts';
import type { SimProcess } from './SimProcess.ts';
import type { SimWorld } from './SimWorld.ts';

export interface EndState {
  world: SimWorld;
  service: SimService;
  disk: SimDisk;
  judge: SimJudge;
  bot: { process: SimProcess; bot: Bot } | null;
  /** The bot was never restarted, so that its ledgers hold everything. */
  isOneLife: boolean;
}

const same = (a: number, b: number): boolean => Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(a));

/** After a time of peace: nothing is open, and what the bot believes is so. */
export function checkLiveness(end: EndState): void {
  const { world, disk, judge, bot } = end;
  if (bot === null || !bot.process.alive) return world.violate('not_running', 'no bot at the end');
  for (const row of disk.durable.openIntents()) {
    if (isForAPerson(row, judge, world.scenario) || yielded(row, disk)) continue;
    world.violate('left_open', `${row.decisionKey} (${row.kind}) is ${row.state}`);
  }
  if (world.scenario.load === undefined) checkProbes(end);
  checkModel(end, bot.bot);
}

/** How long a write that is no entry is tried before it is left to a person, about. */
const TRIED_MS = 9 * 60_000;

/** The furthest that the bot's wall clock is set forward at once: to the next process, so much time has passed. */
function leapOf(scenario: Scenario): number {
  const skews = skewsOf(scenario);
  return Math.max(0, ...skews.slice(1).map((skew, index) => skew - skews[index]!));
}

/**
 * Some services never answer again under a key that once failed: that is told, not solved. Nor is a new
 * price that went unanswered and may not be set any more.
 */
function isForAPerson(
  { key, kind, state }: EndRow,
  { facts }: SimJudge,
  scenario: Scenario,
): boolean {
  if (state !== 'unresolved' || kind === 'place_order' || kind === 'launch') return false;
  if (kind === 'modify_order' && facts.wasBarred(key)) return true;
  return facts.triedMs(key) + leapOf(scenario) >= TRIED_MS;
}

/**
 * What a later request set anew is not sent again, and what became of it says nothing any more; but that
 * the bot says so is not enough.
 */
function yielded({ key, state }: EndRow, { durable }: SimDisk): boolean {
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

/** Two kinds that set the same of one thing go by one name. */
const SETS: Readonly<Record<string, string>> = { retire_tpsl: 'attach_tpsl' };

/** What a setting is of: a symbol, an order or an execution of a wallet. */
function subjectOf({ wallet, kind, intent: text }: IntentRow): string {
  const { intent } = JSON.parse(text) as { intent: Record<string, unknown> };
  const { symbol, order, execution } = intent;
  return JSON.stringify([wallet, SETS[kind] ?? kind, symbol ?? order ?? execution]);
}

type EndRow = { key: string; kind: string; state: string };

function checkProbes({ world, service, disk }: EndState): void {
  let answered = 0;
  for (const { decisionKey, key } of disk.durable.intents()) {
    const last = disk.durable.entries(key).at(-1)?.data ?? '';
    if (decisionKey.includes(`/${PROBE}#`) && last.includes('not_found')) answered++;
    const isShut =
      decisionKey.includes(`/${ENTRY_PROBE}#`) && last.includes('"guard":"entry_gate"');
    if (isShut) world.violate('gate_stays_shut', last);
  }
  const asked = service.symbols.length;
  if (answered < asked) world.violate('silent', `${answered} of ${asked} instances get answers`);
}

function checkModel({ world, service, isOneLife }: EndState, bot: Bot): void {
  const book = bot.book('main');
  const { truth } = service;
  for (const symbol of service.symbols) {
    const held = truth.positions.get(symbol) ?? 0;
    if (!same(book.position(symbol), held)) {
      world.violate('model_differs', `${symbol}: ${book.position(symbol)}, truly ${held}`);
    }
    const ledger = bot.ledgerOf(`sim-${symbol}`);
    if (isOneLife && !same(ledger.position(symbol), held)) {
      world.violate('fills_lost', `${symbol}: ledger ${ledger.position(symbol)}, truly ${held}`);
    }
  }
  for (const order of truth.orders.values()) {
    const isOpen = order.status === 'open' || order.status === 'partially_filled';
    if (isOpen !== (book.order(order.order_id) !== undefined)) {
      world.violate('model_differs', `order ${order.order_id} is ${order.status}`);
    }
  }
}
