import { Observable } from 'rxjs';
import type { Cancel } from '../env/Clock.ts';
import type { Env } from '../env/Env.ts';
import type { Subscription } from '../env/Link.ts';
import type { ChannelFeed } from './ChannelFeed.ts';
import { FeedPulse } from './FeedPulse.ts';

export interface SilenceOptions {
  feeds: { all(): Iterable<ChannelFeed> };
  env: Pick<Env, 'timers' | 'clock'>;
  isOpen(): boolean;
}

const LOOK_MS = 1_000;

/**
 * Feeds that deliver nothing for longer than their own rhythm while the connection is open: whatever the cause,
 * decisions on them are based on an old market. They are checked once a second, so that a frame costs nothing
 * more, and subscribed again.
 */
export function watchSilence({ feeds, env, isOpen }: SilenceOptions) {
  return new Observable<readonly Subscription[]>((subscriber) => {
    const pulses = new Map<ChannelFeed, FeedPulse>();
    let silent: readonly ChannelFeed[] = [];
    let lookedAt = env.clock.monotonicNow();
    let cancel: Cancel = () => {};

    const look = (): void => {
      const now = env.clock.monotonicNow();
      const sinceMs = now - lookedAt;
      lookedAt = now;
      // A process that was halted can't evaluate what it did not see.
      const unseenMs = isOpen() ? Math.max(0, sinceMs - 2 * LOOK_MS) : sinceMs;
      const found: ChannelFeed[] = [];
      for (const feed of feeds.all()) {
        const pulse = pulseOf(feed, now);
        if (pulse === undefined) continue;
        pulse.skip(unseenMs);
        if (pulse.look(now) && isOpen()) feed.resubscribe();
        if (pulse.isSilent) found.push(feed);
      }
      cancel = env.timers.after(LOOK_MS, look);
      const isSame =
        found.length === silent.length && found.every((feed, at) => feed === silent[at]);
      silent = found;
      if (!isSame) subscriber.next(found.map(({ subscription }) => subscription));
    };
    const pulseOf = (feed: ChannelFeed, now: number): FeedPulse | undefined => {
      if (feed.rhythm === undefined) return undefined;
      if (!feed.isHeld) pulses.delete(feed);
      else if (!pulses.has(feed)) pulses.set(feed, new FeedPulse(feed.rhythm, now));
      return pulses.get(feed);
    };

    subscriber.next([]);
    look();
    return () => cancel();
  });
}
