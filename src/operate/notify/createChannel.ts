import { SEVERITIES, type ChannelRules } from '../../config/index.ts';
import { atMost, reasonOf, type Cancel, type Env } from '../../env/index.ts';
import { createBackoff } from '../../wire/index.ts';
import type { Alert, AlertChange, Notice } from './Alert.ts';
import { createIsQuiet } from './createIsQuiet.ts';
import { createRecipientView } from './createRecipientView.ts';
import { takeFitting, type Message } from './formatNotices.ts';
import type { Delivery, Sender } from './Sender.ts';

/** Alerts on their way to one receiver. Nothing here blocks, throws or rejects. */
export interface Channel {
  offer(change: AlertChange): void;
  /** Sends again what lasts, of all conditions that hold now. */
  remind(active: ReadonlyMap<string, Alert>): void;
  /** From now on nothing waits for a digest or for the end of quiet hours: the bot is ending. */
  flush(): void;
  /** Sends what waits, and ends; within this time. */
  close(limitMs: number): Promise<void>;
  /** Alerts that wait, and those that were lost since the start. */
  readonly counts: { waiting: number; lost: number };
}

export interface ChannelOptions {
  /** For the log: kind and place in the configuration. */
  name: string;
  rules: ChannelRules;
  sender: Sender;
  /** Name of the bot. */
  bot: string;
  env: Env;
  /** Receives why the last attempt failed, and undefined with the first that does not. */
  onState?: ((problem: string | undefined) => void) | undefined;
}

/** Alerts that wait; beyond it, the oldest that are no pages are lost. */
const MOST_WAITING = 200;
/** From the first attempt to the last. */
const MOST_TRIED_MS = 3_600_000;
/** Pages that belong together come within this time. */
const PAGE_WAIT_MS = 5_000;
const FIRST_RETRY_MS = 2_000;
const LONGEST_RETRY_MS = 120_000;
/** How often it is looked whether quiet hours have ended. */
const QUIET_CHECK_MS = 20_000;

interface Waiting extends Notice {
  /** Monotonic. */
  queuedAt: number;
  triedAt?: number;
}

export function createChannel(options: ChannelOptions): Channel {
  const { name, rules, sender, bot, env, onState } = options;
  const { clock, timers, log } = env;
  const now = (): number => clock.monotonicNow();
  const isQuiet = rules.quiet === null ? () => false : createIsQuiet(rules.quiet);
  const backoff = createBackoff(env.random, FIRST_RETRY_MS, LONGEST_RETRY_MS);
  const known = createRecipientView(rules.repeatMs, now);
  let waiting: Waiting[] = [];
  let dropped = 0;
  let lost = 0;
  let notBefore = 0;
  let isDown = false;
  let isFlushing = false;
  let isClosing = false;
  let isClosed = false;
  let sending: Promise<void> | undefined;
  let cancel: Cancel = () => {};

  const isPage = ({ alert }: Notice): boolean => alert.severity === 'page';
  const isReady = (one: Notice): boolean => isFlushing || isPage(one) || !isQuiet(clock.wallNow());
  const dueAt = (one: Waiting): number => {
    const wait = isPage(one) ? Math.min(rules.digestMs, PAGE_WAIT_MS) : rules.digestMs;
    return isFlushing ? 0 : one.queuedAt + wait;
  };

  function lose(notices: readonly Notice[], reason: string): void {
    if (notices.length === 0) return;
    dropped += notices.length;
    lost += notices.length;
    for (const { kind, alert } of notices) if (kind !== 'over') known.lose(alert.key);
    const keys = notices.slice(0, 10).map(({ alert }) => alert.key);
    log.error(`Alerts are lost: ${name}`, {
      channel: name,
      lost: notices.length,
      reason,
      alerts: keys.join(' '),
    });
  }

  function limitWaiting(): void {
    while (waiting.length > MOST_WAITING) {
      const at = Math.max(
        0,
        waiting.findIndex((one) => !isPage(one)),
      );
      lose(waiting.splice(at, 1), 'too many wait');
    }
  }

  function queue(notice: Notice): void {
    waiting.push({ ...notice, queuedAt: now() });
    limitWaiting();
    schedule();
  }

  function schedule(): void {
    cancel();
    if (isClosed || sending !== undefined || waiting.length === 0) return;
    const due = waiting.filter(isReady).map(dueAt);
    if (due.length === 0) {
      cancel = timers.after(QUIET_CHECK_MS, schedule);
      return;
    }
    // While closing there is no time for a back-off.
    const at = Math.max(Math.min(...due), isClosing ? 0 : notBefore);
    const wait = at - now();
    if (wait <= 0) begin();
    // A timer may be early by a fraction; quiet hours may begin or end meanwhile.
    else cancel = timers.after(Math.min(wait + 1, QUIET_CHECK_MS), schedule);
  }

  function begin(): void {
    const ready = waiting.filter(isReady);
    const message = { bot, notices: ready, dropped };
    const batch = takeFitting(message, sender) as Waiting[];
    waiting = waiting.filter((one) => !batch.includes(one));
    for (const one of batch) one.triedAt ??= now();
    sending = attempt({ ...message, notices: batch })
      .then((delivery) => conclude(delivery, batch, message.dropped))
      .finally(() => {
        sending = undefined;
        schedule();
      });
  }

  async function attempt(message: Message): Promise<Delivery> {
    try {
      return await sender.send(message);
    } catch (error) {
      return { kind: 'retry', reason: reasonOf(error) };
    }
  }

  function conclude(delivery: Delivery, batch: readonly Waiting[], reported: number): void {
    if (delivery.kind === 'delivered') {
      dropped -= reported;
      backoff.reset();
      if (isDown) log.info(`Alerts are delivered again: ${name}`, { channel: name });
      isDown = false;
      onState?.(undefined);
      return;
    }
    const { reason } = delivery;
    onState?.(reason);
    if (delivery.kind === 'refused') return lose(batch, reason);
    if (!isDown) log.warn(`Alerts can't be delivered: ${name}`, { channel: name, reason });
    isDown = true;
    const retryMs = ('retryAfterMs' in delivery ? delivery.retryAfterMs : undefined) ?? 0;
    notBefore = now() + Math.max(retryMs, backoff.next());
    if (isClosing) return lose(batch, reason);
    const isOld = ({ triedAt }: Waiting): boolean => now() - triedAt! >= MOST_TRIED_MS;
    waiting = [...batch.filter((one) => !isOld(one)), ...waiting];
    lose(batch.filter(isOld), reason);
    limitWaiting();
  }

  return {
    offer(change) {
      if (isClosing || !reaches(change.alert, rules)) return;
      const kind = known.take(change);
      if (kind !== undefined) queue({ kind, alert: change.alert, time: change.time });
    },
    remind(active) {
      if (isClosing) return;
      const due = [...active.values()].filter((alert) => reaches(alert, rules));
      for (const alert of due) {
        const kind = known.remind(alert);
        if (kind !== undefined) queue({ kind, alert, time: clock.wallNow() });
      }
      known.forget(active);
    },
    flush() {
      isFlushing = true;
      schedule();
    },
    async close(limitMs) {
      if (isClosing) return;
      isFlushing = true;
      isClosing = true;
      const sendAll = async (): Promise<void> => {
        schedule();
        while (sending !== undefined) await sending;
      };
      await atMost(timers, sendAll(), limitMs);
      isClosed = true;
      cancel();
      lose(waiting.splice(0), 'the bot ended');
      sender.close();
    },
    get counts() {
      return { waiting: waiting.length, lost };
    },
  };
}

const reaches = ({ severity }: Alert, { min }: ChannelRules): boolean =>
  SEVERITIES.indexOf(severity) >= SEVERITIES.indexOf(min);
