import type {
  ClosePositionRequest,
  ExecuteRequest,
  LeverageRequest,
  TpslRequest,
} from '../../../contract/index.ts';
import type { Call, HandlerTable } from '../../core/Engine.ts';
import { ServiceError } from '../../core/ServiceError.ts';
import { launchExecution } from '../../algos/launch.ts';
import { executionRecord } from '../../algos/publishExecution.ts';
import { attachLegs, retireLegs } from '../../legs/attachLegs.ts';
import { isLive, legRecord } from '../../legs/Leg.ts';
import type { Account, Position } from '../../venue/Account.ts';
import { setLeverage } from '../../venue/leverage.ts';
import { leverageOf } from '../../venue/margin.ts';
import { placeOrder } from '../../venue/placeOrder.ts';
import { orderRecord, positionRecord } from '../../venue/publish.ts';
import { accountOf } from '../snapshotOf.ts';
import type { World } from '../World.ts';
import { pageOfLedger, pageOfRows } from './pageOf.ts';

/** Positions and leverage (POS-1). */
export function positionRoutes(world: World): HandlerTable {
  const of = (call: Call): Account => accountOf(world, call.wallet);
  return {
    'positions.list': (call) => {
      const account = of(call);
      const rows = [...account.positions.values()].map((each) =>
        positionRecord(world, account, each),
      );
      const filterable = (row: (typeof rows)[number]) => ({
        symbol: row.symbol,
        time: row.opened_time,
      });
      return { body: pageOfRows(world, call, rows, filterable) };
    },
    'positions.get': (call) => ({
      body: positionRecord(world, of(call), positionOf(world, of(call), symbolOf(call))),
    }),
    'positions.entryFees': (call) => ({
      body: entryFeesRecord(positionOf(world, of(call), symbolOf(call))),
    }),
    'positions.close': (call) => ({ body: closePosition(world, call, of(call)) }),
    'positions.legs': (call) => ({ body: listLegs(world, call, of(call)) }),
    'positions.attachLegs': (call) => {
      const position = positionOf(world, of(call), symbolOf(call), true);
      const request = call.body as TpslRequest;
      return { body: attachLegs(world, of(call), position, request) };
    },
    'positions.retireLegs': (call) => {
      world.market.at(symbolOf(call));
      return { body: retireLegs(world, of(call), symbolOf(call)) };
    },
    'leverage.get': (call) => ({ body: leverageRecord(world, of(call), symbolOf(call)) }),
    'leverage.set': (call) => {
      setLeverage(world, of(call), symbolOf(call), call.body as LeverageRequest);
      return { body: leverageRecord(world, of(call), symbolOf(call)) };
    },
  };
}

const symbolOf = (call: Call): string => call.pathParams['symbol']!;

/** `no_position` is 404 where the position itself is asked for, 422 where it is a precondition. */
export function positionOf(
  world: World,
  account: Account,
  symbol: string,
  asPrecondition = false,
): Position {
  world.market.at(symbol);
  const position = account.positions.get(symbol);
  if (position === undefined)
    throw new ServiceError('no_position', { asPrecondition, details: { symbol } });
  return position;
}

/** Legs on the position, those of orders and launches too; closed ones by `status`. */
function listLegs(world: World, call: Call, account: Account) {
  const symbol = symbolOf(call);
  world.market.at(symbol);
  const isLiveOnly = call.query['status'] === undefined;
  return pageOfLedger(world, call, {
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

function leverageRecord(world: World, account: Account, symbol: string) {
  const { instrument } = world.market.at(symbol);
  return {
    symbol,
    leverage: leverageOf(world, account, symbol),
    mode: 'cross',
    max_leverage: instrument.max_leverage,
  };
}

/** A reduce-only market order over the whole position. */
function closePosition(world: World, call: Call, account: Account) {
  const { size } = positionOf(world, account, symbolOf(call), true);
  const body = (call.body ?? {}) as ClosePositionRequest;
  if (body.algo !== undefined) {
    call.requireScope('algo');
    return executionRecord(account, closeByAlgo(world, call, account, body));
  }
  const order = placeOrder(world, account, {
    symbol: symbolOf(call),
    side: size > 0 ? 'sell' : 'buy',
    size: Math.abs(size),
    price: null,
    timeInForce: null,
    slippageBps: body.slippage_bps ?? account.settings.default_slippage_bps,
    reduceOnly: true,
    idempotencyKey: call.idempotencyKey,
    request: call.body,
  });
  return orderRecord(account, order);
}

/** A reduce-only launch over the whole position. */
function closeByAlgo(
  world: World,
  call: Call,
  account: Account,
  { algo, params }: ClosePositionRequest,
) {
  const { symbol, size } = account.positions.get(symbolOf(call))!;
  const request = {
    algo,
    symbol,
    side: size > 0 ? 'sell' : 'buy',
    total_size: Math.abs(size),
    params,
    reduce_only: true,
  } as ExecuteRequest;
  const { idempotencyKey } = call;
  return launchExecution(world, account, { request, idempotencyKey, sent: call.body });
}
