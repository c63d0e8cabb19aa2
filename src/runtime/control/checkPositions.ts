import { Subscription } from 'rxjs';
import type { FillRecord, PositionRecord } from '../../contract/index.ts';
import type { Cancel, MarketClock } from '../../env/index.ts';
import type { AccountModel, Streams } from '../../streams/index.ts';
import { agrees, isSpot } from '../wallet/index.ts';
import type { EntryGate } from './createEntryGate.ts';

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

/** What the fills since a snapshot make of a position. */
interface Tally {
  /** Every size that may be right: a fill of the snapshot's exact time may or may not be in it. */
  sizes: number[];
  /** The greatest size that took part; it determines the tolerance. */
  greatest: number;
  /**
   * A position frame arrived since both last agreed, so the contradiction comes from that frame and not from a
   * missing one.
   */
  isShown: boolean;
}

/** Market time within which all frames of one trade have arrived: its fill, its position. */
const GRACE_MS = 2_000;
/** Beyond this many possible sizes nothing is reported until the next snapshot. */
const MOST_SIZES = 64;
const RELATIVE_TOLERANCE = 1e-6;
const LEAST_TOLERANCE = 1e-8;

const signedSize = (position: PositionRecord | undefined): number =>
  position === undefined ? 0 : position.side === 'short' ? -position.size : position.size;

/**
 * Checks the position frames of a wallet's perps against its fills, which carry the same information. If they
 * contradict each other for longer than a trade's frames take, one of them is wrong: it is reported, and
 * entries of the symbol close until a fresh snapshot agrees with the view before it.
 */
export function checkPositions(wallet: string, options: CheckPositionsOptions): Subscription {
  const { streams, market, gate, events$ } = options;
  const source = streams.wallet(wallet);
  const tallies = new Map<string, Tally>();
  const waits = new Map<string, Cancel>();
  const doubted = new Set<string>();
  let cancelAsking: Cancel = () => {};
  let shown: AccountModel | undefined;
  let snapshot: AccountModel | undefined;

  function tallyOf(symbol: string): Tally {
    const known = tallies.get(symbol);
    if (known !== undefined) return known;
    const size = signedSize(snapshot?.positions.get(symbol));
    const tally = { sizes: [size], greatest: Math.abs(size), isShown: false };
    tallies.set(symbol, tally);
    return tally;
  }

  function isContradicted(symbol: string): boolean {
    const { sizes, greatest } = tallyOf(symbol);
    if (sizes.length > MOST_SIZES) return false;
    const size = signedSize(shown?.positions.get(symbol));
    const scale = Math.max(greatest, Math.abs(size));
    const tolerance = Math.max(LEAST_TOLERANCE, RELATIVE_TOLERANCE * scale);
    return sizes.every((one) => Math.abs(one - size) > tolerance);
  }

  function stopWaiting(symbol: string): void {
    waits.get(symbol)?.();
    waits.delete(symbol);
  }

  /** Something changed on the symbol: the frames that belong to it have the full time again to arrive. */
  function look(symbol: string): void {
    stopWaiting(symbol);
    if (shown?.complete !== true || doubted.has(symbol)) return;
    if (!isContradicted(symbol)) {
      tallyOf(symbol).isShown = false;
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
    const expected = sizes[0]!;
    const figures = `it shows ${size}, its fills make ${expected}`;
    gate.closeSymbol(wallet, symbol, `the position in ${symbol} contradicts its fills: ${figures}`);
    events$.next({ kind: 'position_doubted', doubt: { wallet, symbol, shown: size, expected } });
    streams.resync();
  }

  function begin(model: AccountModel, before: AccountModel | undefined): void {
    snapshot = model;
    tallies.clear();
    for (const symbol of waits.keys()) stopWaiting(symbol);
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
    if (!model.complete) for (const symbol of waits.keys()) stopWaiting(symbol);
  }

  function hearPosition({ symbol }: PositionRecord): void {
    if (snapshot === undefined || isSpot(symbol)) return;
    tallyOf(symbol).isShown = true;
    look(symbol);
  }

  function hearFill({ symbol, side, size, time }: FillRecord): void {
    if (isSpot(symbol) || snapshot === undefined) return;
    const tally = tallyOf(symbol);
    if (tally.sizes.length > MOST_SIZES) return;
    const change = side === 'sell' ? -size : size;
    const changed = tally.sizes.map((one) => one + change);
    // A clock that was set back stamps what came since with times before the snapshot's.
    const mayBeHeld = time <= snapshot.account.time;
    tally.sizes = mayBeHeld ? [...new Set([...changed, ...tally.sizes])] : changed;
    tally.greatest = Math.max(tally.greatest, size, ...changed.map(Math.abs));
    look(symbol);
  }

  const subscription = new Subscription(() => {
    cancelAsking();
    for (const symbol of waits.keys()) stopWaiting(symbol);
  });
  subscription.add(source.account$.subscribe(see));
  subscription.add(source.positionsInTurn$.subscribe(hearPosition));
  subscription.add(source.fillsInTurn$.subscribe(hearFill));
  return subscription;
}
