import { Observable } from 'rxjs';
import type { ChannelFeed } from './ChannelFeed.ts';

/**
 * An observable that holds its feed while it is subscribed. The listener is in place before the subscription is
 * sent, since a link in this process delivers the snapshot synchronously.
 */
export function holding<T>(feed: ChannelFeed, source: Observable<T>): Observable<T> {
  return new Observable((subscriber) => {
    const subscription = source.subscribe(subscriber);
    feed.acquire();
    return () => {
      subscription.unsubscribe();
      feed.release();
    };
  });
}
