import type {
  ClosePositionRequest,
  LeverageRequest,
  TpslRequest,
} from '../../../contract/index.ts';
import type { Call, HandlerTable } from '../../core/Engine.ts';
import { attachLegs, retireLegs } from '../../legs/attachLegs.ts';
import { checkLegPrices } from '../../legs/checkSentLegs.ts';
import { isLive, legRecord } from '../../legs/Leg.ts';
import type { Account, Position } from '../../venue/Account.ts';
import { leverageRecord, setLeverage } from '../../venue/leverage.ts';
import { positionRecord } from '../../venue/publish.ts';
import { closePosition, positionOf } from '../closePosition.ts';
import { accountOf } from '../snapshotOf.ts';
import type { EngineState } from '../EngineState.ts';
import { pageOfLedger, pageOfRows } from './pageOf.ts';

/** Positions and leverage (POS-1). */
export function positionRoutes(engine: EngineState): HandlerTable {
  const of = (call: Call): Account => accountOf(engine, call.wallet);
  return {
    'positions.list': (call) => {
      const account = of(call);
      const rows = [...account.positions.values()].map((each) =>
        positionRecord(engine, account, each),
      );
      return {
        body: pageOfRows(engine, call, {
          rows,
          keyOf: ({ opened_time: time, symbol }) => [time, symbol],
          filterable: ({ opened_time: time, symbol }) => ({ symbol, time }),
        }),
      };
    },
    'positions.get': (call) => ({
      body: positionRecord(engine, of(call), positionOf(engine, of(call), symbolOf(call))),
    }),
    'positions.entryFees': (call) => ({
      body: entryFeesRecord(positionOf(engine, of(call), symbolOf(call))),
    }),
    'positions.close': (call) => {
      const body = (call.body ?? {}) as ClosePositionRequest;
      const { idempotencyKey } = call;
      if (body.algo !== undefined) call.requireScope('algo');
      const symbol = symbolOf(call);
      return { body: closePosition(engine, of(call), { symbol, body, idempotencyKey }) };
    },
    'positions.legs': (call) => ({ body: listLegs(engine, call, of(call)) }),
    'positions.attachLegs': (call) => {
      const request = call.body as TpslRequest;
      checkLegPrices(request, engine.market.at(symbolOf(call)).instrument);
      const position = positionOf(engine, of(call), symbolOf(call), true);
      return { body: attachLegs(engine, of(call), position, request) };
    },
    'positions.retireLegs': (call) => {
      engine.market.at(symbolOf(call));
      return { body: retireLegs(engine, of(call), symbolOf(call)) };
    },
    'leverage.get': (call) => ({ body: leverageRecord(engine, of(call), symbolOf(call)) }),
    'leverage.set': (call) => {
      setLeverage(engine, of(call), symbolOf(call), call.body as LeverageRequest);
      return { body: leverageRecord(engine, of(call), symbolOf(call)) };
    },
  };
}

const symbolOf = (call: Call): string => call.pathParams['symbol']!;

/** Legs on the position, those of orders and launches too; closed ones by `status`. */
function listLegs(engine: EngineState, call: Call, account: Account) {
  const symbol = symbolOf(call);
  engine.market.at(symbol);
  const isLiveOnly = call.query['status'] === undefined;
  return pageOfLedger(engine, call, {
    ledger: account.legs,
    filterable: ({ record, createdTime }) => ({ ...record, time: createdTime }),
    isListed: (leg) => leg.record.symbol === symbol && (!isLiveOnly || isLive(leg)),
    show: (leg) => legRecord(leg),
  });
}

function entryFeesRecord(position: Position) {
  const { symbol, size, entryPrice, entryFees, entryNotional, makerNotional } = position;
  return {
    symbol,
    entry_fees: entryFees,
    entry_notional: entryNotional,
    fee_bps: (entryFees / entryNotional) * 10_000,
    maker_share: makerNotional / entryNotional,
    break_even_price: entryPrice + entryFees / size,
  };
}
