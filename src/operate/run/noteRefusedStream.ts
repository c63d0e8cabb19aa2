import { takeWhile } from 'rxjs';
import type { Cancel, Env } from '../../env/index.ts';
import type { Bot } from '../../runtime/index.ts';
import { explainRefusedStream } from '../explainRefusedStream.ts';

export interface RefusedStreamOptions {
  bot: { streams: Pick<Bot['streams'], 'status$'> };
  env: Pick<Env, 'log'>;
  link: { baseUrl: string; wsUrl: string };
  /** Undefined: the stream is up. */
  onState(problem: string | undefined): void;
}

/**
 * A start waits for its stream as long as it takes. One that is refused for its address never comes up: that is
 * said once, with the setting. An address that has worked is right.
 *
 * @returns stops it
 */
export function noteRefusedStream({ bot, env, link, onState }: RefusedStreamOptions): Cancel {
  let isSaid = false;
  const untilOpen$ = bot.streams.status$.pipe(takeWhile(({ state }) => state !== 'open', true));
  const subscription = untilOpen$.subscribe((status) => {
    if (status.state === 'open') {
      if (isSaid) onState(undefined);
      return;
    }
    if (isSaid || status.state !== 'lost') return;
    const refused = explainRefusedStream(link, status.reason);
    if (refused === undefined) return;
    isSaid = true;
    const problem = `${refused.text}. ${refused.remedy}`;
    env.log.error(problem);
    onState(problem);
  });
  return () => subscription.unsubscribe();
}
