import { farthestSweep } from '../../contract/farthestSweep.ts';
import {
  checkRequest,
  type AlgoId,
  type BasketRequest,
  type ExecuteRequest,
  type PriceRange,
} from '../../contract/index.ts';
import { checkLaunch, checkLaunchShape, launchExecution, rowsOf } from '../algos/launch.ts';
import { ServiceError } from '../core/ServiceError.ts';
import { fieldFault } from '../engine/fieldFault.ts';
import type { EngineState } from '../engine/EngineState.ts';
import { withinField } from '../engine/withinField.ts';
import { checkRows } from '../legs/maintainedRows.ts';
import type { Account } from '../venue/Account.ts';
import type { Basket } from './Basket.ts';
import { endOf } from './noteLegEnd.ts';

/** `POST /v1/baskets`: all legs are checked before any is launched (BSK-1). */
export function launchBasket(
  engine: EngineState,
  account: Account,
  { request, idempotencyKey }: { request: BasketRequest; idempotencyKey: string | null },
): Basket {
  const { legs, priceRange } = legsOf(engine, account, request);
  checkLegs(engine, account, legs, priceRange);
  const launched = legs.map((leg) =>
    launchExecution(engine, account, { request: leg, idempotencyKey }),
  );
  const basketId = engine.nextId('bas');
  for (const execution of launched) execution.basketId = basketId;
  const basket: Basket = {
    basketId,
    name: request.name ?? null,
    templateId: request.template_id ?? null,
    priceRange,
    legs: launched.map((execution, at) => ({
      request: legs[at]!,
      executionId: execution.record.execution_id,
      endedAs: endOf(execution),
    })),
    createdTime: engine.market.now,
    request,
  };
  account.baskets.add(basket.basketId, basket);
  return basket;
}

/** The request's own legs or those of its template, checked against the requested range. */
function legsOf(
  { dialect }: EngineState,
  account: Account,
  request: BasketRequest,
): { legs: readonly ExecuteRequest[]; priceRange: PriceRange | null } {
  if (request.legs !== undefined) {
    return { legs: request.legs, priceRange: request.price_range ?? null };
  }
  const template = account.basketTemplates.get(request.template_id);
  if (template === undefined) {
    throw new ServiceError('not_found', { details: { template_id: request.template_id } });
  }
  const priceRange = request.price_range ?? template.price_range;
  const whole = { legs: template.legs, ...(priceRange && { price_range: priceRange }) };
  const checked = checkRequest('baskets.launch', whole, dialect);
  if (!checked.ok) {
    const { code, message, details } = checked.fault;
    throw new ServiceError(code, { message, details });
  }
  return { legs: template.legs, priceRange };
}

function checkLegs(
  engine: EngineState,
  account: Account,
  legs: readonly ExecuteRequest[],
  range: PriceRange | null,
): void {
  const ids = new Set<string>();
  for (const [index, leg] of legs.entries()) {
    const id = leg.client_execution_id;
    if (id !== undefined && ids.has(id)) {
      const path = `legs.${index}.client_execution_id`;
      throw fieldFault(path, 'duplicate', 'Each leg needs a client_execution_id of its own.');
    }
    if (id !== undefined) ids.add(id);
    withinField(`legs.${index}`, () => checkLaunchShape(engine, leg));
  }
  for (const [index, leg] of legs.entries()) {
    const { priceFrom } = withinField(`legs.${index}`, () => checkLaunch(engine, account, leg));
    const field = RANGED[leg.algo];
    if (field === undefined || priceFrom === null || range === null) continue;
    checkRange(`legs.${index}.${field}`, priceFrom.price, range);
    const farthest = farthestSweep(leg, priceFrom.price);
    if (farthest !== null) checkRange(`legs.${index}.sweep_limit_bps`, farthest, range);
  }
  checkRows(
    account,
    legs.map(rowsOf).reduce((sum, rows) => sum + rows, 0),
  );
}

/** Prices that are resolved at launch and lie in a basket's range as those that are sent do. */
const RANGED: Partial<Record<AlgoId, string>> = {
  glidemaker: 'params.limit_price_from',
  ghostsweep: 'trigger_from',
};

function checkRange(path: string, price: number, range: PriceRange): void {
  if (price >= range.low && price <= range.high) return;
  const message = `${price} is outside the basket's range ${range.low} to ${range.high}.`;
  throw fieldFault(path, 'outside_range', message);
}
