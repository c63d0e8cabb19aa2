import { Subscription } from 'rxjs';
import { DAY_MS } from '../../contract/durations.ts';
import { reasonOf, type Cancel, type Env } from '../../env/index.ts';
import type { Bot, BotEvent } from '../../runtime/index.ts';
import type { CommandTarget } from '../journal/index.ts';
import { createUnsentExits, type BotState, type BotView, type WalletRow } from '../state/index.ts';
import { UTC } from '../timeZone.ts';
import type { Alert, AlertChange } from './Alert.ts';
import { alertOfEvent } from './alertOfEvent.ts';
import { BRIDGE_MS, conditionsOf, type Condition } from './conditionsOf.ts';
import { createStreamLosses } from './createStreamLosses.ts';

export interface AlertsOptions {
  bot: Pick<Bot, 'events$'>;
  state: Pick<BotState, 'view'>;
  env: Env;
  /** For the commands. */
  config: CommandTarget;
  uncoveredSeconds: number | null;
  offer(change: AlertChange): void;
  /** Receives all conditions that hold, with each look. */
  remind(active: ReadonlyMap<string, Alert>): void;
}

/** Finds out what a person should know of a bot: from its events, and by a look at its view every two seconds. */
export interface Alerts {
  /** Looks now. */
  look(): void;
  /** Offers something that happened outside of the bot, such as its end. */
  report(alert: Alert): void;
  close(): void;
}

const LOOK_MS = 2_000;
/** Events after which a look is worth it at once. */
const URGENT: ReadonlySet<BotEvent['kind']> = new Set([
  'kill',
  'key_refused',
  'key_accepted',
  'key_rotated',
  'uncovered',
  'strategy_fault',
  'strategy_life',
  'throttled',
  'strategy_paused',
  'position_doubted',
  'position_confirmed',
  'recovered',
]);

/** Must be created before the bot starts. */
export function createAlerts(options: AlertsOptions): Alerts {
  const { bot, state, env, config, uncoveredSeconds, offer } = options;
  const wallNow = (): number => env.clock.wallNow();
  const doubted = new Map<string, string>();
  const unsent = createUnsentExits();
  let unrotated: string | null = null;
  const monotonicNow = (): number => env.clock.monotonicNow();
  const holding = createHolding(monotonicNow);
  const losses = createStreamLosses(monotonicNow);
  const day = createDay();
  let active = new Map<string, Alert>();
  let cancel: Cancel = () => {};
  let isClosed = false;

  const report = (alert: Alert): void => offer({ kind: 'once', alert, time: wallNow() });

  function compare(next: Map<string, Alert>): void {
    const groups = new Set([...next.values()].map(({ group }) => group));
    const time = wallNow();
    for (const [key, alert] of active) {
      if (next.has(key)) continue;
      const isReplaced = alert.group !== undefined && groups.has(alert.group);
      offer({ kind: isReplaced ? 'replaced' : 'over', alert, time });
    }
    for (const [key, alert] of next) if (!active.has(key)) offer({ kind: 'begun', alert, time });
    active = next;
  }

  function look(): void {
    const view = state.view();
    const found = conditionsOf(view, {
      config,
      uncoveredSeconds,
      doubted,
      unsent: unsent.list(),
      unrotated,
      losses: losses.see(view.blocks.connection.state === 'open'),
    });
    compare(new Map(holding.held(found, view.time).map((alert) => [alert.key, alert])));
    options.remind(active);
    const closed = day.follow(view.time, view.blocks.wallets);
    if (closed !== undefined) report(closed);
  }

  function tick(): void {
    cancel();
    if (isClosed) return;
    try {
      look();
    } catch (error) {
      env.log.error(`Looking for alerts failed: ${reasonOf(error)}`);
    }
    cancel = env.timers.after(LOOK_MS, tick);
  }

  function follow(event: BotEvent): void {
    if (event.kind === 'position_doubted') {
      const { wallet, symbol, shown, expected } = event.doubt;
      const text = `The stream shows ${shown}, its fills make ${expected}; its entries are closed.`;
      doubted.set(`${wallet}/${symbol}`, text);
    } else if (event.kind === 'position_confirmed')
      doubted.delete(`${event.wallet}/${event.symbol}`);
    else if (event.kind === 'intent') unsent.follow(event.event);
    else if (event.kind === 'key_rotation_refused') unrotated = event.reason;
    else if (event.kind === 'key_rotated') unrotated = null;
    else if (event.kind === 'recovered') report(started(state.view()));
    const alert = alertOfEvent(event);
    if (alert !== undefined) report(alert);
    if (!URGENT.has(event.kind)) return;
    // Not at once: the bot has not taken the event in yet.
    cancel();
    cancel = env.timers.after(0, tick);
  }

  const subscriptions = new Subscription();
  subscriptions.add(bot.events$.subscribe(follow));
  cancel = env.timers.after(LOOK_MS, tick);
  return {
    look,
    report,
    close() {
      isClosed = true;
      cancel();
      subscriptions.unsubscribe();
    },
  };
}

/** With what an earlier process, or an operator before it, has left in force. */
function started({ blocks: { bot, strategies, positions, unanswered } }: BotView): Alert {
  const left = [
    ...(bot.kill_level === 'L0' ? [] : [`kill level ${bot.kill_level}: ${bot.kill_reason ?? ''}`]),
    ...strategies.flatMap(({ name, paused }) =>
      paused === null ? [] : [`strategy ${name} is paused: ${paused}`],
    ),
    ...strategies.flatMap(({ name, throttled }) =>
      throttled === null ? [] : [`strategy ${name} may no longer enter`],
    ),
    ...strategies.flatMap(({ name, stage }) =>
      stage === null || stage === 'shadow' ? [] : [`strategy ${name} is at the stage ${stage}`],
    ),
    ...positions.flatMap(({ ownership, symbol, wallet }) =>
      ownership === 'ignored' ? [`${symbol} on ${wallet} is ignored`] : [],
    ),
    ...(unanswered.length === 0 ? [] : [`without an answer: ${unanswered.length}`]),
  ];
  const still = left.length === 0 ? '' : ` Still in force: ${left.join('; ')}.`;
  return {
    key: 'start',
    severity: 'report',
    title: 'the bot has started',
    text: `Its journal is read and its strategies run.${still}`,
    todo: '',
  };
}

/**
 * Which conditions have held for long enough: by market time, or by the bot's own clock if market time stands still.
 * One that holds reports what others need not repeat; before it holds, it keeps none of them back.
 */
function createHolding(now: () => number) {
  let seen = new Map<string, Seen>();
  return {
    held(found: readonly Condition[], marketTime: number): Alert[] {
      const time = now();
      const next = new Map<string, Seen>();
      for (const [key, before] of seen)
        if (before.condition.isBridged && time - before.last < BRIDGE_MS) next.set(key, before);
      for (const condition of found) {
        const { key, since, holdMs } = condition;
        const first = seen.get(key)?.first ?? time;
        const byMarket = since === undefined ? 0 : marketTime - since;
        const isHeld = Math.max(byMarket, time - first) >= holdMs;
        next.set(key, { condition, first, last: time, isHeld });
      }
      const said = [...next.values()]
        .filter(({ condition, isHeld }) => isHeld && condition.unless === undefined)
        .map(({ condition: { key } }) => key);
      const isSaid = ({ unless = [] }: Condition): boolean =>
        unless.some((one) => said.some((key) => key === one || key.startsWith(`${one}/`)));
      // Once what says it is over, it has to hold anew.
      for (const [key, { condition }] of next) if (isSaid(condition)) next.delete(key);
      seen = next;
      return [...next.values()]
        .filter(({ isHeld }) => isHeld)
        .map(({ condition }) => toAlert(condition));
    },
  };
}

function toAlert(condition: Condition): Alert {
  const {
    holdMs: _holdMs,
    since: _since,
    isBridged: _isBridged,
    unless: _unless,
    ...alert
  } = condition;
  return alert;
}

/** A condition as it was found last; times are of the bot's own clock. */
interface Seen {
  condition: Condition;
  first: number;
  last: number;
  isHeld: boolean;
}

/** The figures of a day, once the next one has begun in market time. */
function createDay() {
  let today: number | undefined;
  let rows: readonly WalletRow[] = [];
  return {
    follow(time: number, wallets: readonly WalletRow[]): Alert | undefined {
      if (time <= 0) return undefined;
      const [before, last] = [today, rows];
      today = Math.floor(time / DAY_MS);
      rows = wallets;
      if (before === undefined || today <= before || last.length === 0) return undefined;
      const date = UTC.dayOf(before * DAY_MS);
      const lines = last.map(({ wallet, equity, day_pnl: pnl }) => {
        const result = pnl === null ? '' : `, ${pnl < 0 ? '' : '+'}${pnl.toFixed(2)}`;
        return `${wallet}: ${equity.toFixed(2)}${result}`;
      });
      return {
        key: `day/${date}`,
        severity: 'report',
        title: `the day ${date}`,
        text: `Equity and result of the day: ${lines.join('; ')}.`,
        todo: '',
      };
    },
  };
}
