import type { ExecuteRequest } from '../contract/executeRequest.ts';
import type { EntryLeg, PositionLeg } from '../contract/legs.ts';
import type { OrderRequest } from '../contract/orderRequest.ts';
import type { Scope } from '../contract/vocabulary.ts';
import type { Intent } from './Intent.ts';

/** What an intent needs from the key and from the wallet before it can succeed. */
export interface IntentNeeds {
  /** Scopes that the key must have (AUTH-4, conventions §2). */
  scopes: readonly Scope[];
  /** Rows of the wallet's twenty that it may take: trails and tracked entries (LEG-11, TRK-6). */
  maintainedRows: number;
}

type Leg = EntryLeg | PositionLeg | undefined;
type Legs = { take_profit?: Leg; stop_loss?: Leg };

const trails = (legs: Legs): number =>
  [legs.take_profit, legs.stop_loss].filter((leg) => leg?.trail !== undefined).length;

/** Trails of its legs, and a level that it follows: price, trigger, limit or stop. */
function rowsOf(request: OrderRequest | ExecuteRequest): number {
  const params: object = ('params' in request ? request.params : undefined) ?? {};
  const reads: unknown[] = [...Object.values(request), ...Object.values(params)];
  const tracked = reads.filter(
    (read) => typeof read === 'object' && read !== null && 'track' in read && read.track === true,
  );
  return trails(request) + tracked.length;
}

const unwinds = (legs: Legs): boolean =>
  [legs.take_profit, legs.stop_loss].some((leg) => leg?.exit_style === 'algo_unwind');

const needs = (scopes: Scope[], maintainedRows = 0): IntentNeeds => ({ scopes, maintainedRows });
const TRADE: Scope = 'trade';
const ALGO: Scope = 'algo';

export function needsOf(intent: Intent): IntentNeeds {
  switch (intent.kind) {
    case 'launch':
      return needs([ALGO], rowsOf(intent.request));
    case 'place_order':
      return needs([TRADE], rowsOf(intent.request));
    case 'attach_tpsl':
      return needs(unwinds(intent.legs) ? [TRADE, ALGO] : [TRADE], trails(intent.legs));
    case 'close_position':
      return needs(intent.request.algo === undefined ? [TRADE] : [TRADE, ALGO]);
    case 'create_monitor': {
      const { type, request } = intent.request.action;
      return needs(type === 'order' ? [ALGO, TRADE] : [ALGO], rowsOf(request));
    }
    case 'launch_basket': {
      const rows = (intent.request.legs ?? []).reduce((sum, leg) => sum + rowsOf(leg), 0);
      return needs([ALGO], rows);
    }
    case 'control_execution':
    case 'stop_monitor':
      return needs([ALGO]);
    default:
      return needs([TRADE]);
  }
}
