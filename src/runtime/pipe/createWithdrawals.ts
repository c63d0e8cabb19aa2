import type { Emission } from '../../strategy/Emission.ts';
import { OPERATOR } from '../operator.ts';
import { clientNameAsked } from '../wallet/index.ts';
import type { TooLate } from './createConclusions.ts';
import type { Reports } from './createReports.ts';
import { roomOf } from './createRowReservations.ts';
import type { PipeItem, SendItem } from './PipeItem.ts';

/** A place where intents wait of which nothing was sent. */
export interface Unsent {
  /** Takes out those of which no attempt may have been executed. */
  withdraw(isOne: (item: PipeItem) => boolean): readonly PipeItem[];
}

/** Takes out of a place what is meant. */
export function takeOut<T extends PipeItem>(place: Set<T>, isOne: (item: T) => boolean): T[] {
  const taken = [...place].filter(isOne);
  for (const item of taken) place.delete(item);
  return taken;
}

export interface WithdrawalsOptions {
  reports: Pick<Reports, 'end'>;
  places(): readonly Unsent[];
}

/**
 * Ends what a cancel or a stop means and what was never sent. Controls leave before entries: the cancel would find
 * nothing, and its order would go out after it.
 */
export interface Withdrawals {
  /**
   * An order that is to be cancelled and was not sent is not sent any more; with a bulk cancel every one that would rest: of
   * its symbol, or of its strategy.
   * It is asked once the guards have passed the cancel, and again when its turn comes.
   *
   * @returns why the request itself is not needed; undefined if it is
   */
  beforeSending(item: SendItem): TooLate | undefined;
  /** The same for what has no id before it is accepted: whether a stop has ended a launch or a monitor. */
  insteadOf(item: PipeItem): boolean;
}

/** What a stop by a ref withdraws: the intents that make what it ends, and nothing else. */
const MAKES: readonly Emission['intent']['kind'][] = ['launch', 'create_monitor'];
const WITHDRAWN = { reason: 'it was cancelled before it was sent' };
const OBSOLETE = { reason: 'the intent that it made room for has ended' };
export const NOT_NEEDED = { reason: 'what it ends was not sent, and is not sent any more' };

export function createWithdrawals({ reports, places }: WithdrawalsOptions): Withdrawals {
  function withdraw(isOne: (item: PipeItem) => boolean): boolean {
    // Where each of them waits depends on how many may be in flight; the order in which they end must not.
    const withdrawn = places()
      .flatMap((place) => place.withdraw(isOne))
      .toSorted((a, b) => a.decided - b.decided);
    for (const item of withdrawn) reports.end(item, 'expired', WITHDRAWN);
    // An entry must not be cancelled for one that will not be sent.
    const keys = new Set(withdrawn.map(({ key }) => key));
    const isForIt = ({ emission: { instance, cause } }: PipeItem): boolean =>
      instance === OPERATOR && keys.has(roomOf(cause)?.pendingIntent ?? '');
    const obsolete = keys.size === 0 ? [] : places().flatMap((place) => place.withdraw(isForIt));
    for (const item of obsolete) reports.end(item, 'expired', OBSOLETE);
    return withdrawn.length > 0;
  }

  return {
    beforeSending({ emission, request, decided, unknownSince }) {
      const { intent, wallet, instance } = emission;
      if (intent.kind !== 'bulk_cancel' && intent.kind !== 'cancel_order') return undefined;
      /** What was decided after it is not meant. */
      const isEarlier = (one: PipeItem): boolean =>
        one.emission.wallet === wallet && one.decided < decided;
      if (intent.kind === 'bulk_cancel') {
        const { symbol } = intent;
        const isMeant = (one: PipeItem): boolean =>
          symbol !== undefined || instance === OPERATOR || one.emission.instance === instance;
        withdraw((one) => isEarlier(one) && isMeant(one) && mayRest(one, symbol));
        return undefined;
      }
      const id = request.pathParams['id'];
      if (id === undefined) return undefined;
      const isEnded = withdraw((one) => isEarlier(one) && nameOf(one) === id);
      return isEnded && unknownSince === undefined ? NOT_NEEDED : undefined;
    },
    insteadOf(item) {
      if (item.meant === undefined || !isStop(item)) return false;
      const { key } = item.meant;
      return withdraw((one) => one.key === key && MAKES.includes(one.emission.intent.kind));
    },
  };
}

/** The name by which a request finds the order; undefined for what is none. */
function nameOf({ emission: { intent }, key }: PipeItem): string | undefined {
  return intent.kind === 'place_order' ? clientNameAsked(intent, key) : undefined;
}

/** An order at the market, or for immediate execution only, is never among those that a bulk cancel finds. */
function mayRest({ emission: { intent } }: PipeItem, symbol: string | undefined): boolean {
  if (intent.kind !== 'place_order') return false;
  const { request } = intent;
  if (request.order_type === 'market' || request.time_in_force === 'ioc') return false;
  return symbol === undefined || request.symbol === symbol;
}

/** Whether it ends what a launch or a monitor made. */
export const isStop = ({ emission: { intent } }: PipeItem): boolean =>
  intent.kind === 'stop_monitor' ||
  (intent.kind === 'control_execution' && intent.action === 'stop');
