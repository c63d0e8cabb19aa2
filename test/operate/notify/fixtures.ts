import type { ChannelRules, Severity } from '../../../src/config/index.ts';
import {
  createLiveEnv,
  silentLog,
  type Env,
  type Log,
  type LogFields,
} from '../../../src/env/index.ts';
import type { Alert, AlertChange } from '../../../src/operate/notify/Alert.ts';
import type { Message } from '../../../src/operate/notify/formatNotices.ts';
import type { Delivery, Sender } from '../../../src/operate/notify/Sender.ts';

export const RULES: ChannelRules = { min: 'report', digestMs: 0, repeatMs: 3_600_000, quiet: null };

export const alertOf = (
  key: string,
  severity: Severity = 'page',
  text = `about ${key}`,
): Alert => ({
  key,
  severity,
  title: `title of ${key}`,
  text,
  todo: 'do it',
});

export const changeOf = (
  kind: AlertChange['kind'],
  alert: Alert,
  time = 1_780_000_000_000,
): AlertChange => ({ kind, alert, time });

/** A log whose lines are retained as text. */
export function openLog(): { log: Log; lines: string[] } {
  const lines: string[] = [];
  const write = (text: string, fields: LogFields = {}) =>
    void lines.push(`${text} ${JSON.stringify(fields)}`);
  return { log: { ...silentLog, info: write, warn: write, error: write }, lines };
}

/** The real machine with time that runs a hundred times as fast, so that back-offs pass in a test. */
export function createFastEnv(log: Log = silentLog, factor = 100): Env {
  const env = createLiveEnv({ log });
  const [wall, monotonic] = [env.clock.wallNow(), env.clock.monotonicNow()];
  const passed = (): number => (env.clock.monotonicNow() - monotonic) * factor;
  return {
    ...env,
    clock: { wallNow: () => wall + passed(), monotonicNow: passed },
    timers: { after: (ms, run) => env.timers.after(ms / factor, run) },
  };
}

/** A sender in the test's hands, for what needs virtual time. */
export function openSender(answer: (at: number) => Delivery = () => ({ kind: 'delivered' })) {
  const messages: Message[] = [];
  const delivered: Message[] = [];
  const sender: Sender = {
    most: 2_000,
    escape: (text) => text,
    async send(message) {
      messages.push(message);
      const delivery = answer(messages.length - 1);
      if (delivery.kind === 'delivered') delivered.push(message);
      return delivery;
    },
    close() {},
  };
  const linesOf = (from: readonly Message[]): string[][] =>
    from.map(({ notices }) => notices.map(({ kind, alert }) => `${kind} ${alert.key}`));
  return { sender, messages, delivered, lines: () => linesOf(delivered) };
}
