import { distinctUntilChanged, map, type Observable } from 'rxjs';
import type { ChannelFrame, StreamFrame } from '../contract/frames.ts';
import type { FillRecord, OrderRecord, PositionRecord } from '../contract/records.ts';
import { isChannelFrame } from '../frames/isChannelFrame.ts';
import { applyToAccount, fromSnapshot, type AccountModel } from './AccountModel.ts';
import type { ChannelFeed, FeedHandler, FrameOrder } from './ChannelFeed.ts';
import { Emitter, Latest } from './Emitter.ts';
import { holding } from './holding.ts';
import { LateRecords } from './LateRecords.ts';
import { RecentIds } from './RecentIds.ts';

type AccountFrame = ChannelFrame<'account.state'>;
export type FundingEvent = Extract<AccountFrame, { event: 'funding' }>['data'];
export type LiquidationEvent = Extract<AccountFrame, { event: 'liquidation' }>['data'];

/** What `account.state` reports of a wallet (STR-2). All share one subscription. */
export interface AccountStreams {
  /** The latest at once, then each change. */
  account$: Observable<AccountModel>;
  /** The latest at once, null when flat, then each change of that symbol. */
  position(symbol: string): Observable<PositionRecord | null>;
  /** Every state of an order, but for one that comes after a later one of it. */
  orders$: Observable<OrderRecord>;
  /** Each fill once, by `fill_id`. */
  fills$: Observable<FillRecord>;
  /**
   * Each fill once that came as a frame in order, as the positions of `account$` do: not those that were read,
   * nor late ones, which a snapshot may already include.
   */
  fillsInTurn$: Observable<FillRecord>;
  /** Each position that came as a frame in order, including flat ones; the model is updated by then. */
  positionsInTurn$: Observable<PositionRecord>;
  funding$: Observable<FundingEvent>;
  liquidations$: Observable<LiquidationEvent>;
  /** Accepts fills that were read after an outage; those not seen yet pass to `fills$`. */
  admitFills(fills: readonly FillRecord[]): void;
}

const MOST_FILL_IDS = 65_536;

/** Follows the wallet's frames: the model first, then the event, so that a listener sees both agree. */
class AccountHandler implements FeedHandler {
  readonly model$ = new Latest<AccountModel>();
  readonly orders = new Emitter<OrderRecord>();
  readonly fills = new Emitter<FillRecord>();
  readonly fillsInTurn = new Emitter<FillRecord>();
  readonly positionsInTurn = new Emitter<PositionRecord>();
  readonly funding = new Emitter<FundingEvent>();
  readonly liquidations = new Emitter<LiquidationEvent>();
  readonly #seenFills = new RecentIds(MOST_FILL_IDS);
  /** Separate from the others: a fill that was read first still arrives as a frame. */
  readonly #fillsInTurn = new RecentIds(MOST_FILL_IDS);
  readonly #lateOrders = new LateRecords();
  #version = 0;

  apply(frame: StreamFrame, order: FrameOrder): void {
    if (!isChannelFrame(frame, 'account.state')) return;
    this.#updateModel(frame, order);
    if (frame.event === 'fill') this.#onFill(frame.data, order);
    else if (frame.event === 'position') {
      if (order !== 'late') this.positionsInTurn.next(frame.data);
    } else if (frame.event === 'order') {
      // What has filled would seem to be open again, and nothing would correct it.
      if (this.#lateOrders.isNews(frame.data.order_id, frame.seq, order))
        this.orders.next(frame.data);
    } else if (frame.event === 'snapshot') this.#lateOrders.startOver();
    else if (frame.event === 'funding') this.funding.next(frame.data);
    else if (frame.event === 'liquidation') this.liquidations.next(frame.data);
  }

  admit(fill: FillRecord): void {
    if (this.#seenFills.add(fill.fill_id)) this.fills.next(fill);
  }

  incomplete(): void {
    const model = this.model$.value;
    if (model?.complete === true) {
      this.#version += 1;
      this.model$.next({ ...model, complete: false, version: this.#version });
    }
  }

  forget(): void {
    this.model$.forget();
  }

  #onFill(fill: FillRecord, order: FrameOrder): void {
    const isInTurn = order !== 'late' && this.#fillsInTurn.add(fill.fill_id);
    if (isInTurn) this.fillsInTurn.next(fill);
    this.admit(fill);
  }

  /** A late record is older than what the model has; its event still passes if it is the last one of its order. */
  #updateModel(frame: AccountFrame, order: FrameOrder): void {
    const model = this.model$.value;
    if (frame.event === 'snapshot') {
      this.#version += 1;
      this.model$.next(fromSnapshot(frame, this.#version));
    } else if (model !== null && order !== 'late') {
      const changed = applyToAccount(model, frame);
      if (changed === model) return;
      this.#version = changed.version;
      this.model$.next(changed);
    }
  }
}

export function createAccountStreams(
  createFeed: (handler: FeedHandler) => ChannelFeed,
): AccountStreams {
  const handler = new AccountHandler();
  const feed = createFeed(handler);
  const account$ = holding(feed, handler.model$);
  return {
    account$,
    position: (symbol) =>
      account$.pipe(
        map((model) => model.positions.get(symbol) ?? null),
        distinctUntilChanged(),
      ),
    orders$: holding(feed, handler.orders),
    fills$: holding(feed, handler.fills),
    fillsInTurn$: holding(feed, handler.fillsInTurn),
    positionsInTurn$: holding(feed, handler.positionsInTurn),
    funding$: holding(feed, handler.funding),
    liquidations$: holding(feed, handler.liquidations),
    admitFills: (fills) => {
      for (const fill of fills) handler.admit(fill);
    },
  };
}
