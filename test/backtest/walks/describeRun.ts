import type { IntentRow, JournalStore } from '../../../src/journal/index.ts';
import type { Bot } from '../../../src/runtime/Bot.ts';
import type { RunRecord } from '../../../src/runtime/record/RunRecord.ts';

export interface EndedRun {
  bot: Bot;
  record: RunRecord;
  store: JournalStore;
  instances: readonly string[];
  wallets: readonly string[];
  symbols: readonly string[];
  /** Epoch milliseconds. */
  startTime: number;
  endTime: number;
}

/**
 * Everything that a run leaves, a line each, in an order of its own: two runs are the same if, and only if, their lines
 * are. Lines instead of one hash, so that a difference has a place.
 */
export function describeRun(run: EndedRun): string[] {
  const { bot, record, store, instances, wallets, symbols, startTime, endTime } = run;
  const lines: string[] = [`hash ${record.hash()}`];
  const add = (name: string, value: unknown): void => {
    const list = Array.isArray(value) ? value : [value];
    for (const [index, each] of list.entries()) {
      lines.push(`${name} ${index} ${JSON.stringify(each, spelled)}`);
    }
  };
  const { plots, levels, intents, malformed, refusals, lives, notices, liquidations } = record;
  const about = { plots, levels, intents, malformed, refusals, liquidations, notices };
  for (const [name, value] of Object.entries(about)) add(name, value);
  add(
    'lives',
    lives.map((life) => ('fault' in life ? { ...life, fault: life.fault.kind } : life)),
  );
  const { delays, fills, executions, total, hourlyTotal, drawdown, rateLimited } = record;
  const rest = { delays, fills, executions, total, hourlyTotal, drawdown, rateLimited };
  for (const [name, value] of Object.entries(rest)) add(name, value);
  const measured = { from: startTime, until: endTime };
  add('drawdown times', record.drawdownTimes(measured));
  for (const instance of instances) {
    add(`${instance} curve`, record.curve(instance));
    add(`${instance} hourly`, record.hourly(instance));
    add(`${instance} counts`, record.counts(instance));
    add(`${instance} drawdown times`, record.drawdownTimes(measured, instance));
    add(`${instance} ledger`, bot.ledgerOf(instance).summary());
  }
  for (const { emitted, suppressed, status } of bot.hosts) {
    add('host', { emitted, suppressed, state: status.state });
  }
  for (const wallet of wallets) {
    const book = bot.book(wallet);
    add(`${wallet} account`, book.account() ?? null);
    for (const symbol of symbols) add(`${wallet} ${symbol}`, book.positionRecord(symbol) ?? null);
  }
  for (const symbol of symbols) add(`mark ${symbol}`, bot.mark(symbol) ?? null);
  add('sends', bot.sends);
  add('budget', bot.budgetUse());
  for (const row of store.intents()) add('journal', entriesOf(store, row));
  add(
    'latches',
    store.latches().map(({ name, value, reason }) => [name, value, reason]),
  );
  return lines;
}

function entriesOf(store: JournalStore, { key, decisionKey, intent }: IntentRow) {
  const states = store.entries(key).map(({ state, marketTime }) => `${state} ${marketTime}`);
  return { key, decisionKey, intent, states };
}

/** JSON has no NaN, no infinities and no negative zero; a difference between them is one. */
function spelled(_key: string, value: unknown): unknown {
  if (typeof value !== 'number') return value;
  return Number.isFinite(value) && !Object.is(value, -0)
    ? value
    : String(value).replace(/^0$/, '-0');
}

/** Where two runs differ first: both lines, or undefined if they are the same. */
export function firstDifference(
  one: readonly string[],
  other: readonly string[],
): readonly [string, string] | undefined {
  const at = one.findIndex((line, index) => line !== other[index]);
  if (at >= 0) return [one[at]!, other[at] ?? '(nothing)'];
  return other.length > one.length ? ['(nothing)', other[one.length]!] : undefined;
}
