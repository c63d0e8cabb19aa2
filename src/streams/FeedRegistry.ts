import type { StreamFrame } from '../contract/frames.ts';
import type { Subscription } from '../env/Link.ts';
import { subscriptionKey } from '../env/subscriptionKey.ts';
import type { ChannelFeed } from './ChannelFeed.ts';

/** Finds the feed of a frame by its channel and params. */
export class FeedRegistry {
  readonly #byKey = new Map<string, ChannelFeed>();
  /** A link in this process returns the very params object it was given, so no key has to be built. */
  readonly #byParams = new Map<object, ChannelFeed>();
  /** Most frames are of the same feed as the frame before them. */
  #last: { params: object; feed: ChannelFeed } | null = null;

  add(feed: ChannelFeed): void {
    this.#byKey.set(subscriptionKey(feed.subscription), feed);
    this.#byParams.set(feed.subscription.params, feed);
    this.#last = null;
  }

  find(frame: StreamFrame): ChannelFeed | undefined {
    const { params } = frame;
    if (this.#last?.params === params) return this.#last.feed;
    const feed = this.#byParams.get(params);
    if (feed === undefined) return this.of(frame);
    this.#last = { params, feed };
    return feed;
  }

  of(subscription: Subscription): ChannelFeed | undefined {
    return this.#byKey.get(subscriptionKey(subscription));
  }

  all(): Iterable<ChannelFeed> {
    return this.#byKey.values();
  }
}
