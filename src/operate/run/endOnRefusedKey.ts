import type { Cancel, Env } from '../../env/index.ts';
import type { Bot } from '../../runtime/index.ts';
import type { KeyStanding } from './readKeyStanding.ts';

export interface RefusedKeyOptions {
  bot: Pick<Bot, 'events$' | 'keyAccepted'>;
  env: Pick<Env, 'clock' | 'timers'>;
  /** How long to retry (`link.auth_retry_seconds`). */
  retrySeconds: number;
  /** Sends a signed read to the service. */
  read(): Promise<KeyStanding>;
  /** Undefined: the key is accepted again. */
  onState(problem: string | undefined): void;
  onEnd(message: string): void;
}

export const KEY_PROBLEM =
  "the service refuses this bot's key (401): none of its requests is accepted";

/** After a read that says nothing about the key, the next one. */
const AGAIN_MS = 15_000;

/**
 * Waiting does not restore a revoked key, and a bot that can do nothing should not appear to run: after a
 * while it ends, so that its supervisor notices. A read that is not answered decides nothing and is repeated.
 *
 * @returns stops it
 */
export function endOnRefusedKey(options: RefusedKeyOptions): Cancel {
  const { bot, env, retrySeconds } = options;
  /** The refusal that is waited for; another one since, or none, leaves the answers to its reads unheard. */
  let waiting: { since: number; cancel: Cancel } | undefined;

  const begin = (): void => {
    options.onState(KEY_PROBLEM);
    const refusal = { since: env.clock.monotonicNow(), cancel: (): void => {} };
    waiting = refusal;
    const look = async (): Promise<void> => {
      const standing = await options.read();
      if (waiting !== refusal) return;
      if (standing === 'unclear') {
        refusal.cancel = env.timers.after(AGAIN_MS, () => void look());
        return;
      }
      waiting = undefined;
      if (standing === 'refused') return options.onEnd(explainEnd(refusal.since));
      options.onState(undefined);
      bot.keyAccepted();
    };
    refusal.cancel = env.timers.after(retrySeconds * 1_000, () => void look());
  };

  const explainEnd = (since: number): string => {
    const seconds = Math.round((env.clock.monotonicNow() - since) / 1_000);
    const remedy =
      'Put the new key where link.key_id and link.secret read it from, and start the bot again. ' +
      'One that runs takes a new key without a restart: trimtab rotate.';
    return `For ${seconds} s ${KEY_PROBLEM}.\n  ${remedy}`;
  };

  const stop = (): void => {
    waiting?.cancel();
    waiting = undefined;
  };

  const subscription = bot.events$.subscribe((event) => {
    if (event.kind === 'key_refused' && waiting === undefined) begin();
    if (event.kind !== 'key_rotated' || waiting === undefined) return;
    // Also while its read is on the way: what it says is about the old key.
    stop();
    options.onState(undefined);
  });
  return () => {
    subscription.unsubscribe();
    stop();
  };
}
