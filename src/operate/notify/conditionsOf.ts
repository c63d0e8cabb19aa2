import { MINUTE_MS } from '../../contract/durations.ts';
import { withFullStop } from '../../env/index.ts';
import { placeName } from '../../runtime/index.ts';
import { commandOf, type CommandTarget } from '../journal/index.ts';
import { describeUnsent, type Blocks, type BotView, type UnsentExit } from '../state/index.ts';
import type { Alert } from './Alert.ts';

/** Something that may be an alert: it is one once it has held for a while. */
export interface Condition extends Alert {
  /** Milliseconds for which it must hold; 0: at once. */
  holdMs: number;
  /** Market time since when it holds, if the view knows it. */
  since?: number;
  /** An interruption of less than {@link BRIDGE_MS} neither ends it nor begins its hold again. */
  isBridged?: true;
  /** Nothing is said while an alert of one of these keys, or below one, says it already. */
  unless?: readonly string[];
}

/** How often the stream was lost in the last ten minutes, and for how long altogether. */
export interface StreamLosses {
  /** One that comes within {@link BRIDGE_MS} of another is a part of it. */
  count: number;
  /** Milliseconds. */
  downMs: number;
}

export interface ConditionRules {
  /** For the commands. */
  config: CommandTarget;
  /** Null: a position without a stop is no alert. */
  uncoveredSeconds: number | null;
  /** Wallets and symbols whose position contradicts its fills. */
  doubted: ReadonlyMap<string, string>;
  /** Exits that could not be sent so far. */
  unsent: readonly UnsentExit[];
  /** Why the key could not be replaced, while it is to be; null otherwise. */
  unrotated: string | null;
  /** Of the last ten minutes. */
  losses: StreamLosses;
}

/** A stream that is lost again and again is down as a whole, and a retry that was under way was no success. */
export const BRIDGE_MS = 30_000;

/** Of ten minutes, in as many losses: what is there for longer than it is bridged never holds for its minute. */
const LOST_MS = 3 * MINUTE_MS;
const LOST_TIMES = 3;
/** Of a bar's length, beyond its end; and what a service may need to publish it. */
const STALE_BARS = 2;
/** A feed's first bar, or an open gate, may take as long after a start or an outage. */
const PATIENCE_MS = 5 * MINUTE_MS;
/** What closes all entries, and is said by itself. */
const CLOSING: readonly string[] = ['kill', 'key_refused', 'stream'];
/** Positions whose exits are the bot's, or an operator's who has to decide. */
const OURS: readonly string[] = ['owned', 'orphan'];
/** Of the day's limit. */
const LOSS_SHARE = 0.8;
/** The records of one trade may come one by one, and what is between two of them is no loss. */
const SETTLE_MS = 5_000;

/** Everything in a view that a person should know; what is said elsewhere is not said again. */
export function conditionsOf(view: BotView, rules: ConditionRules): Condition[] {
  const { blocks } = view;
  return [
    ...ofBot(blocks, rules),
    ...ofUnsent(rules),
    ...ofBudget(blocks),
    ...ofPositions(blocks, rules),
    ...ofLosses(blocks, rules),
    ...ofStrategies(blocks, rules),
    ...ofFeeds(view, rules),
    ...ofClosures(blocks, rules),
  ];
}

function ofBot({ bot, connection, unanswered }: Blocks, rules: ConditionRules) {
  const { config, unrotated, losses } = rules;
  const found: Condition[] = [];
  if (bot.kill_level !== 'L0') {
    found.push({
      key: `kill/${bot.kill_level}`,
      group: 'kill',
      severity: 'page',
      title: `kill level ${bot.kill_level}`,
      text: bot.kill_reason ?? '',
      todo: `${commandOf(config, 'status')}; once the cause is mended: ${commandOf(config, 'rearm', '--reason TEXT')}`,
      holdMs: 0,
    });
  }
  if (bot.key_refused !== null) {
    found.push({
      key: 'key_refused',
      severity: 'page',
      title: 'the service refuses the key',
      text: `Nothing is accepted, exits included; what is open stays. Code: ${bot.key_refused || 'none'}.`,
      todo: `put a new key where link.key_id and link.secret read it from, then: ${commandOf(config, 'rotate')} (a restart, where they name environment variables)`,
      holdMs: 0,
    });
  }
  if (unrotated !== null) {
    found.push({
      key: 'rotation',
      severity: 'page',
      title: 'the key is not replaced',
      text: `The bot signs with the old one, and nothing is accepted, exits included, once that is revoked: ${withFullStop(unrotated)}`,
      todo: `leave the old key valid; correct what link.key_id and link.secret read, and look at ${commandOf(config, 'status')}`,
      holdMs: MINUTE_MS,
    });
  }
  if (connection.state !== 'open') {
    found.push({
      key: 'stream',
      group: 'stream',
      severity: 'page',
      title: 'the stream is down',
      text: `The connection to the service is ${connection.state}${connection.reason === null ? '' : `: ${connection.reason}`}.`,
      todo: `look whether the service answers, and at ${commandOf(config, 'status')}`,
      holdMs: MINUTE_MS,
      isBridged: true,
    });
  }
  if (losses.count >= LOST_TIMES && losses.downMs >= LOST_MS) {
    found.push({
      key: 'stream/again',
      group: 'stream',
      severity: 'page',
      title: 'the stream is lost again and again',
      text: `It was down ${losses.count} times in the last ten minutes, for ${Math.floor(losses.downMs / 1_000)} s altogether.`,
      todo: `look what cuts the connection (network, a proxy's limit), and at ${commandOf(config, 'status')}`,
      holdMs: 0,
      isBridged: true,
      unless: ['stream'],
    });
  }
  for (const { key, kind, symbol, wallet, state, reason, command, time } of unanswered) {
    found.push({
      key: `unanswered/${key}`,
      severity: 'page',
      title: `${kind} of ${symbol} has no answer`,
      text: `It was sent on ${wallet} and may have been executed: ${state}${reason === '' ? '' : `, ${reason}`}.`,
      todo: `look it up on the service, then: ${command}`,
      holdMs: MINUTE_MS,
      since: time,
    });
  }
  return found;
}

/** By place, not by intent: a strategy that decides again with each bar takes the place of what waits. */
function ofUnsent({ unsent, config }: ConditionRules): Condition[] {
  const places = Map.groupBy(unsent, ({ wallet, symbol }) => `${wallet}/${symbol}`);
  return [...places].map(([place, waiting]): Condition => {
    const [{ symbol, wallet }] = waiting as [UnsentExit];
    return {
      key: `waiting/${place}`,
      severity: 'page',
      title: `exits ${symbol === '' ? `on ${wallet}` : `of ${symbol}`} can't be sent`,
      text: `${[...new Set(waiting.map(describeUnsent))].join('; ')}.`,
      todo: `look whether this machine reaches the service (DNS, certificate, firewall): ${commandOf(config, 'doctor')}; they are sent once it does, until then close by hand on the service`,
      holdMs: MINUTE_MS,
      isBridged: true,
    };
  });
}

function ofBudget({ budget, positions }: Blocks): Condition[] {
  if (budget.held_until === null) return [];
  const until = new Date(budget.held_until).toISOString().replace('.000Z', ' UTC');
  const text = `It answered 429; what the bot sends waits until ${until}, exits included.`;
  const todo = 'lower budget.share, or end what else uses this account';
  const open = positions.filter(({ ownership }) => OURS.includes(ownership));
  const ticket: Condition = {
    key: 'budget',
    group: 'budget',
    severity: 'ticket',
    title: 'the service has paused the rate budget',
    text,
    todo,
    holdMs: 0,
    unless: ['budget/held'],
  };
  if (open.length === 0) return [ticket];
  return [
    ticket,
    {
      key: 'budget/held',
      group: 'budget',
      severity: 'page',
      title: 'exits wait for the rate budget',
      text: `${text} Open: ${open.map(({ symbol, wallet }) => `${symbol} on ${wallet}`).join(', ')}.`,
      todo: `close by hand on the service what can't wait; ${todo}`,
      holdMs: MINUTE_MS,
      isBridged: true,
    },
  ];
}

function ofPositions({ positions, wallets }: Blocks, rules: ConditionRules): Condition[] {
  const { config, uncoveredSeconds, doubted } = rules;
  const names = wallets.map((row) => row.wallet);
  const found: Condition[] = [...doubted].map(([place, text]) => ({
    key: `doubted/${place}`,
    severity: 'ticket',
    title: `the position in ${place} is doubted`,
    text,
    todo: 'compare it with the service; entries open again by themselves once a snapshot agrees',
    holdMs: 0,
  }));
  for (const row of positions) {
    const { wallet, symbol, side, size } = row;
    const place = `${wallet}/${symbol}`;
    const what = `${side} ${size} ${symbol} on ${wallet}`;
    if (uncoveredSeconds !== null && row.uncovered_since !== null && row.ownership !== 'ignored') {
      found.push({
        key: `uncovered/${place}`,
        severity: 'page',
        title: `${symbol} is uncovered`,
        text: `${what}: ${row.uncovered} without an acknowledged stop for more than ${uncoveredSeconds} s.`,
        todo: `attach a stop on the service, or: ${commandOf(config, 'kill L3', '--reason TEXT')}`,
        holdMs: uncoveredSeconds * 1_000,
        since: row.uncovered_since,
      });
    }
    if (row.ownership === 'orphan') {
      found.push({
        key: `orphan/${place}`,
        severity: 'page',
        title: `${symbol} has no owner`,
        text: `${what} belongs to no strategy: nothing manages it.`,
        todo: `restart with a decision: ${commandOf(config, 'run', `--adopt ${symbol}=STRATEGY`)}; or with --ignore or --flatten ${placeName(wallet, symbol, names)}`,
        holdMs: 0,
      });
    }
  }
  return found;
}

function ofLosses({ wallets }: Blocks, { config }: ConditionRules): Condition[] {
  return wallets.flatMap((row): Condition[] => {
    const { wallet, day_pnl: pnl, day_loss_limit: limit } = row;
    if (pnl === null || limit === null || limit <= 0) return [];
    // What was reached holds for the day, though the equity recovers.
    const reached = row.day_loss_reached ?? 0;
    const isReached = reached >= limit;
    const lost = isReached ? Math.max(-pnl, reached) : -pnl;
    if (lost < LOSS_SHARE * limit) return [];
    const where =
      lost < limit ? 'is near its limit' : 'exceeds its limit, and no bar has confirmed it yet';
    const share = Math.floor((lost / limit) * 100);
    return [
      {
        key: `loss/${wallet}/${isReached ? 'limit' : 'near'}`,
        group: `loss/${wallet}`,
        severity: 'page',
        title: isReached
          ? `the day's loss limit of ${wallet} is reached`
          : `the day's loss of ${wallet} ${where}`,
        text: `${lost.toFixed(2)} of ${limit} are lost since 00:00 UTC (${share} %).${isReached ? ' No new exposure is taken today.' : ''}`,
        todo: `decide whether it goes on; to stop entries: ${commandOf(config, 'kill L1', '--reason TEXT')}`,
        holdMs: isReached ? 0 : SETTLE_MS,
      },
    ];
  });
}

function ofStrategies({ strategies }: Blocks, { config }: ConditionRules): Condition[] {
  return strategies.flatMap(({ name, life, fault, throttled, paused }) => {
    const found: Condition[] = [];
    const add = (what: string, rest: Pick<Condition, 'severity' | 'title' | 'text' | 'todo'>) =>
      found.push({ key: `${what}/${name}`, holdMs: 0, ...rest });
    if (life === 'quarantined') {
      add('quarantined', {
        severity: 'page',
        title: `strategy ${name} is quarantined`,
        text: `It ended by its own fault and manages nothing any more: ${fault ?? 'see the log'}.`,
        todo: `look at its position; mend the plugin and restart the bot, or: ${commandOf(config, 'kill L3', '--reason TEXT')}`,
      });
    }
    if (life === 'waiting') {
      add('restarting', {
        severity: 'ticket',
        title: `strategy ${name} failed and will be restarted`,
        text: fault ?? '',
        todo: 'mend the plugin',
      });
    }
    if (throttled !== null) {
      add('throttled', {
        severity: 'ticket',
        title: `strategy ${name} may no longer enter`,
        text: throttled,
        todo: `look why it enters so often, then: ${commandOf(config, 'rearm', '--reason TEXT')}`,
      });
    }
    if (paused !== null) {
      add('paused', {
        severity: 'ticket',
        title: `strategy ${name} is paused`,
        text: paused,
        todo: commandOf(config, 'resume', name),
      });
    }
    return found;
  });
}

function ofFeeds({ time, blocks }: BotView, { config }: ConditionRules): Condition[] {
  return blocks.feeds.flatMap(({ symbol, close_time: closed, interval_ms: interval }) => {
    if (closed === null || interval === null)
      return [
        {
          key: `stale/${symbol}`,
          severity: 'ticket' as const,
          title: `no bars of ${symbol}`,
          text: 'None has come since the start, and nothing is decided on it.',
          todo: `look whether the service has candles of it, and at ${commandOf(config, 'status')}`,
          holdMs: PATIENCE_MS,
        },
      ];
    if (time - closed < STALE_BARS * interval + MINUTE_MS) return [];
    return [
      {
        key: `stale/${symbol}`,
        severity: 'ticket' as const,
        title: `no new bars of ${symbol}`,
        text: `The newest closed ${Math.floor((time - closed) / MINUTE_MS)} minutes ago; entries are denied.`,
        todo: `look at the service's data, and at ${commandOf(config, 'status')}`,
        holdMs: 0,
      },
    ];
  });
}

/** What keeps entries closed though no other alert says so: a bot that only ends positions may look well for hours. */
function ofClosures({ bot }: Blocks, { config }: ConditionRules): Condition[] {
  const rest = {
    todo: `exits go on; ${commandOf(config, 'status')} shows when entries are open again`,
    holdMs: PATIENCE_MS,
    isBridged: true as const,
  };
  const found: Condition[] = [];
  if (bot.gate.length > 0) {
    found.push({
      key: 'closed',
      severity: 'page',
      title: 'entries are closed',
      text: `${bot.gate.join('; ')}.`,
      unless: CLOSING,
      ...rest,
    });
  }
  for (const [wallet, rows] of Map.groupBy(bot.closed_wallets, (row) => row.wallet)) {
    found.push({
      key: `closed/${wallet}`,
      severity: 'page',
      title: `entries on ${wallet} are closed`,
      text: `${rows.map(({ reason }) => reason).join('; ')}.`,
      unless: [...CLOSING, `loss/${wallet}/limit`, `orphan/${wallet}`, `uncovered/${wallet}`],
      ...rest,
    });
  }
  for (const { wallet, symbol, reason } of bot.closed_symbols) {
    found.push({
      key: `closed/${wallet}/${symbol}`,
      severity: 'ticket',
      title: `entries of ${symbol} on ${wallet} are closed`,
      text: `${reason}.`,
      unless: [...CLOSING, `doubted/${wallet}/${symbol}`, `stale/${symbol}`],
      ...rest,
    });
  }
  return found;
}
