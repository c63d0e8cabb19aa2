import type { ChannelName, Interval } from '../../contract/index.ts';
import type { Subscription } from '../../env/index.ts';
import type { EngineEvent, MarketInterest } from './Engine.ts';
import { StreamSubscription } from './StreamSubscription.ts';
import { STREAMED_DEPTH } from '../market/marketRecords.ts';
import { shareData } from './StreamPort.ts';
import type { Transit } from './createTransit.ts';

/** Turns events into frames for the matching subscriptions; each event is serialised once. */
export interface StreamHub {
  /** Frames of events that went to subscriptions so far, but for those that are set apart. */
  readonly handed: number;
  /** Frames of these subscriptions do not count as handed, until others are set. */
  setApart(subscriptions: readonly Subscription[]): void;
  /** The subscriptions of a channel, in the order in which they get an event; a new list after each change. */
  of(channel: ChannelName): readonly StreamSubscription[];
  /** If its market data can't be served, it throws, and the others are as they were. */
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
  const none: readonly StreamSubscription[] = [];
  let handed = 0;
  let apart: ReadonlySet<string> = new Set();
  const isApart = (subscription: StreamSubscription): boolean =>
    apart.size > 0 && apart.has(subscription.name);
  const reportInterest = (channel: ChannelName): void => {
    if (!MARKET_DATA.has(channel)) return;
    const { ticks, bars } = interestOf(
      byChannel.get('price') ?? [],
      byChannel.get('candles') ?? [],
    );
    const markets = byChannel.get('markets') ?? [];
    const books = byChannel.get('orderbook') ?? [];
    onInterest({ ticks, bars, ...moreInterestOf(markets, books) });
  };
  const isOpen = (subscription: StreamSubscription): boolean =>
    byChannel.get(subscription.channel)?.includes(subscription) === true;
  return {
    get handed() {
      return handed;
    },
    setApart(subscriptions) {
      if (subscriptions.length === 0 && apart.size === 0) return;
      apart = new Set(
        subscriptions.map(({ channel, params }) => StreamSubscription.nameOf(channel, params)),
      );
    },
    of: (channel) => byChannel.get(channel) ?? none,
    add(subscription) {
      const members = byChannel.get(subscription.channel) ?? [];
      byChannel.set(subscription.channel, [...members, subscription]);
      try {
        reportInterest(subscription.channel);
      } catch (error) {
        // What can't be served must not stay: every later report would fail with it.
        byChannel.set(subscription.channel, members);
        reportInterest(subscription.channel);
        throw error;
      }
    },
    remove(subscription) {
      const members = byChannel.get(subscription.channel) ?? [];
      byChannel.set(
        subscription.channel,
        members.filter((each) => each !== subscription),
      );
      reportInterest(subscription.channel);
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
        if (!isApart(subscription)) handed++;
        subscription.send(event.event, data, ts);
      }
    },
  };
}

const MARKET_DATA: ReadonlySet<ChannelName> = new Set(['candles', 'price', 'markets', 'orderbook']);

/** Only what has subscribers, so that an engine without them is given nothing new. */
function moreInterestOf(
  markets: readonly StreamSubscription[],
  books: readonly StreamSubscription[],
): Pick<MarketInterest, 'markets' | 'books'> {
  const symbols = [...new Set(markets.map(({ params }) => params['symbol'] as string))];
  const wanted = new Map(
    books.map(({ params }) => {
      const { symbol, depth = STREAMED_DEPTH } = params as { symbol: string; depth?: number };
      return [`${symbol} ${depth}`, { symbol, depth }];
    }),
  );
  return {
    ...(symbols.length > 0 ? { markets: symbols } : {}),
    ...(wanted.size > 0 ? { books: [...wanted.values()] } : {}),
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
