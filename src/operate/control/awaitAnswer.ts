import { pause, type Env } from '../../env/index.ts';

const POLL_MS = 100;
const TIMEOUT_MS = 10_000;

/** Polls for the response of a running bot; undefined if there is none in time. */
export async function awaitAnswer<T>(
  env: Pick<Env, 'clock' | 'timers'>,
  look: () => T | undefined,
  timeoutMs = TIMEOUT_MS,
): Promise<T | undefined> {
  const end = env.clock.monotonicNow() + timeoutMs;
  while (env.clock.monotonicNow() < end) {
    const answer = look();
    if (answer !== undefined) return answer;
    await pause(env.timers, POLL_MS);
  }
  return undefined;
}
