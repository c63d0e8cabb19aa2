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
  /**
   * Executions that it may start, now or (a monitor) later. A monitor that only reduces is protection, and counts when
   * it has fired.
   */
  executions: number;
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

const needs = (scopes: Scope[], maintainedRows = 0, executions = 0): IntentNeeds => ({
  scopes,
  maintainedRows,
  executions,
});
const TRADE: Scope = 'trade';
const ALGO: Scope = 'algo';

export function needsOf(intent: Intent): IntentNeeds {
  switch (intent.kind) {
    case 'launch':
      return needs([ALGO], countRows(intent.request), 1);
    case 'place_order':
      return needs([TRADE], countRows(intent.request));
    case 'attach_tpsl':
      return needs(unwinds(intent.legs) ? [TRADE, ALGO] : [TRADE], rowsOf(intent.legs).trails);
    case 'close_position':
      return intent.request.algo === undefined ? needs([TRADE]) : needs([TRADE, ALGO], 0, 1);
    case 'create_monitor': {
      const { type, request } = intent.request.action;
      const rows = countRows(request);
      if (type === 'order') return needs([ALGO, TRADE], rows);
      return needs([ALGO], rows, request.reduce_only === true ? 0 : 1);
    }
    case 'launch_basket': {
      const { legs = [] } = intent.request;
      const rows = legs.reduce((sum, leg) => sum + countRows(leg), 0);
      return needs([ALGO], rows, legs.length);
    }
    case 'control_execution':
      return needs([ALGO], 0, intent.action === 'resume' ? 1 : 0);
    case 'pause_monitor':
    case 'stop_monitor':
      return needs([ALGO]);
    default:
      return needs([TRADE]);
  }
}
