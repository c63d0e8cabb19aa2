import type { StreamFrame } from '../contract/frames.ts';
import type { Subscription } from '../env/Link.ts';
import type { ChannelFeed } from './ChannelFeed.ts';

/** Finds the feed of a frame by its channel and params. */
export class FeedRegistry {
  readonly #byKey = new Map<string, ChannelFeed>();
  /** A link in this process hands back the very params it was given: no key has to be made. */
  readonly #byParams = new Map<object, ChannelFeed>();

  add(feed: ChannelFeed): void {
    this.#byKey.set(keyOf(feed.subscription), feed);
    this.#byParams.set(feed.subscription.params, feed);
  }

  find(frame: StreamFrame): ChannelFeed | undefined {
    return this.#byParams.get(frame.params) ?? this.of(frame);
  }

  of(subscription: Subscription): ChannelFeed | undefined {
    return this.#byKey.get(keyOf(subscription));
  }

  all(): Iterable<ChannelFeed> {
    return this.#byKey.values();
  }
}

/** The same for equal params, in whatever order they stand. */
export function keyOf({ channel, params }: Subscription): string {
  let key = channel;
  for (const name of Object.keys(params).sort()) key += `\n${name}=${String(params[name])}`;
  return key;
}
