import type { ExecuteRequest } from '../contract/executeRequest.ts';
import type { EntryLeg, PositionLeg } from '../contract/legs.ts';
import type { OrderRequest } from '../contract/orderRequest.ts';
import type { Scope } from '../contract/vocabulary.ts';
import type { Intent } from './Intent.ts';
import { rowsOf } from './rowsOf.ts';

/** What an intent needs from the key and from the wallet before it can succeed. */
export interface IntentNeeds {
  /** Scopes that the key must have (AUTH-4, conventions §2). */
  scopes: readonly Scope[];
  /** Rows of the wallet's twenty that it may take: trails and tracked entries (LEG-11, TRK-6). */
  maintainedRows: number;
}

type Leg = EntryLeg | PositionLeg | undefined;
type Legs = { take_profit?: Leg; stop_loss?: Leg };

/** Trails of its legs, and levels that it follows. */
function countRows(request: OrderRequest | ExecuteRequest): number {
  const { tracked, trails } = rowsOf(request);
  return tracked + trails;
}

const unwinds = (legs: Legs): boolean =>
  [legs.take_profit, legs.stop_loss].some((leg) => leg?.exit_style === 'algo_unwind');

const needs = (scopes: Scope[], maintainedRows = 0): IntentNeeds => ({ scopes, maintainedRows });
const TRADE: Scope = 'trade';
const ALGO: Scope = 'algo';

export function needsOf(intent: Intent): IntentNeeds {
  switch (intent.kind) {
    case 'launch':
      return needs([ALGO], countRows(intent.request));
    case 'place_order':
      return needs([TRADE], countRows(intent.request));
    case 'attach_tpsl':
      return needs(unwinds(intent.legs) ? [TRADE, ALGO] : [TRADE], rowsOf(intent.legs).trails);
    case 'close_position':
      return needs(intent.request.algo === undefined ? [TRADE] : [TRADE, ALGO]);
    case 'create_monitor': {
      const { type, request } = intent.request.action;
      return needs(type === 'order' ? [ALGO, TRADE] : [ALGO], countRows(request));
    }
    case 'launch_basket': {
      const rows = (intent.request.legs ?? []).reduce((sum, leg) => sum + countRows(leg), 0);
      return needs([ALGO], rows);
    }
    case 'control_execution':
    case 'pause_monitor':
    case 'stop_monitor':
      return needs([ALGO]);
    default:
      return needs([TRADE]);
  }
}
