import { Subscription } from 'rxjs';
import { signedSize, type FillRecord, type PositionRecord } from '../../contract/index.ts';
import { OpenMap, type Cancel, type MarketClock } from '../../env/index.ts';
import type { AccountModel, Streams } from '../../streams/index.ts';
import { agrees, isSpot } from '../wallet/index.ts';
import type { EntryGate } from './createEntryGate.ts';
import { addFill, contradicts, createTally, isUndecided, type Tally } from './positionTally.ts';

/** A position that its fills do not add up to; signed base units, positive long. */
export interface PositionDoubt {
  wallet: string;
  symbol: string;
  /** According to the position frames. */
  shown: number;
  /** The last snapshot's size plus the fills since. */
  expected: number;
}

/** The result of a position check. */
export type PositionEvent =
  /** A wallet's position is not what its fills add up to; entries of the symbol are closed. */
  | { kind: 'position_doubted'; doubt: PositionDoubt }
  /** A fresh snapshot agreed with the view before it: entries of the symbol are open again. */
  | { kind: 'position_confirmed'; wallet: string; symbol: string; size: number };

export interface CheckPositionsOptions {
  streams: Pick<Streams, 'wallet' | 'resync'>;
  market: MarketClock;
  gate: Pick<EntryGate, 'closeSymbol' | 'openSymbol'>;
  events$: { next(event: PositionEvent): void };
}

/** Market time within which all frames of one trade have arrived: its fill, its position. */
const GRACE_MS = 2_000;

/**
 * Checks the position frames of a wallet's perps against its fills, which carry the same information. If they
 * contradict each other for longer than a trade's frames take, one of them is wrong: it is reported, and
 * entries of the symbol close until a fresh snapshot agrees with the view before it.
 */
export function checkPositions(wallet: string, options: CheckPositionsOptions): Subscription {
  const { streams, market, gate, events$ } = options;
  const source = streams.wallet(wallet);
  const tallies = new Map<string, Tally>();
  const waits = new OpenMap<Cancel>();
  const doubted = new Set<string>();
  let cancelAsking: Cancel = () => {};
  let shown: AccountModel | undefined;
  let snapshot: AccountModel | undefined;

  function tallyOf(symbol: string): Tally {
    const known = tallies.get(symbol);
    if (known !== undefined) return known;
    const tally = createTally(signedSize(snapshot?.positions.get(symbol)));
    tallies.set(symbol, tally);
    return tally;
  }

  function stopWaiting(symbol: string): void {
    const cancel = waits.get(symbol);
    if (cancel === undefined) return;
    cancel();
    waits.delete(symbol);
  }

  function stopAll(): void {
    for (const cancel of waits.values()) cancel();
    waits.clear();
  }

  /** Something changed on the symbol: the frames that belong to it have the full time again to arrive. */
  function look(symbol: string, tally: Tally): void {
    stopWaiting(symbol);
    if (shown?.complete !== true || doubted.has(symbol)) return;
    if (!contradicts(tally, signedSize(shown.positions.get(symbol)))) {
      tally.isShown = false;
      return;
    }
    waits.set(
      symbol,
      market.at(market.now() + GRACE_MS, () => doubt(symbol)),
    );
  }

  function doubt(symbol: string): void {
    waits.delete(symbol);
    const { isShown, sizes } = tallyOf(symbol);
    // A fill whose position frame never came: a lost frame is no contradiction, and a snapshot brings it.
    if (!isShown) return streams.resync();
    doubted.add(symbol);
    const size = signedSize(shown?.positions.get(symbol));
    // Sums of floats have a tail that no instrument's steps have.
    const expected = Number(sizes[0]!.toPrecision(12));
    const figures = `it shows ${size}, its fills make ${expected}`;
    gate.closeSymbol(wallet, symbol, `the position in ${symbol} contradicts its fills: ${figures}`);
    events$.next({ kind: 'position_doubted', doubt: { wallet, symbol, shown: size, expected } });
    streams.resync();
  }

  function begin(model: AccountModel, before: AccountModel | undefined): void {
    snapshot = model;
    tallies.clear();
    stopAll();
    if (doubted.size === 0) return;
    cancelAsking();
    if (before === undefined || !agrees(before, model)) {
      // Not at once: a service that never agrees must not be queried without end.
      cancelAsking = market.at(market.now() + GRACE_MS, () => streams.resync());
      return;
    }
    for (const symbol of doubted) {
      gate.openSymbol(wallet, symbol);
      const size = signedSize(model.positions.get(symbol));
      events$.next({ kind: 'position_confirmed', wallet, symbol, size });
    }
    doubted.clear();
  }

  function see(model: AccountModel): void {
    const before = shown;
    shown = model;
    if (before?.account !== model.account) return begin(model, before);
    if (!model.complete) stopAll();
  }

  function onPosition({ symbol }: PositionRecord): void {
    if (snapshot === undefined || isSpot(symbol)) return;
    const tally = tallyOf(symbol);
    tally.isShown = true;
    look(symbol, tally);
  }

  function onFill(fill: FillRecord): void {
    const { symbol } = fill;
    if (isSpot(symbol) || snapshot === undefined) return;
    const tally = tallyOf(symbol);
    if (isUndecided(tally)) return;
    addFill(tally, fill, snapshot.account.time);
    look(symbol, tally);
  }

  const subscription = new Subscription(() => {
    cancelAsking();
    stopAll();
  });
  subscription.add(source.account$.subscribe(see));
  subscription.add(source.positionsInTurn$.subscribe(onPosition));
  subscription.add(source.fillsInTurn$.subscribe(onFill));
  return subscription;
}
