import type { PostAnswer } from '../../wire/index.ts';
import type { Delivery } from './Sender.ts';

/** A receiver may not silence a bot for longer. */
const MOST_WAIT_MS = 3_600_000;
/** Answers after which the same message may be taken: a timeout, too early, too many. */
const TRANSIENT = [408, 425, 429];

/** What the answer to a posted message means. */
export function readDelivery(answer: PostAnswer, wallNow: number): Delivery {
  if (answer.kind === 'failed') return { kind: 'retry', reason: answer.reason };
  const { status } = answer;
  if (status >= 200 && status < 300) return { kind: 'delivered' };
  const reason = `HTTP ${status}`;
  if (status < 500 && !TRANSIENT.includes(status)) return { kind: 'refused', reason };
  const retryAfterMs = waitOf(answer, wallNow);
  return retryAfterMs === undefined
    ? { kind: 'retry', reason }
    : { kind: 'retry', reason, retryAfterMs };
}

/** The header, in seconds or as a date; else the body's seconds, as Telegram and Discord have them. */
function waitOf(
  { retryAfter, text }: Extract<PostAnswer, { kind: 'answered' }>,
  wallNow: number,
): number | undefined {
  const seconds = retryAfter === undefined ? secondsOf(text) : Number(retryAfter);
  const ms =
    seconds !== undefined && Number.isFinite(seconds)
      ? seconds * 1_000
      : Date.parse(retryAfter ?? '') - wallNow;
  return Number.isFinite(ms) ? Math.min(Math.max(ms, 0), MOST_WAIT_MS) : undefined;
}

function secondsOf(text: string): number | undefined {
  try {
    const body = JSON.parse(text) as { retry_after?: unknown; parameters?: unknown } | null;
    const inner = body?.parameters as { retry_after?: unknown } | null | undefined;
    const found = body?.retry_after ?? inner?.retry_after;
    return typeof found === 'number' ? found : undefined;
  } catch {
    return undefined;
  }
}
