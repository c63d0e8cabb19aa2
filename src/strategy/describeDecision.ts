import { toPlainDecimal } from '../contract/index.ts';
import type { Intent } from '../intents/index.ts';

/** What identifies a decision for a reader: the strategy, its intent, and the event. */
export interface Decision {
  instance: string;
  /** From a plugin in plain JavaScript it may be anything. */
  intent: unknown;
  cause: string;
}

const BAR = /^(bar|forming):(.+):([^:]+):(\d{12,14})(?::\d+)?$/;
const MOST_CAUSE = 120;

/** `ema: launch buy 1 BTC, upon the 5m bar of BTC from 2025-01-01 00:00`. */
function describeDecision({ instance, intent, cause }: Decision): string {
  return `${instance}: ${describeIntent(intent as Partial<Intent>)}, upon ${describeCause(cause)}`;
}

/** A reason with the decision that it is about, for messages that are shown apart from the intent. */
export function withDecision(reason: string, decision: Decision): string {
  return `${reason} [${describeDecision(decision)}]`;
}

function describeIntent(intent: Partial<Intent> | null | undefined): string {
  if (typeof intent !== 'object' || intent === null) return String(intent);
  const { kind = 'intent' } = intent;
  const fields = { ...intent, ...('request' in intent ? (intent.request as object) : {}) } as {
    [name: string]: unknown;
  };
  const size = fields['total_size'] ?? fields['size'];
  const words = [kind, fields['side'], size, fields['symbol']];
  return words.flatMap((word) => showWord(word)).join(' ');
}

function showWord(word: unknown): string[] {
  if (typeof word === 'number') return [toPlainDecimal(word)];
  return typeof word === 'string' && word !== '' ? [word.slice(0, 40)] : [];
}

function describeCause(cause: string): string {
  const bar = BAR.exec(cause);
  if (bar === null) return cause.length > MOST_CAUSE ? `${cause.slice(0, MOST_CAUSE)}…` : cause;
  const [, kind, symbol, interval, time] = bar;
  const from = new Date(Number(time)).toISOString().slice(0, 16).replace('T', ' ');
  return `the ${kind === 'bar' ? '' : 'forming '}${interval} bar of ${symbol} from ${from}`;
}
