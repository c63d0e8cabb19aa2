import type { ChannelName, Interval } from '../../contract/index.ts';
import type { EngineEvent, MarketInterest } from './Engine.ts';
import type { StreamSubscription } from './StreamSubscription.ts';
import { shareData } from './StreamPort.ts';

/** Events in, frames to the subscriptions that take them out; each event is serialised once. */
export interface StreamHub {
  add(subscription: StreamSubscription): void;
  remove(subscription: StreamSubscription): void;
  /** @param ts the replay's time, epoch milliseconds */
  publish(event: EngineEvent, ts: number): void;
}

/** @param onInterest hears of market data that is wanted now, whenever that changes */
export function createStreamHub(onInterest: (interest: MarketInterest) => void): StreamHub {
  /** Lists are never changed but replaced: who comes or goes during a publication does not disturb it. */
  const byChannel = new Map<ChannelName, readonly StreamSubscription[]>();
  const tellInterest = (channel: ChannelName): void => {
    if (channel !== 'candles' && channel !== 'price') return;
    onInterest(interestOf(byChannel.get('price') ?? [], byChannel.get('candles') ?? []));
  };
  return {
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
      for (let at = 0; at < members.length; at++) {
        const subscription = members[at]!;
        if (subscription.takes(event)) subscription.send(event.event, data, ts);
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
