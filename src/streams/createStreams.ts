import { BehaviorSubject, Subject, type Observable } from 'rxjs';
import { intervalSchema, type Interval } from '../contract/intervals.ts';
import type { StreamFrame } from '../contract/frames.ts';
import type { BarLane } from '../env/BarSpan.ts';
import type { Env } from '../env/Env.ts';
import type { Link, LinkFault, LinkListener, LinkStatus, Subscription } from '../env/Link.ts';
import type { CandleEvent, CandleOptions } from './CandleEvent.ts';
import { candlesByReading } from './candlesByReading.ts';
import { ChannelFeed, type FeedHandler } from './ChannelFeed.ts';
import { createCandleStreams, type CandleStreams, type LineState } from './createCandleStreams.ts';
import { createMarketStreams, type MarketStreams } from './createMarketStreams.ts';
import type { LatestReading } from './latestByReading.ts';
import { createMetaStreams, type MetaStreams } from './createMetaStreams.ts';
import { createPriceStream, type PriceTick } from './createPriceStream.ts';
import { createWalletStreams, type WalletStreams } from './createWalletStreams.ts';
import { FeedRegistry } from './FeedRegistry.ts';
import type { ReportFault, StreamFault } from './StreamFault.ts';
import { watchSilence } from './watchSilence.ts';

/** Everything that the service streams, as observables. Delivery is synchronous, in order of arrival. */
export interface Streams
  extends Pick<MetaStreams, 'meta$' | 'connectivity$' | 'expectLayers'>, MarketStreams {
  /** Opens the link; resolves as the link's `open` does. */
  open(): Promise<void>;
  /** The lane of a subscription whose bars a replay may hand on as columns; undefined if it takes frames only. */
  lane(subscription: Subscription): BarLane | undefined;
  /** Subscriptions by whose next frame nothing is decided: a replay needs no step of its own for it. */
  passive(): readonly Subscription[];
  /** The listener that {@link open} passes to the link, for a caller that opens the link itself. */
  readonly listener: LinkListener;
  /** Requests a fresh snapshot of everything in use, as a periodic check. */
  resync(): void;
  /** The latest at once. */
  status$: Observable<LinkStatus>;
  faults$: Observable<StreamFault>;
  /**
   * Subscriptions that deliver nothing for longer than their own rhythm, at once and after each change. They
   * are watched, and subscribed again, while this is subscribed.
   */
  silent$: Observable<readonly Subscription[]>;
  /** Market time of the frame that is being delivered, epoch milliseconds; undefined between frames. */
  frameTime(): number | undefined;
  /** Streams of a connection; the same object for the same id. */
  wallet(id: string): WalletStreams;
  /**
   * Closed bars, history first; plus the bar in progress if requested.
   *
   * @throws RangeError when `history` is beyond what a snapshot can hold
   */
  candles(symbol: string, interval: Interval, options: CandleOptions): Observable<CandleEvent>;
  price(symbol: string): Observable<PriceTick>;
}

export interface StreamsOptions {
  link: Link;
  env: Pick<Env, 'timers' | 'clock'>;
  /** The session's default wallet: its channels are subscribed without naming it. */
  defaultWallet?: string;
  /** Channels that the service lacks: `candles`, `markets` and `orderbook` are then read. */
  lacks?: readonly string[];
  /** A listener is about to join candles that came already: what was put off of them is made up for now. */
  onJoin?: () => void;
  /** Sends a read if the rate budget has room for it; default: without a budget. */
  read?: LatestReading<unknown>['read'];
}

/** Minimum bars that a snapshot reaches back, so that an outage of some hours is filled from it. */
const RESUME_BARS = 500;
const MAX_BARS = 5_000;

export function createStreams(options: StreamsOptions): Streams {
  const { link, env, defaultWallet } = options;
  const faults = new Subject<StreamFault>();
  const status$ = new BehaviorSubject<LinkStatus>({ state: 'closed' });
  const report: ReportFault = (fault) => faults.next(fault);
  const feeds = new FeedRegistry();
  const meta = createMetaStreams(report);

  const createFeed = (subscription: Subscription, handler: FeedHandler): ChannelFeed => {
    const isOpen = (): boolean => status$.value.state === 'open';
    const feed = new ChannelFeed({ link, env, subscription, handler, report, isOpen });
    feeds.add(feed);
    return feed;
  };
  let losses = 0;
  let frameTime: number | undefined;
  /** A row of columns stands for a frame of this time. */
  let isRow = false;
  const line: LineState = {
    losses: () => losses,
    present: () => link.present?.() ?? link.market.now(),
    now: () => link.market.now(),
    onJoin: options.onJoin,
  };
  const listener: LinkListener = {
    onFrame: inTurn((frame: StreamFrame) => {
      frameTime = frame.ts;
      if (frame.channel === '_meta') meta.accept(frame);
      else feeds.find(frame)?.accept(frame);
      frameTime = undefined;
    }),
    onStatus(status) {
      status$.next(status);
      if (status.state === 'lost') {
        losses += 1;
        meta.lost();
      }
      for (const feed of feeds.all()) {
        if (status.state === 'lost') feed.lost();
        else if (status.state === 'open') feed.opened();
      }
    },
    onFault(fault: LinkFault) {
      if (fault.kind === 'refused')
        feeds.of(fault.subscription)?.refused(fault.isAskedAgain !== true);
      report(fault);
    },
  };

  const { lacks = [], read = (request) => link.request(request) } = options;
  const createCandles = (symbol: string, interval: Interval, forming: boolean, limit: number) =>
    lacks.includes('candles')
      ? candlesByReading({ market: link.market, read, symbol, interval, limit, report })
      : createCandleStreams({ symbol, interval, forming, limit }, createFeed, report, line);
  const marketStreams = createMarketStreams({
    createFeed,
    lacks,
    reading: { market: link.market, read, report },
  });
  const candleStreams = new Map<string, CandleStreams>();
  const walletStreams = new Map<string, WalletStreams>();
  const priceStreams = new Map<string, Observable<PriceTick>>();

  return {
    open: () => link.open(listener),
    listener,
    lane(subscription) {
      const feed = feeds.of(subscription);
      if (feed === undefined) return undefined;
      return {
        isReady: () => feed.takesRows(),
        isOpen: () => feed.isInStep(),
        next: (bars, from, to) => feed.nextRow(bars, from, to),
        take(bars, at) {
          isRow = true;
          feed.takeRow(bars, at, link.market.now());
          isRow = false;
        },
        pass: (bars, from, to) => feed.passRows(bars, from, to),
      };
    },
    passive: () =>
      [...feeds.all()].filter((feed) => feed.isPassive()).map(({ subscription }) => subscription),
    resync: () => {
      for (const feed of feeds.all()) feed.resync();
    },
    status$: status$.asObservable(),
    faults$: faults.asObservable(),
    silent$: watchSilence({ feeds, env, isOpen: () => status$.value.state === 'open' }),
    frameTime: () => (isRow ? link.market.now() : frameTime),
    meta$: meta.meta$,
    connectivity$: meta.connectivity$,
    expectLayers: meta.expectLayers,
    wallet: (id) =>
      getOrMake(walletStreams, id, () =>
        createWalletStreams(id === defaultWallet ? {} : { wallet: id }, createFeed),
      ),
    candles(symbol, interval, options) {
      const { history, forming = false } = options;
      const limit = toLimit(history);
      const key = [symbol, intervalSchema.parse(interval), forming, limit].join('\n');
      const make = (): CandleStreams => createCandles(symbol, interval, forming, limit);
      return getOrMake(candleStreams, key, make)(options);
    },
    ...marketStreams,
    price: (symbol) => getOrMake(priceStreams, symbol, () => createPriceStream(symbol, createFeed)),
  };
}

function toLimit(history: number): number {
  if (!Number.isInteger(history) || history < 0 || history > MAX_BARS) {
    throw new RangeError(`history must be an integer from 0 to ${MAX_BARS}.`);
  }
  return Math.max(history, RESUME_BARS);
}

/**
 * Frames that arrive while one is being delivered are queued: a listener that acts synchronously, on a link in
 * this process, must not let others see the consequence before the cause.
 */
function inTurn(deliver: (frame: StreamFrame) => void): (frame: StreamFrame) => void {
  const waiting: StreamFrame[] = [];
  let delivering = false;
  return (frame) => {
    if (delivering) {
      waiting.push(frame);
      return;
    }
    delivering = true;
    try {
      deliver(frame);
      while (waiting.length > 0) deliver(waiting.shift()!);
    } finally {
      delivering = false;
    }
  };
}

function getOrMake<T>(made: Map<string, T>, key: string, make: () => T): T {
  let value = made.get(key);
  if (value === undefined) {
    value = make();
    made.set(key, value);
  }
  return value;
}
