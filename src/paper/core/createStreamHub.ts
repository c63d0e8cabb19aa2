import type { ChannelName, Interval } from '../../contract/index.ts';
import type { EngineEvent, MarketInterest } from './Engine.ts';
import type { StreamSubscription } from './StreamSubscription.ts';
import { shareData } from './StreamPort.ts';
import type { Transit } from './createTransit.ts';

/** Turns events into frames for the matching subscriptions; each event is serialised once. */
export interface StreamHub {
  /** Frames of events that went to subscriptions so far. */
  readonly handed: number;
  add(subscription: StreamSubscription): void;
  remove(subscription: StreamSubscription): void;
  /** @param ts the replay's time, epoch milliseconds */
  publish(event: EngineEvent, ts: number): void;
}

/**
 * @param onInterest receives the market data that has subscribers, whenever that changes
 * @param delay delivers a frame later; null: at once
 */
export function createStreamHub(
  onInterest: (interest: MarketInterest) => void,
  delay: Transit['toClient'] = null,
): StreamHub {
  /** Lists are replaced, never mutated: a subscriber that comes or goes does not disturb a publication. */
  const byChannel = new Map<ChannelName, readonly StreamSubscription[]>();
  let handed = 0;
  const tellInterest = (channel: ChannelName): void => {
    if (channel !== 'candles' && channel !== 'price') return;
    onInterest(interestOf(byChannel.get('price') ?? [], byChannel.get('candles') ?? []));
  };
  const isOpen = (subscription: StreamSubscription): boolean =>
    byChannel.get(subscription.channel)?.includes(subscription) === true;
  return {
    get handed() {
      return handed;
    },
    add(subscription) {
      const members = byChannel.get(subscription.channel) ?? [];
      byChannel.set(subscription.channel, [...members, subscription]);
      tellInterest(subscription.channel);
    },
    remove(subscription) {
      const members = byChannel.get(subscription.channel) ?? [];
      byChannel.set(
        subscription.channel,
        members.filter((each) => each !== subscription),
      );
      tellInterest(subscription.channel);
    },
    publish(event, ts) {
      const members = byChannel.get(event.channel);
      if (members === undefined || members.length === 0) return;
      const data = shareData(event.data);
      // Messages about the service or the replay are not events of the venue.
      const isDelayed = event.channel !== '_meta';
      for (let at = 0; at < members.length; at++) {
        const subscription = members[at]!;
        if (!subscription.takes(event)) continue;
        if (delay !== null && isDelayed) {
          delay(subscription.line, () => {
            if (isOpen(subscription)) subscription.send(event.event, data, ts);
          });
          continue;
        }
        handed++;
        subscription.send(event.event, data, ts);
      }
    },
  };
}

function interestOf(
  prices: Iterable<StreamSubscription>,
  candles: Iterable<StreamSubscription>,
): MarketInterest {
  const ticks = [...new Set([...prices].map(({ params }) => params['symbol'] as string))];
  const bars = new Map<string, MarketInterest['bars'][number]>();
  for (const { params } of candles) {
    const symbol = params['symbol'] as string;
    const interval = params['interval'] as Interval;
    const name = `${symbol} ${interval}`;
    const forming = params['include_forming'] === true || bars.get(name)?.forming === true;
    bars.set(name, { symbol, interval, forming });
  }
  return { ticks, bars: [...bars.values()] };
}
