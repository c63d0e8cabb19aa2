import { Observable, type Observer, type Subscription } from 'rxjs';
import type { ChannelFeed } from './ChannelFeed.ts';

/**
 * An observable that holds its feed while it is subscribed. The listener is in place before the subscription is
 * sent, since a link in this process delivers the snapshot synchronously.
 */
export function holding<T>(feed: ChannelFeed, source: Observable<T>): Observable<T> {
  return new Holding(feed, source);
}

class Holding<T> extends Observable<T> {
  readonly #feed: ChannelFeed;
  readonly #from: Observable<T>;

  constructor(feed: ChannelFeed, from: Observable<T>) {
    super((subscriber) => this.#hold(from.subscribe(subscriber)));
    this.#feed = feed;
    this.#from = from;
  }

  /** A function goes to the source as it is, which may call it without a subscriber in between. */
  override subscribe(observer?: Partial<Observer<T>> | ((value: T) => void) | null): Subscription {
    if (typeof observer !== 'function') return super.subscribe(observer ?? {});
    return this.#hold(this.#from.subscribe(observer));
  }

  #hold(subscription: Subscription): Subscription {
    this.#feed.acquire();
    subscription.add(() => this.#feed.release());
    return subscription;
  }
}
