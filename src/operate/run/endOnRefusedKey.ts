import type { Cancel, Env } from '../../env/index.ts';
import type { Bot } from '../../runtime/index.ts';

export interface RefusedKeyOptions {
  bot: Pick<Bot, 'events$'>;
  env: Pick<Env, 'timers'>;
  /** How long to retry (`link.auth_retry_seconds`). */
  retrySeconds: number;
  /** Sends a signed read to the service. */
  isRefused(): Promise<boolean>;
  /** Undefined: the key is accepted again. */
  onState(problem: string | undefined): void;
  onEnd(message: string): void;
}

export const KEY_PROBLEM =
  "the service refuses this bot's key (401): none of its requests is accepted";

/**
 * Waiting does not restore a revoked key, and a bot that can do nothing should not appear to run: after a
 * while it ends, so that its supervisor notices.
 *
 * @returns stops it
 */
export function endOnRefusedKey(options: RefusedKeyOptions): Cancel {
  const { bot, env, retrySeconds } = options;
  let cancel: Cancel | undefined;
  let isOver = false;

  const look = async (): Promise<void> => {
    const isRefused = await options.isRefused();
    if (isOver) return;
    cancel = undefined;
    if (isRefused) {
      const remedy =
        'Put the new key where link.key_id and link.secret read it from, and start the bot again.';
      options.onEnd(`For ${retrySeconds} s ${KEY_PROBLEM}.\n  ${remedy}`);
    } else options.onState(undefined);
  };

  const subscription = bot.events$.subscribe((event) => {
    if (event.kind === 'key_rotated' && cancel !== undefined) {
      cancel();
      cancel = undefined;
      options.onState(undefined);
    }
    if (event.kind !== 'key_refused' || cancel !== undefined) return;
    options.onState(KEY_PROBLEM);
    cancel = env.timers.after(retrySeconds * 1_000, () => void look());
  });
  return () => {
    isOver = true;
    subscription.unsubscribe();
    cancel?.();
  };
}
