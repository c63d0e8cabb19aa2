import { Subject, Subscription } from 'rxjs';
import type { FillRecord } from '../../contract/index.ts';
import type { MarketClock } from '../../env/index.ts';
import type { AccountModel } from '../../streams/index.ts';
import {
  type Accepted,
  type Coverage,
  type Exposure,
  type Holdings,
  type Liquidation,
  createFilledSizes,
  createMissedLiquidations,
  type Snapshot,
  type SnapshotCoverage,
  type WalletBook,
  clientNameOf,
  type OrderStanding,
  standingOf,
  type WalletEvent,
} from '../wallet/index.ts';
import type { Ledger } from '../record/index.ts';
import type { Member } from './createMembers.ts';
import { createStrangers } from './createStrangers.ts';
import { followCover } from './followCover.ts';
import type { SymbolViews } from './followSymbol.ts';

/** The parts of a bot that receive the streams before its strategies do. */
export interface Views extends SymbolViews {
  exposure: Exposure;
  accepted: Pick<Accepted, 'seen' | 'closedBy'>;
  /** Whether a client id, an idempotency key or a record's id is the bot's. */
  isOwn(key: string): boolean;
  coverage: Coverage;
  events$: { next(event: WalletEvent): void };
  holdings: Pick<Holdings, 'fill'>;
  snapshotsOf(wallet: string): SnapshotCoverage;
  /** Whether a position that was open before is that of the strategy which trades its symbol. */
  manages(wallet: string, symbol: string): boolean;
  market: MarketClock;
}

export interface WalletViews extends Views {
  book: WalletBook;
}

/** Of float sums. */
const FUNDING_TOLERANCE = 1e-9;

/** Maintains a wallet's book, and reports fills, liquidations, funding and executions to the symbol's owner. */
export function followWallet(wallet: string, views: WalletViews): Subscription {
  const { streams, members, book, exposure, accepted, coverage, instants, events$ } = views;
  const { holdings, market } = views;
  const source = streams.wallet(wallet);
  const subscription = new Subscription();
  const own = [...members.values()].filter(({ planned }) => planned.wallet === wallet);
  const owners = new Map<string, Member>();
  for (const member of own.toReversed()) {
    for (const symbol of member.planned.symbols) owners.set(symbol, member);
  }
  const ownerOf = (symbol: string): Member | undefined => owners.get(symbol);
  const strangers = createStrangers();
  const ledgerOf = (symbol: string): Ledger | undefined =>
    strangers.has(symbol) ? undefined : ownerOf(symbol)?.ledger;
  /** The last snapshot, on which the book stands; the ledgers began with the first one. */
  let lastShown: Snapshot | undefined;
  const snapshots = views.snapshotsOf(wallet);
  /** Fills that came before the first snapshot, which may not hold them. */
  const early: FillRecord[] = [];
  /** Funding that frames reported since the last snapshot. */
  let charged = 0;
  let lastPositions: AccountModel['positions'] = new Map();
  let lastOrders: AccountModel['openOrders'] = new Map();
  const missed = createMissedLiquidations({
    isOwn: (key) => views.isOwn(key) || accepted.closedBy(key),
  });
  let lastInTurn = '';
  const filled = createFilledSizes();
  /** A stop covers more than before. */
  const grown$ = new Subject<void>();
  const nameOf = (symbol: string): string | undefined => ownerOf(symbol)?.planned.name;

  const seen = (recordId: string, clientName?: string, standing?: OrderStanding): void => {
    exposure.seen(recordId, standing);
    if (clientName !== undefined) exposure.seen(clientName, standing);
    accepted.seen(recordId, clientName);
  };
  function reportLiquidation(one: Pick<Liquidation, 'symbol' | 'time' | 'isMissed'>): void {
    const liquidation = { ...one, wallet, instance: nameOf(one.symbol) };
    events$.next({ kind: 'liquidation', liquidation });
  }
  /** A fill that the snapshot holds is in what the book began with; one that the first snapshot holds is none of this process. */
  function takeFill(fill: FillRecord): void {
    if (lastShown === undefined) {
      early.push(fill);
      return;
    }
    if (snapshots.isEarlier(fill)) return;
    instants.reach(fill.time);
    if (fill.fill_id !== lastInTurn && missed.isShownBy(fill))
      reportLiquidation({ symbol: fill.symbol, time: fill.time, isMissed: true });
    if (!snapshots.includesFill(fill)) book.fill(fill);
    const owner = strangers.takes(fill) ? undefined : ownerOf(fill.symbol);
    owner?.ledger.fill(fill);
    holdings.fill(wallet, fill);
    events$.next({ kind: 'fill', instance: owner?.planned.name, wallet, fill });
  }
  /**
   * No list has the funding of an outage. The account's sum shows that some is missing, and it is an instance's if
   * no other had a position before or has one now, or if no other trades on the wallet.
   */
  function chargeMissed(
    { account: before }: Snapshot,
    { account, positions: held }: Snapshot,
  ): void {
    const missed = account.funding_paid - before.funding_paid - charged;
    if (Math.abs(missed) <= FUNDING_TOLERANCE * Math.max(1, Math.abs(account.funding_paid))) return;
    const shown = [...lastPositions.keys(), ...held.keys()];
    // A position may have been opened and closed meanwhile.
    const symbols = shown.length > 0 ? shown : [...owners.keys()];
    const [ledger, ...others] = new Set(symbols.map(ledgerOf));
    if (ledger !== undefined && others.length === 0) ledger.funding(symbols[0]!, missed);
  }
  /** A snapshot says what is open and, by what it lacks, what has ended: how much of that is filled is not known. */
  function showOrders(before: AccountModel['openOrders'], now: AccountModel['openOrders']): void {
    for (const id of before.keys()) if (!now.has(id)) filled.forget(id);
    for (const order of now.values()) seen(order.order_id, clientNameOf(order), order);
  }
  const follow = (...subscriptions: Subscription[]): void => {
    for (const one of subscriptions) subscription.add(one);
  };
  follow(
    streams.faults$.subscribe((fault) => {
      if (fault.kind === 'clock_back' && fault.channel === 'account.state') {
        const params = fault.params as Readonly<Record<string, unknown>>;
        if (source.isOf({ channel: fault.channel, params })) snapshots.setBack(fault.byMs);
      }
    }),
    source.account$.subscribe((model) => {
      book.model(model);
      const isFirst = lastShown === undefined;
      if (model.account !== lastShown?.account) {
        exposure.shown(wallet, 'order', model.time);
        if (lastShown !== undefined) chargeMissed(lastShown, model);
        charged = 0;
        lastShown = model;
        snapshots.shown(model);
        strangers.shown(model);
        showOrders(lastOrders, model.openOrders);
      }
      if (model.positions !== lastPositions) missed.shown(model.positions.values());
      lastPositions = model.positions;
      lastOrders = model.openOrders;
      if (!isFirst) return;
      const equity = book.equity()!;
      for (const { planned, ledger } of own) ledger.fund(equity * planned.capitalShare);
      for (const [symbol, position] of model.positions) {
        const owner = ownerOf(symbol);
        if (owner === undefined) continue;
        if (views.manages(wallet, symbol)) owner.ledger.adopt(position);
        else strangers.add(symbol, book.position(symbol));
      }
      for (const fill of early.splice(0)) takeFill(fill);
    }),
    source.orders$.subscribe((order) => {
      seen(order.order_id, clientNameOf(order), order);
      book.orderShown(order.order_id);
      if (filled.order(order)) grown$.next();
    }),
    source.executionsModel$.subscribe((executions) => {
      book.executions(executions.values());
      for (const [id, execution] of executions)
        seen(id, clientNameOf(execution), standingOf(execution));
    }),
    source.executionsShown$.subscribe(() => exposure.shown(wallet, 'execution', market.now())),
    source.executions$.subscribe(({ event, execution }) => {
      if (event === 'gone') return filled.forget(execution.execution_id);
      if (filled.execution(execution)) grown$.next();
      events$.next({ kind: 'execution', instance: nameOf(execution.symbol), wallet, execution });
    }),
    source.fillsInTurn$.subscribe((fill) => {
      snapshots.inTurn(fill);
      lastInTurn = fill.fill_id;
      book.fillInTurn(fill);
    }),
    source.positionsInTurn$.subscribe(({ symbol }) => book.positionShown(symbol)),
    source.fills$.subscribe(takeFill),
    source.liquidations$.subscribe(({ symbol, time }) => {
      missed.reported(symbol);
      reportLiquidation({ symbol, time });
    }),
    source.watchModel$.subscribe((rows) => {
      book.watches(rows.values());
      filled.rows(rows.values());
    }),
    source.watch$.subscribe(({ event, row }) => {
      // While the frame is delivered, market time is the frame's time.
      const time = market.now();
      events$.next({ kind: 'watch', instance: nameOf(row.symbol), wallet, event, row, time });
    }),
    source.monitorsModel$.subscribe((monitors) => {
      book.monitors(monitors.values());
      for (const id of monitors.keys()) seen(id);
    }),
    source.monitorsShown$.subscribe(() => exposure.shown(wallet, 'monitor', market.now())),
    source.funding$.subscribe(({ symbol, amount, time }) => {
      instants.reach(time);
      // Of before the first snapshot it is in what that shows.
      if (lastShown === undefined) return;
      charged += amount;
      book.funding(amount);
      ledgerOf(symbol)?.funding(symbol, amount);
    }),
  );
  // What is filled during an outage is in no frame, and the order shows it.
  const filledOf = (id: string) => largerOf(filled.of(id), book.order(id)?.filled_size);
  subscription.add(followCover(wallet, { streams, coverage, filledOf, grown$ }));
  return subscription;
}

const largerOf = (one: number | undefined, other: number | undefined): number | undefined =>
  one === undefined || other === undefined ? (one ?? other) : Math.max(one, other);
